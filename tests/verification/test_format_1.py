"""Releases of format 1, whose manifests tell more, are read, verified and reported as they were."""

import json
from pathlib import Path

import pytest

import incrowd
from incrowd.release import Manifest, Record, known_figures

FOLDER = Path(__file__).parent / "format_1"


@pytest.mark.parametrize(
    ("name", "losses"), [("levels", {}), ("groups", {"age": 0.448979591837, "zip": 0.678571428571})]
)
def test_a_release_of_format_1(name: str, losses: dict[str, float]) -> None:
    release = FOLDER / f"{name}.csv"
    files = [FOLDER / f"{name}.csv.{kind}.json" for kind in ("manifest", "record")]
    manifest, record = Manifest.read(files[0]), Record.read(files[1])
    assert [each.to_dict() for each in (manifest, record)] == [json.loads(file.read_text("utf-8")) for file in files]
    assert incrowd.verify(release).holds
    assert incrowd.verify(release, record=files[1]).holds
    figures = known_figures(manifest, record)
    assert figures is not None
    assert figures.losses == losses
    assert "loss" in figures.scores
    assert '"loss"' in incrowd.report(release).to_json()


def test_an_external_report_on_it_tells_no_more_than_one_on_a_new_release() -> None:
    told = incrowd.report(FOLDER / "groups.csv", audience="external").to_dict()
    assert told["scores"] == []
    assert told["search"] == {"name": "mondrian"}
    assert [column["loss"] for column in told["columns"]] == [None, None]

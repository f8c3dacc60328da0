"""Two columns against each other, before and after."""

import json
from pathlib import Path

import pytest
from hypothesis import given

import incrowd
from cli.command import Command
from comparison.tables import RANGES, written
from incrowd.comparison.cross_tables import cross_table
from incrowd.errors import UsageError
from metrics.pages import Example, examples


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return written(tmp_path, ranges=RANGES)


def columns(files: dict[str, str]) -> dict[str, object]:
    return {"age": "quasi", "town": {"role": "quasi", "hierarchy": files["regions"]}, "income": "sensitive"}


def test_by_hand(files: dict[str, str]) -> None:
    """Styria is Graz or Leoben, Upper Austria Linz or Wels: half of the records of each."""
    found = incrowd.measure(
        files["original"], files["ranges"], columns(files), pair=["town", "income"], metrics=["loss"]
    )
    table = found.releases[0].table
    assert table is not None
    before = {
        (row, column): table.original[i][j]
        for i, row in enumerate(table.rows)
        for j, column in enumerate(table.columns)
    }
    after = {
        (row, column): table.release[i][j] for i, row in enumerate(table.rows) for j, column in enumerate(table.columns)
    }
    assert before["Graz", "20"] == 1
    assert before["Leoben", "20"] == 0
    assert after["Graz", "20"] == after["Leoben", "20"] == 0.5
    assert sum(before.values()) == sum(after.values()) == 6
    assert found.to_dict()["releases"][0]["table"]["first"] == "town"


@given(examples(sensitive=1))
def test_sums_are_the_records(example: Example) -> None:
    names = list(example.told)
    if len(names) < 2:
        return
    released = example.released()
    found = cross_table(released, names[-2:])
    assert sum(map(sum, found.original)) == released.records
    expected = sum(map(sum, found.release))
    assert expected == pytest.approx(released.published, abs=0.1 * (len(found.rows) + 1) * (len(found.columns) + 1))
    assert found.suppressed == released.suppressed


@pytest.mark.parametrize("pair", [["town"], ["town", "town"], ["town", "nothing"]])
def test_a_pair_is_two_columns(files: dict[str, str], pair: list[str]) -> None:
    with pytest.raises(UsageError):
        incrowd.measure(files["original"], files["ranges"], columns(files), pair=pair)


def test_on_the_command_line(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = Command(monkeypatch, capsys)
    words = [
        "measure",
        files["original"],
        files["ranges"],
        "-q",
        "age",
        "-q",
        f"town={files['regions']}",
        "--keep",
        "income",
    ]
    said = line(*words, "--pair", "town,income", "--only", "loss").out
    assert "1 -> 0.5" in said
    told = json.loads(line(*words, "--pair", "town,income", "--only", "loss", "--json").out)
    assert told["releases"][0]["table"]["second"] == "income"


def test_a_notebook_does_not_show_values_unasked(files: dict[str, str]) -> None:
    found = incrowd.measure(
        files["original"], files["ranges"], columns(files), pair=["town", "income"], metrics=["loss"]
    )
    assert "Leoben" in str(found)
    assert "Leoben" not in found._repr_html_()


def test_kept_columns_are_measured_if_they_are_named(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,town,kept\n" + "".join(f"{20 + at % 20},{'abcd'[at % 4]},{at % 3}\n" for at in range(60)))
    job = {"columns": {"age": "quasi", "town": "quasi", "kept": "keep"}, "models": ["k_anonymity:k=3"]}
    incrowd.anonymize(path, {**job, "output": tmp_path / "release.csv"})
    metric = "association_change"
    usual = incrowd.measure(path, tmp_path / "release.csv", metrics=[metric]).releases[0].readings[metric]
    assert usual.parts.keys() == {"age and town"}
    more = (
        incrowd.measure(path, tmp_path / "release.csv", {"kept": "keep"}, metrics=[metric]).releases[0].readings[metric]
    )
    assert more.parts.keys() == {"age and town", "age and kept", "town and kept"}

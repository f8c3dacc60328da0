"""A release of a prepared table: verified, applied again, and silent about what was prepared."""

import json
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd import Job
from incrowd.errors import IncrowdError

PREPARE: dict[str, Any] = {
    "rename": {"sx": "sex"},
    "recode": {"sex": {"secretly-m": "m"}, "region": {"unknown": None}},
    "type": {"age": "integer"},
    "rows": {"where": {"age": {"from": 21}}, "sample": 0.9, "seed": 987654321},
}


def table(folder: Path, name: str = "people.csv") -> Path:
    path = folder / name
    rows = [f"P{at // 2},{'secretly-m' if at % 3 else 'f'},0{20 + at % 5},{'NSEW'[at % 4]},flu" for at in range(200)]
    path.write_text("who,sx,age,region,disease\n" + "\n".join(rows) + "\n")
    return path


def job(folder: Path, **columns: Any) -> dict[str, Any]:
    known = {"sex": "quasi", "age": {"role": "quasi", "hierarchy": "intervals:widths=2"}, "region": "quasi"}
    return {
        "data": {"source": str(table(folder)), "prepare": PREPARE},
        "output": str(folder / "release.csv"),
        "columns": {**known, "disease": "keep", **columns},
        "models": ["k_anonymity:k=3"],
        "search": "optimal",
        "suppress": 0.2,
    }


def test_the_release_does_not_say_what_was_prepared(tmp_path: Path) -> None:
    made = incrowd.anonymize(None, job(tmp_path))
    assert made.verdict.holds
    manifest = json.dumps(made.manifest.to_dict())
    assert not any(words in manifest for words in ("prepare", "secretly", "987654321", "sx", "sample"))
    assert "secretly" in json.dumps(made.record.job), "the private record knows it"
    assert incrowd.verify(tmp_path / "release.csv").holds


def test_a_table_of_people_is_prepared_again_to_count_them(tmp_path: Path) -> None:
    described = job(tmp_path, who="person")
    made = incrowd.anonymize(None, described)
    assert made.verdict.holds
    verdict = incrowd.verify(tmp_path / "release.csv", record=tmp_path / "release.csv.record.json")
    assert verdict.holds
    assert next(check.holds for check in verdict.checks if check.name == "people"), verdict


def test_new_data_are_prepared_alike(tmp_path: Path) -> None:
    incrowd.anonymize(None, job(tmp_path))
    more = table(tmp_path, "more.csv")
    made = incrowd.apply(tmp_path / "release.csv.record.json", more, tmp_path / "next.csv")
    assert made.verdict.holds
    assert (tmp_path / "next.csv").read_text() == (tmp_path / "release.csv").read_text()


def test_every_form_of_a_job_has_it(tmp_path: Path) -> None:
    described = Job.from_dict(job(tmp_path))
    for text in (described.to_yaml(), described.to_json(), described.to_xml()):
        assert Job.from_text(text) == described
    assert "--prepare" in described.to_command()


@pytest.mark.parametrize(
    "wrong", [{"rows": {"sample": 2, "seed": 1}}, {"type": {"age": "x"}}, {"recoded": {}}, 3], ids=str
)
def test_a_fault_is_named_at_its_place(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(IncrowdError, match="prepare"):
        Job.from_dict({**job(tmp_path), "data": {"source": "a.csv", "prepare": wrong}})


def test_a_population_is_not_prepared_alike(tmp_path: Path) -> None:
    described = {**job(tmp_path), "population": str(table(tmp_path, "all.csv")), "models": ["k_map:k=3"]}
    with pytest.raises(IncrowdError, match="the population"):
        incrowd.anonymize(None, described)

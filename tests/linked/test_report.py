"""The report on a release of several tables: what it counts, and what an external one does not have."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import incrowd
from incrowd.errors import UsageError
from linked_sets import Frames, job_of, small_set


@pytest.fixture(scope="module")
def frames() -> Frames:
    """People, visits, tests and drugs; one column is kept."""
    found = small_set(1, people=60)
    found["tests"] = found["tests"].assign(result=[f"result {at}" for at in range(len(found["tests"]))])
    return found


@pytest.fixture(scope="module")
def made(frames: Frames) -> Any:
    """Their release."""
    job = job_of(frames, models=["k_anonymity:k=3", "distinct_l:l=2,column=visits.illness"], suppress=0.7)
    job["tables"]["tests"]["columns"]["result"] = "keep"
    return incrowd.anonymize(frames, job)


def test_an_internal_report_counts_before_and_after(made: Any, frames: Frames) -> None:
    """Of each table the records and people; of people the risk, by what is known of them."""
    facts = incrowd.report(made, original=frames).to_dict()
    assert facts["kind"] == "linked"
    assert (facts["input_people"], facts["people"]) == (60, made.manifest.people)
    for table in facts["tables"]:
        before, after = frames[table["name"]], made.frames[table["name"]]
        assert (table["input_records"], table["records"]) == (len(before), len(after))
        if table["name"] != "drugs":
            assert (table["input_people"], table["people"]) == (before["id"].nunique(), after["id"].nunique())
        for column in table["columns"]:
            assert column["published"] == after[column["name"]].nunique()
            assert column["level"] == made.levels[f"{table['name']}.{column['name']}"]
    attack = incrowd.attack(made).to_dict()["linkage"]
    assert facts["risk_after"] == attack
    diagnosis = incrowd.diagnose(incrowd.LinkedJob.from_dict(job_of(frames)).reading(frames)).ask()
    assert facts["risk_before"][0]["alone"] == diagnosis.all_columns.people  # type: ignore[union-attr]
    assert facts["verdict"] == "holds"
    assert "original" in {check["name"] for check in facts["details"]}


def test_every_form_states_the_same(made: Any, frames: Frames) -> None:
    """As a page and as Markdown."""
    report = incrowd.report(made, original=frames)
    page, text = report.to_html(), report.to_markdown()
    for words in (
        "Published tables",
        "Re-identification risk of people",
        "distinct_l",
        "singled out",
        "Verdict: verified",
    ):
        assert words in page
        assert words.replace("_", "\\_") in text
    assert "anyone who learns these of a person from another source" in page


def test_without_the_original_tables_a_report_says_what_it_lacks(made: Any) -> None:
    """The release was made from frames."""
    report = incrowd.report(made)
    assert report.to_dict()["risk_before"] == []
    assert "The original tables were not found" in report.to_markdown()


def test_an_external_report_has_no_figure_of_the_original(made: Any, frames: Frames) -> None:
    """Neither a value of a record, nor what only private record and original tell."""
    report = incrowd.report(made, audience="external", original=frames)
    facts = report.to_dict()
    assert facts["risk_before"] == []
    assert facts["job"] is facts["not_published"] is None
    assert facts["scores"] == facts["details"] == facts["notes"] == []
    assert all(table["input_records"] is None for table in facts["tables"])
    cells = {
        str(cell)
        for frame in made.frames.values()
        for name in frame.columns
        if name not in ("id", "visit")
        for cell in frame[name]
        if pd.notna(cell)
    }
    text = json.dumps(facts) + report.to_markdown()
    assert not [cell for cell in cells if len(cell) > 2 and cell in text]


def test_a_report_is_made_from_the_folder(tmp_path: Path, frames: Frames) -> None:
    """With the files that the private record names; without the record the release alone is counted."""
    job = job_of(frames, output=str(tmp_path / "release"), suppress=0.7)
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        job["tables"][name] = {"data": str(tmp_path / f"{name}.csv"), **job["tables"][name]}
    incrowd.anonymize(None, incrowd.LinkedJob.from_dict(job))
    facts = incrowd.report(tmp_path / "release").to_dict()
    assert facts["risk_before"]
    assert facts["verdict"] == "holds"
    (tmp_path / "release.record.json").rename(tmp_path / "elsewhere.json")
    assert incrowd.report(tmp_path / "release").to_dict()["risk_before"] == []
    assert incrowd.report(tmp_path / "release", record=tmp_path / "elsewhere.json").to_dict() == facts
    with (tmp_path / "release" / "tests.csv").open("a", encoding="utf-8") as file:
        file.write("1,x\n")
    report = incrowd.report(tmp_path / "release")
    assert report.to_dict()["verdict"] == "does not hold"
    assert "Verification failed" in report.to_markdown()


def test_an_empty_release_has_a_report(frames: Frames) -> None:
    """It says that nothing is published."""
    made = incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=61"]))
    assert "Nothing is published" in incrowd.report(made, original=frames).to_markdown()


def test_a_population_is_refused(made: Any) -> None:
    """Models that need one are refused for several tables."""
    with pytest.raises(UsageError, match="population"):
        incrowd.report(made, population=1000)

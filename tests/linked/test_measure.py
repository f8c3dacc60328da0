"""Releases of several tables, measured: each table as one table is, and the people who are kept."""

from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.errors import Interrupted, UsageError
from linked_sets import Frames, job_of, small_set

FAST = ("loss", "discernibility", "suppressed", "smallest_class")


@pytest.fixture(scope="module")
def frames() -> Frames:
    """The original tables."""
    return small_set(1, people=60)


@pytest.fixture(scope="module")
def made(frames: Frames) -> Any:
    """Their release."""
    return incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=3"], suppress=0.7))


def test_every_table_is_measured_as_one_table_is(made: Any, frames: Frames) -> None:
    """With the hierarchies of the private record."""
    found = incrowd.measure(frames, made, metrics=FAST)
    assert set(found.tables) == set(frames)
    for name, table in found.tables.items():
        rows = {each.name.split(".")[1]: each.rows for each in made.record.quasi if each.name.startswith(f"{name}.")}
        columns = {
            column: {"role": "quasi", "hierarchy": {"table": {"rows": [list(row) for row in of]}}}
            for column, of in rows.items()
        }
        alone = measured_alone(frames[name], made.frames[name], columns)
        assert {metric: table.releases[0].readings[metric].value for metric in FAST} == alone
        assert (table.records, table.releases[0].records) == (len(frames[name]), len(made.frames[name]))


def measured_alone(before: Any, after: Any, columns: dict[str, Any]) -> dict[str, float | None]:
    """The metrics of one table, by the verb for one table."""
    from incrowd.comparison.columns import hierarchy_of

    described = {
        name: {"role": "quasi", "hierarchy": hierarchy_of(of["hierarchy"]["table"]["rows"], name)}
        for name, of in columns.items()
    }
    found = incrowd.measure(before, after, columns=described, metrics=FAST)
    return {metric: found.releases[0].readings[metric].value for metric in FAST}


def test_people_are_counted_before_and_after(made: Any, frames: Frames) -> None:
    """In every table those who have a record in it."""
    found = incrowd.measure(frames, made, metrics=FAST)
    [release] = found.releases
    assert (found.original.people, release.people) == (60, made.manifest.people)
    for name in ("people", "visits", "tests"):
        assert found.original.people_in[name] == frames[name]["id"].nunique()
        assert release.people_in[name] == made.frames[name]["id"].nunique()
    through = made.frames["drugs"].merge(made.frames["visits"], on="visit")
    assert release.people_in["drugs"] == through["id"].nunique()
    plain = found.to_dict()
    assert plain["releases"][0]["tables"]["visits"]["records"] == len(made.frames["visits"])


def test_several_releases_are_compared(made: Any, frames: Frames) -> None:
    """By their names."""
    other = incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=2"], suppress=0.7, knows="history"))
    found: Any = incrowd.measure(frames, {"one": made, "other": other}, metrics=FAST)
    assert [each.name for each in found.releases] == ["one", "other"]
    assert [each.people for each in found.releases] == [made.manifest.people, other.manifest.people]
    assert all(len(table.releases) == 2 for table in found.tables.values())
    assert "other:\n\nmetric" in str(found)


def test_a_table_without_quasi_identifiers_has_people_and_records_alone(frames: Frames) -> None:
    """It is named."""
    job = job_of(frames, suppress=0.7)
    job["tables"]["tests"]["columns"] = {"kind": "keep"}
    found = incrowd.measure(frames, incrowd.anonymize(frames, job), metrics=FAST)
    assert found.without == ("tests",)
    assert "tests" not in found.tables
    assert found.releases[0].records["tests"]
    assert "without metrics: tests" in str(found)


def test_a_folder_is_measured_with_and_without_its_record(tmp_path: Path, frames: Frames) -> None:
    """Without it, labels have no hierarchy, and a note says so."""
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    incrowd.anonymize(frames, job_of(frames, output=str(tmp_path / "release"), suppress=0.7))
    found: Any = incrowd.measure(tmp_path, tmp_path / "release", metrics=FAST)
    assert not found.notes
    (tmp_path / "release.record.json").unlink()
    found = incrowd.measure(tmp_path, tmp_path / "release", metrics=["discernibility"])
    assert "private record" in found.notes[0]


@pytest.mark.parametrize(
    ("given", "wrong"),
    [({"label": "age"}, "measure of several tables with label"), ({"columns": ["age"]}, "with columns")],
)
def test_what_describes_one_table_is_refused(made: Any, frames: Frames, given: dict[str, Any], wrong: str) -> None:
    """Rather than ignored."""
    release: Any = made
    with pytest.raises(UsageError, match=wrong):
        incrowd.measure(frames, release, **given)


def test_without_time_to_read_there_is_no_result(made: Any, frames: Frames) -> None:
    """As with one table."""
    with pytest.raises(Interrupted, match="timed out"):
        incrowd.measure(frames, made, time=0)

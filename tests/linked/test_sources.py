"""Several tables from everywhere: frames of all kinds, databases, files; and tables without records."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import UsageError
from linked_sets import Frames, job_of, small_set


def rows(frame: Any) -> list[tuple[str, ...]]:
    """The cells of a frame as text."""
    table = frame if isinstance(frame, pa.Table) else pa.table(frame) if isinstance(frame, pl.DataFrame) else None
    found = table.to_pylist() if table is not None else frame.to_dict("records")
    return [tuple(map(str, row.values())) for row in found]


@pytest.mark.parametrize("kind", [pl.from_pandas, pa.Table.from_pandas])
def test_frames_come_back_as_what_they_were(kind: Any) -> None:
    """With the same cells as from pandas."""
    frames = small_set(3, people=30)
    expected = incrowd.anonymize(frames, job_of(frames)).frames
    given = {name: kind(frame) for name, frame in frames.items()}
    made = incrowd.anonymize(given, job_of(frames)).frames
    for name, frame in made.items():
        assert type(frame) is type(given[name])
        assert rows(frame) == rows(expected[name])


def in_database(frames: Frames, path: Path) -> str:
    """Put the tables into SQLite."""
    with closing(sqlite3.connect(path)) as connection:
        for name, frame in frames.items():
            frame.to_sql(name, connection, index=False)
    return f"sqlite:///{path}"


# Ibis 12 asks pandas 3 for an option that is going away.
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
def test_tables_of_a_database_give_the_same_release(tmp_path: Path) -> None:
    """As CSV files do."""
    frames = small_set(3, people=30)
    url = in_database(frames, tmp_path / "set.db")
    found = []
    for folder in ("files", "tables"):
        job = job_of(frames, output={"to": str(tmp_path / folder)})
        for name, frame in frames.items():
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
            data = str(tmp_path / f"{name}.csv") if folder == "files" else {"source": url, "table": name}
            job["tables"][name] = {"data": data, **job["tables"][name]}
        incrowd.anonymize(None, incrowd.LinkedJob.from_dict(job))
        found.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
    assert found[0] == found[1]


def test_a_lazy_frame_is_read_and_written_to_files_alone(tmp_path: Path) -> None:
    """It cannot come back."""
    duckdb = pytest.importorskip("duckdb")
    frames = small_set(3, people=30)
    given = dict(frames) | {"visits": duckdb.from_df(frames["visits"])}
    with pytest.raises(UsageError, match="a lazy frame cannot come back"):
        incrowd.anonymize(given, job_of(frames))
    made = incrowd.anonymize(given, job_of(frames, output=str(tmp_path / "release")))
    other = incrowd.anonymize(frames, job_of(frames, output=str(tmp_path / "other")))
    assert made.manifest.to_dict() == other.manifest.to_dict()


def test_nobody_may_be_left() -> None:
    """Then the tables have no records, and the verdict is empty."""
    frames = small_set(3, people=10)
    made = incrowd.anonymize(frames, job_of(frames, models=["k_anonymity:k=11"]))
    assert made.verdict.value == "empty"
    assert all(len(frame) == 0 for frame in made.frames.values())
    assert "Nothing is published" in str(made)


def test_tables_without_records() -> None:
    """A child table may be empty."""
    frames = small_set(3, people=20)
    for name in ("tests", "drugs"):
        frames[name] = frames[name].iloc[:0]
    made = incrowd.anonymize(frames, job_of(frames, knows="history"))
    assert made.verdict.holds
    assert made.frames["visits"]["visit"].is_unique


def test_missing_cells_are_values() -> None:
    """In quasi-identifiers and in sensitive columns."""
    frames = small_set(3, people=40)
    frames["visits"] = frames["visits"].assign(
        ward=lambda of: of["ward"].where(of.index % 3 > 0), illness=lambda of: of["illness"].where(of.index % 4 > 0)
    )
    job = job_of(frames, models=["k_anonymity:k=2", "distinct_l:l=2,column=visits.illness"])
    assert incrowd.anonymize(frames, job).verdict.holds


def test_spellings_are_unified_and_that_is_verified() -> None:
    """Under `normalize`."""
    frames = small_set(3, people=40)
    frames["tests"] = frames["tests"].assign(kind=lambda of: of["kind"].where(of.index % 2 > 0, " " + of["kind"]))
    job = job_of(frames)
    job["tables"]["tests"]["columns"] = {"kind": {"role": "quasi", "normalize": ["blanks"]}}
    made = incrowd.anonymize(frames, job)
    assert "spelling" in {check.name for check in made.verdict.checks}
    assert set(made.frames["tests"]["kind"]) <= {"x", "y", "*"}
    strange = dict(made.frames) | {"tests": made.frames["tests"].assign(kind=" x")}
    failed = {check.name for check in incrowd.verify(strange, made.manifest).checks if check.holds is False}
    if made.levels["tests.kind"] == 0:
        assert "spelling" in failed


def test_environment_variables_are_not_in_the_private_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job file names them, and the record does no more."""
    frames = small_set(3, people=30)
    monkeypatch.setenv("WHERE_IT_IS", str(tmp_path / "secret"))
    (tmp_path / "secret").mkdir()
    job = job_of(frames, output=str(tmp_path / "release"))
    for name, frame in frames.items():
        frame.to_csv(tmp_path / "secret" / f"{name}.csv", index=False)
        job["tables"][name] = {"data": f"${{WHERE_IT_IS}}/{name}.csv", **job["tables"][name]}
    (tmp_path / "job.json").write_text(json.dumps(job), encoding="utf-8")
    incrowd.anonymize(None, tmp_path / "job.json")
    assert "secret" not in (tmp_path / "release.record.json").read_text(encoding="utf-8")


def test_the_original_is_not_in_the_manifest(tmp_path: Path) -> None:
    """Neither keys nor cells that are not published."""
    frames = small_set(3, people=30)
    frames["people"] = frames["people"].assign(id=lambda of: of["id"] + 777_000)
    for name in ("visits", "tests"):
        frames[name] = frames[name].assign(id=lambda of: of["id"] + 777_000)
    made = incrowd.anonymize(frames, job_of(frames, output=str(tmp_path / "release")))
    assert made.manifest_file is not None
    assert "777" not in made.manifest_file.read_text(encoding="utf-8")
    assert isinstance(made.frames["people"], pd.DataFrame)

"""A run that is killed, at whatever moment, leaves the old release or the whole new one, and no half file.

What a process leaves that is killed before a line is what is on the disk before that line. So one run suffices for
all lines: its folder is looked at before each of them. Others are really killed, at moments drawn by lot.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import incrowd
from anonymization.hospital import hospital_job, in_folder, people
from anonymization.killing import KILLED, described
from anonymization.runs import beside
from incrowd.release import Manifest, Record

WRITING = frozenset({"placed", "_passing_name", "whole_file", "_to_disk", "write_text", "store", "_stored", "rename"})
"""The functions by which files come and go."""

Left = dict[str, tuple[bytes, int]]
"""By name the content of every file, and its rights."""


def left_in(folder: Path) -> Left:
    """All files of a folder."""
    return {path.name: (path.read_bytes(), path.stat().st_mode & 0o777) for path in folder.iterdir()}


@contextmanager
def looked_at(folder: Path) -> Iterator[list[Left]]:
    """What is in the folder before each line of the functions that write."""
    found: list[Left] = []

    def inside(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            found.append(left_in(folder))
        return inside

    def outside(frame: FrameType, event: str, _: object) -> Any:
        ours = "incrowd" in frame.f_code.co_filename and frame.f_code.co_name in WRITING
        return inside if ours else None

    before = sys.gettrace()
    sys.settrace(outside)
    try:
        yield found
    finally:
        sys.settrace(before)


def check(old: Left, left: Left, whole: Left, release: str) -> None:
    """Every file is the old or the new one, and new data are there only with all that goes with them."""
    record = f"{release}.record.json"
    for name in {*whole, *old} - {record}:
        assert left.get(name) in (old.get(name), whole.get(name)), name
    if left.get(record) != old.get(record):
        check_record(left[record], whole, release)
    if left.get(release) != old.get(release):
        assert {name: of for name, of in left.items() if name in whole and name != record} == {
            name: of for name, of in whole.items() if name != record
        }
        assert left[record] != old.get(record)


def check_record(record: tuple[bytes, int], whole: Left, release: str) -> None:
    """A whole record of the new release, for its owner alone; only the time that the run took is not the same."""
    claims = Manifest.from_dict(json.loads(whole[f"{release}.manifest.json"][0]))
    assert Record.from_dict(json.loads(record[0])).release == claims.fingerprint
    assert record[1] == 0o600


def check_leftovers(left: Left, whole: Left, release: str) -> None:
    """Whatever else there is has a hidden name and is a whole file of the new release."""
    for name, file in left.items():
        if name in whole:
            continue
        assert name.startswith(".")
        kind = max((known for known in whole if known in name), key=len)
        if kind.endswith(".record.json"):
            check_record(file, whole, release)
        else:
            assert file == whole[kind]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table, and a folder for the release."""
    in_folder(tmp_path)
    (tmp_path / "old").mkdir()
    return tmp_path


def earlier_release(folder: Path, output: str) -> None:
    """Another release, of other people, that is there already."""
    earlier = str(in_folder(folder, people(40, seed=8), "earlier.csv"))
    to = described(folder / "old", output).output
    assert to is not None
    incrowd.anonymize(earlier, hospital_job(output=to.to_dict()))


def every_line(folder: Path, output: str) -> tuple[Left, list[Left], Left]:
    """What was there before the run, before each of its lines, and after it."""
    old = left_in(folder / "old")
    shutil.copytree(folder / "old", folder / "whole")
    with looked_at(folder / "whole") as found:
        incrowd.anonymize(str(folder / "patients.csv"), described(folder / "whole", output))
    return old, found, left_in(folder / "whole")


def killed(folder: Path, output: str) -> tuple[Left, list[Left], Left]:
    """What was there before the runs, what each killed one left, and what one leaves that is not killed."""
    command = [sys.executable, "-m", "anonymization.killing", str(folder), output]
    folders = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    subprocess.run(command, env={**os.environ, "PYTHONPATH": folders}, check=True)
    found = [left_in(folder / f"killed {number}") for number in range(KILLED)]
    return left_in(folder / "old"), found, left_in(folder / "whole")


@pytest.mark.parametrize("replacing", [True, False])
@pytest.mark.parametrize("output", ["release.csv", "release.xlsx"])
def test_files_before_every_line(folder: Path, output: str, replacing: bool) -> None:
    if replacing:
        earlier_release(folder, output)
    old, found, whole = every_line(folder, output)
    assert set(whole) == {*beside(output), "mapping.csv"}
    assert len(found) > 30
    assert found[0] == old
    for left in found:
        check(old, left, whole, output)
        check_leftovers(left, whole, output)
    assert found[-1] == whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs are forked")
def test_files_at_any_moment(folder: Path) -> None:
    in_folder(folder, people(2_000))
    earlier_release(folder, "release.csv")
    old, found, whole = killed(folder, "release.csv")
    for left in found:
        check(old, left, whole, "release.csv")
        check_leftovers(left, whole, "release.csv")


DATABASE = "sqlite:///FOLDER/release.db"


def check_tables(folder: Path, old: Left, found: list[Left], whole: Left) -> list[bool]:
    """Every time the old table or the new one is there; which it is."""
    before, after = rows_in(folder, old), rows_in(folder, whole)
    assert before != after
    seen = [rows_in(folder, left) for left in found]
    assert all(rows in (before, after) for rows in seen)
    return [rows == after for rows in seen]


def rows_in(folder: Path, files: Left) -> list[Any] | None:
    """The table that SQLite finds in these files; None where there is none."""
    shutil.rmtree(folder / "looked at", ignore_errors=True)
    (folder / "looked at").mkdir()
    for name, (content, _) in files.items():
        (folder / "looked at" / name).write_bytes(content)
    with closing(sqlite3.connect(folder / "looked at" / "release.db")) as connection:
        try:
            return connection.execute("SELECT * FROM released").fetchall()
        except sqlite3.OperationalError:
            return None


@pytest.mark.parametrize("replacing", [True, False])
def test_a_table_before_every_line(folder: Path, replacing: bool) -> None:
    if replacing:
        earlier_release(folder, DATABASE)
    old, found, whole = every_line(folder, DATABASE)
    is_new = check_tables(folder, old, found, whole)
    assert not is_new[0]
    assert is_new[-1]
    assert sorted(is_new) == is_new


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs are forked")
def test_a_table_at_any_moment(folder: Path) -> None:
    in_folder(folder, people(2_000))
    earlier_release(folder, DATABASE)
    check_tables(folder, *killed(folder, DATABASE))

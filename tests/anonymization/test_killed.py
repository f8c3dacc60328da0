"""A run that is killed, at whatever moment, leaves the old release or the whole new one, and no half file."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.hospital import hospital_job, in_folder, people
from anonymization.runs import beside
from incrowd.release import Manifest, Record

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are forked")

Left = dict[str, list[Any]]


def killed_runs(folder: Path, output: str, how: str) -> tuple[Left, list[Left], Left]:
    """What was there before, what each killed run left, and what a run leaves that is not killed."""
    command = [sys.executable, "-m", "anonymization.killing", str(folder), output, how]
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": tests}, check=False)
    assert done.returncode == 0, done.stderr
    *killed, whole = json.loads(done.stdout)
    old = {path.name: [path.read_bytes().decode("latin-1"), 0] for path in (folder / "old").iterdir()}
    return old, killed, whole


def written(text: str) -> bytes:
    return text.encode("latin-1")


def check_files(old: Left, left: Left, whole: Left, release: str) -> None:
    """Data and manifest are the old or the new ones, byte by byte; the record fits one of them."""
    for name in (release, f"{release}.manifest.json", "mapping.csv"):
        content = left.get(name, [None])[0]
        assert content in (old.get(name, [None])[0], whole[name][0]), name
    record = left.get(f"{release}.record.json")
    if record is not None and record[0] != old.get(f"{release}.record.json", [None])[0]:
        fingerprint = Manifest.from_dict(json.loads(written(whole[f"{release}.manifest.json"][0]))).fingerprint
        assert Record.from_dict(json.loads(written(record[0]))).release == fingerprint
        assert record[1] == 0o600
    if left.get(release, [None])[0] == whole[release][0] != old.get(release, [None])[0]:
        # The new data are there with all that goes with them.
        assert left[f"{release}.manifest.json"][0] == whole[f"{release}.manifest.json"][0]
        assert record is not None
        assert left["mapping.csv"][0] == whole["mapping.csv"][0]


def check_leftovers(left: Left, whole: Left, release: str) -> set[str]:
    """Hidden files are whole ones; what they were to become."""
    hidden = {name: file for name, file in left.items() if name not in {*beside(release), "mapping.csv"}}
    kinds = set()
    for name, (content, mode) in hidden.items():
        assert name.startswith(".")
        [kind] = [known for known in sorted(whole, key=len, reverse=True) if known in name][:1]
        kinds.add(kind)
        if kind.endswith(".record.json"):
            assert mode == 0o600
            Record.from_dict(json.loads(written(content)))
        else:
            assert content == whole[kind][0]
    return kinds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table, and a folder for the release."""
    in_folder(tmp_path)
    (tmp_path / "old").mkdir()
    return tmp_path


def old_release(folder: Path, output: str) -> None:
    """Another release that is there already."""
    table = {"table": "released"} if "://" in output else {}
    to = output.replace("FOLDER", str(folder / "old")) if table else str(folder / "old" / output)
    incrowd.anonymize(
        str(in_folder(folder, people(40, seed=8), "earlier.csv")), hospital_job(output={"to": to, **table})
    )


@pytest.mark.parametrize("replacing", [True, False])
def test_before_every_line(folder: Path, replacing: bool) -> None:
    if replacing:
        old_release(folder, "release.csv")
    old, killed, whole = killed_runs(folder, "release.csv", "lines")
    assert len(killed) > 30
    assert set(whole) == {*beside("release.csv"), "mapping.csv"}
    for left in killed:
        check_files(old, left, whole, "release.csv")
        check_leftovers(left, whole, "release.csv")
    data = [left.get("release.csv", [None])[0] for left in killed]
    assert data[0] == old.get("release.csv", [None])[0]
    assert data[-1] == whole["release.csv"][0]


@pytest.mark.parametrize("output", ["release.csv", "release.xlsx", "release.parquet"])
def test_at_any_moment(folder: Path, output: str) -> None:
    in_folder(folder, people(5_000))
    old_release(folder, output)
    old, killed, whole = killed_runs(folder, output, "moments")
    for left in killed:
        check_files(old, left, whole, output)
        check_leftovers(left, whole, output)


@pytest.mark.parametrize(("how", "replacing"), [("lines", True), ("lines", False), ("moments", True)])
def test_a_table(folder: Path, how: str, replacing: bool) -> None:
    output = "sqlite:///FOLDER/release.db"
    if replacing:
        old_release(folder, output)
    old, killed, whole = killed_runs(folder, output, how)
    before, after = (rows_of(folder / name, files) for name, files in (("a", old), ("b", whole)))
    assert before != after
    seen = [rows_of(folder / f"left {at}", left) for at, left in enumerate(killed)]
    assert all(rows in (before, after) for rows in seen)
    if how == "lines":
        assert seen[-1] == after
        assert seen[0] == before


def rows_of(folder: Path, files: Left) -> list[Any] | None:
    """The table that SQLite finds in these files; None where there is none."""
    folder.mkdir()
    for name, (content, _) in files.items():
        (folder / name).write_bytes(written(content))
    with closing(sqlite3.connect(folder / "release.db")) as connection:
        try:
            return connection.execute("SELECT * FROM released").fetchall()
        except sqlite3.OperationalError:
            return None

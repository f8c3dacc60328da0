"""Runs that are killed with SIGKILL, and what is found afterwards.

Each run is a process of its own, forked from this one, which has loaded everything already. It is killed before a line
of the code that writes, or at a moment drawn by lot: three of four times while files and tables are put in place. Then
the output must be the old release or the new one with its own manifest, private record and mapping, as `incrowd verify`
finds it; and the next run, which nobody kills, must leave nothing but its release.
"""

import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

import incrowd
import incrowd.anonymization
import incrowd.api
from anonymization.hospital import hospital_job, in_folder, people, tight_job
from incrowd.files.together import Change
from incrowd.formats.settling import settle
from incrowd.release import Record

FILES = ("csv", "parquet", "xlsx", "anatomy")
TABLES = ("sqlite", "duckdb", "postgres")
WRITING = ("/files/", "/formats/", "/anonymization/writing.py")
"""The code before whose lines a run is killed."""

Seen = tuple[Any, ...]
"""What is at a place: the data, the manifest, of which release the record is, the mapping, sensitive values apart."""


@dataclass
class Target:
    """Where releases go, one over the other."""

    kind: str
    folder: Path
    """The present folder of every run; its parent has the tables."""
    url: str = ""

    @property
    def output(self) -> dict[str, Any]:
        """As a job says it."""
        if self.kind in FILES:
            ending = "csv" if self.kind == "anatomy" else self.kind
            return {"to": f"release.{ending}", "mapping": "mapping.csv"}
        to = self.url if self.kind == "postgres" else f"{self.kind}:///release.db"
        return {"to": to, "table": "released", "mapping": "mapping.csv"}

    @property
    def manifest(self) -> Path:
        """Where its manifest goes."""
        return incrowd.release.manifest_path(self.output["to"], self.output.get("table"))

    @property
    def record(self) -> Path:
        """Where its private record goes."""
        return incrowd.release.record_path(self.output["to"], self.output.get("table"))

    def run(self, patients: str) -> None:
        """One run, with leave to replace."""
        output = {**self.output, "replace": True}
        job = tight_job(output=output)
        if self.kind == "anatomy":
            job = hospital_job({"distinct_l": {"l": 2, "column": "disease"}}, search="anatomy", output=output)
            job["columns"] = {**job["columns"], "ward": {"role": "drop"}}
        incrowd.anonymize(str(self.folder.parent / patients), job)

    def seen(self) -> Seen | None:
        """What is there; None if nothing is."""
        parts = [_content(path) for path in (self.manifest, Path("mapping.csv"), Path("release-sensitive.csv"))]
        record = Record.read(self.record).release if self.record.exists() else None
        found = (self._data(), *parts, record)
        return None if set(found) == {None} else found

    def _data(self) -> str | None:
        if self.kind in FILES:
            return _content(Path(self.output["to"]))
        return None if "released" not in self.tables() else _hash(repr(sorted(self._rows(), key=repr)).encode())

    def tables(self) -> list[str]:
        """The tables of the database."""
        queries = {
            "sqlite": "SELECT name FROM sqlite_master",
            "duckdb": "SELECT table_name FROM duckdb_tables()",
            "postgres": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
        }
        is_there = self.kind == "postgres" or Path("release.db").exists()
        return [name for (name,) in self._asked(queries[self.kind])] if is_there else []

    def _rows(self) -> list[Any]:
        return self._asked("SELECT * FROM released")

    def _asked(self, query: str) -> list[Any]:
        import duckdb
        import psycopg

        if self.kind == "sqlite":
            with closing(sqlite3.connect("release.db")) as connection:
                return connection.execute(query).fetchall()
        if self.kind == "duckdb":
            with duckdb.connect("release.db") as duck:
                return duck.execute(query).fetchall()
        with psycopg.connect(self.url) as server:
            return server.execute(query).fetchall() if server.execute(query).description else []

    def clear(self) -> None:
        """Have nothing there."""
        import psycopg

        for path in self.folder.iterdir():
            path.unlink()
        if self.kind == "postgres":
            with psycopg.connect(self.url) as server:
                server.execute("DROP TABLE IF EXISTS released")

    def left_over(self) -> list[str]:
        """Whatever is no part of a release, here and where temporary files go."""
        data = {"release.db"} if self.kind in ("sqlite", "duckdb") else {self.output["to"]}
        apart = {"release-sensitive.csv"} if self.kind == "anatomy" else set()
        known = {*data, *apart, "mapping.csv", self.manifest.name, self.record.name}
        found = [path.name for path in self.folder.iterdir() if path.name not in known]
        found += [f"table {name}" for name in (self.tables() if self.kind in TABLES else []) if name != "released"]
        return found + os.listdir(tempfile.gettempdir())

    def readable(self) -> list[str]:
        """What others may read that is no part of a release."""
        hidden = [path for path in self.folder.iterdir() if path.name.startswith(".")]
        return [path.name for path in hidden if path.stat().st_mode & 0o077]


@dataclass
class Counts:
    """What was found after kills."""

    kills: int = 0
    none: int = 0
    old: int = 0
    new: int = 0
    undone: int = 0
    """Kills after which files were moved back."""
    faults: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Counts") -> "Counts":
        numbers = [getattr(self, name) + getattr(other, name) for name in ("kills", "none", "old", "new", "undone")]
        return Counts(*numbers, self.faults + other.faults)


@dataclass(frozen=True)
class Length:
    """How long a run is, in lines or in seconds: until it begins to put things in place, and in all."""

    placing: float
    all: float

    def drawn(self, luck: random.Random) -> float:
        """A moment, in three of four cases while things are put in place."""
        return luck.uniform(self.placing if luck.random() < 0.75 else 0, self.all)


@contextmanager
def target(kind: str, folder: Path, url: str = "") -> Iterator[Target]:
    """A place for releases, with the tables that they are made of; meanwhile it is the present folder."""
    in_folder(folder, people(40, seed=8), "first.csv")
    in_folder(folder, people(60), "second.csv")
    for name in ("releases", "temporary"):
        (folder / name).mkdir()
    before, temporary = Path.cwd(), tempfile.tempdir
    os.chdir(folder / "releases")
    tempfile.tempdir = str(folder / "temporary")
    try:
        made = Target(kind, folder / "releases", url)
        yield made
        made.clear()
    finally:
        tempfile.tempdir = temporary
        os.chdir(before)


def killed_often(place: Target, kills: int, replacing: bool, seed: int = 11) -> Counts:
    """Kill so many runs, each over what the one before it left."""
    luck = random.Random(f"{place.kind} {replacing} {seed}")
    counts = Counts()
    whole: dict[str, Seen | None] = {}
    for name in ("first.csv", "second.csv"):
        place.run(name)
        whole[name] = place.seen()
    lines, seconds = _calibrated(place)
    at = 0
    while counts.kills < kills:
        name = ("first.csv", "second.csv")[at % 2]
        at += 1
        if not replacing:
            place.clear()
        old = place.seen()
        if not _killed(partial(place.run, name), luck, lines, seconds):
            continue
        counts.kills += 1
        _judge(place, old, whole[name], counts)
        place.run(name)
        if place.seen() != whole[name]:
            counts.faults["next run not whole"] += 1
        if place.left_over():
            counts.faults["left over"] += 1
    return counts


def _judge(place: Target, old: Seen | None, new: Seen | None, counts: Counts) -> None:
    """Count what a kill left, as `verify` finds it."""
    if place.readable():
        counts.faults["readable by others"] += 1
    if any(place.folder.glob(".incrowd-*/journal")):
        counts.undone += 1
    location, table = place.output["to"], place.output.get("table")
    if place._data() is not None:
        try:
            if not incrowd.verify(location, record=place.record, table=table).holds:
                counts.faults["verification fails"] += 1
        except incrowd.IncrowdError as error:
            counts.faults[f"verification refuses: {type(error).__name__}"] += 1
    else:
        settle(location, table)
    found = place.seen()
    if found is not None and found[0] is not None and found[1] is None:
        counts.faults["output without manifest"] += 1
    if found == new:
        counts.new += 1
    elif found != old:
        counts.faults["neither old nor new"] += 1
    elif found is None:
        counts.none += 1
    else:
        counts.old += 1


def _killed(run: Callable[[], None], luck: random.Random, lines: Length, seconds: Length) -> bool:
    """Whether the run was killed before it ended."""
    if luck.random() < 0.6:
        return _ended(lambda: _before_line(round(lines.drawn(luck)), run)) == signal.SIGKILL
    return _ended(run, seconds.drawn(luck)) == signal.SIGKILL


def _ended(run: Callable[[], None], delay: float | None = None) -> int:
    """By which signal a process of its own ended that did this; 0 if by none."""
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(told, b".")
            run()
            status = 0
        finally:
            os._exit(status)
    os.read(ready, 1)
    os.close(ready)
    os.close(told)
    if delay is not None:
        time.sleep(delay)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "a run failed"
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def _calibrated(place: Target) -> tuple[Length, Length]:
    """How long a run is in lines, and in seconds."""
    shown = place.folder.parent / "calibrated"

    def measured(now: Callable[[], float]) -> None:
        begun, times = Change._begun, [now()]

        def noted(*given: Any) -> Any:
            times.append(now())
            return begun(*given)

        Change._begun = noted  # type: ignore[method-assign]
        place.run("first.csv")
        started, placing, ended = *times, now()
        shown.write_text(f"{placing - started} {ended - started}")

    def in_lines() -> None:
        with _Lines() as counted:
            measured(lambda: counted.lines)

    found = []
    for measure in (in_lines, lambda: measured(time.monotonic)):
        _ended(measure)
        found.append(Length(*map(float, shown.read_text().split())))
    return found[0], found[1]


def _before_line(number: int, run: Callable[[], None]) -> None:
    with _Lines(number):
        run()


class _Lines:
    """Counts the lines of the code that writes, and kills its own process before one of them."""

    def __init__(self, last: int = 0) -> None:
        self.lines = 0
        self.last = last

    def __enter__(self) -> "_Lines":
        sys.settrace(self._outside)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _outside(self, frame: FrameType, event: str, _: object) -> Any:
        name = frame.f_code.co_filename
        return self._inside if "incrowd" in name and any(part in name for part in WRITING) else None

    def _inside(self, frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines == self.last:
                os.kill(os.getpid(), signal.SIGKILL)
        return self._inside


def _content(path: Path) -> str | None:
    return _hash(path.read_bytes()) if path.exists() else None


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()

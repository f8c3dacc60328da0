"""A writing process that is killed at any moment leaves what was there, or the whole of something new."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import psycopg
import pytest
from pyarrow.parquet import read_table

from effort import effort
from formats.writing import own_database

ROUNDS = effort(3, 6)
ROWS = 10_000

FORKING = """
import json, os, sys

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        print(os.getpid(), flush=True)
        status = 1
        try:
            main(*json.loads(line))
            status = 0
        finally:
            sys.stdout.flush()
            os._exit(status)
    print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Forked:
    """A process that has imported what a program needs, and forks each run of its function `main`."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def start(self, *words: object) -> int:
        """Begin a run with these arguments; the number of its process."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return int(self.line())

    def line(self) -> str:
        """What the run prints next."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().removesuffix("\n")

    def ended(self) -> tuple[int, list[str]]:
        """The exit code of the run, and what it still printed."""
        lines: list[str] = []
        while not (line := self.line()).startswith("ended "):
            assert self.process.poll() is None
            lines.append(line)
        return int(line.removeprefix("ended ")), lines


@contextmanager
def forked(program: str) -> Iterator[Forked]:
    command = [sys.executable, "-c", program + FORKING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Forked(process)


WRITER = f"""
from itertools import count

import pyarrow as pa

from incrowd.formats import WriteOptions, write


def batches(version):
    for start in range(0, {ROWS}, 500):
        yield pa.record_batch({{"version": [version] * 500, "n": range(start, start + 500), "text": ["x" * 40] * 500}})


def main(location, table):
    for version in count():
        first = next(batches(version))
        write(batches(version), first.schema, location, WriteOptions(table=table, replace=True))
        print(version, flush=True)
"""

Look = Callable[[str], list[tuple[int, int]]]
"""What is at a place: every version in it, with its number of records."""


def in_csv(location: str) -> list[tuple[int, int]]:
    lines = Path(location).read_text("utf-8").splitlines()
    assert lines[0] == "version,n,text"
    versions = [int(line.partition(",")[0]) for line in lines[1:]]
    assert [line.split(",")[1:] for line in lines[1:]] == [[str(n), "x" * 40] for n in range(ROWS)]
    return [(version, versions.count(version)) for version in set(versions)]


def in_parquet(location: str) -> list[tuple[int, int]]:
    versions = read_table(location)["version"].to_pylist()
    return [(version, versions.count(version)) for version in set(versions)]


QUERY = "SELECT version, count(DISTINCT n) FROM people GROUP BY version"


def in_sqlite(location: str) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(location.removeprefix("sqlite:///"))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("people",)]
        return connection.execute(QUERY).fetchall()


def in_duckdb(location: str) -> list[tuple[int, int]]:
    with duckdb.connect(location.removeprefix("duckdb:///")) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("people",)]
        return connection.execute(QUERY).fetchall()


def in_postgres(location: str) -> list[tuple[int, int]]:
    with psycopg.connect(location) as connection:
        return connection.execute(QUERY).fetchall()


@pytest.fixture
def location(request: pytest.FixtureRequest, place: str, tmp_path: Path) -> Iterator[str]:
    if place == "postgres":
        with own_database(request.getfixturevalue("postgres_url")) as url:
            yield url
    else:
        yield f"{place}:///{tmp_path / 'data.db'}" if place in ("sqlite", "duckdb") else str(tmp_path / f"t.{place}")


@pytest.mark.parametrize(
    ("place", "look"),
    [
        ("csv", in_csv),
        ("parquet", in_parquet),
        ("sqlite", in_sqlite),
        ("duckdb", in_duckdb),
        ("postgres", in_postgres),
    ],
)
def test_killed_at_any_moment(location: str, tmp_path: Path, place: str, look: Look) -> None:
    table = "people" if "://" in location else None
    moments = random.Random(place)
    with forked(WRITER) as writers:
        for at in range(ROUNDS):
            writer = writers.start(location, table)
            # From here on something is there, and a new version is always on its way.
            assert writers.line() == "0", f"round {at}"
            time.sleep(moments.random() / 5)
            os.kill(writer, signal.SIGKILL)
            assert writers.ended()[0] == -signal.SIGKILL
            found = look(location)
            assert [records for _, records in found] == [ROWS], f"round {at}: not one whole version"
    if place in ("csv", "parquet"):
        # A file that is whole may still wait under its hidden name for the last step.
        assert len([path for path in tmp_path.iterdir() if path.name == Path(location).name]) == 1
        assert all(path.stat().st_size > 1000 for path in tmp_path.iterdir())
        assert len(list(tmp_path.iterdir())) <= 1 + ROUNDS


BEFORE_THE_END = """
import os, signal
import pyarrow as pa
from incrowd.formats import write

def batches():
    for _ in range(10):
        yield pa.record_batch({"a": ["x" * 100] * 10_000})
    os.kill(os.getpid(), signal.SIGKILL)

def main(location):
    write(batches(), pa.schema([("a", pa.string())]), location)
"""


@pytest.fixture(scope="module")
def half_writers() -> Iterator[Forked]:
    with forked(BEFORE_THE_END) as writers:
        yield writers


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "xml", "xlsx"])
def test_killed_before_anything_is_whole(half_writers: Forked, tmp_path: Path, suffix: str) -> None:
    half_writers.start(str(tmp_path / f"t.{suffix}"))
    assert half_writers.ended()[0] == -signal.SIGKILL
    left = [path.name for path in tmp_path.iterdir()]
    # Where files can be without a name, nothing stays at all.
    assert left == [] or (left[0].startswith(".") and not hasattr(os, "O_TMPFILE"))


STEPPING = """
import os, signal, sqlite3
import pyarrow as pa
from incrowd.formats import WriteOptions, write

steps = end = 0


def step():
    global steps
    steps += 1
    if steps == end:
        os.kill(os.getpid(), signal.SIGKILL)


class Connection(sqlite3.Connection):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.set_progress_handler(step, 1000)


connect = sqlite3.connect
sqlite3.connect = lambda *arguments, **options: connect(*arguments, **options, factory=Connection)


def main(location, last):
    global end
    end = last
    table = pa.table({"version": [last] * 3000, "n": range(3000), "text": ["x"] * 3000})
    write(table.to_batches(500), table.schema, location, WriteOptions(table="people", replace=True))
    print(steps)
"""


def test_killed_at_every_step_of_sqlite(tmp_path: Path) -> None:
    location = f"sqlite:///{tmp_path / 'data.db'}"
    with forked(STEPPING) as writers:
        writers.start(location, 0)
        code, [steps] = writers.ended()
        assert code == 0
        assert int(steps) > 20
        for last in range(1, int(steps), max(1, int(steps) // effort(6, 12))):
            writers.start(location, last)
            assert writers.ended()[0] == -signal.SIGKILL
            assert in_sqlite(location) == [(0, 3000)]

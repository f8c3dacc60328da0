"""Work in threads: the same results in the same order for any number of them, and nothing left when it fails."""

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from anonymization.hospital import ROLES, in_arrow
from anonymization.runs import job
from incrowd import threads
from incrowd.errors import UsageError
from incrowd.formats import delimited

NUMBERS = (1, 2, 3)


@pytest.mark.parametrize("number", NUMBERS)
def test_results_come_in_order(number: int) -> None:
    with threads.limited_threads(number):
        assert threads.processors() == number
        assert list(threads.in_order(lambda n: n * n, range(20))) == [n * n for n in range(20)]
        assert list(threads.ahead(iter(range(20)))) == list(range(20))
        assert list(threads.in_order(str, [])) == list(threads.ahead(iter(()))) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_a_failure_comes_after_what_came_before_it(number: int) -> None:
    def failing(n: int) -> int:
        if n == 3:
            raise ValueError("the fourth")
        return n

    with threads.limited_threads(number):
        for made in (threads.in_order(failing, range(9)), threads.ahead(map(failing, range(9)))):
            seen = []
            with pytest.raises(ValueError, match="the fourth"):
                seen.extend(each for each in made if seen.append(each))
            assert seen == [0, 1, 2]


@pytest.mark.parametrize("number", NUMBERS)
def test_who_is_left_early_closes_what_it_reads(number: int) -> None:
    closed = threading.Event()
    # Other tests may have left pools that wait for work.
    before = threading.enumerate()

    def batches() -> Iterator[int]:
        try:
            yield from range(100)
        finally:
            closed.set()

    with threads.limited_threads(number):
        reading = threads.ahead(batches())
        assert next(reading) == 0
        reading.close()  # type: ignore[attr-defined]
    # By this thread, or by the other when it has come to rest.
    assert closed.wait(60)
    for thread in set(threading.enumerate()) - set(before):
        thread.join(60)
        assert not thread.is_alive()


def test_what_is_left_to_the_garbage_collector_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while another begins, which holds a lock of all pools."""
    closed = []
    before = threading.enumerate()

    def batches() -> Iterator[int]:
        try:
            yield from range(100)
        finally:
            closed.append(True)

    with threads.limited_threads(2):
        for _ in range(50):
            reading = threads.ahead(batches())
            next(reading)
            # Only the garbage collector finds it.
            held = [reading]
            held.append(held)  # type: ignore[arg-type]
            del reading, held
            monkeypatch.setattr("threading.Thread.start", collecting(threading.Thread.start))
            assert list(threads.in_order(str, range(3))) == ["0", "1", "2"]
            monkeypatch.undo()
    for thread in set(threading.enumerate()) - set(before):
        thread.join(60)
    assert len(closed) == 50


def collecting(start: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    """Start a thread after collecting garbage, as Python may at any time."""

    def started(thread: threading.Thread) -> None:
        gc.collect()
        start(thread)

    return started


def test_the_limit_is_that_of_the_command_or_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.VARIABLE, "5")
    with threads.limited_threads(None):
        assert threads.processors() == 5
    with threads.limited_threads(2):
        assert threads.processors() == 2
    assert threads.processors() == 5
    monkeypatch.delenv(threads.VARIABLE)
    with threads.limited_threads(2):
        pass
    assert threads.VARIABLE not in threads.os.environ
    for wrong in ("0", "two", "-1"):
        monkeypatch.setenv(threads.VARIABLE, wrong)
        with pytest.raises(UsageError, match=threads.VARIABLE):
            threads.processors()


FORMATS = {"csv": "csv", "csv.gz": "csv", "parquet": "parquet", "jsonl": "parquet", "xml": "csv", "xlsx": "csv"}
"""Endings of releases, with that of the table that they are made from."""


def place(folder: Path, table: pa.Table, kind: str) -> Path:
    """The table in a file, whose header alone is quoted if it is text."""
    path = folder / f"given.{kind}"
    if kind == "csv":
        lines = [",".join("" if cell is None else str(cell) for cell in row.values()) for row in table.to_pylist()]
        path.write_text("\n".join([",".join(f'"{name}"' for name in table.column_names), *lines, ""]))
    else:
        pq.write_table(table, path, row_group_size=64)
    return path


@pytest.mark.parametrize("search", ["optimal", "mondrian", "k_members"])
@pytest.mark.parametrize("ending", FORMATS)
def test_releases_are_equal_to_the_byte(
    ending: str, search: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In small pieces, so that there are many of them."""
    parsed = []
    in_blocks = delimited.line_blocks

    def noted(file: Any) -> Iterator[tuple[int, bytes]]:
        for each in in_blocks(file):
            parsed.append(each)
            yield each

    monkeypatch.setattr(delimited, "line_blocks", noted)
    monkeypatch.setattr("incrowd.formats._line_blocks.BLOCK", 1 << 9)
    monkeypatch.setattr("incrowd.verification._line_blocks._BLOCK", 1 << 9)
    monkeypatch.setattr("incrowd.engines.order._ROWS", 16)
    given = place(tmp_path, in_arrow(), FORMATS[ending])
    found = []
    for number in NUMBERS:
        out = tmp_path / f"{number}" / f"release.{ending}"
        out.parent.mkdir()
        described = {**job(ROLES, "k_anonymity:k=3", search=search), "output": str(out)}
        with threads.limited_threads(number):
            assert incrowd.anonymize(str(given), described).verdict.holds
        found.append((out.read_bytes(), out.with_name(f"{out.name}.manifest.json").read_bytes()))
    assert found[0] == found[1] == found[2]
    assert len(parsed) > 6 or FORMATS[ending] != "csv"

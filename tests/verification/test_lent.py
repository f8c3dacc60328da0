"""A file that is lent to Arrow is returned before its reader ends: a process that ends must find no thread with it."""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from incrowd.errors import SourceError
from incrowd.verification import _delimited, _fingerprint, _lent, _line_blocks


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is lent and not returned."""
    lent: list[Any] = []
    make, drop = _lent._Lent.__init__, _lent._Lent.__del__

    def made(self: Any, *given: Any) -> None:
        lent.append(id(self))
        make(self, *given)

    def dropped(self: Any) -> None:
        lent.remove(id(self))
        drop(self)

    monkeypatch.setattr(_lent._Lent, "__init__", made)
    monkeypatch.setattr(_lent._Lent, "__del__", dropped)
    return lent


def written(path: Path, last: str = "") -> _delimited.Rows:
    # With a quotation mark, up to which blocks of the file are parsed by themselves.
    path.write_text("a,b\n" + '"1",2\n' + "1,2\n" * 99 + last)
    return _delimited.open_rows(path, ["a", "b"])


def to_the_end(rows: _delimited.Rows) -> None:
    assert sum(len(cells.codes) for [cells] in rows.batches(["a"])) == 100


def a_part(rows: _delimited.Rows) -> None:
    batches = rows.batches(["a"])
    next(batches)
    batches.close()  # type: ignore[attr-defined]


def damaged(rows: _delimited.Rows) -> None:
    with pytest.raises(SourceError, match="lines all fit the header"):
        list(rows.batches(["a"]))


def test_a_file_that_cannot_be_read_is_returned_too(
    held: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Any, buffer: Any) -> int:
        raise OSError("no such luck")

    rows = written(tmp_path / "release.csv")
    monkeypatch.setattr(_fingerprint._Hashed, "readinto", broken)
    damaged(rows)
    assert held == []


@pytest.mark.parametrize(("read", "last"), [(to_the_end, ""), (a_part, ""), (damaged, "1,2,3\n")])
def test_nothing_is_lent_when_the_reader_has_ended(
    held: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Any], None], last: str
) -> None:
    monkeypatch.setattr(_delimited, "_BLOCK", 64)
    rows = written(tmp_path / "release.csv", last)
    read(rows)
    assert held == []


def test_a_reader_that_is_left_waits_for_the_thread_that_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, go, reads = Event(), Event(), []
    read = _fingerprint._Hashed.readinto

    def slow(self: Any, buffer: Any) -> int:
        reads.append(len(buffer))
        if len(reads) > 4:
            reading.set()
            go.wait()
        return read(self, buffer)

    monkeypatch.setattr(_delimited, "_BLOCK", 64)
    monkeypatch.setattr(_line_blocks, "_BLOCK", 64)
    monkeypatch.setattr(_fingerprint, "_BLOCK", 64)
    monkeypatch.setattr(_fingerprint._Hashed, "readinto", slow)
    rows = written(tmp_path / "release.csv")
    batches = rows.batches(["a"])
    next(batches)
    reading.wait()
    leaving = Thread(target=batches.close)  # type: ignore[attr-defined]
    leaving.start()
    # However long this lasts, the thread of Arrow still reads.
    leaving.join(0.2)
    assert leaving.is_alive()
    go.set()
    leaving.join()

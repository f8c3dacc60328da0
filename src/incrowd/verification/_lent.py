"""A file that Arrow reads in threads of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from threading import Event
from typing import Any

import pyarrow as pa

_LONGEST = 60.0
"""Seconds to wait for a thread of Arrow."""


class _Lent:
    """A file that Arrow reads from, and lets go of when no thread reads any more."""

    def __init__(self, file: BufferedReader, returned: Event) -> None:
        self._returned = returned
        self.closed = False
        # Not a method: the traceback of an error in it would hold this object.
        self.read = file.read

    def close(self) -> None:
        self.closed = True

    def __del__(self) -> None:
        self._returned.set()


class Lending:
    """A Python file, lent to Arrow as a stream."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._returned: Event | None = None

    def stream(self, compression: str | None) -> Any:
        """Return the stream; who gets it drops it and what reads it before the lending ends."""
        self._returned = Event()
        return pa.input_stream(_Lent(self._file, self._returned), compression=compression)

    def wait(self) -> None:
        """Wait until no thread of Arrow holds the file."""
        if self._returned is not None:
            self._returned.wait(_LONGEST)


@contextmanager
def lending(file: BufferedReader) -> Iterator[Lending]:
    """Lend a file to Arrow, and end when it is returned.

    A thread of Arrow may read ahead, and holds the file a little longer than the reader lives. If the process ends
    just then, the thread cannot return the file to Python and aborts the process.
    """
    made = Lending(file)
    try:
        yield made
    finally:
        made.wait()

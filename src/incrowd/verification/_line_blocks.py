"""Text cut at line breaks, and blocks of it parsed in several threads, in their order.

A line break may be part of a quoted cell. So the text is cut only up to its first quotation mark.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import RawIOBase
from typing import Any, TypeVar

from incrowd.threads import processors

_BLOCK = 1 << 22
_MARK = b"\xef\xbb\xbf"
"""A byte order mark: Arrow drops it at the beginning of whatever it parses."""

_Made = TypeVar("_Made")


class LineBlocks:
    """Numbered blocks of whole lines, up to the first one with a quotation mark."""

    def __init__(self, content: Any) -> None:
        self._content = content
        self.read = 0
        """How many blocks there were."""
        self.left: bytes | None = None
        """The block read after them; None at the end of the text."""

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        lines = b""
        while block := self._content.read(_BLOCK):
            lines += block
            end = lines.rfind(b"\n") + 1
            if b'"' in block or not end:
                self.left = _as_inside(lines) if self.read else lines
                return
            yield self._numbered(lines[:end])
            lines = lines[end:]
        if lines:
            yield self._numbered(lines)

    def _numbered(self, lines: bytes) -> tuple[int, bytes]:
        self.read += 1
        return self.read - 1, _as_inside(lines) if self.read > 1 else lines


class Rest(RawIOBase):
    """Bytes, and what a file still has after them."""

    def __init__(self, begun: bytes, content: Any) -> None:
        super().__init__()
        self._begun, self._content = memoryview(begun), content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not len(self._begun):
            count: int = self._content.readinto(buffer)
            return count
        size = min(len(buffer), len(self._begun))
        buffer[:size], self._begun = self._begun[:size], self._begun[size:]
        return size


def _as_inside(lines: bytes) -> bytes:
    """Return lines that do not begin with a byte order mark; an empty line is no record."""
    return b"\n" + lines if lines.startswith(_MARK) else lines


def in_turn(work: Callable[[tuple[int, bytes]], _Made], blocks: Iterable[tuple[int, bytes]]) -> Iterator[_Made]:
    """Yield what the work makes of each block."""
    threads = processors()
    if threads < 2:
        yield from map(work, blocks)
        return
    waiting: list[Future[_Made]] = []
    pool = ThreadPoolExecutor(threads)
    try:
        for block in blocks:
            waiting.append(pool.submit(work, block))
            if len(waiting) > threads:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        # It may be the garbage collector that leaves, in any thread.
        pool.shutdown(wait=False, cancel_futures=True)

"""The hash of a file, taken while its records are read: what is judged is what is hashed."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any

from incrowd.errors import SourceError
from incrowd.release import hash_of
from incrowd.verification._rows import Rows

_BLOCK = 1 << 20


def refuse_unreadable(place: str) -> None:
    """Refuse a file that is not there or may not be read, before anything is judged."""
    try:
        with Path(place).open("rb"):
            pass
    except OSError as error:
        raise SourceError.of(place, f"cannot be read ({error.strerror})", "check path and permissions") from None


def hash_read(path: Path, rows: Rows | None) -> str:
    """Return the hash of the bytes that were judged; if they were not read in order to the end, read them for that."""
    return (None if rows is None else rows.sha256()) or hash_of(path)


class Fingerprint:
    """Reads a file from its first byte to its last, and knows the hash once that is done."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: str | None = None

    @contextmanager
    def reading(self) -> Iterator[BufferedReader]:
        """Open the file; bytes that nobody asked for are read at the end."""
        self._found = None
        with self._path.open("rb") as file:
            hashed = _Hashed(file)
            yield BufferedReader(hashed, _BLOCK)
            while hashed.read(_BLOCK):
                pass
            self._found = hashed.digest.hexdigest()

    def sha256(self) -> str | None:
        """Return the hash; None unless all of the file was read."""
        return self._found


class _Hashed(RawIOBase):
    """The bytes of a file, each hashed as it is read."""

    def __init__(self, file: BufferedReader) -> None:
        super().__init__()
        self._file = file
        self.digest = sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer)
        self.digest.update(memoryview(buffer)[:count])
        return count

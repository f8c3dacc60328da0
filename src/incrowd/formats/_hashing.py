"""Hash a file while it is written."""

from hashlib import sha256
from typing import IO, Any


class HashingFile:
    """A file being written, with a hash as long as it is written sequentially."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = sha256()
        self._in_order = True

    def write(self, data: bytes) -> int:
        """Write the bytes."""
        self._hash.update(data)
        return self._file.write(data)

    def seek(self, *place: int) -> int:
        """Move the position; later bytes may overwrite others, so there is no hash any more."""
        self._in_order = False
        return self._file.seek(*place)

    def truncate(self, size: int | None = None) -> int:
        """Truncate the file."""
        self._in_order = False
        return self._file.truncate(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    @property
    def sha256(self) -> str | None:
        """Return the SHA-256 of the file; None if it was not written sequentially."""
        return self._hash.hexdigest() if self._in_order else None

"""Write files atomically: complete or not at all."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from incrowd.errors import SourceError
from incrowd.files.journal import to_disk
from incrowd.files.outputs import refuse_existing
from incrowd.files.private import private_folder, sweep

PUBLIC, PRIVATE = 0o666, 0o600


@contextmanager
def whole_file(location: str, replace: bool, mode: int = PUBLIC) -> Iterator[IO[bytes]]:
    """Yield a file that appears at the path once it is complete and on disk; if anything fails, the old file stays.

    Until then only its owner may read it; afterwards it has the permissions `mode`, reduced by the user's umask. On
    Linux it has no name until then, and a killed run leaves at most a private folder, which the next run removes.
    """
    refuse_existing(location, replace)
    path = Path(os.path.realpath(location))
    try:
        with ExitStack() as stack:
            sweep(path.parent)
            unnamed = _unnamed(path.parent)
            if unnamed is None:
                waiting = stack.enter_context(private_folder(path.parent))
                file = stack.enter_context(os.fdopen(_named(waiting.path / path.name), "w+b"))
            else:
                file = stack.enter_context(os.fdopen(unnamed, "w+b"))
            yield file
            file.flush()
            os.fsync(file.fileno())
            if unnamed is not None:
                waiting = stack.enter_context(private_folder(path.parent))
                # With a directory descriptor, Python follows the link to the open file.
                os.link(f"/proc/self/fd/{unnamed}", waiting.path / path.name, src_dir_fd=unnamed)
            # Windows cannot move an open file.
            file.close()
            refuse_existing(location, replace)
            os.chmod(waiting.path / path.name, mode & waiting.rights)
            os.replace(waiting.path / path.name, path)
        to_disk(path.parent)
    except OSError as error:
        raise SourceError.cannot_write(location, error) from None


def write_text(path: Path, text: str, mode: int, replace: bool = True) -> None:
    """Write a file atomically: after a crash there is the old file or the complete new one."""
    with whole_file(str(path), replace, mode) as file:
        file.write(text.encode())


def _unnamed(folder: Path) -> int | None:
    """Return the descriptor of a new file without a name; None if the system does not support that."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, PRIVATE)
    except OSError:
        return None


def _named(fresh: Path) -> int:
    return os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE)

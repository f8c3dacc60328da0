"""Files that are either whole or not there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO

from incrowd.errors import SourceError, UsageError


@contextmanager
def whole_file(location: str, replace: bool, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """A file that stands at the path once all of it is written and on the disk; any failure leaves what was there.

    It has the rights `mode`, less what the user withholds, from its first byte on.

    On Linux it has no name until then, so that even a killed run leaves nothing. Elsewhere, and on disks that know no
    files without a name, a killed run may leave a part of it under a hidden name.
    """
    refuse_existing(location, replace)
    path = Path(os.path.realpath(location))
    fresh = path.with_name(f".{path.name}.{token_hex(8)}")
    try:
        unnamed = _unnamed(path.parent, mode)
        with os.fdopen(_named(fresh, mode) if unnamed is None else unnamed, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if unnamed is not None:
                # Naming a directory's number has Python follow the link to the file that is open.
                os.link(f"/proc/self/fd/{unnamed}", fresh, src_dir_fd=unnamed)
        refuse_existing(location, replace)
        os.replace(fresh, path)
        _to_disk(path.parent)
    except OSError as error:
        raise SourceError.of(
            location, f"it cannot be written ({error.strerror})", "check the folder, your rights and the disk"
        ) from None
    finally:
        with suppress(OSError):
            fresh.unlink()


def refuse_existing(location: str, replace: bool) -> None:
    """What is there already stays, unless the user said otherwise; what is no file stays in any case."""
    try:
        os.stat(location)
    except ValueError:
        raise SourceError.not_a_path(location) from None
    except OSError:
        return
    path = Path(location)
    if path.exists() and not path.is_file():
        raise UsageError.senseless(f"writing to {location}", "it is no file", "name a file")
    if path.exists() and not replace:
        raise already_there(location)


def already_there(what: str) -> UsageError:
    """Something that would have to be replaced."""
    return UsageError.senseless(
        f"writing to {what}", "it exists", "choose another name, or say that it may be replaced"
    )


def _unnamed(folder: Path, mode: int) -> int | None:
    """A new file that has no name yet; None where there are no such files."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, mode)
    except OSError:
        return None


def _named(fresh: Path, mode: int) -> int:
    return os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)


def _to_disk(folder: Path) -> None:
    """The name must survive a failure of power as well as the content; not every system can say so."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)

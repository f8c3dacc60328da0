"""Private folders: only their owner can read the files there, until they are put in place.

The run that creates such a folder holds a lock in it until it ends. The next run in the same place removes the folders
of killed runs, recognized by their name, their owner and the free lock. On systems without such locks, and on disks
that refuse them, nothing is removed.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISDIR

from incrowd.files.journal import JOURNAL, MAIN, IsPlaced, settled

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME = re.compile(r"\.incrowd-([0-9a-f]{16})")
_LOCK = "lock"
_ATTEMPTS = 20


@dataclass(frozen=True)
class PrivateFolder:
    """A folder of a run that is alive."""

    path: Path
    token: str
    """Distinguishes it from the folders of other runs."""
    rights: int
    """The permissions of a new file under the user's umask."""


@contextmanager
def private_folder(parent: Path, is_placed: IsPlaced | None = None) -> Iterator[PrivateFolder]:
    """Yield a new folder within another; it is removed afterwards, once its journal is finished or undone."""
    sweep(parent, is_placed)
    made, held = _made(parent)
    try:
        yield made
    finally:
        if fcntl is None:
            # Windows cannot remove an open file.
            os.close(held)
        try:
            with suppress(OSError):
                if not _is_needed(made.path) and settled(made.path, is_placed):
                    _remove(made.path)
        finally:
            if fcntl is not None:
                os.close(held)


def sweep(parent: Path, is_placed: IsPlaced | None = None) -> None:
    """Undo what killed runs began and did not finish in a folder, and remove their leftovers.

    A journal with a database table needs `is_placed`: without it, that folder stays for a run that has it.
    """
    for path in _private_folders(parent):
        with suppress(OSError, ValueError):
            _sweep(path, is_placed)


def is_live(parent: Path, token: str) -> bool:
    """Return whether the run whose private folder within `parent` has this token is alive."""
    try:
        held = _grip(parent / f".incrowd-{token}")
    except FileNotFoundError:
        return False
    if held is None:
        return True
    os.close(held)
    return False


def _private_folders(parent: Path) -> list[Path]:
    try:
        with os.scandir(parent) as entries:
            return [Path(entry.path) for entry in entries if _NAME.fullmatch(entry.name) and _is_own(entry)]
    except OSError:
        return []


def _is_own(entry: "os.DirEntry[str]") -> bool:
    with suppress(OSError):
        found = entry.stat(follow_symlinks=False)
        return S_ISDIR(found.st_mode) and (not hasattr(os, "geteuid") or found.st_uid == os.geteuid())
    return False


def _made(parent: Path) -> tuple[PrivateFolder, int]:
    for _ in range(_ATTEMPTS):
        token = token_hex(8)
        path = parent / f".incrowd-{token}"
        path.mkdir(mode=0o700)
        held = _locked(path)
        if held is not None:
            return PrivateFolder(path, token, S_IMODE(os.fstat(held).st_mode)), held
    raise OSError(0, "cannot create a private folder")


def _locked(folder: Path) -> int | None:
    """Lock a new folder and return the open lock; None if another run removed the still empty folder as a leftover."""
    try:
        # With the permissions of any new file, which show the user's umask.
        held = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    except FileNotFoundError:
        return None
    try:
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return None
    except OSError:
        return held
    if not (folder / _LOCK).exists():
        os.close(held)
        return None
    return held


def _grip(folder: Path) -> int | None:
    """Return the lock of a folder whose run has ended; None if it is alive, or if that is unknown."""
    held = os.open(folder / _LOCK, os.O_RDWR)
    try:
        if fcntl is None:
            raise BlockingIOError
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held


def _sweep(folder: Path, is_placed: IsPlaced | None) -> None:
    try:
        held = _grip(folder)
    except FileNotFoundError:
        # Killed before its first file, or before its last step.
        folder.rmdir()
        return
    if held is None:
        return
    try:
        main = _main_of(folder)
        if main is not None and _is_needed(folder):
            _sweep(main, is_placed)
        if not _is_needed(folder) and settled(folder, is_placed):
            _remove(folder)
    finally:
        os.close(held)


def _main_of(folder: Path) -> Path | None:
    """Return the folder whose journal covers this one; None if it is this one."""
    try:
        return Path((folder / MAIN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def _is_needed(folder: Path) -> bool:
    """Return whether an unfinished journal in another folder covers this one."""
    main = _main_of(folder)
    return main is not None and (main / JOURNAL).exists()


def _remove(folder: Path) -> None:
    """Remove a folder, its lock last: without a lock only an empty folder is removed."""
    for path in sorted(folder.iterdir()):
        if path.name == _LOCK:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    (folder / _LOCK).unlink(missing_ok=True)
    folder.rmdir()

"""Settling: what a killed run began at a place, and did not end, is undone before anybody looks there.

Whoever reads a release with what lies beside it comes in here, or settles the place first.
"""

import os
from functools import partial
from pathlib import Path

from incrowd.files.private import sweep
from incrowd.formats.connections import file_of, is_file
from incrowd.formats.writing import is_placed
from incrowd.release import Manifest, Record, manifest_path


def settle(location: str, table: str | None = None) -> None:
    """Have data and manifest at a place fit each other again, and remove what killed runs left there."""
    try:
        folder = folder_of(location, table)
    except ValueError:
        # No file can have this name, as whoever reads it will say.
        return
    sweep(folder, partial(is_placed, location))


def manifest_at(release: object, table: str | None = None) -> Manifest | None:
    """Return the manifest beside a release at a path or URL, if it has one."""
    if not isinstance(release, str | os.PathLike):
        return None
    path = manifest_path(settled(release, table), table)
    return Manifest.read(path) if path.exists() else None


def record_at(path: str | os.PathLike[str]) -> Record:
    """Return a private record, never one of a release that was not put in place."""
    return Record.read(Path(settled(path)))


def settled(location: str | os.PathLike[str], table: str | None = None) -> str:
    """Return a location as a text, once what is there is settled."""
    settle(os.fspath(location), table)
    return os.fspath(location)


def folder_of(location: str, table: str | None = None) -> Path:
    """Where the data of a release are; of a table on a server where its manifest is."""
    if "://" not in location:
        return Path(os.path.realpath(location)).parent
    if is_file(location):
        return Path(os.path.realpath(file_of(location))).parent
    return Path(os.path.realpath(manifest_path(location, table))).parent

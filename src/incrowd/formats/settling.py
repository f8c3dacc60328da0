"""Recovery: undo what a killed run began and did not finish, before its location is read.

Code that reads a release with its manifest or private record calls these functions, or `settle` first.
"""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from incrowd.files.private import sweep
from incrowd.formats.connections import file_of, is_file
from incrowd.formats.writing import is_placed
from incrowd.release import Manifest, Record, manifest_path


def settle(location: str, table: str | None = None) -> None:
    """Make data and manifest at a location match again, and remove leftovers of killed runs."""
    try:
        folder = folder_of(location, table)
    except ValueError:
        # Not a valid file name; reading it reports that.
        return
    sweep(folder, partial(is_placed, location))


def manifest_at(release: object, table: str | None = None) -> Manifest | None:
    """Return the manifest of a release at a path or URL, if it has one."""
    if not isinstance(release, str | os.PathLike):
        return None
    path = manifest_path(settled(release, table), table)
    return Manifest.read(path) if path.exists() else None


def record_at(given: Record | Mapping[str, Any] | str | os.PathLike[str]) -> Record:
    """Return a private record, given as such or as a file; never that of an unfinished release."""
    return Record.of(settled(given) if isinstance(given, str | os.PathLike) else given)


def settled(location: str | os.PathLike[str], table: str | None = None) -> str:
    """Settle a location and return it as text."""
    settle(os.fspath(location), table)
    return os.fspath(location)


def folder_of(location: str, table: str | None = None) -> Path:
    """Return the folder of a release's data, or of its manifest if the data are a table on a server."""
    if "://" not in location:
        return Path(os.path.realpath(location)).parent
    if is_file(location):
        return Path(os.path.realpath(file_of(location))).parent
    return Path(os.path.realpath(manifest_path(location, table))).parent

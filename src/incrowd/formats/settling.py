"""Settling: what a killed run began at a place, and did not end, is undone before anybody looks there."""

import os
from functools import partial
from pathlib import Path

from incrowd.files.private import sweep
from incrowd.formats._databases import file_of, is_file
from incrowd.formats.writing import is_placed
from incrowd.release import manifest_path


def settle(location: str, table: str | None = None) -> None:
    """Have data and manifest at a place fit each other again, and remove what killed runs left there."""
    sweep(folder_of(location, table), partial(is_placed, location))


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

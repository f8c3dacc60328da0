"""Check the outputs of a run: each needs its own path, which is not that of an input.

Files are compared, not spellings: `x` and `./x` are the same place, and so are a link and its target.
"""

import os
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from incrowd.errors import SourceError, UsageError

Named = tuple[str, str | os.PathLike[str]]
"""The name of a file in messages, and its path."""

DATA = "the data are"
JOB = "the job is"
HIERARCHY = "a hierarchy is"
POPULATION = "the population is"
WORKLOAD = "the workload is"
MANIFEST = "the manifest is"
RECORD = "the private record is"
"""Inputs of a run, with their verbs."""


def check_outputs(outputs: Iterable[Named], inputs: Iterable[Named], replace: bool) -> None:
    """Raise, before any work, if outputs share a path, overwrite an input, or exist and may not be replaced."""
    written = list(outputs)
    for what, path in inputs:
        for _, output in written:
            if is_same(output, path):
                raise UsageError.read_there(os.fspath(output), what)
    for (one, path), (other, second) in combinations(written, 2):
        if is_same(path, second) or _folded(path) == _folded(second):
            raise UsageError.shared_place(os.fspath(second), one, other)
    for _, path in written:
        if not Path(path).parent.is_dir():
            raise SourceError.of(os.fspath(path), "there is no such folder", "create it, or choose another one")
    for _, path in written:
        refuse_existing(os.fspath(path), replace)


def refuse_existing(location: str, replace: bool) -> None:
    """Raise UsageError if a file exists and may not be replaced, or if the path is not a file."""
    try:
        os.stat(location)
    except ValueError:
        raise SourceError.not_a_path(location) from None
    except OSError:
        return
    path = Path(location)
    if path.exists() and not path.is_file():
        raise UsageError.invalid(f"writing to {location}", "it is not a file", "name a file")
    if path.exists() and not replace:
        raise UsageError.exists(location)


def is_same(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Return whether two paths lead to the same file, even if it does not exist yet."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _folded(path: str | os.PathLike[str]) -> str:
    """Return the path in folded case: names that differ only in case are one file on many disks."""
    return os.path.realpath(path).casefold()

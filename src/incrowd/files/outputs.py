"""Outputs of a run: each has a place of its own, which is not that of anything the run reads.

The rule looks at files, not at spellings: `x` and `./x` are one place, and so are a link and what it leads to.
"""

import os
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from incrowd.errors import SourceError, UsageError

Named = tuple[str, str | os.PathLike[str]]
"""What a file is, as a message calls it, and where."""

DATA = "the data are"
JOB = "the job is"
HIERARCHY = "a hierarchy is"
POPULATION = "the population is"
WORKLOAD = "the workload is"
MANIFEST = "the manifest is"
RECORD = "the private record is"
"""What a run reads, with its verb."""


def check_outputs(outputs: Iterable[Named], inputs: Iterable[Named], replace: bool) -> None:
    """Refuse, before any work, outputs that share a place, that overwrite an input, or that may not be replaced."""
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
            raise SourceError.of(os.fspath(path), "there is no such folder", "make it, or choose another place")
    for _, path in written:
        refuse_existing(os.fspath(path), replace)


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
        raise UsageError.exists(location)


def is_same(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Return whether two paths lead to one file, whether or not it is there yet."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _folded(path: str | os.PathLike[str]) -> str:
    """Names that differ in case alone are one file on many disks."""
    return os.path.realpath(path).casefold()

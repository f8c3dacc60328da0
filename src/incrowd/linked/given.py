"""The tables that a user names: by their names, as a folder with a file for each, or by a job that reads them."""

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.errors import UsageError, close_to
from incrowd.jobs import origins
from incrowd.jobs.linked import LinkedJob, describes_tables
from incrowd.linked.reading import open_tables
from incrowd.release.tables import MANIFEST

_HOW = "give a folder with a file for each table, TABLE=FILE for each, or a job file with these tables"


def tables_given(given: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return every table of a set by its name: a frame, an open source, or what names one.

    `given` is such a mapping, a folder with one file of each name, a list of texts TABLE=SOURCE, a job of several
    tables, or its file, which names them all.
    """
    if isinstance(given, Mapping):
        found = dict(given)
    elif isinstance(given, list | tuple) and not (len(given) == 1 and "=" not in str(given[0])):
        found = dict(_pair(str(each), names) for each in given)
    else:
        found = _at(given[0] if isinstance(given, list | tuple) else given, names)
    unknown = [name for name in found if name not in names]
    lacking = [name for name in names if name not in found]
    if unknown:
        raise UsageError.invalid(
            f"table {unknown[0]!r}", f"there is no such table; there are {', '.join(names)}", "omit it"
        )
    if lacking:
        raise UsageError.invalid("the tables", f"{', '.join(map(repr, lacking))} not given", _HOW)
    return {name: found[name] for name in names}


def _at(given: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the tables of a job, of a job file, or of a folder."""
    if isinstance(given, LinkedJob) or describes_tables(given):
        job = given if isinstance(given, LinkedJob) else LinkedJob.from_file(given)
        return dict(open_tables(job, job.frames))
    if not isinstance(given, str | PathLike) or not Path(fspath(given)).is_dir():
        raise UsageError.invalid("the tables", "one source is given", _HOW)
    folder = Path(fspath(given))
    return {name: path for name in names if (path := _file(folder, name)) is not None}


def _file(folder: Path, name: str) -> str | None:
    found = sorted(path for path in folder.iterdir() if path.is_file() and path.name.partition(".")[0] == name)
    found = [path for path in found if path.name != MANIFEST and path.suffix]
    if len(found) > 1:
        words = f"the folder has several files for it: {', '.join(path.name for path in found)}"
        raise UsageError.invalid(f"table {name!r}", words, "name the tables one by one (TABLE=FILE)")
    return str(found[0]) if found else None


def _pair(text: str, names: Sequence[str]) -> tuple[str, Any]:
    name, equals, source = text.partition("=")
    if not equals or not source:
        raise UsageError.invalid(f"table {text!r}", "it is not written as TABLE=FILE", _HOW + close_to(text, names))
    return name, origins.parse(source)

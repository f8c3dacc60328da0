"""The original table of a release, opened as the run read it, for verification to count people again."""

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.anonymization.applying import read_alike
from incrowd.anonymization.opening import inputs_of
from incrowd.jobs import Job
from incrowd.jobs.preparation import prepare_given
from incrowd.release import Record
from incrowd.verification import Original


def original_of(record: Record, given: Any = None) -> Original | None:
    """Return the original table that is given: a file, a database URL, a list of them, or a frame.

    By default it is the files that the private record names, if all of them are still there; a database is never
    connected to unasked.
    """
    if not record.person:
        return None
    settings = {key: of for key, of in record.job.items() if key not in ("data", "output", "time", "population")}
    before = record.job.get("data") or {}
    source = given if isinstance(given, list | tuple) else [given]
    if given is None:
        sources = _named(record)
        if not sources or not all(_is_there(each) for each in sources):
            return None
        settings["data"], given = read_alike(before, sources), None
    elif all(isinstance(each, str | PathLike | Mapping) for each in source):
        described = [dict(each) if isinstance(each, Mapping) else str(fspath(each)) for each in source]
        settings["data"], given = read_alike(before, described), None
    # Models that compare with the population would ask for it.
    job = Job.from_dict({**settings, "models": ["k_anonymity:k=1"], "search": "optimal"})
    named = before.get("missing") or ()
    missing = (named,) if isinstance(named, str) else tuple(named)
    table = inputs_of(given, job, missing, prepare=prepare_given(before.get("prepare"))).source
    return Original(table.columns, table.cells, missing)


def _named(record: Record) -> list[Any]:
    sources = (record.job.get("data") or {}).get("source") or ()
    return list(sources) if isinstance(sources, list | tuple) else [sources]


def _is_there(source: Any) -> bool:
    location = source.get("file") if isinstance(source, Mapping) else source
    return isinstance(location, str) and "://" not in location and Path(location).is_file()

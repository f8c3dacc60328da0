"""The original tables of a release, opened as the run read them, for verification to compare with."""

from pathlib import Path
from typing import Any

from incrowd.formats.described import location_of
from incrowd.jobs.model import as_data
from incrowd.linked.applying import reading_alike
from incrowd.linked.reading import open_tables
from incrowd.release.tables import LinkedRecord
from incrowd.verification import Original


def originals_of(record: LinkedRecord, given: Any = None) -> dict[str, Original] | None:
    """Return the original tables that are given, as `tables_given` reads it.

    By default they are the files that the private record names, if all of them are still there; a database is never
    connected to unasked.
    """
    named = named_files(record) if given is None else given
    if named is None:
        return None
    job = reading_alike(record, named)
    found = {}
    for name, source in open_tables(job, job.frames).items():
        part = job.tables[name]
        steps = {column: of.steps for column, of in part.columns.items() if of.steps}
        table = source.normalized(steps) if steps else source
        found[name] = Original(table.columns, table.cells, () if part.data is None else part.data.missing)
    return found


def named_files(record: LinkedRecord) -> dict[str, Any] | None:
    """Return the files that a private record names, by table; None if one is not there any more, or not a file."""
    found = {}
    for name, table in record.job["tables"].items():
        data = as_data(table.get("data")) or {}
        sources = data.get("source") or ()
        found[name] = list(sources) if isinstance(sources, list | tuple) else [sources]
        if not found[name] or not all(_is_there(location_of(each)) for each in found[name]):
            return None
    return found


def _is_there(location: str | None) -> bool:
    return location is not None and "://" not in location and Path(location).is_file()

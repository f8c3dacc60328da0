"""The recoding of an earlier release of several tables on new data of the same shape."""

from collections.abc import Mapping
from functools import partial
from os import PathLike, fspath
from typing import Any

from incrowd.anonymization.applying import for_values, read_alike
from incrowd.core.hierarchy import Hierarchy
from incrowd.jobs.linked import LinkedJob
from incrowd.jobs.model import as_data
from incrowd.linked.given import tables_given
from incrowd.linked.reading import opened_table
from incrowd.linked.result import LinkedResult
from incrowd.linked.run import EarlierRecoding, anonymize_tables
from incrowd.release.tables import LinkedRecord
from incrowd.watch import Show


def apply_tables(
    record: LinkedRecord,
    given: Any,
    output: str | PathLike[str] | Mapping[str, Any] | None = None,
    replace: bool = False,
    progress: Show | None = None,
) -> LinkedResult:
    """Publish new tables on the levels of an earlier release, with its hierarchies, models and limits.

    `given` names them as `tables_given` reads it. People are left out anew, and keys are numbered anew, from the
    published cells and the seed of the earlier job.
    """
    job = reading_alike(record, given, output, replace)
    known = {
        column.name: Hierarchy.from_rows(column.rows, column.losses, name=f"the hierarchy of column {column.name!r}")
        for column in record.quasi
    }
    earlier = EarlierRecoding(
        {column.name: column.level or 0 for column in record.quasi},
        {name: partial(for_values, job.settings, name, hierarchy) for name, hierarchy in known.items()},
    )
    return anonymize_tables(None, job, progress, earlier)


def reading_alike(
    record: LinkedRecord,
    given: Any,
    output: str | PathLike[str] | Mapping[str, Any] | None = None,
    replace: bool = False,
) -> LinkedJob:
    """Return the job of a release for other tables, which are read as the earlier ones were.

    `given` names them as `tables_given` reads it.
    """
    tables = tables_given(given, list(record.job["tables"]))
    named = {name: sources for name, each in tables.items() if (sources := _named(each)) is not None}
    data = {name: read_alike(_earlier(record, name), sources) for name, sources in named.items()}
    said = output if isinstance(output, Mapping) else {"to": output, "replace": replace}
    target = {} if output is None else {"output": said}
    job = LinkedJob.from_dict({**_for_others(record, data), **target})
    if len(named) == len(tables):
        return job
    opened = {name: opened_table(job, name) if name in named else each for name, each in tables.items()}
    return job.reading(opened)


def _named(given: Any) -> list[str | Mapping[str, Any]] | None:
    """Return the files and URLs of a table; None if it is a frame or open already."""
    several = given if isinstance(given, list | tuple) else [given]
    if not all(isinstance(each, str | PathLike | Mapping) for each in several):
        return None
    return [each if isinstance(each, Mapping) else fspath(each) for each in several]


def _for_others(record: LinkedRecord, data: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the job of a release, with other data and without its output, search and time."""
    plain = {key: of for key, of in record.job.items() if key not in ("output", "search", "time")}
    plain["tables"] = {}
    for name, table in record.job["tables"].items():
        markers = _earlier(record, name).get("missing")
        # A frame has the markers of the earlier data; no source of theirs is read.
        frame = {"data": {"source": name, "missing": markers}} if markers else {}
        part = {key: of for key, of in table.items() if key != "data"}
        plain["tables"][name] = {**part, **({"data": data[name]} if name in data else frame)}
    return plain


def _earlier(record: LinkedRecord, table: str) -> Mapping[str, Any]:
    """Return how the data of a table were read."""
    return as_data(record.job["tables"][table].get("data")) or {}

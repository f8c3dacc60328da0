"""The population's people, generalized as the release is, by the hierarchies of the private record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from incrowd.errors import HierarchyError, SourceError, Unconfirmed, UsageError
from incrowd.release import RecodedQuasi, Record
from incrowd.verification._frames import rows_of_frame
from incrowd.verification._rows import Rows, open_rows
from incrowd.verification._spelling import normalized, respelled
from incrowd.verification._tally import Value, tally


def people_by_class(population: Any, record: Record) -> "Counter[Value]":
    """Count the people of the population, a file, URL or frame, by their combination of published cells."""
    names = [column.name for column in record.quasi]
    rows = _opened(population, names, record)
    if not set(names) <= set(rows.columns):
        raise UsageError.unknown_columns(names, Unconfirmed(rows.columns))
    counted = normalized(tally(rows, names), _steps(record))
    known = {column.name: [row[0] for row in column.rows if row[0] is not None] for column in record.quasi}
    counted = respelled(counted, known)
    missing = _part(record.job, "data").get("missing") or ()
    published = [
        published_texts(column, texts, [missing] if isinstance(missing, str) else missing)
        for column, texts in zip(record.quasi, counted.texts, strict=True)
    ]
    return replace(counted, texts=tuple(published)).counter(names)


def _opened(population: Any, names: Sequence[str], record: Record) -> Rows:
    if not isinstance(population, str | PathLike):
        return rows_of_frame(population, "the population")
    location = str(fspath(population))
    if "://" not in location and not Path(location).is_file():
        raise SourceError.of(location, "no such file", "check the path of the population")
    return open_rows(location, names, table=_part(record.job, "population").get("table"))


def _steps(record: Record) -> dict[str, Sequence[str]]:
    """Return by column the steps to the normal form of its cells, as the job has them."""
    columns = _part(record.job, "columns")
    described = {name: of for name, of in columns.items() if isinstance(of, dict)}
    return {
        name: (*_listed(of.get("normalize")), *(f"missing={code}" for code in _listed(of.get("missing"))))
        for name, of in described.items()
    }


def _listed(given: Any) -> Sequence[Any]:
    """Return what a job lists, which may be one entry without a list."""
    return () if given is None else given if isinstance(given, list | tuple) else (given,)


def cells(column: RecodedQuasi) -> dict[str | None, str | None]:
    """Return the published cell of each base value; missing stays missing below the top unless a row says otherwise."""
    level = column.level or 0
    top = level == len(column.rows[0]) - 1
    found: dict[str | None, str | None] = {None: column.rows[0][level] if top else None}
    found.update({row[0]: row[level] for row in column.rows})
    return found


def published_texts(column: RecodedQuasi, texts: Sequence[str | None], missing: Sequence[str]) -> list[str | None]:
    """Return the published cell of each value; raise HierarchyError for a value that the hierarchy lacks."""
    cell_of = cells(column)
    # An empty text is what many programs write for a missing cell.
    absent = {*missing, *({""} - cell_of.keys())}
    values = [None if text in absent else text for text in texts]
    lacking = [str(value) for value in values if value not in cell_of]
    if lacking:
        raise HierarchyError.lacks(column.name, lacking, len(values))
    return [cell_of[value] for value in values]


def _part(job: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return a part of a job that may be in short form."""
    part = job.get(key)
    return part if isinstance(part, Mapping) else {}

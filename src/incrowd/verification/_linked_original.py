"""The original tables, recoded by the private record, and compared with the release person by person.

Keys are fresh in the release, so that no record can be looked up. Two people are compared by all that is published of
them: the cells of their record, and of all records that hang on it, however often. Whoever has the quasi-identifiers
of somebody in the release must be in it too, since people of whom the same is known are all published or none is. So
the release must have exactly these people, each with all records, and nobody else.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import HierarchyError, listed
from incrowd.release import RecodedQuasi
from incrowd.release.tables import LinkedManifest, LinkedRecord, PublishedTable
from incrowd.verification._linked_rows import (
    Numbers,
    ReadTable,
    cells_in,
    key_faults,
    keys_in,
    read_table,
    rows_above,
)
from incrowd.verification._linked_views import Linked, histories, people_of
from incrowd.verification._people import Original
from incrowd.verification._population import published_texts
from incrowd.verification._spelling import respelled_texts
from incrowd.verification._verdict import Check

_NAME = "original"


class _Both(NamedTuple):
    """The recoded originals with the release below them, as one set of tables."""

    tables: dict[str, Linked]
    people: int
    """Those of the originals, who come first."""


def original_check(
    claims: LinkedManifest, record: LinkedRecord, release: Mapping[str, Linked], originals: Mapping[str, Original]
) -> Check:
    """Check that the release is the originals, recoded, without the people who are left out."""
    try:
        tables = [_recoded(claimed, record, originals[claimed.name]) for claimed in claims.tables]
    except HierarchyError:
        return Check(_NAME, False, "the original tables have values that the private record does not know")
    by_name = {table.claimed.name: table for table in tables}
    above = {
        table.claimed.name: rows_above(table, by_name[table.claimed.of])
        for table in tables
        if table.claimed.of is not None
    }
    if any(map(key_faults, tables)) or any(bool((rows < 0).any()) for rows in above.values()):
        return Check(_NAME, False, "keys of the original tables lead nowhere, or to several records")
    before = people_of(tables, above)
    both = _Both({name: _joined(before, release, name) for name in before}, tables[0].records)
    return _compared(claims, both, {table.claimed.name: table.records for table in tables})


def _recoded(claimed: PublishedTable, record: LinkedRecord, original: Original) -> ReadTable:
    """Return an original table with published cells; raise HierarchyError for a value that the record lacks."""
    original.refuse_lacking([*keys_in(claimed), *cells_in(claimed)])
    table = read_table(claimed, original.rows(), with_kept=True)
    gone = set(original.missing)
    texts = {name: [None if text in gone else text for text in of] for name, of in table.texts.items()}
    recoded = {column.name: column for column in record.quasi}
    for column in claimed.quasi:
        known = recoded[f"{claimed.name}.{column.name}"]
        texts[column.name] = _published(known, texts[column.name])
    return ReadTable(claimed, table.columns, table.records, table.codes, texts)


def _published(column: RecodedQuasi, texts: list[str | None]) -> list[str | None]:
    values = {row[0] for row in column.rows if row[0] is not None}
    return published_texts(column, respelled_texts(texts, values), ())


def _joined(before: Mapping[str, Linked], release: Mapping[str, Linked], name: str) -> Linked:
    """Return the records of an original table and below them those of the release, with one code for equal cells."""
    one, other = before[name], release[name]
    claimed = one.table.claimed
    codes: dict[str, Numbers] = {}
    texts: dict[str, list[str | None]] = {}
    for column in cells_in(claimed):
        known = {text for text in one.table.texts[column] if text}
        code_of: dict[str | None, int] = {}
        parts = []
        for table, spelled in (
            (one.table, one.table.texts[column]),
            (other.table, respelled_texts(other.table.texts[column], known)),
        ):
            # An empty text and a missing cell are the same in most files.
            lookup = [code_of.setdefault(text or None, len(code_of)) for text in spelled]
            parts.append(np.array(lookup, dtype=np.int64)[table.codes[column]])
        codes[column], texts[column] = np.concatenate(parts), list(code_of)
    records = one.table.records + other.table.records
    table = ReadTable(claimed, one.table.columns, records, codes, texts)
    people = next(iter(before.values())).table.records
    person = np.concatenate([one.person, other.person + people])
    if one.above is None or other.above is None or claimed.of is None:
        return Linked(table, None, person)
    return Linked(table, np.concatenate([one.above, other.above + before[claimed.of].table.records]), person)


def _compared(claims: LinkedManifest, both: _Both, records: Mapping[str, int]) -> Check:
    people = both.people
    by_quasi = histories(both.tables)
    stays: NDArray[np.bool_] = np.isin(by_quasi[:people], by_quasi[people:])
    everything = {name: cells_in(of.table.claimed) for name, of in both.tables.items()}
    by_all = histories(both.tables, everything)
    if _differ(by_all[:people][stays], by_all[people:]):
        return Check(_NAME, False, _difference(both, stays, records, everything))
    left = people - int(stays.sum())
    if (people, left) != (claims.input_people, claims.suppressed):
        claimed = f"the manifest claims {claims.suppressed:,} of {claims.input_people:,}"
        return Check(_NAME, False, f"{left:,} of {people:,} people of the original tables are suppressed; {claimed}")
    return Check(
        _NAME,
        True,
        f"the release is the original tables, recoded: {people - left:,} of {people:,} people, with all their records",
    )


def _difference(
    both: _Both, stays: NDArray[np.bool_], records: Mapping[str, int], everything: Mapping[str, list[str]]
) -> str:
    """Return in which tables the records differ, or that only their people do."""
    differing = []
    for name, of in both.tables.items():
        classes, _ = of.table.classes(everything[name])
        kept = stays[of.person[: records[name]]]
        if _differ(classes[: records[name]][kept], classes[records[name] :]):
            differing.append(name)
    if differing:
        return f"records of {listed(differing)} differ from the recoded original tables of the people who are published"
    return "the records are those of the original tables, but some belong to other people or records"


def _differ(one: Numbers, other: Numbers) -> bool:
    """Return whether two collections of numbers are different ones."""
    return not np.array_equal(np.sort(one), np.sort(other))

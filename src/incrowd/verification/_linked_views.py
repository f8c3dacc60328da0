"""All that an attacker may know of the people of several tables, with all people of whom it is true.

Built from the records as they are read, by the definitions, and by no code of the search:

- record: the cells of the person's own record, and of one record of each other table, or of none.
- a number m: the same with up to m records of each table.
- history: all records, and which of them hang on which.

A record of a table that hangs on another child table is known with the record that it hangs on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from incrowd.errors import UsageError
from incrowd.verification._linked_rows import Numbers, ReadTable, paired

HISTORY, RECORD = "history", "record"

_MOST = 60_000_000
"""Pairs of a view and a person that may be held at once."""


@dataclass(frozen=True, eq=False)
class KnownViews:
    """Pairs of a view and a person, each once."""

    of: Numbers
    person: Numbers
    n: int


@dataclass(frozen=True, eq=False)
class Linked:
    """A table with the record that each of its records hangs on, and its person."""

    table: ReadTable
    above: Numbers | None
    person: Numbers


def record_classes(
    tables: Mapping[str, Linked], knows: str, columns: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Numbers]:
    """Return the class of every record: of its own cells, and of those of the records that are known with it.

    These are, of a table that hangs on another child table, the record above; if all records are known, those below.
    Cells are those of some columns of each table, by default of the quasi-identifiers.
    """
    own = {
        name: each.table.classes(
            [column.name for column in each.table.claimed.quasi] if columns is None else columns[name]
        )[0]
        for name, each in tables.items()
    }
    root, *children = tables
    if knows == HISTORY:
        for name in reversed(children):
            if tables[name].table.claimed.of not in (None, root):
                _fold(own, tables, name)
        return own
    for name in children:
        above, rows = tables[name].table.claimed.of, tables[name].above
        if above is not None and rows is not None and above != root:
            own[name], _ = paired(own[name], own[above][rows], int(own[above].max(initial=0)) + 1)
    return own


def _fold(own: dict[str, Numbers], tables: Mapping[str, Linked], name: str) -> None:
    """Add the multisets of records of a table to the classes of the records that they hang on."""
    of, above = tables[name].table.claimed.of, tables[name].above
    assert of is not None
    assert above is not None
    below = _multisets(own[name], above, tables[of].table.records)
    own[of], _ = paired(own[of], below, int(below.max(initial=0)) + 1)


def known_views(tables: Mapping[str, Linked], knows: str) -> KnownViews:
    """Return everything that may be known of anybody; the first table has one record per person."""
    root, *children = tables
    everybody = tables[root].person
    if knows == HISTORY:
        of = histories(tables)
        return KnownViews(of, everybody, int(of.max(initial=-1)) + 1)
    own = record_classes(tables, knows)
    found = KnownViews(own[root], everybody, int(own[root].max(initial=-1)) + 1)
    most = 1 if knows == RECORD else int(knows)
    for name in children:
        found = _crossed(found, _collections(own[name], tables[name].person, most, everybody))
    return found


def histories(tables: Mapping[str, Linked], columns: Mapping[str, Sequence[str]] | None = None) -> Numbers:
    """Return a number for each person, equal where all of their records are, and which hang on which.

    Records are compared by some columns of each table, by default the quasi-identifiers.
    """
    own = record_classes(tables, HISTORY, columns)
    root, *children = tables
    for name in children:
        if tables[name].table.claimed.of == root:
            _fold(own, tables, name)
    return own[root]


def classes_in(tables: Mapping[str, Linked], knows: str, name: str) -> tuple[Numbers, int]:
    """Return the class of every record of a table, with that of its person's record in the first."""
    own = record_classes(tables, knows)
    root = next(iter(tables))
    if name == root:
        return own[root], int(own[root].max(initial=-1)) + 1
    return paired(own[name], own[root][tables[name].person], int(own[root].max(initial=0)) + 1)


def _multisets(classes: Numbers, above: Numbers, n: int) -> Numbers:
    """Return for each of n records a number for the multiset of classes of those that hang on it; 0 is none."""
    order = np.lexsort((classes, above))
    sorted_classes = np.ascontiguousarray(classes[order])
    ends = np.searchsorted(above[order], np.arange(n + 1))
    number_of: dict[bytes, int] = {b"": 0}
    cells, width = sorted_classes.tobytes(), sorted_classes.itemsize
    bounds = (ends * width).tolist()
    pairs = pairwise(bounds)
    return np.array([number_of.setdefault(cells[low:high], len(number_of)) for low, high in pairs], dtype=np.int64)


def _collections(classes: Numbers, person: Numbers, most: int, everybody: Numbers) -> KnownViews:
    """Return all collections of up to so many records of a person, and of everybody the empty one."""
    if most == 1:
        n = int(classes.max(initial=-1)) + 1
        pairs = np.unique(person * max(1, n) + classes)
        of, people = pairs % max(1, n) + 1, pairs // max(1, n)
        return KnownViews(np.append(np.zeros_like(everybody), of), np.append(everybody, people), n + 1)
    held: dict[int, list[int]] = {}
    for who, what in sorted(zip(person.tolist(), classes.tolist(), strict=True)):
        held.setdefault(who, []).append(what)
    number_of: dict[tuple[int, ...], int] = {(): 0}
    found = [(0, who) for who in everybody.tolist()]
    for who, records in held.items():
        chosen = {each for size in range(1, most + 1) for each in combinations(records, size)}
        found += [(number_of.setdefault(each, len(number_of)), who) for each in sorted(chosen)]
    pairs = np.array(found, dtype=np.int64).reshape(-1, 2)
    return KnownViews(pairs[:, 0], pairs[:, 1], len(number_of))


def _crossed(one: KnownViews, other: KnownViews) -> KnownViews:
    """Return every view of the one with every view of the other of the same person."""
    order = np.argsort(other.person, kind="stable")
    sorted_people = other.person[order]
    low, high = (np.searchsorted(sorted_people, one.person, side=side) for side in ("left", "right"))
    if int((high - low).sum()) > _MOST:
        raise UsageError.invalid("verifying what is known", "people have too many records", "use a larger machine")
    left = np.repeat(np.arange(len(one.of)), high - low)
    begin = np.repeat(low - np.cumsum(high - low) + (high - low), high - low)
    right = order[begin + np.arange(len(left))]
    of, n = paired(one.of[left], other.of[right], other.n)
    return KnownViews(of, one.person[left], n)


def people_of(tables: Sequence[ReadTable], above: Mapping[str, Numbers]) -> dict[str, Linked]:
    """Return the tables with the person of each record; every key leads somewhere."""
    found: dict[str, Linked] = {}
    for table in tables:
        of = table.claimed.of
        if of is None:
            found[table.claimed.name] = Linked(table, None, np.arange(table.records, dtype=np.int64))
            continue
        rows = above[table.claimed.name]
        found[table.claimed.name] = Linked(table, rows, found[of].person[rows])
    return found

"""Judge families of like columns: the items of a questionnaire or a test, which outsiders do not know."""

import re
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from incrowd.core.kernels import total
from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.naming import meaning_of
from incrowd.proposing.vocabulary.private import ANSWER

_FEWEST = 4
"""Columns that make a battery."""
_REPEATED = 12
"""More columns of one name that differ in their numbers are a history, week by week or month by month."""
_STEM = 2
"""Letters that the names of its columns must share."""
_NEIGHBORS = 6
"""Columns side by side that make a battery whatever their names are."""
_POINTS = 4
"""The fewest points of its scale: fewer may be those of other questions too."""
_MOST_POINTS = 11
"""Points of the longest usual scale, 0 to 10."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of a battery."""
    found: dict[str, Opinion] = {}
    for columns in _side_by_side(table):
        found |= {column.name: _item(column, len(columns), 0.87) for column in columns}
    for columns in _batteries(table):
        if not _is_one_known_fact(columns):
            found |= {column.name: _item(column, len(columns)) for column in columns}
        elif len(columns) > _REPEATED and not _are_indicators(table, columns):
            found |= {column.name: _one_time(len(columns)) for column in columns}
    return found


def _item(column: Column, items: int, sure: float = 0.92) -> Opinion:
    reason = f"one of {items} answers on the same scale, which outsiders do not know"
    meaning = column.meaning
    private = meaning is not None and meaning.topic.role is Role.SENSITIVE and meaning.topic is not ANSWER
    # Two points may be symptoms or diagnoses as well as opinions.
    role = Role.SENSITIVE if private or column.distinct <= 2 else Role.KEEP
    return Opinion(role, reason, sure if column.distinct > 2 else 0.7)


def _one_time(times: int) -> Opinion:
    return Opinion(Role.SENSITIVE, f"one of {times} values over time, of which outsiders know few", 0.88)


def _are_indicators(table: Table, columns: list[Column]) -> bool:
    """Return whether at most one of the columns has its rarer value in a record: they are the values of one fact."""
    hits = np.zeros(table.counted.combinations, dtype=np.int64)
    for column in columns:
        at = table.counted.names.index(column.name)
        held = total(table.counted.codes[at], table.counted.cardinalities[at], table.counted.counts)[1:]
        hits += table.counted.codes[at] == 1 + int(np.where(held > 0, held, held.max() + 1).argmin())
    return all(column.distinct == 2 for column in columns) and int(hits.max(initial=0)) <= 1


def _batteries(table: Table) -> Iterable[list[Column]]:
    """Yield columns whose names begin alike and whose values are of the same small range."""
    by_stem: dict[str, list[Column]] = defaultdict(list)
    for column in table.columns:
        if 2 <= column.distinct <= _MOST_POINTS and not column.is_date:
            by_stem[_stem(column.name)].append(column)
    for stem, columns in _joined(by_stem).items():
        alike = _with_the_usual_range(columns)
        if len(stem) >= 1 and len(alike) >= _FEWEST:
            yield alike


def _side_by_side(table: Table) -> Iterable[list[Column]]:
    """Yield columns side by side with the same whole numbers as their values, such as 1 to 7."""
    together: list[Column] = []
    for column in (*table.columns, None):
        if column is not None and together and _values(column) == _values(together[0]):
            together.append(column)
            continue
        if len(together) >= _NEIGHBORS:
            yield together
        is_scale = column is not None and column.is_whole and _POINTS <= column.distinct <= _MOST_POINTS
        together = [column] if column is not None and is_scale else []


def _stem(name: str) -> str:
    """Return how a name begins: before a number, else before a separator, else three letters."""
    numbered = re.match(r"^(.*?[A-Za-z_.])[_.]?\d+[A-Za-z]?$", name)
    if numbered:
        return numbered[1].lower()
    parts = re.split(r"[_.\s-]|(?<=[a-z])(?=[A-Z])", name)
    return (parts[0] if len(parts) > 1 else name[:3]).lower()


def _joined(by_stem: dict[str, list[Column]]) -> dict[str, list[Column]]:
    """Join numbered scales of a letter (A1 to A5, C1 to C5) into one battery if each has several items."""
    letters = {stem: columns for stem, columns in by_stem.items() if len(stem) < _STEM and len(columns) > 1}
    others = {stem: columns for stem, columns in by_stem.items() if len(stem) >= _STEM}
    together = [column for columns in letters.values() for column in columns]
    return {**others, **({"".join(letters): together} if together else {})}


def _with_the_usual_range(columns: list[Column]) -> list[Column]:
    """Return the columns whose values are among those of the column with most values, and nearly as many."""
    most = max(columns, key=lambda column: column.distinct)
    values = _values(most)
    return [column for column in columns if _values(column) <= values and 3 * column.distinct >= 2 * len(values)]


def _values(column: Column) -> frozenset[object]:
    return frozenset(column.values.to_pylist())


def _is_one_known_fact(columns: list[Column]) -> bool:
    """Return whether the names, but for numbers, are about one thing that outsiders know, such as region1, region2."""
    stems = {re.sub(r"[\d_.]+", "", column.name).lower() for column in columns}
    topics = {None if meaning is None else meaning.topic for meaning in map(meaning_of, stems)}
    topic = topics.pop()
    return not topics and topic is not None and topic.role in (Role.QUASI, Role.IDENTIFIER)

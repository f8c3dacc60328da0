"""Judge whole numbers under a name that says nothing that may be ages: others know how old a person is."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each

_YOUNGEST, _OLDEST = 10, 106
"""The lowest age of those who are asked, and the highest age of a person in most tables."""
_REACH = 40
"""Years from the youngest to the oldest."""
_DENSE = 0.8
"""The share of the ages in between that occur."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column that may have ages."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    numbers = column.numbers
    if column.meaning is not None or not column.is_whole or len(numbers) < _REACH:
        return None
    youngest, oldest = float(numbers[0]), float(numbers[-1])
    if youngest < _YOUNGEST or oldest > _OLDEST or oldest - youngest < _REACH:
        return None
    dense = column.distinct >= _DENSE * (oldest - youngest + 1)
    return Opinion(Role.QUASI, "its whole numbers may be ages, which others know", 0.52) if dense else None

"""Judge figures with many values: attackers seldom know them, but published they are a fingerprint."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.kinds import Kind

_MANY = 50
"""More distinct numbers are measurements or amounts, not codes."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of numbers with many values, or with decimals."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not column.is_number or column.distinct < 2:
        return None
    if column.distinct > _MANY or column.is_near_unique:
        return Opinion(
            Role.SENSITIVE, "an amount or a measurement: attackers seldom know it, and it discloses much", 0.5
        )
    if column.kind is Kind.NUMBER:
        return Opinion(Role.SENSITIVE, "a measurement or a score, which attackers seldom know", 0.45)
    return None

"""Judge columns of which nothing is known by the form of their values alone. These are the ones to ask about."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each

_NAMES = 12
"""More distinct texts are names of something, such as places, jobs or institutions."""
_FEW_RECORDS = 20
"""With fewer records, counts mean nothing."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return a weak opinion on every column."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion:
    if column.present < _FEW_RECORDS:
        return Opinion(Role.QUASI, "it has too few values to judge; others may know it", 0.2)
    if column.is_text and column.distinct > _NAMES:
        return Opinion(Role.QUASI, "its many texts may be places, jobs or institutions, which others know", 0.3)
    return Opinion(Role.SENSITIVE, "nothing shows what it is; if others may know it, choose quasi", 0.3)

"""Judge columns that say the same of everybody, or nothing."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column without values, or with one value for all records."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if column.records and not column.distinct:
        # A later delivery of the same table may have names in it.
        if column.meaning is not None and column.meaning.topic.role is Role.IDENTIFIER:
            return None
        return Opinion(Role.KEEP, "all its values are missing", 0.99)
    if column.distinct == 1 and not column.missing and column.records > 1:
        return Opinion(Role.KEEP, "all records have the same value", 0.98)
    return None

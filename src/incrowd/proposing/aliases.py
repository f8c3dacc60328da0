"""Judge columns that are the same for the same person as a name or an official number: another key of that person."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.vocabulary.identifiers import FILE_NUMBER, FULL_NAME, KEY, OFFICIAL_NUMBER, WAY_TO_REACH

_TELLING = (FULL_NAME, OFFICIAL_NUMBER, FILE_NUMBER, WAY_TO_REACH, KEY)
_FEWEST = 20
"""People whose keys are not those of places or jobs."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column without a telling name that says the same as such a column."""
    keys = [column for column in table.columns if column.distinct >= _FEWEST and _is_telling(column)]
    found: dict[str, Opinion] = {}
    for column in table.columns:
        of = next((key for key in keys if _may_be_key(column) and _says_the_same(table, column, key)), None)
        if of is not None:
            reason = f"it says the same as {of.name!r}, which identifies a person"
            found[column.name] = Opinion(Role.IDENTIFIER, reason, 0.9)
    return found


def _is_telling(column: Column) -> bool:
    meaning = column.meaning
    return meaning is not None and meaning.whole and meaning.topic in _TELLING


def _may_be_key(column: Column) -> bool:
    """Return whether nothing says that it is something else that a person has one of, such as a birthday or a wage."""
    if column.meaning is not None and column.meaning.topic.role is not Role.IDENTIFIER:
        return False
    return column.distinct >= _FEWEST and (column.is_whole or column.is_text)


def _says_the_same(table: Table, column: Column, key: Column) -> bool:
    if column is key or column.distinct != key.distinct:
        return False
    return table.determines(column.name, key.name) and table.determines(key.name, column.name)

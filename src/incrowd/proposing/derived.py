"""Judge columns that follow from others: another form of what outsiders know is as telling."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.naming import meaning_of
from incrowd.proposing.person_names import numbered
from incrowd.proposing.vocabulary.known import BIRTH, EVENT, FAMILY, INSTITUTION, ORIGIN, PLACE, SCHOOLING, SEX, SIZE, WORK

_KNOWN = (BIRTH, SEX, ORIGIN, PLACE, FAMILY, SCHOOLING, WORK, INSTITUTION, SIZE, EVENT)
_SHARED = 3
"""Records that must share a value on average: near-unique columns determine everything."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column without a telling name that another column determines."""
    sources = [column for column in table.columns if _is_known(column)]
    found: dict[str, Opinion] = {}
    for column in table.columns:
        if column.distinct < 2 or (column.meaning is not None and column.meaning.whole):
            continue
        source = next((each for each in sources if table.determines(each.name, column.name)), None)
        if source is not None:
            found[column.name] = Opinion(Role.QUASI, f"it follows from {source.name!r}, which others may know", 0.72)
    return found


def _is_known(column: Column) -> bool:
    """Return whether outsiders know the column, and many records share each value."""
    meaning = meaning_of(numbered(column.name) or column.name)
    if meaning is None or meaning.topic not in _KNOWN or column.distinct < 2:
        return False
    return column.present >= _SHARED * column.distinct and column.distinct <= 1000

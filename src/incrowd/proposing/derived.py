"""Judge columns that follow from others: another form of what outsiders know is as telling.

Education and a number for it are one fact, and so are a level of education and its indicators.
"""

from incrowd.core.schema import Role
from incrowd.proposing.dates import are_years
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.naming import meaning_of
from incrowd.proposing.person_names import numbered
from incrowd.proposing.vocabulary.known import (
    BIRTH,
    EVENT,
    FAMILY,
    INSTITUTION,
    ORIGIN,
    PLACE,
    SCHOOLING,
    SEX,
    SIZE,
    WORK,
)

_KNOWN = (BIRTH, SEX, ORIGIN, PLACE, FAMILY, SCHOOLING, WORK, INSTITUTION, SIZE, EVENT)
_SHARED = 3
"""Records that must share a value on average: near-unique columns determine everything."""
_FEW = 50
"""With more values, a known column may say by chance what another one does, but for a few records."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column that says what a known one says, or that follows from one."""
    sources = [column for column in table.columns if _is_known(column)]
    found = {column.name: _look(table, column, sources) for column in table.columns if column.distinct > 1}
    return {name: opinion for name, opinion in found.items() if opinion is not None}


def _look(table: Table, column: Column, sources: list[Column]) -> Opinion | None:
    others = [each for each in sources if each is not column and table.determines(each.name, column.name)]
    same = next((each for each in others if table.determines(column.name, each.name)), None)
    whole = column.meaning is not None and column.meaning.whole
    if same is not None and (not whole or column in sources):
        return Opinion(Role.QUASI, f"it says the same as {same.name!r}, which others may know", 0.86)
    if others and not whole:
        return Opinion(Role.QUASI, f"it follows from {others[0].name!r}, which others may know", 0.72)
    return _without_a_name(table, column, sources) if column.meaning is None else None


def _without_a_name(table: Table, column: Column, sources: list[Column]) -> Opinion | None:
    """Judge a column whose name says nothing by what it tells of a known one, or nearly says."""
    if not _is_shared(column):
        return None
    for source in sources:
        if table.determines(column.name, source.name):
            return Opinion(Role.QUASI, f"it tells {source.name!r}, which others may know", 0.62)
    for source in sources:
        if source.distinct <= _FEW and table.nearly_determines(source.name, column.name):
            return Opinion(Role.QUASI, f"it nearly follows from {source.name!r}, which others may know", 0.6)
    return None


def _is_shared(column: Column) -> bool:
    """Return whether many records share each value: near-unique columns determine everything."""
    return column.present >= _SHARED * column.distinct and 2 <= column.distinct <= 1000


def _is_known(column: Column) -> bool:
    """Return whether outsiders know the column, and many records share each value."""
    meaning = meaning_of(numbered(column.name) or column.name)
    if meaning is None or meaning.topic not in _KNOWN or column.distinct < 2:
        return False
    if meaning.topic is EVENT and not (column.is_date or are_years(column)):
        # Numbers of visits or days are no times.
        return False
    return _is_shared(column)

"""Judge indicators that are called after places, such as ky and mi: a record has one where it is from."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.vocabulary.lists import COUNTRIES, COUNTRY_CODES, STATES

_FEWEST = 2
"""Such columns: one alone may be called so by chance."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of two values that is called after a place, beside another such column."""
    opinion = Opinion(Role.QUASI, "it seems to say whether a record is from a place, which others know", 0.75)
    for places in (STATES, COUNTRIES, COUNTRY_CODES):
        named = [column.name for column in table.columns if _is_indicator(column) and column.name.casefold() in places]
        if len(named) >= _FEWEST:
            return dict.fromkeys(named, opinion)
    return {}


def _is_indicator(column: Column) -> bool:
    return column.distinct == 2 and column.meaning is None

"""Judge dates and times in a person's life, however they are written: others may know them."""

import re

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.naming import words_of

_COMPACT = "(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])"
"""A date written as one number, such as 20241231."""
_YEAR, _MONTH, _DAY = "[0-9]{2}", "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"
_SHORT = (
    f"{_MONTH}{_DAY}{_YEAR}",
    f"{_DAY}{_MONTH}{_YEAR}",
    f"{_YEAR}{_MONTH}{_DAY}",
    f"{_MONTH}{_DAY}(19|20){_YEAR}",
    f"{_DAY}{_MONTH}(19|20){_YEAR}",
    f"(19|20){_YEAR}{_MONTH}",
)
"""Dates written as one number in other orders; where they are numbers, the first digit is lost if it is 0."""
_MANY = 20
"""Distinct numbers that do not all look like such dates by chance."""
_NAMES = r"[0-9]{1,2}[- /.]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- /.]?([0-9]{4}|[0-9]{2})( .*)?"
"""A date with the name of its month, such as 12MAR2019."""
_WORDS = frozenset(
    words_of(
        "date dt datum day dtc fecha data dia jour giorno dag tag diag diagnosis dx death died onset admission "
        "discharge surgery transplant entry exit relapse timestamp"
    )
)
_OF_A_YEAR = re.compile(r"(year|yr|jahr|annee|jaar)[a-z]+|[a-z]+(year|yr|jahr|annee|jaar)")
"""A name made of the word for one year and another word; the word for several is a duration."""
_SINCE_1900 = 99
_DAYS = 100
"""More distinct whole numbers beside such a name are days, counted from some origin."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of dates, days or years."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if column.meaning is not None and column.meaning.whole and column.meaning.topic.role is Role.QUASI:
        # The name says more: birth, admission.
        return None
    if column.is_date or column.has_form(_COMPACT) or column.has_form(f"(?i:{_NAMES})"):
        return Opinion(Role.QUASI, "dates in a person's life are known to others", 0.9)
    if _may_be_short(column) and any(column.has_form(form.replace("(0", "(0?", 1), 1.0) for form in _SHORT):
        return Opinion(Role.QUASI, "its numbers look like dates, which others may know", 0.9)
    if not column.is_whole or len(column.numbers) == 0:
        return None
    if column.distinct > _DAYS and _WORDS & set(words_of(column.name)):
        return Opinion(Role.QUASI, "it seems to count days, and others may know when something happened", 0.88)
    if are_years(column) or (_is_of_a_year(column) and column.numbers[0] >= 0 and column.numbers[-1] <= _SINCE_1900):
        return Opinion(Role.QUASI, "years in a person's life are known to others", 0.7)
    return None


def _may_be_short(column: Column) -> bool:
    """Return whether the values have as many digits as a date; most columns have not, and nothing more is checked."""
    if column.distinct < _MANY:
        return False
    if column.is_whole:
        return bool(column.numbers[0] >= 10**4 and column.numbers[-1] < 10**8)
    return column.is_text and column.has_form("[0-9]{6,8}", 1.0)


def _is_of_a_year(column: Column) -> bool:
    words = words_of(column.name)
    return column.meaning is None and len(words) == 1 and _OF_A_YEAR.fullmatch(words[0]) is not None


def are_years(column: Column) -> bool:
    """Return whether all values are whole numbers that may be years in a person's life."""
    numbers = column.numbers
    return column.is_whole and len(numbers) > 1 and bool(numbers[0] >= 1850 and numbers[-1] <= 2100)

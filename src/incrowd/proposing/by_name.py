"""Judge a column by its name, unless its values contradict it."""

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.kinds import Kind
from incrowd.proposing.naming import words_of
from incrowd.proposing.person_names import is_bare_key, is_person_or_number
from incrowd.proposing.vocabulary import Topic
from incrowd.proposing.vocabulary.identifiers import COMMENT, FULL_NAME, KEY, NAME
from incrowd.proposing.vocabulary.known import BUILD, DURATION, WEIGHT
from incrowd.proposing.vocabulary.private import ASSESSMENT

_WHOLE, _PARTS, _VAGUE = 0.85, 0.6, 0.55
_FEW = 20
"""The most values of a scale or a list of arms."""
_FEWEST_YEARS, _LAST_YEARS = 3, (12, 13)
"""The years of a school, the last of which is counted so nearly everywhere; marks end at 4, 5, 6, 10, 20 or 100."""
_MEASURED = frozenset(words_of("height ht hgt weight wt wgt bmi waist hip girth groesse gewicht taille poids peso"))
_PERHAPS_MISSING = 2
"""So few texts beside a name may only say whether it is known."""
_COUNTS = 1000
"""Whole numbers below this one that repeat are counts, not keys."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column whose name says what it is about."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    meaning = column.meaning
    if meaning is None or (meaning.topic.role is Role.IDENTIFIER and not _may_identify(column, meaning.topic)):
        return None
    topic, sure = meaning.topic, _WHOLE if meaning.whole and meaning.topic is not DURATION else _PARTS
    if topic is ASSESSMENT and _is_school_year(column):
        return Opinion(Role.QUASI, "its name and values suggest the years of a school", sure)
    if topic is ASSESSMENT and column.is_text and column.distinct <= _FEW and "rank" in words_of(column.name):
        return Opinion(Role.QUASI, "its name and values suggest a rank at work", sure)
    if topic is BUILD and column.distinct <= 2 and column.is_number and _MEASURED & {*words_of(column.name)}:
        # Two numbers are no heights: ht may be hypertension.
        return None
    named = f"its name suggests {topic.what}"
    if topic.role is Role.KEEP and (column.is_near_unique or (column.distinct > _FEW and not column.is_number)):
        return Opinion(Role.SENSITIVE, f"{named}, but its values can single people out", sure)
    if topic.role is Role.IDENTIFIER and _is_vague(column, topic):
        return Opinion(Role.IDENTIFIER, named, _VAGUE)
    if topic is WEIGHT:
        return _weight(column, sure)
    return Opinion(topic.role, named, sure)


def _is_school_year(column: Column) -> bool:
    """Return whether a grade is the year at school that a person is in, up to the last one, not a mark."""
    texts = [str(value).strip() for value in column.values.to_pylist()] if column.distinct <= _FEW else []
    years = [int(text) for text in texts if text.isascii() and text.isdigit()]
    in_order = len(years) >= _FEWEST_YEARS and max(years) in _LAST_YEARS and min(years) >= 1
    return "grade" in words_of(column.name) and in_order and len(texts) - len(years) <= 1


def _weight(column: Column, sure: float) -> Opinion | None:
    if not column.is_number:
        return None
    if column.distinct <= _FEW:
        return Opinion(Role.QUASI, "its name suggests a survey weight, which shows the group a person is in", sure)
    return Opinion(Role.DROP, "a survey weight is nearly unique, and other files may contain it", sure)


def _may_identify(column: Column, topic: Topic) -> bool:
    """Return whether the values can be those of an identifier: no decimals, no truth values, no counts, no category."""
    if column.kind is Kind.EMPTY:
        return True
    if column.kind is Kind.BOOLEAN or (column.kind is Kind.NUMBER and not column.is_whole) or column.distinct == 1:
        return False
    if is_bare_key(column.name):
        return column.distinct > 2
    if topic is FULL_NAME and column.is_text and column.distinct > _PERHAPS_MISSING:
        # A small table, or an excerpt, has the same few names again and again.
        return True
    if column.is_category:
        return False
    if topic in (COMMENT, NAME) and not column.is_text:
        return False
    if not column.is_whole:
        return True
    small = len(column.numbers) > 0 and column.numbers[-1] < _COUNTS and column.distinct <= 100
    return not (small and column.present >= 3 * column.distinct)


def _is_vague(column: Column, topic: Topic) -> bool:
    """Return whether the name says little: a word for a key beside others, a name of something."""
    if topic is KEY:
        return not is_person_or_number(column.name)
    return topic is NAME and len(words_of(column.name)) > 1 and not is_person_or_number(column.name, NAME.terms)

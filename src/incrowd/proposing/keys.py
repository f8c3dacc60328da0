"""Judge keys: numbers of records, of people and their relatives, of institutions and of things."""

import numpy as np

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.naming import meaning_of, topic_of, words_of
from incrowd.proposing.person_names import fewest_of, is_person, numbered
from incrowd.proposing.vocabulary.health import DOSE, FINDING, ILLNESS
from incrowd.proposing.vocabulary.identifiers import ADDRESS, DEVICE, WAY_TO_REACH
from incrowd.proposing.vocabulary.known import EVENT, INSTITUTION, PLACE, SCHOOLING, WORK

_NEARLY_ALL = 0.95
"""The share of records with a value of their own that makes an identifier."""
_SEVERAL = 20
"""Records that show it."""
_DENSE = 200
"""Distinct whole numbers, without gaps from 0 or 1, that rather number something than measure it."""
_FEW_SHARE = 3
"""Records on average that share the number of a thing of one person, such as a visit, a sample or an order."""
_OF_A_PLACE = (INSTITUTION, PLACE, SCHOOLING, WORK)
_CODE = r"\S*[0-9]\S*"


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column whose values number or name something."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not (column.is_whole or column.is_text) or column.distinct < 2:
        return None
    return _row_number(column) or _key(column) or _own_value(column) or _without_gaps(column)


def _row_number(column: Column) -> Opinion | None:
    """Judge whole numbers without a gap, one for each record."""
    numbers = column.numbers
    if not column.is_whole or column.unique < column.records or column.distinct != len(numbers):
        return None
    if numbers[-1] - numbers[0] + 1 != column.distinct:
        return None
    # A number of courses or places that no two records share is that of the records.
    of_else = column.meaning is not None and column.meaning.topic.role is not Role.IDENTIFIER
    named = of_else and not numbered(column.name)
    return Opinion(Role.IDENTIFIER, "it numbers the records", 0.7 if named else 0.95)


def _key(column: Column) -> Opinion | None:
    """Judge columns named for what they number: a person, a relative, an institution, a thing."""
    stem = numbered(column.name)
    of = column.name if stem is None else stem
    many = column.distinct >= fewest_of(of) or column.unique >= _NEARLY_ALL * column.present
    if stem is None and _is_something_of_a_person(column.name):
        return None
    if is_person(of):
        # Numbers of children or siblings are few.
        return Opinion(Role.IDENTIFIER, "it numbers people, or those near them", 0.9) if many else None
    if stem is None or (column.is_category and not many):
        return None
    meaning = meaning_of(stem)
    if {getattr(each, "topic", None) for each in (meaning, column.meaning)} & {ADDRESS, DEVICE, WAY_TO_REACH}:
        # The number of a house, a plate or a phone is no number of things.
        return None
    if meaning is not None and meaning.topic in _OF_A_PLACE:
        if column.present >= _SEVERAL and column.unique >= _NEARLY_ALL * column.present:
            # Each record has a place or a job of its own: it numbers the records.
            return Opinion(Role.IDENTIFIER, "nearly every record has a number of its own", 0.9)
        return Opinion(Role.QUASI, "it numbers places or institutions, which others may know", 0.9)
    if column.unique < _NEARLY_ALL * column.present and stem:
        if _is_of_a_person(column, stem):
            return Opinion(Role.IDENTIFIER, "it numbers what happened to a person, such as visits or orders", 0.9)
        return Opinion(Role.QUASI, "it numbers things that several records share", 0.87)
    return None


def _is_something_of_a_person(name: str) -> bool:
    """Return whether a name without a word for a number says what of a person it is, such as the age of a husband."""
    topics = [topic_of(word) for word in words_of(name)[:-1]]
    return any(topic is not None and topic.role is not Role.IDENTIFIER for topic in topics)


def _is_of_a_person(column: Column, stem: str) -> bool:
    """Return whether a key numbers visits, prescriptions or samples, each of one person: few records share one."""
    meaning = meaning_of(stem)
    few = column.distinct >= _DENSE and _FEW_SHARE * column.distinct >= column.present
    return few and meaning is not None and meaning.whole and meaning.topic in (EVENT, ILLNESS, FINDING, DOSE)


def _own_value(column: Column) -> Opinion | None:
    """Judge columns in which nearly every record has a value of its own."""
    if column.present < _SEVERAL or column.unique < _NEARLY_ALL * column.present:
        return None
    reason = "nearly every record has a value of its own"
    if column.is_text:
        of_an_event = column.meaning is not None and column.meaning.topic is EVENT and column.has_form(_CODE)
        return Opinion(Role.IDENTIFIER, reason, 0.9 if of_an_event else 0.7)
    looks_numbered = column.unique == column.present and _is_dense_or_of_one_length(column.numbers)
    return Opinion(Role.IDENTIFIER, reason, 0.7 if looks_numbered else 0.48)


def _without_gaps(column: Column) -> Opinion | None:
    """Judge many whole numbers from 0 or 1 on without gaps that nothing explains: they may number people."""
    numbers = column.numbers
    if column.meaning is not None or len(numbers) < _DENSE or numbers[0] not in (0, 1):
        return None
    dense = column.distinct >= _NEARLY_ALL * (numbers[-1] - numbers[0] + 1)
    return Opinion(Role.IDENTIFIER, "its whole numbers without gaps may number people", 0.53) if dense else None


def _is_dense_or_of_one_length(numbers: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> bool:
    """Return whether whole numbers fill most of their range, or all have the same number of digits, at least five."""
    if len(numbers) == 0 or numbers[0] < 0:
        return False
    dense = 2 * len(numbers) >= numbers[-1] - numbers[0]
    return bool(dense or len(str(int(numbers[0]))) == len(str(int(numbers[-1]))) >= 5)

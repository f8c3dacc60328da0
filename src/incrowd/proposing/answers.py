"""Judge texts that are words of a well-known list: sexes, origins, places, degrees, points of a scale, arms."""

from dataclasses import dataclass

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.vocabulary import lists

_MOST = 0.75
"""The share of values that must be in a list; others are rare answers and missing values."""
_TELLING = 0.5
"""The share of values that must contain a telling word."""


@dataclass(frozen=True)
class Answers:
    """A list of words that a column may have as its values."""

    role: Role
    what: str
    words: frozenset[str]
    sure: float
    fewest: int = 2
    """Values that must be in the list."""


_LISTS: tuple[Answers, ...] = (
    Answers(Role.QUASI, "sexes", lists.SEXES, 0.83),
    Answers(Role.QUASI, "origins", lists.ORIGINS, 0.83),
    Answers(Role.QUASI, "marital statuses", lists.MARITAL, 0.83),
    Answers(Role.QUASI, "countries", lists.COUNTRIES, 0.83, 3),
    Answers(Role.QUASI, "countries", lists.COUNTRY_CODES, 0.75, 5),
    Answers(Role.QUASI, "states", lists.STATES, 0.83, 4),
    Answers(Role.QUASI, "regions", lists.REGIONS, 0.75),
    Answers(Role.QUASI, "months or weekdays", lists.CALENDAR, 0.8, 4),
    Answers(Role.QUASI, "kinds of employment", lists.EMPLOYMENT, 0.8),
    Answers(Role.QUASI, "degrees of education", lists.DEGREES, 0.8, 3),
    Answers(Role.KEEP, "arms of a trial", lists.ARMS, 0.87),
    Answers(Role.SENSITIVE, "outcomes or findings", lists.FINDINGS, 0.7),
    Answers(Role.SENSITIVE, "points of a scale", lists.POINTS, 0.55, 3),
)
_CONTAINED: tuple[Answers, ...] = (
    Answers(Role.KEEP, "opinions", lists.OPINION_WORDS, 0.83),
    Answers(Role.QUASI, "degrees of education", lists.DEGREE_WORDS, 0.7, 3),
    Answers(Role.SENSITIVE, "findings or illnesses", lists.ILLNESS_WORDS, 0.7),
)


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column whose values are in a list, or contain its words."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not column.is_text or not 2 <= column.distinct <= 400:
        return None
    plain = [word for word in column.words if word and not lists.is_no_answer(word)]
    for known in _LISTS:
        hits = sum(word in known.words for word in plain)
        if hits >= known.fewest and hits >= _MOST * len(plain):
            return Opinion(known.role, f"its values are {known.what}", known.sure)
    for known in _CONTAINED:
        hits = sum(any(part in word for part in known.words) for word in plain)
        if hits >= known.fewest and hits >= _TELLING * len(plain):
            return Opinion(known.role, f"its values seem to be {known.what}", known.sure)
    return None

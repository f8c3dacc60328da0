"""Scores: how much detail a table keeps, for the search `scored`. One score a file, found by the registry.

A module declares SCORE, a frozen dataclass whose fields are the score's options. More is better. A score sees only how
many different values each quasi-identifier has in a table; more values never lower it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from incrowd.families import SCORES


class Score(Protocol):
    """How much detail a table keeps."""

    def score(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float:
        """Return the score from each column's number of distinct values, now and before anonymization."""
        ...

    def most(self, distinct: Sequence[int], before: Sequence[int], priorities: Sequence[float]) -> float | None:
        """Return a score that no table with at most these distinct values exceeds (the paper's skip rule).

        None if nothing is known; the search then checks every table.
        """
        ...


CONTRACT = Score


def named(given: str | Mapping[str, Any]) -> tuple[str, Score]:
    """Return a score and its name, from its spelling or from {name: options}."""
    score: Score = SCORES.member(given)
    return SCORES.name_of(score), score

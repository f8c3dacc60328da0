"""The suggestion of a builder for a column."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from incrowd.proposing.facts import Column

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Suggestion:
    """Options of a builder that fit a column, why, and how sure that is, from 0 to 1."""

    options: dict[str, Any] = field(repr=False)
    reason: str
    """One short sentence that quotes no value."""
    sure: float


Judge = Callable[[Column], Suggestion | None]


def useful(groups: Mapping[Key, Sequence[Hashable]], values: int) -> list[Key]:
    """Return the levels that join something that the level below does not, and not everything."""
    kept: list[Key] = []
    below = values
    for key, of_values in groups.items():
        count = len(set(of_values))
        if 1 < count < below:
            kept.append(key)
            below = count
    return kept


def spread(steps: Sequence[int], most: int) -> list[int]:
    """Return at most this many steps, the first and the last among them."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(at * (len(steps) - 1) / (most - 1))] for at in range(most)]

"""The strongest parameter of each privacy model that every class of a table satisfies."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isinf
from typing import Any

from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.errors import UsageError
from incrowd.families import MODELS
from incrowd.models import Measurable
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople
from incrowd.text import cautious


@dataclass(frozen=True)
class Strength:
    """The parameter that a table reaches by one model."""

    model: str
    parameter: str
    """The name of the model's parameter."""
    value: float | None
    """The largest k or l, or the smallest alpha, t, beta, c or delta, that is satisfied; None if none is."""
    column: str | None = None
    """The sensitive column; none for k-anonymity."""
    given: dict[str, Any] = field(default_factory=dict)
    """The other parameters."""

    @property
    def words(self) -> str:
        """Return the value with up to four decimals, rounded to the side on which the claim stays true."""
        besides = "".join(f", {name} = {value}" for name, value in self.given.items())
        if self.value is None:
            return f"no {self.parameter}{besides}"
        rounded = cautious(self.value, self.parameter in ("k", "l"))
        # By their definitions these two are satisfied by everything above the value, not at it.
        relation = ">" if self.parameter in ("c", "delta") else "="
        return f"{self.parameter} {relation} {rounded}{besides}"


def measure(
    frequencies: FrequencySet, quasi: Sequence[str], sensitive: Sequence[str], who: str | None = None
) -> tuple[Strength, ...]:
    """Return what the classes reach by k, and by each model of each sensitive column.

    `who` is the column that numbers people, if they are counted: each once for a value.
    """
    known = [name for name in sensitive if name in quasi]
    if known:
        raise UsageError.invalid(
            f"column {known[0]!r} as sensitive", "the attacker knows it", "remove it from one of the two"
        )
    classes: Classes
    if who is None:
        classes = frequencies.judged(quasi, [(name,) for name in sensitive])
    else:
        every = OfPeople(All(tuple(DistinctL(1, column=(name,)) for name in sensitive)), (who,))
        classes = every.by_people(frequencies.judged(quasi, every.needs))
    found = [Strength("k_anonymity", "k", KAnonymity(1).strength(classes))]
    return (*found, *(each for name in sensitive for each in _of_column(name, classes)))


def _of_column(column: str, classes: Classes) -> Iterator[Strength]:
    for name in MODELS.ranked():
        # As a tuple a name may hold a plus sign.
        declared: Measurable = getattr(MODELS.module(name), "strengths", lambda columns: iter(()))((column,))
        for parameter, model, given in declared:
            # Some fit only values that have an order of their own.
            with suppress(UsageError):
                value = model.strength(classes)
                yield Strength(name, parameter, None if isinf(value) else value, column, given)

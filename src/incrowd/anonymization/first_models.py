"""Models for the sensitive columns of a first job: those that can be satisfied, and that cost little."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

from incrowd.core.frequencies import FrequencySet
from incrowd.profiles import USUAL
from incrowd.text import attributes

MOST = 0.25
"""Models are added while at most this share of classes is expected to break one of them by chance."""


@dataclass(frozen=True)
class FirstModels:
    """The models that a first job has for its sensitive columns."""

    chances: Mapping[str, float] = field(default_factory=dict)
    """By column with a model: the chance that k records have too few different values."""
    costly: Sequence[str] = ()
    """Columns without a model, because most records share a value: classes would become much larger."""
    constant: Sequence[str] = ()
    """Columns of one value, which no model can protect."""
    different: Mapping[str, int] = field(default_factory=dict)
    """By column with a model: how many different values every class must have."""

    @property
    def models(self) -> list[dict[str, Any]]:
        """The models as a job has them."""
        return [{"distinct_l": {"l": self.different[name], "column": _spelled(name)}} for name in self.chances]

    @property
    def words(self) -> list[str]:
        """Their effect, their cost, and the columns that have none."""
        found = []
        if self.chances:
            share = "Under 1%" if self.expected < 0.01 else f"About {self.expected:.0%}"
            found.append(
                f"distinct_l: {self._effect} {share} of the classes would by chance, and lose more detail for it."
            )
        if self.costly:
            found.append(
                f"No model yet, because most records share a value, so it would cost much: {', '.join(self.costly)}."
            )
        if self.constant:
            found.append(f"No model can protect a column of one value: {', '.join(self.constant)}.")
        return found

    @property
    def _effect(self) -> str:
        if set(self.different.values()) == {2}:
            return "the records of a class never share one value of the column."
        by_number: dict[int, list[str]] = {}
        for name, number in self.different.items():
            by_number.setdefault(number, []).append(name)
        least = "; ".join(f"{number} of {attributes(names)}" for number, names in sorted(by_number.items()))
        return f"no class has fewer different values than asked for ({least})."

    @property
    def expected(self) -> float:
        """The share of classes that break one of the models by chance."""
        return min(1.0, sum(self.chances.values()))


def first_models(counted: Sequence[FrequencySet], k: int, different: int = USUAL.l) -> FirstModels:
    """Return the models for sensitive columns, each counted alone; the cheapest first.

    A class is to have so many `different` values, or as many as there are; 2 of a column where more would cost much.
    """
    chances: dict[str, float] = {}
    wanted: dict[str, int] = {}
    for each in counted:
        if each.combinations > 1:
            [name, *_] = each.names
            wanted[name] = min(different, each.combinations)
            chances[name] = _chance(each, k, wanted[name])
            if chances[name] > MOST and wanted[name] > USUAL.l:
                wanted[name], chances[name] = USUAL.l, _chance(each, k, USUAL.l)
    kept: dict[str, float] = {}
    for name in sorted(chances, key=lambda each: chances[each]):
        if sum(kept.values()) + chances[name] <= MOST:
            kept[name] = chances[name]
    return FirstModels(
        {name: chances[name] for name in chances if name in kept},
        [name for name in chances if name not in kept],
        [each.names[0] for each in counted if each.combinations <= 1],
        {name: wanted[name] for name in chances if name in kept},
    )


def _chance(counted: FrequencySet, k: int, different: int) -> float:
    """Return the chance that k records that are drawn at random have fewer than 2, or 3, different values.

    They have exactly two, if they are of two values and not of one alone; the sums over pairs are products of sums.
    """
    shares = counted.counts / max(1, counted.records)
    one = float((shares**k).sum())
    if different == 2:
        return one
    sums = [float((shares**power).sum()) for power in range(k + 1)]
    pairs = sum(comb(k, power) * sums[power] * sums[k - power] for power in range(1, k)) / 2
    return min(1.0, max(one, one + pairs - (2.0 ** (k - 1) - 1) * one))


def _spelled(column: str) -> str | list[str]:
    """Return a column as a model names it: a plus sign would join several names."""
    return [column] if "+" in column else column

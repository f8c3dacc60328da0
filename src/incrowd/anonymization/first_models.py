"""Models for the sensitive columns of a first job: those that can be satisfied, and that cost little."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

from incrowd.core.frequencies import FrequencySet
from incrowd.diagnosis.ranges import RANGES, FirstRanges, first_ranges
from incrowd.profiles import USUAL
from incrowd.proposing.facts import Table
from incrowd.text import attributes

MOST = 0.25
"""Models are added while at most this share of classes is expected to break one of them by chance."""


@dataclass(frozen=True)
class FirstModels:
    """The models that a first job has for its sensitive columns."""

    chances: Mapping[str, float] = field(default_factory=dict)
    """By column with a model: the chance that a class of k breaks it."""
    ranges: Mapping[str, FirstRanges] = field(default_factory=dict)
    """By column of numbers that are nearly all different its range diversity; the others have distinct_l."""
    costly: Sequence[str] = ()
    """Columns without a model, because most records share a value: classes would become much larger."""
    constant: Sequence[str] = ()
    """Columns of one value, which no model can protect."""
    different: Mapping[str, int] = field(default_factory=dict)
    """By column with distinct_l: how many different values every class must have."""

    @property
    def models(self) -> list[dict[str, Any]]:
        """The models as a job has them."""
        return [
            {"range_diversity": {"column": _spelled(name), **self.ranges[name].options}}
            if name in self.ranges
            else {"distinct_l": {"l": self.different[name], "column": _spelled(name)}}
            for name in self.chances
        ]

    @property
    def words(self) -> list[str]:
        """Their effect, their cost, and the columns that have none."""
        found = []
        if self.chances:
            share = "Under 1%" if self.expected < 0.01 else f"About {self.expected:.0%}"
            by_chance = f"{share} of the classes would by chance, and lose more detail for it."
            found.append(" ".join([*self._effects(), by_chance]))
        if self.costly:
            found.append(
                f"No model yet, because most records share a value, so it would cost much: {', '.join(self.costly)}."
            )
        if self.constant:
            found.append(f"No model can protect a column of one value: {', '.join(self.constant)}.")
        return found

    def _effects(self) -> list[str]:
        found = []
        if self.different:
            found.append(f"distinct_l: {self._effect()}")
        if self.ranges:
            found.append(
                f"range_diversity, for numbers that are nearly all different ({', '.join(self.ranges)}): the records "
                f"of a class are never all near each other. Each of about {RANGES} ranges holds equally many records."
            )
        return found

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
    columns = [Table.of(each).columns[0] for each in counted]
    ranges = {column.name: found for column in columns if (found := first_ranges(column, k)) is not None}
    alone: dict[str, float] = {}
    wanted: dict[str, int] = {}
    for each in counted:
        if each.combinations > 1:
            [name, *_] = each.names
            wanted[name] = min(different, each.combinations)
            alone[name] = _chance(each, k, wanted[name])
            if alone[name] > MOST and wanted[name] > USUAL.l:
                wanted[name], alone[name] = USUAL.l, _chance(each, k, USUAL.l)
    chances = {**alone, **{name: found.chance for name, found in ranges.items()}}
    kept: dict[str, float] = {}
    for name in sorted(chances, key=lambda each: chances[each]):
        if name in ranges and sum(kept.values()) + chances[name] > MOST:
            # Two different values are the least, and cost such a column nothing.
            chances[name], _ = alone[name], ranges.pop(name)
        if sum(kept.values()) + chances[name] <= MOST:
            kept[name] = chances[name]
    return FirstModels(
        {name: chances[name] for name in chances if name in kept},
        {name: found for name, found in ranges.items() if name in kept},
        [name for name in chances if name not in kept],
        [each.names[0] for each in counted if each.combinations <= 1],
        {name: wanted[name] for name in chances if name in kept and name not in ranges},
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

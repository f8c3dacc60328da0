"""Range disclosure: the numbers of a class lie in a narrow range, or all in a sensitive one (Loukides 2008, 5.1)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd import models
from incrowd.attacks._columns import NO_MODEL, OnColumn
from incrowd.attacks._contract import Mask
from incrowd.attacks._overlap import overlapping
from incrowd.attacks._values_of_people import ValuesOfPeople
from incrowd.comparison.columns import Column, scale_of
from incrowd.core.axes import numbers_of
from incrowd.core.histograms import Domain, Histogram
from incrowd.core.table import MISSING
from incrowd.errors import UsageError
from incrowd.models.range_diversity import RangeDiversity
from incrowd.parameters import number_from
from incrowd.release_metrics.cell_reader import CellReader
from incrowd.release_metrics.covers import Covers
from incrowd.text import count

TOLERANCE = 1e-9
"""The tolerance of a narrow range, as a share of it: far more than rounding adds."""


@dataclass(frozen=True)
class RangeDisclosure(OnColumn):
    """The highest number of a class less the lowest is at most a share of that in the release. Dates are numbers.

    Of a class with a missing value nothing is said. If people are counted, everybody in the class has a number in one
    such range, among others perhaps.
    """

    within: float = 0.1
    """The share of the release's range that counts as narrow."""
    ranges: tuple[str, ...] = ()
    """Alternatively, sensitive ranges such as 0-9/90-99; a class that lies within one of them is exposed."""

    def __post_init__(self) -> None:
        number_from("within of range_disclosure", self.within, 0, 1)
        given = (self.ranges,) if isinstance(self.ranges, str | int | float) else self.ranges
        object.__setattr__(self, "ranges", tuple(map(str, given)))

    def exposed(self, histogram: Histogram) -> Mask | None:
        """Return classes whose numbers are close together."""
        numbers = _numbers(histogram.domain)
        if numbers is None:
            return None
        if self.ranges:
            return self._in_a_range(histogram)
        low, high = _ends(histogram, numbers)
        reach = _span(histogram.domain, numbers) * self.within * (1 + TOLERANCE)
        with np.errstate(invalid="ignore"):
            near: Mask = (histogram.distinct > 0) & (high - low <= reach)
        return near

    def _in_a_range(self, histogram: Histogram) -> Mask:
        found = np.zeros(len(histogram), dtype=np.bool_)
        for each in self._members(histogram.domain):
            found |= histogram.total(each[histogram.values]) == histogram.distinct
        return found & (histogram.distinct > 0)

    def _members(self, domain: Domain) -> NDArray[np.bool_]:
        """Return ranges x values: which values lie in each of the sensitive ranges."""
        assert domain.values is not None
        scale = scale_of(domain.columns[0], domain.values, Column())
        cells = [CellReader(scale, False).read(text) for text in self.ranges]
        if None in cells:
            raise UsageError.invalid(
                f"ranges of range_disclosure for column {domain.columns[0]!r}",
                f"{cells.count(None)} of {len(cells)} are not valid ranges",
                "write them as 0-9/90-99, or <10/>=90",
            )
        asked = Covers.of_cells(scale, [cell for cell in cells if cell is not None])
        inside = overlapping(Covers.of_values(scale), asked)
        member = np.zeros((len(asked), len(scale.positions)), dtype=np.bool_)
        member[inside.cells, inside.owner] = True
        return member

    common_words: ClassVar[str] = "people have numbers of one narrow or sensitive range in common"

    def in_common(self, values: ValuesOfPeople) -> Mask:
        """Return the groups in which everybody has a number in one range."""
        domain = values.histogram.domain
        numbers = _numbers(domain)
        assert numbers is not None
        if not self.ranges:
            return values.within(numbers, _span(domain, numbers) * self.within * (1 + TOLERANCE))
        # A value in the range is of that kind, and all others are of kinds of their own.
        others = np.arange(1, len(domain.whole) + 1)
        found = np.zeros(len(values.known), dtype=np.bool_)
        for each in self._members(domain):
            found |= values.share(np.where(each, 0, others), 0)
        return found

    def parted_by(self, histogram: Histogram) -> str:
        """Return that no model prevents it."""
        return NO_MODEL

    def gravity(self, histogram: Histogram) -> NDArray[np.float64]:
        """Return the severity per class: the narrowest range is the worst."""
        numbers = _numbers(histogram.domain)
        assert numbers is not None
        low, high = _ends(histogram, numbers)
        return low - high

    def worst_reason(self, histogram: Histogram, at: int) -> str:
        """Return the reason why a class is the worst."""
        numbers = _numbers(histogram.domain)
        assert numbers is not None
        share = abs(float(self.gravity(histogram)[at])) / (_span(histogram.domain, numbers) or 1.0)
        return f"{count(int(histogram.sizes[at]), 'record')} within {100 * share:.3g}% of the range"

    def not_assessed(self) -> str:
        """Return why the column cannot be assessed."""
        return "the values are neither numbers nor dates"

    def story(self, column: str) -> str:
        """Return the attack in one sentence."""
        narrow = "one sensitive range" if self.ranges else f"{100 * self.within:g}% of its range"
        return (
            f"All values of {column} in a class lie within {narrow}, so every value in the class is known that closely."
        )

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return the range_diversity that excludes it: in a class within a share w of the range, it is at least 1 - w.

        The ends of the range are values of records, and so they are not named.
        """
        if self.ranges:
            named = models.spell(RangeDiversity(p=1, column=(column,))).replace("p=1", "p=P")
            return f"{named} with these ranges, and P below 1 less the share of all its numbers that the widest spans"
        p = (ceil((1 - Fraction(str(self.within))) * 1000) - 1) / 1000
        if p <= 0:
            return "none: the whole range is named as narrow"
        named = models.spell(RangeDiversity(p=p, ranges=("LOW..HIGH",), column=(column,)))
        return f"{named}, from its lowest to its highest number"

    def textbook_of_people(self, classes: Sequence[Sequence[tuple[Hashable, int | None]]]) -> list[bool]:
        """Return which classes are exposed, by pairs of a person and a number, trying ranges from each number on."""
        there = [Fraction(number) for group in classes for _, number in group if number is not None]
        reach = Fraction(str(self.within)) * (max(there) - min(there)) if there else Fraction(0)
        found = []
        for group in classes:
            numbers = [(person, number) for person, number in group if number is not None]
            everybody = {person for person, _ in group}
            found.append(
                len(numbers) == len(group)
                and any(
                    {person for person, number in numbers if low <= number <= low + reach} == everybody
                    for _, low in numbers
                )
            )
        return found

    def textbook(self, classes: Sequence[Sequence[int | None]]) -> int:
        """Return the number of exposed records, class by class."""
        there = [Fraction(number) for group in classes for number in group if number is not None]
        reach = Fraction(str(self.within)) * (max(there) - min(there)) if there else Fraction(0)
        exposed = 0
        for group in classes:
            known = [number for number in group if number is not None]
            if known and len(known) == len(group) and max(known) - min(known) <= reach:
                exposed += len(group)
        return exposed


def _numbers(domain: Domain) -> NDArray[np.float64] | None:
    """Return per code its number, NaN for missing; None if the values are not numbers."""
    if domain.values is None or not len(domain.values):
        return None
    found = numbers_of(domain.values)
    return None if found is None else np.array([np.nan, *map(float, found)])


def _span(domain: Domain, numbers: NDArray[np.float64]) -> float:
    """Return the difference of the highest and the lowest number of the release."""
    there = np.flatnonzero(domain.whole)
    there = there[there != MISSING]
    return float(np.ptp(numbers[there])) if len(there) else 0.0


def _ends(histogram: Histogram, numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and the highest number of each class; NaN if a value is missing."""
    low, high = np.full(len(histogram), np.inf), np.full(len(histogram), -np.inf)
    with np.errstate(invalid="ignore"):
        np.minimum.at(low, histogram.owner, numbers[histogram.values])
        np.maximum.at(high, histogram.owner, numbers[histogram.values])
    return low, high


ATTACK = RangeDisclosure
RANK = 7

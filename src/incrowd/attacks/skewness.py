"""Skewness: a value is much more frequent in a class than elsewhere (Li et al. 2007)."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd import models
from incrowd.attacks._columns import OnColumn
from incrowd.attacks._contract import Mask
from incrowd.core.histograms import Histogram
from incrowd.models._parameters import number_above_zero, number_from
from incrowd.models.t_closeness import TCloseness
from incrowd.reporting.text import count

_LARGEST = 2**63


@dataclass(frozen=True)
class Skewness(OnColumn):
    """A value has at least this share of a class, and more than `factor` times its share of the release."""

    factor: float = 2
    """How many times as frequent a value must be."""
    share: float = 0.5
    """The share of the class from which on it is likely that a person has the value."""

    def __post_init__(self) -> None:
        number_from("factor of skewness", self.factor, 1)
        number_above_zero("share of skewness", self.share, 1)

    def exposed(self, histogram: Histogram) -> Mask:
        """Classes in which some value is that frequent."""
        found = np.zeros(len(histogram), dtype=np.bool_)
        found[histogram.owner[self._skewed(histogram)]] = True
        return found

    def _skewed(self, histogram: Histogram) -> Mask:
        """Which entries are that frequent; in whole numbers, for exactly twice must not depend on rounding."""
        factor, share = Fraction(str(self.factor)), Fraction(str(self.share))
        records = int(histogram.domain.whole.sum())
        largest = records * max(1, records) * max(*factor.as_integer_ratio(), share.denominator)
        # Beyond what 64 bits hold, Python's own numbers have to do.
        kind: Any = np.int64 if largest < _LARGEST else np.object_
        counts: Any = histogram.counts.astype(kind)
        sizes, whole = histogram.sizes[histogram.owner], histogram.domain.whole[histogram.values]
        often: Mask = counts * records * factor.denominator > whole * sizes.astype(kind) * factor.numerator
        likely: Mask = counts * share.denominator >= sizes.astype(kind) * share.numerator
        return (likely & often).astype(np.bool_)

    def gravity(self, histogram: Histogram) -> NDArray[np.float64]:
        """How many times as frequent its most skewed value is."""
        found = np.zeros(len(histogram))
        skewed = self._skewed(histogram)
        times = histogram.shares[skewed] / histogram.domain.shares[histogram.values[skewed]]
        np.maximum.at(found, histogram.owner[skewed], times)
        return found

    def told(self, histogram: Histogram, at: int) -> str:
        """What makes a class the worst."""
        here = np.flatnonzero(self._skewed(histogram) & (histogram.owner == at))
        times = histogram.shares[here] / histogram.domain.shares[histogram.values[here]]
        most = int(np.argmax(times))
        having, records = int(histogram.counts[here[most]]), count(int(histogram.sizes[at]), "record")
        return f"a value in {having:,} of {records}, {times[most]:.1f} times as often as in all"

    def story(self, column: str) -> str:
        """The attack in one sentence."""
        return (
            f"A value of {column} has {100 * self.share:g} % of a class or more, and over {self.factor:g} times its "
            "share of the release, so it is likely of everybody in the class."
        )

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """An exposed class has a value with a share of at least s, of which less than 1/factor is usual.

        So its equal distance from the whole is above s (1 - 1/factor).
        """
        least = Fraction(str(self.share)) * (1 - 1 / Fraction(str(self.factor)))
        return models.spell(TCloseness(t=floor(least * 100) / 100, column=(column,)))

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """For every class, every value."""
        whole = Counter(value for group in classes for value in group)
        records, factor, share = sum(whole.values()), Fraction(str(self.factor)), Fraction(str(self.share))
        return sum(
            len(group)
            for group in classes
            if any(
                Fraction(n, len(group)) > factor * Fraction(whole[value], records) and Fraction(n, len(group)) >= share
                for value, n in Counter(group).items()
            )
        )


ATTACK = Skewness

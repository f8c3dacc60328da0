"""Skewness: a value is much more frequent in a class than elsewhere (Li et al. 2007)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd import models
from incrowd.attacks._columns import OnColumn, size_in_words
from incrowd.attacks._contract import PERSON, Exposure, Mask
from incrowd.attacks._crowd import crowd_of
from incrowd.attacks._remedies import remedy
from incrowd.attacks._shares import UNIT, Shares
from incrowd.attacks._values_of_people import HistogramOfPeople, ValuesOfPeople
from incrowd.core.histograms import Counts, Histogram
from incrowd.models.frequency_l import FrequencyL
from incrowd.models.t_closeness import TCloseness
from incrowd.parameters import number_above_zero, number_from
from incrowd.text import count, percent

if TYPE_CHECKING:
    from incrowd.attacks._target import Target
    from incrowd.watch import Watch

_LARGEST = 2**63


@dataclass(frozen=True)
class Skewness(OnColumn):
    """A value has at least this share of a class, and more than `factor` times its share of the release.

    If people are counted, the share of a value is that of the people who have it, in a class and in the release.
    """

    factor: float = 2
    """The factor from which a value counts as too frequent."""
    share: float = 0.5
    """The share of the class from which on it is likely that a person has the value."""

    whole: ClassVar[str] = "in all"
    """The reference that a class is compared with, in words."""

    def __post_init__(self) -> None:
        number_from("factor of skewness", self.factor, 1)
        number_above_zero("share of skewness", self.share, 1)

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the exposure of each sensitive column, also against the population if its shares are known."""
        crowd = crowd_of(target, watch)
        return [
            (self.against(target.shares[column]) if column in target.shares else self).of_people(histogram, crowd)
            for column, histogram in target.histograms.items()
        ]

    def against(self, shares: Shares) -> OnColumn:
        """Return the same attack with what is frequent in the population, not in the release."""
        return _BesidePopulation(self.factor, self.share, shares=shares)

    def judged(self, values: ValuesOfPeople) -> Histogram | None:
        """Return how many people have each value."""
        return values.by_people()

    def unjudged(self, values: ValuesOfPeople | None, of_people: Histogram | None) -> Iterable[str]:
        """Yield a remark if shares are those of records."""
        if of_people is None:
            yield "shares are those of records, since it is not known of all classes which people have which values"

    def exposed(self, histogram: Histogram) -> Mask:
        """Return classes in which some value is that frequent."""
        found = np.zeros(len(histogram), dtype=np.bool_)
        found[histogram.owner[self._skewed(histogram)]] = True
        return found

    def _skewed(self, histogram: Histogram) -> Mask:
        """Return which entries are that frequent; in whole numbers, so exactly twice does not depend on rounding."""
        factor, share = Fraction(str(self.factor)), Fraction(str(self.share))
        usual, records = self._usual(histogram)
        largest = (
            int(usual.max(initial=records))
            * max(1, int(histogram.domain.whole.sum()))
            * max(*factor.as_integer_ratio(), share.denominator)
        )
        # Beyond what 64 bits hold, Python's own numbers have to do.
        kind: Any = np.int64 if largest < _LARGEST else np.object_
        counts: Any = histogram.counts.astype(kind)
        sizes, whole = histogram.sizes[histogram.owner], usual[histogram.values]
        often: Mask = counts * records * factor.denominator > whole * sizes.astype(kind) * factor.numerator
        likely: Mask = counts * share.denominator >= sizes.astype(kind) * share.numerator
        return (likely & often).astype(np.bool_)

    def _usual(self, histogram: Histogram) -> tuple[Counts, int]:
        """Return how often each value is where a class is compared with, and among how many."""
        if isinstance(histogram, HistogramOfPeople):
            return histogram.domain.whole, histogram.everybody
        return histogram.domain.whole, int(histogram.domain.whole.sum())

    def _times(self, histogram: Histogram, entries: NDArray[np.generic]) -> NDArray[np.float64]:
        """Return how many times as frequent the values of some entries are."""
        usual, whole = self._usual(histogram)
        found: NDArray[np.float64] = histogram.shares[entries] / (usual[histogram.values[entries]] / max(1, whole))
        return found

    def gravity(self, histogram: Histogram) -> NDArray[np.float64]:
        """Return the severity per class: the factor of its most skewed value."""
        found = np.zeros(len(histogram))
        skewed = self._skewed(histogram)
        np.maximum.at(found, histogram.owner[skewed], self._times(histogram, skewed))
        return found

    def worst_reason(self, histogram: Histogram, at: int) -> str:
        """Return the reason why a class is the worst."""
        here = np.flatnonzero(self._skewed(histogram) & (histogram.owner == at))
        times = self._times(histogram, here)
        most = int(np.argmax(times))
        having, among = int(histogram.counts[here[most]]), size_in_words(histogram, at)
        return f"a value in {having:,} of {among}, {times[most]:.1f} times as often as {self.whole}"

    def story(self, column: str) -> str:
        """Return the attack in one sentence."""
        return (
            f"A value of {column} has {100 * self.share:g}% of a class or more, and over {self.factor:g} times its "
            "share of the release, so everyone in the class is likely to have it."
        )

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return the model that prevents it: an exposed class has a value with a share s or more, usually s/factor.

        So its equal distance from the whole is above s (1 - 1/factor). Of people, who may have several values, it need
        not be; then the share itself is limited.
        """
        if isinstance(histogram, HistogramOfPeople):
            return self._limited(column, histogram)
        least = Fraction(str(self.share)) * (1 - 1 / Fraction(str(self.factor)))
        return models.spell(TCloseness(t=floor(least * 100) / 100, column=(column,)))

    def _limited(self, column: str, histogram: Histogram) -> str:
        """Return the model under which no value has this share of a class."""
        limit = FrequencyL(l=floor(1 / Fraction(str(self.share))) + 1, column=(column,))
        return remedy(limit, histogram, isinstance(histogram, HistogramOfPeople))

    def textbook_of_people(self, classes: Sequence[Sequence[tuple[Hashable, Hashable]]]) -> list[bool]:
        """Return which classes are exposed, by pairs of a person and a value: each value of each person counts once."""
        return [
            self._is_skewed(_values_each(group), _values_each([each for of in classes for each in of]))
            for group in classes
        ]

    def _is_skewed(self, people: dict[Hashable, set[Hashable]], everybody: dict[Hashable, set[Hashable]]) -> bool:
        """Return whether enough people of a class have a value, given the values of each person."""
        factor, least = Fraction(str(self.factor)), Fraction(str(self.share))
        return any(
            (share := _share_having(value, people)) >= least and share > factor * _share_having(value, everybody)
            for value in set().union(*people.values())
        )

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """Return the number of exposed records, class by class and value by value."""
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


@dataclass(frozen=True)
class _BesidePopulation(Skewness):
    """The same beside the population, as the lecture has it: 20 % of all people have diabetes (Samarati 2008)."""

    shares: Shares = field(kw_only=True)

    whole: ClassVar[str] = "in the population"

    def _usual(self, histogram: Histogram) -> tuple[Counts, int]:
        return self.shares.along(histogram.domain)[0], UNIT

    def of_column(self, histogram: Histogram) -> Exposure:
        """Return the exposure of a column, and for how many values the population's share is not known."""
        lacking = self.shares.along(histogram.domain)[1]
        if not lacking:
            return super().of_column(histogram)
        values, have = ("1 value", "has") if lacking == 1 else (f"{lacking:,} values", "have")
        note = (
            f"{values} of the release {have} no share of {'its' if lacking == 1 else 'their'} own: compared with the "
            f"rest of {percent(self.shares.rest / UNIT)}, the most that a value not listed can have, so more classes "
            "may be skewed"
        )
        return replace(super().of_column(histogram), note=note)

    def knows(self) -> str:
        """Return the knowledge of the attacker."""
        return f"{PERSON}, and the share of {count(len(self.shares.of), 'value')} in the population"

    def story(self, column: str) -> str:
        """Return the attack in one sentence."""
        return (
            f"A value of {column} has {100 * self.share:g}% of a class or more, and over {self.factor:g} times its "
            "share of the population, so everyone in the class is likely to have it."
        )

    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return the model that bounds the share in a class; t-closeness compares with the table, which may differ."""
        return self._limited(column, histogram)

    def textbook(self, classes: Sequence[Sequence[Hashable]]) -> int:
        """Return the number of exposed records, with each value's share of the population or the remainder."""
        listed: dict[Hashable, Fraction] = {value: Fraction(share, UNIT) for value, share in self.shares.of.items()}
        factor, least = Fraction(str(self.factor)), Fraction(str(self.share))
        usual = {value: listed.get(value, Fraction(self.shares.rest, UNIT)) for group in classes for value in group}
        usual[None] = listed.get(None, Fraction(1))
        return sum(
            len(group)
            for group in classes
            if any(
                Fraction(n, len(group)) > factor * usual[value] and Fraction(n, len(group)) >= least
                for value, n in Counter(group).items()
            )
        )


def _values_each(pairs: Iterable[tuple[Hashable, Hashable]]) -> dict[Hashable, set[Hashable]]:
    """Return the values of each person."""
    found: dict[Hashable, set[Hashable]] = {}
    for person, value in pairs:
        found.setdefault(person, set()).add(value)
    return found


def _share_having(value: Hashable, people: dict[Hashable, set[Hashable]]) -> Fraction:
    """Return the share of the people who have a value."""
    return Fraction(sum(value in values for values in people.values()), len(people))


ATTACK = Skewness
RANK = 5

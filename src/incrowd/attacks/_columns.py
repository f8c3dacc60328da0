"""Attacks on one sensitive column, judged from its classes alone, as any recipient of the release can."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.attacks._contract import PERSON, Exposure, Mask, Needs, Worst
from incrowd.attacks._crowd import Crowd, crowd_of
from incrowd.attacks._remedies import remedy
from incrowd.attacks._values_of_people import HistogramOfPeople, ValuesOfPeople
from incrowd.core.histograms import Histogram
from incrowd.models.frequency_l import FrequencyL
from incrowd.text import count, printable

if TYPE_CHECKING:
    from incrowd.attacks._target import Target
    from incrowd.watch import Watch


NO_MODEL = "no model: none limits what people have in common besides other values"


class OnColumn(ABC):
    """The common part of attacks on a sensitive column: a class is exposed, and with it all its records."""

    needs = Needs.SENSITIVE

    @abstractmethod
    def exposed(self, histogram: Histogram) -> Mask | None:
        """Return which classes are exposed; None if this column cannot be assessed."""

    @abstractmethod
    def story(self, column: str) -> str:
        """Return the attack in one sentence."""

    @abstractmethod
    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """Return the model under which no class is exposed."""

    def knows(self) -> str:
        """Return the knowledge of the attacker."""
        return PERSON

    def not_assessed(self) -> str:
        """Return why the column cannot be assessed."""
        return ""

    def gravity(self, histogram: Histogram) -> NDArray[np.generic]:
        """Return the severity per class: its number of records."""
        return histogram.sizes

    def worst_reason(self, histogram: Histogram, at: int) -> str:
        """Return the reason why a class is the worst."""
        return f"{count(int(histogram.distinct[at]), 'value')} among {size_in_words(histogram, at)}"

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Return the exposure of each sensitive column."""
        crowd = crowd_of(target, watch)
        return [self.of_people(histogram, crowd) for histogram in target.histograms.values()]

    def in_common(self, values: ValuesOfPeople) -> Mask:
        """Return the groups in which everybody has the same, among other values perhaps: here one value."""
        return values.share(np.arange(len(values.histogram.domain.whole)))

    def judged(self, values: ValuesOfPeople) -> Histogram | None:
        """Return what people have, if they are judged by that; None if the values that occur are all that matters."""
        return None

    def of_people(self, histogram: Histogram, crowd: Crowd | None) -> Exposure:
        """Return the exposure of one column in people, if they are told.

        A class is exposed as its values show, and also if everybody in it has the same, as a single person has.
        """
        of_records = self.of_column(histogram)
        if crowd is None or of_records.records is None:
            return of_records
        values = ValuesOfPeople.of(crowd, histogram)
        of_people = None if values is None else self.judged(values)
        seen = of_records if of_people is None else self.of_column(of_people)
        shown = self.exposed(histogram if of_people is None else of_people)
        assert shown is not None
        alone: Mask = crowd.of_groups == 1
        found = shown | alone if values is None else shown | alone | self.in_common(values)
        common = int(np.count_nonzero(found & ~shown))
        remedies = [
            *([seen.stopped_by] if shown.any() or not common else []),
            *([self.parted_by((values and values.by_people()) or histogram)] if common else []),
        ]
        notes = [f"in {count(common, 'class')} {self.common_words}"] if common else []
        return replace(
            of_records,
            stopped_by=" and ".join(dict.fromkeys(remedies)),
            note="; ".join([*notes, *self.unjudged(values, of_people)]),
            records=crowd.number(found),
            classes=int(np.count_nonzero(found)),
            worst=_of_class(seen.worst, histogram) or _in_common(histogram, found),
            among=crowd.people.everybody,
            details={**of_records.details, "people alone in a class": crowd.number(alone)},
        )

    common_words: ClassVar[str] = "people have a value in common"
    """The values that everybody in a class has, in words."""

    def parted_by(self, histogram: Histogram) -> str:
        """Return the model under which people of a class have nothing in common."""
        # Where no value has more than half of the people, none is common to all, and nobody is alone.
        return remedy(FrequencyL(l=2, column=histogram.domain.columns), histogram, of_people=True)

    def unjudged(self, values: ValuesOfPeople | None, of_people: Histogram | None) -> Iterable[str]:
        """Yield what is judged by records though people are counted."""
        return ()

    def of_column(self, histogram: Histogram) -> Exposure:
        """Return the exposure of one column."""
        [column] = histogram.domain.columns
        named, found = printable(column), self.exposed(histogram)
        if found is None:
            return Exposure(self.story(named), self.knows(), None, None, column, why=self.not_assessed())
        return Exposure(
            self.story(named),
            self.knows(),
            int(histogram.sizes[found].sum()),
            int(np.count_nonzero(found)),
            column,
            self._worst(histogram, found),
            self.stopped_by(column, histogram),
        )

    def _worst(self, histogram: Histogram, found: Mask) -> Worst | None:
        where = np.flatnonzero(found)
        if not len(where):
            return None
        at = int(where[np.argmax(self.gravity(histogram)[where])])
        return Worst(at + 1, int(histogram.sizes[at]), self.worst_reason(histogram, at))


def _of_class(worst: Worst | None, histogram: Histogram) -> Worst | None:
    """Return the worst class with its records, also if people were judged."""
    return None if worst is None else replace(worst, size=int(histogram.sizes[worst.number - 1]))


def _in_common(histogram: Histogram, found: Mask) -> Worst | None:
    """Return the largest of the classes that only people, and not their records, expose."""
    where = np.flatnonzero(found)
    if not len(where):
        return None
    at = int(where[np.argmax(histogram.sizes[where])])
    return Worst(at + 1, int(histogram.sizes[at]), "its people have a value in common")


def size_in_words(histogram: Histogram, at: int) -> str:
    """Return how many records a class has, or people if these are counted."""
    return count(int(histogram.sizes[at]), "person" if isinstance(histogram, HistogramOfPeople) else "record")


def few(histogram: Histogram, values: int) -> Mask:
    """Return classes with at most `most` distinct values: ruling out all but one discloses the last."""
    found: Mask = (histogram.distinct > 0) & (histogram.distinct <= values)
    return found

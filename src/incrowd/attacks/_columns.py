"""Attacks on one sensitive column, judged from its classes alone, as whoever gets the release can."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from incrowd.attacks._contract import PERSON, Exposure, Mask, Needs, Worst
from incrowd.core.histograms import Histogram
from incrowd.text import count, printable

if TYPE_CHECKING:
    from incrowd.attacks._target import Target
    from incrowd.watch import Watch


class OnColumn(ABC):
    """What all attacks on a sensitive column have in common: a class is exposed, and with it all its records."""

    needs = Needs.SENSITIVE

    @abstractmethod
    def exposed(self, histogram: Histogram) -> Mask | None:
        """Which classes are exposed; None where it cannot be told of this column."""

    @abstractmethod
    def story(self, column: str) -> str:
        """The attack in one sentence."""

    @abstractmethod
    def stopped_by(self, column: str, histogram: Histogram) -> str:
        """The model under which no class is exposed."""

    def knows(self) -> str:
        """What the attacker knows."""
        return PERSON

    def untold(self) -> str:
        """Why it cannot be told, where it cannot."""
        return ""

    def gravity(self, histogram: Histogram) -> NDArray[np.generic]:
        """How hard each class is hit: by how many records it has."""
        return histogram.sizes

    def told(self, histogram: Histogram, at: int) -> str:
        """What makes a class the worst."""
        return f"{count(int(histogram.distinct[at]), 'value')} among {count(int(histogram.sizes[at]), 'record')}"

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """What it finds in each sensitive column."""
        return [self.of_column(histogram) for histogram in target.histograms.values()]

    def of_column(self, histogram: Histogram) -> Exposure:
        """What it finds in one."""
        [column] = histogram.domain.columns
        named, found = printable(column), self.exposed(histogram)
        if found is None:
            return Exposure(self.story(named), self.knows(), None, None, column, why=self.untold())
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
        return Worst(at + 1, int(histogram.sizes[at]), self.told(histogram, at))


def few(histogram: Histogram, values: int) -> Mask:
    """Classes with so many different values or fewer: who rules out all but one of them knows the last."""
    found: Mask = (histogram.distinct > 0) & (histogram.distinct <= values)
    return found

"""Same value: all records of a class have one value."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.attacks import Exposure, Needs
from incrowd.core.histograms import Histogram

if TYPE_CHECKING:
    from incrowd.attacks import Target
    from incrowd.watch import Watch


@dataclass(frozen=True)
class SameValue:
    """A class has at most so many values."""

    values: int = 1

    needs = Needs.SENSITIVE

    def on(self, target: "Target", watch: "Watch") -> Iterable[Exposure]:
        """Return what each sensitive column discloses."""
        return [self.of_column(histogram) for histogram in target.histograms.values()]

    def of_column(self, histogram: Histogram) -> Exposure:
        """Return what one column discloses."""
        found = (histogram.distinct > 0) & (histogram.distinct <= self.values)
        [column] = histogram.domain.columns
        story = f"All records of a class share their {column}."
        return Exposure(story, "the class of a person", int(histogram.sizes[found].sum()), int(found.sum()), column)


ATTACK = SameValue

"""The population that a table was drawn from: counted, or known by its size alone."""

from dataclasses import dataclass, replace
from operator import index
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.kernels import total
from incrowd.errors import SourceError, UsageError, listed
from incrowd.risks._estimate import expected_risks
from incrowd.risks._threshold import Threshold
from incrowd.risks._together import number_together
from incrowd.text import count, number


class Population(Protocol):
    """A population as risk measures use it; `sizes` are the sizes f of the table's classes."""

    @property
    def records(self) -> int:
        """Return the size of the population."""
        ...

    @property
    def estimated(self) -> bool:
        """Return whether the sizes F of its classes are estimated by a model."""
        ...

    def risks(self, sizes: Counts) -> NDArray[np.float64]:
        """Return 1/F, or its expectation, for each class of the table."""
        ...

    def exceeding(self, sizes: Counts, threshold: Threshold) -> NDArray[np.bool_]:
        """Return the classes with a risk above the threshold."""
        ...

    def unique(self, sizes: Counts) -> int | float:
        """Return how many records of the table are unique in the population."""
        ...

    def alone(self, sizes: Counts) -> NDArray[np.float64]:
        """Return for each class of the table the probability that the population has one person in it."""
        ...


@dataclass(frozen=True, eq=False)
class CountedPopulation:
    """A population that was counted."""

    records: int
    sizes: Counts
    """For each class of the table, the number of population records with the same values."""

    estimated = False

    def risks(self, sizes: Counts) -> NDArray[np.float64]:
        """Return 1/F."""
        return 1 / self.sizes

    def exceeding(self, sizes: Counts, threshold: Threshold) -> NDArray[np.bool_]:
        """Return the classes with a risk above the threshold, compared in whole numbers."""
        return threshold.exceeded_by_one_in(self.sizes)

    def unique(self, sizes: Counts) -> int:
        """Return how many classes have one record in the population, and hence one in the table."""
        return int(np.count_nonzero(self.sizes == 1))

    def alone(self, sizes: Counts) -> NDArray[np.float64]:
        """Return 1 where the population has one person in the class, else 0."""
        return np.where(self.sizes == 1, 1.0, 0.0)


@dataclass(frozen=True)
class SizedPopulation:
    """A population of known size only: the table is assumed to be a random sample of it."""

    records: int
    fraction: float
    """The share of the population that is in the table."""

    estimated = True

    def risks(self, sizes: Counts) -> NDArray[np.float64]:
        """Return E[1/F | f]."""
        return expected_risks(sizes, self.fraction)

    def exceeding(self, sizes: Counts, threshold: Threshold) -> NDArray[np.bool_]:
        """Return the classes with a risk above the threshold, compared with a tolerance."""
        return threshold.exceeded_by(self.risks(sizes))

    def unique(self, sizes: Counts) -> float:
        """Return the expected number: P(F = 1 | f = 1) = p for each unique record of the table."""
        return self.fraction * int(np.count_nonzero(sizes == 1))

    def alone(self, sizes: Counts) -> NDArray[np.float64]:
        """Return P(F = 1 | f): p where the table has one person in the class, else 0."""
        return np.where(sizes == 1, self.fraction, 0.0)


def population_of(
    classes: FrequencySet,
    given: FrequencySet | int,
    people: int | None = None,
    everybody: int | None = None,
) -> Population:
    """Return the population of a table's classes, from a frequency set with the same columns or a size.

    If the classes count people, `people` is their number, since one person may be in several. `everybody` is the same
    of a population that was counted by people.
    """
    unit = "record" if people is None else "person"
    if not isinstance(given, FrequencySet):
        return _sized(classes.records if people is None else people, given, unit)
    found = _counted(classes, given, unit)
    return found if everybody is None else replace(found, records=everybody)


def _counted(classes: FrequencySet, given: FrequencySet, unit: str) -> CountedPopulation:
    lacking = [name for name in classes.names if name not in given.names]
    if lacking:
        raise UsageError.invalid(
            "the population",
            f"it lacks {listed(lacking)}; its columns are {listed(given.names)}",
            "it needs every quasi-identifier",
        )
    same = given.project(classes.names)
    here, there, n = number_together(classes.names, (classes.codes, classes.values), (same.codes, same.values))
    sizes: Counts = total(there, n, same.counts)[here]
    _refuse_strangers(classes.counts, sizes, unit)
    return CountedPopulation(given.records, sizes)


def _refuse_strangers(sample: Counts, population: Counts, unit: str) -> None:
    """Refuse a population that does not contain the table: each class needs at least as many records there."""
    compared = (("absent from it", population == 0), ("smaller in it", (population > 0) & (population < sample)))
    faults = [
        f"{words}: {count(int(wrong.sum()), 'class')} with {count(int(sample[wrong].sum()), unit)}"
        for words, wrong in compared
        if wrong.any()
    ]
    if faults:
        raise SourceError.of(
            "the population",
            f"it does not contain the table ({'; '.join(faults)})",
            "give the population that the table was drawn from, with values spelled the same way",
        )


def _sized(records: int, given: object, unit: str) -> SizedPopulation:
    try:
        size = index(given)  # type: ignore[arg-type]
    except TypeError:
        size = -1
    if isinstance(given, bool) or size < 0:
        raise UsageError.invalid(
            f"population {given!r}", "it is neither a table nor a size", "give a table, or a whole number of people"
        )
    if size < records:
        raise UsageError.invalid(
            f"population {number(size)}",
            f"the table has {count(records, unit)}, and a population contains its sample",
            "give a size of at least that",
        )
    return SizedPopulation(size, records / size if size else 1.0)

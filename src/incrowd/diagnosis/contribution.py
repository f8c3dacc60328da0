"""The effect of a column on others: the loss of k, and the records that become unique, when it joins a set."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import Nulls
from incrowd.diagnosis.histogram_counters import profiles_for
from incrowd.diagnosis.measures import Measure
from incrowd.diagnosis.subsets import Columns, mask_of, walk
from incrowd.watch import Watch

MOST_SETS = 4096
"""The largest number of sets of columns to count."""
MOST_WORK = 200_000_000
"""The largest number of combinations to look at, over all these sets: some seconds."""

Count = tuple[int, int]
"""k of a set, and the number of records or people it makes unique."""


@dataclass(frozen=True)
class Contributions:
    """For each column the averages over all sets without it, of up to `largest_set` columns once it has joined."""

    k_losses: tuple[float | None, ...]
    """The loss of k; None if no set was counted."""
    unique_gains: tuple[float | None, ...]
    """The number of records or people that become unique."""
    largest_set: int
    stopped: str | None = None
    """The reason larger sets were not counted, if the watch stopped it."""


def contributions(frequencies: FrequencySet, watch: Watch, measure: Measure | None = None) -> Contributions:
    """Count all sets of affordable sizes; pairs first, in case time is short.

    By people if the measure counts them: then the last column numbers them.
    """
    measure = measure or Measure()
    width = len(frequencies.names) - bool(measure.person)
    everybody = frequencies.cardinalities[-1] - 1 if measure.person else frequencies.records
    # Columns with many values get high numbers: see RollupCounter.
    order = sorted(range(width), key=lambda at: frequencies.cardinalities[at])
    ordered = _in_order(frequencies, [*order, *range(width, len(frequencies.names))])
    profiles = profiles_for(ordered, Nulls.EXTENDED, measure)

    @cache
    def evaluate(columns: Columns) -> tuple[Count, bool]:
        profile = profiles.profile(columns)
        return (int(profile.reached(0)), profile.unique), profile.is_settled

    known = Contributions((None,) * width, (None,) * width, largest_set=1)
    size = affordable_size(width, ordered.combinations)
    for largest in sorted({min(2, size), size} - {1}):
        # Where every record is unique, a further column changes nothing.
        found = walk(width, evaluate, lambda value: value[1], largest, watch)
        if found.stopped:
            return replace(known, stopped=found.stopped)
        counts = {mask: value for mask, (value, _) in found.values.items()}
        known = _averages(order, largest, counts, above=(min(1, everybody), everybody))
    return known


def affordable_size(width: int, combinations: int) -> int:
    """Return the largest size for which all sets of that size and smaller can be counted; at least pairs if there are
    not too many of them."""
    size, sets = 1, width
    most = max(min(MOST_SETS, MOST_WORK // max(1, combinations)), min(MOST_SETS, width + math.comb(width, 2)))
    while size < width and sets + math.comb(width, size + 1) <= most:
        size += 1
        sets += math.comb(width, size)
    return size


def _in_order(frequencies: FrequencySet, order: list[int]) -> FrequencySet:
    return FrequencySet(
        tuple(frequencies.names[at] for at in order),
        tuple(frequencies.values[at] for at in order),
        np.ascontiguousarray(frequencies.codes[order]),
        frequencies.counts,
    )


def _averages(order: Sequence[int], largest: int, counts: Mapping[int, Count], above: Count) -> Contributions:
    """Return the averages from the counts of all sets; uncounted sets contain one that makes every record unique."""
    width = len(order)
    k_losses, unique_gains = [0] * width, [0] * width
    for size in range(2, largest + 1):
        for columns in combinations(range(width), size):
            mask = mask_of(columns)
            k, unique = counts.get(mask, above)
            for column in columns:
                k_without, unique_without = counts.get(mask ^ (1 << column), above)
                k_losses[order[column]] += k_without - k
                unique_gains[order[column]] += unique - unique_without
    sets = sum(math.comb(width - 1, size) for size in range(1, largest))
    return Contributions(tuple(loss / sets for loss in k_losses), tuple(gain / sets for gain in unique_gains), largest)

"""A sample of a problem on which a quick local search loses about as much detail as on the whole table."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import MISSING
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.parting import halves
from incrowd.searches._clusters.records import ranks_of
from incrowd.searches.problem import Problem

REGIONS = 4
"""A sample is a few regions of neighboring records, in which these are as near as in the whole table."""
CLUSTERS = 20
"""A region has room for so many classes at least."""


MOST_VALUES = 10_000
"""Of columns with more different values, records are drawn before these are measured, so that the work is bounded."""


def drawn(frequencies: FrequencySet) -> FrequencySet:
    """Return records that are drawn at random, and the values that they have, if a column has very many."""
    if max(map(len, frequencies.values), default=0) <= MOST_VALUES:
        return frequencies
    random = np.random.default_rng(0)
    chosen = random.choice(frequencies.records, min(MOST_VALUES, frequencies.records), replace=False)
    rows, counts = np.unique(np.searchsorted(np.cumsum(frequencies.counts), chosen, side="right"), return_counts=True)
    codes, values = [], []
    for known, own in zip(frequencies.values, frequencies.codes, strict=True):
        used, numbers = np.unique(np.append(MISSING, own[rows]), return_inverse=True)
        codes.append(numbers.reshape(-1)[1:].astype(np.int32))
        values.append(known.take(pa.array(used[1:] - 1)))
    return FrequencySet(frequencies.names, tuple(values), np.array(codes, dtype=np.int32), counts.astype(np.int64))


def sampled(problem: Problem, most: int, k: int) -> Problem:
    """Return a problem of a few regions of neighboring records, about so many in all, but enough for classes of k; the
    whole one if it has no more.

    Records with the same quasi-identifiers stay together; if these are too many, all their values become rarer alike.
    """
    frequencies = problem.frequencies
    most = max(most, REGIONS * CLUSTERS * k)
    if frequencies.records <= most:
        return problem
    classes = frequencies.classes(problem.quasi)
    first = np.empty(len(classes), dtype=np.int64)
    first[classes.of[::-1]] = np.arange(len(classes.of) - 1, -1, -1)
    measure = Measure.of(problem.axes, problem.priorities)
    middles = 2 * ranks_of(problem, problem.axes)[:, first].astype(np.int64)
    chosen = _regions(measure, middles, classes.sizes, most // REGIONS)
    share = np.zeros(len(classes), dtype=np.float64)
    for region in chosen:
        share[region] = min(1.0, most / REGIONS / int(classes.sizes[region].sum()))
    kept = share[classes.of] > 0
    counts = np.ceil(frequencies.counts[kept] * share[classes.of[kept]]).astype(np.int64)
    codes = np.ascontiguousarray(frequencies.codes[:, kept])
    return replace(problem, frequencies=FrequencySet(frequencies.names, frequencies.values, codes, counts))


def _regions(
    measure: Measure, middles: NDArray[np.int64], sizes: NDArray[np.int64], most: int
) -> list[NDArray[np.int64]]:
    """Return regions of about so many records, drawn from halves of halves of the table."""
    random = np.random.default_rng(0)
    weights = np.ones(len(middles))

    def is_large(region: NDArray[np.int64]) -> bool:
        return 2 * int(sizes[region].sum()) > 3 * most and len(region) > 1

    found = [np.arange(len(sizes), dtype=np.int64)]
    while any(map(is_large, found)):
        parted: list[NDArray[np.int64]] = []
        for region in found:
            both = halves(measure, middles, sizes, region, weights) if is_large(region) else (region,)
            parted += both if 2 * len(found) <= REGIONS else [both[random.integers(len(both))]]
        found = parted
    return found

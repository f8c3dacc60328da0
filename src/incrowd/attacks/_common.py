"""The sensitive values that candidate sets of two releases have in common."""

from dataclasses import dataclass

import numpy as np

from incrowd.attacks._overlap import spread
from incrowd.attacks._target import Target
from incrowd.core.frequencies import aligned
from incrowd.core.histograms import Counts, Domain, Histogram
from incrowd.core.kernels import total
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes

Entries = tuple[Counts, Counts, Counts]
"""A candidate set, a value that occurs in it and its count; by set and value, ascending."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The sensitive columns of two releases taken jointly, numbered alike in both."""

    distinct: int
    """The number of distinct combinations of values."""
    codes: Codes
    """Columns x combinations: the value of each column."""
    histograms: tuple[Histogram, Histogram]
    """Per release how often each combination occurs in each group."""
    groups: tuple[Counts, Counts]
    """Per release the group of each class."""


@dataclass(frozen=True, eq=False)
class Common:
    """The values left for each pair of candidate sets."""

    crowd: Counts
    """The largest number of records that can be the same person's in both."""
    fewest: Counts
    """The fewest distinct values left in any column."""
    pair: Counts
    """For every value left: its pair, the value and its count in the first set."""
    value: Counts
    mine: Counts


def joint(one: Target, other: Target) -> Joint:
    """Number the combinations of the sensitive columns that both releases have."""
    names = [name for name in one.sensitive if name in other.sensitive]
    rows = aligned(one.rows, other.rows, names)
    codes = [np.concatenate([part.codes[part.names.index(name)] for part in rows]) for name in names]
    sizes = [1 + int(each.max(initial=0)) for each in codes]
    numbers, n = number_combinations(codes, sizes)
    of_number = np.zeros((len(names), n), dtype=np.int32)
    of_number[:, numbers] = np.array(codes)
    parts = np.split(numbers, [rows[0].combinations])
    histograms = [_histogram(target, part, n, tuple(names)) for target, part in zip((one, other), parts, strict=True)]
    return Joint(n, of_number, (histograms[0], histograms[1]), (one.group, other.group))


def _histogram(target: Target, numbers: Codes, n: int, names: tuple[str, ...]) -> Histogram:
    width = np.int64(max(1, n))
    keys, of = np.unique(target.within.astype(np.int64) * width + numbers, return_inverse=True)
    starts = np.append(0, np.cumsum(np.bincount(keys // width, minlength=target.groups))).astype(np.int64)
    counts = total(of.reshape(-1).astype(np.int32), len(keys), target.rows.counts)
    domain = Domain(names, whole=total(numbers, n, target.rows.counts))
    return Histogram(domain, starts, (keys % width).astype(np.int32), counts)


def common(ones: Entries, others: Entries, pairs: Counts, values: Joint) -> Common:
    """Return what the sets of each pair have in common; `pairs` is 2 x pairs."""
    crowds = int(ones[0].max(initial=-1)) + 1
    starts = np.append(0, np.cumsum(np.bincount(ones[0], minlength=max(crowds, int(pairs[0].max(initial=-1)) + 1))))
    lengths = np.diff(starts)[pairs[0]]
    pair = np.repeat(np.arange(pairs.shape[1]), lengths)
    entry = spread(starts[pairs[0]], lengths)
    width = np.int64(max(1, values.distinct))
    keys = others[0] * width + others[1]
    wanted = pairs[1][pair] * width + ones[1][entry]
    at = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
    both = keys[at] == wanted if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
    pair, entry, at = pair[both], entry[both], at[both]
    n = pairs.shape[1]
    left = np.minimum(ones[2][entry], others[2][at])
    fewest = np.full(n, np.iinfo(np.int64).max)
    for codes in values.codes:
        kinds = np.unique(pair * np.int64(int(codes.max(initial=0)) + 1) + codes[ones[1][entry]])
        np.minimum(fewest, np.bincount(kinds // (int(codes.max(initial=0)) + 1), minlength=n), out=fewest)
    return Common(total(pair.astype(np.int32), n, left), fewest, pair, ones[1][entry], ones[2][entry])

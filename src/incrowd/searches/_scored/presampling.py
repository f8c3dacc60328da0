"""Pre-sampling: isolated records are left out, so that they do not make all others more general (section 5.1)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.kernels import total
from incrowd.core.keys import number_combinations
from incrowd.errors import UsageError
from incrowd.metrics import Levels


def isolated(
    combinations: FrequencySet, ladders: Sequence[EncodedHierarchy], k: int, levels: Levels
) -> NDArray[np.bool_]:
    """Return the combinations whose class on the given levels has fewer than k records."""
    codes = [
        ladder.up[level][column] for ladder, level, column in zip(ladders, levels, combinations.codes, strict=True)
    ]
    numbers, n = number_combinations(codes, [int(column.max(initial=0)) + 1 for column in codes])
    small: NDArray[np.bool_] = total(numbers, n, combinations.counts) < k
    return small[numbers]


def thresholds(ladders: Sequence[EncodedHierarchy], given: Mapping[str, int]) -> Levels:
    """Return the level of each column; level 0 if none is given."""
    names = [ladder.name for ladder in ladders]
    if not set(given) <= set(names):
        raise UsageError.unknown_columns(given, names)
    for ladder in ladders:
        level = given.get(ladder.name, 0)
        if not isinstance(level, int) or level not in range(ladder.height + 1):
            what = f"the level of {ladder.name!r} in sample_levels"
            raise UsageError.not_one_of(what, level, [f"a level of its hierarchy, from 0 to {ladder.height}"])
    return tuple(given.get(name, 0) for name in names)

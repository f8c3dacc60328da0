"""Full-domain generalisation: every column goes to one level, whole classes are left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Ladder
from incrowd.recodings import PublishedColumn, RecodingMap


def by_column(
    combinations: FrequencySet, ladders: Sequence[Ladder], levels: Sequence[int], kept: NDArray[np.bool_]
) -> RecodingMap:
    """Publish each column on its level, and the combinations that are kept; level 0 is the column as it is."""
    columns = [
        PublishedColumn(ladder.up[level][codes], tuple(ladder.labels(level))) if level else None
        for ladder, level, codes in zip(ladders, levels, combinations.codes, strict=True)
    ]
    return RecodingMap(combinations, kept, tuple(columns))

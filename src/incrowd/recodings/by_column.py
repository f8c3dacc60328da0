"""Full-domain generalization: every column goes to one level, whole classes are left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.keys import among_used
from incrowd.core.table import Codes
from incrowd.recodings import PublishedColumn, RecodingMap


def by_column(
    combinations: FrequencySet, ladders: Sequence[EncodedHierarchy], levels: Sequence[int], kept: NDArray[np.bool_]
) -> RecodingMap:
    """Publish each column on its level, and the combinations that are kept; level 0 is the column as it is.

    Columns beyond the ladders, such as those that tell the person, only help to say which records are kept.
    """
    columns = [
        _published(ladder, level, codes, kept) if level else None
        for ladder, level, codes in zip(ladders, levels, combinations.codes, strict=False)
    ]
    others = (None,) * (len(combinations.names) - len(ladders))
    return RecodingMap(combinations, kept, (*columns, *others))


def _published(ladder: EncodedHierarchy, level: int, codes: Codes, kept: NDArray[np.bool_]) -> PublishedColumn:
    """Return only the labels that are published: the list of them may reach the reader of a release."""
    labels = ladder.labels(level)
    used, numbers = among_used(ladder.up[level][codes[kept]], len(labels))
    published = np.zeros(len(codes), dtype=np.int32)
    published[kept] = numbers
    return PublishedColumn(published, tuple(labels[code] for code in used))

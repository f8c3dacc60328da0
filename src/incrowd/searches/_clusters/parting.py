"""Parting: what lies near each other stays together, in parts of limited size."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from incrowd.searches._clusters.measure import Measure

Positions = NDArray[np.int64]


def parts(
    measure: Measure,
    middles: NDArray[np.int64],
    sizes: NDArray[np.int64],
    most: int,
    least: int = 0,
    weights: NDArray[np.float64] | None = None,
) -> Iterator[Positions]:
    """Cut in two halves, in the column in which it spreads most, until no part is larger than `most`.

    `middles` are columns x items, twice the rank where an item lies; a part is never smaller than `least`.
    """
    weights = np.ones(len(middles)) if weights is None else weights
    waiting = [np.arange(len(sizes), dtype=np.int64)]
    while waiting:
        part = waiting.pop()
        total = int(sizes[part].sum())
        both = halves(measure, middles, sizes, part, weights) if total > most and len(part) > 1 else None
        if both is None or min(int(sizes[half].sum()) for half in both) < least:
            yield part
        else:
            # The lower half comes first.
            waiting += reversed(both)


def halves(
    measure: Measure, middles: Positions, sizes: Positions, part: Positions, weights: NDArray[np.float64]
) -> tuple[Positions, Positions]:
    """Return the lower and the upper half of a part, in the column in which it spreads most."""
    here = middles[:, part]
    ends = zip(here.min(axis=1) // 2, (here.max(axis=1) + 1) // 2, strict=True)
    widths = weights * [int(measure.between(c, low, high)) for c, (low, high) in enumerate(ends)]
    order = np.argsort(here[int(np.argmax(widths))], kind="stable")
    summed = np.cumsum(sizes[part[order]])
    at = int(np.searchsorted(2 * summed, summed[-1]))
    at = min(max(1, at if at else 1), len(part) - 1)
    return part[order[:at]], part[order[at:]]

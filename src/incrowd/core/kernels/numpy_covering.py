"""The NumPy twin of covering.pxi: rows that cover combinations, each on levels of its own."""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
Levels = NDArray[np.int16]
Prices = NDArray[np.float64]


class Covering:
    """Combinations: which of them a row covers, and what their own rows cost more when they cover another one."""

    def __init__(self, places: Places, prices: Prices, top: Levels) -> None:
        if len(top) != places.shape[1]:
            raise ValueError("Covering: lengths differ")
        if len(top) and not 0 <= top.min() <= top.max() < len(prices):
            raise ValueError("Covering: a top without a price")
        if places.size and not 0 <= places.min() <= places.max() < prices.shape[1]:
            raise ValueError("Covering: no such place")
        self._places, self._prices, self._top = places, prices, top

    def covered(self, met: Levels, levels: Levels, found: NDArray[np.uint8]) -> None:
        """Mark the combinations that meet one on levels of its row."""
        if (len(met), len(levels), len(found)) != (self._prices.shape[1], len(self._top), len(self._places)):
            raise ValueError("covered: lengths differ")
        found[:] = (met[self._places] <= levels).all(axis=1)

    def dearer(self, met: Levels, levels: Levels, wanted: int, found: Prices) -> None:
        """Write the least extra cost of the row of each combination if it covers one (covering.pxi)."""
        if (len(met), levels.shape, len(found)) != (self._prices.shape[1], self._places.shape, len(self._places)):
            raise ValueError("dearer: lengths differ")
        if wanted < 1:
            raise ValueError("dearer: lengths differ")
        needed = met[self._places]
        wider = np.maximum(levels, np.minimum(needed, self._top))
        before, after = np.zeros(len(found)), np.zeros(len(found))
        for place, low, high in zip(self._places.T, levels.T, wider.T, strict=True):
            before += self._prices[low, place]
            after += self._prices[high, place]
        possible = (needed <= self._top).all(axis=1) & (needed > levels).any(axis=1)
        found[:] = np.where(possible, after - before, np.inf)
        if wanted < len(found):
            found[found > np.partition(found, wanted - 1)[wanted - 1]] = np.inf

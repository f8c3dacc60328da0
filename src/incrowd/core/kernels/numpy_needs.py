"""The values that a cluster must have beside enough records, in NumPy; see the compiled twin."""

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]


class Needs:
    """Of some columns so many different values at the least, counted over the items of a cluster."""

    def __init__(self, codes: Codes, least: Counts) -> None:
        if len(codes) != len(least):
            raise ValueError("needs: lengths differ")
        self._codes, self._least = codes.T.tolist(), least.tolist()
        self.forget()

    def forget(self) -> None:
        """Begin with a cluster without items."""
        self._seen: list[set[int]] = [set() for _ in self._least]
        self._own = [0] * len(self._least)

    def note(self, item: int, count: int) -> None:
        """Add records of an item."""
        for v, code in enumerate(self._codes[item] if self._least else ()):
            if self._lacks(v) <= 0:
                continue
            if code < 0:
                self._own[v] += count
            else:
                self._seen[v].add(code)

    def _lacks(self, v: int) -> int:
        lacks: int = self._least[v] - len(self._seen[v]) - self._own[v]
        return lacks

    @property
    def lacking(self) -> bool:
        """Whether any column lacks values."""
        return self.most_lacking() > 0

    def most_lacking(self) -> int:
        """How many records, at least, must join until nothing is lacking."""
        return max(0, *(self._lacks(v) for v in range(len(self._least))), 0)

    def adds(self, item: int, least: int) -> bool:
        """Return whether an item has a new value in a column that lacks at least so many."""
        return any(
            self._lacks(v) >= least and (code < 0 or code not in self._seen[v])
            for v, code in enumerate(self._codes[item])
        )

    def suffice(self, items: dict[int, int]) -> bool:
        """Return whether items, with their records, have all that a cluster needs."""
        self.forget()
        for item, count in items.items():
            self.note(item, count)
        return not self.lacking

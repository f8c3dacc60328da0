"""The texts of a column: which parts publish each, and how many different ones there are."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from incrowd.core.table import Codes
from incrowd.searches._scored.splitting import Part


class Shown:
    """One column; says what a move in it would do to the number of different values."""

    def __init__(self, column: int, numbers: Codes, parts: Sequence[Part]) -> None:
        """`numbers` are levels x units: the number of the text."""
        self.different = 0
        self._column = column
        self._by_text: dict[int, set[Part]] = defaultdict(set)
        self._above: dict[int, set[int]] = defaultdict(set)
        for high, low in zip(numbers[1:], numbers, strict=False):
            for pair in np.unique(high.astype(np.int64) << 32 | low).tolist():
                self._above[pair & 0xFFFFFFFF].add(pair >> 32)
        for part in parts:
            self._add(part)

    def gain(self, part: Part) -> int:
        """Return how many different values more there are when the part is de-generalized."""
        text, texts = part.texts[self._column], part.splits[self._column].texts
        more = sum(not self._by_text[each] for each in texts)
        return more - (len(self._by_text[text]) == 1 and text not in texts)

    def exchange(self, part: Part, made: Sequence[Part]) -> None:
        """Exchange a part for those it becomes by a move in another column."""
        holders = self._by_text[part.texts[self._column]]
        holders.remove(part)
        holders.update(made)

    def move(self, part: Part, made: Sequence[Part]) -> list[Part]:
        """Exchange a part for others by a move in this column; return the parts whose gain may have grown."""
        return [other for each in made for other in self._add(each)] + self._remove(part)

    def _add(self, part: Part) -> list[Part]:
        holders = self._by_text[part.texts[self._column]]
        # Who was alone with a text no longer takes it away.
        grown = list(holders) if len(holders) == 1 else []
        self.different += not holders
        holders.add(part)
        return grown

    def _remove(self, part: Part) -> list[Part]:
        text = part.texts[self._column]
        holders = self._by_text[text]
        holders.remove(part)
        if holders:
            return []
        self.different -= 1
        # Who can bring the text back gains by it again.
        return [other for above in self._above[text] for other in self._by_text[above]]

    def parts(self) -> list[Part]:
        """Return all parts."""
        return [part for holders in self._by_text.values() for part in holders]

"""Parts that are one class because they publish the same, though on different levels.

That takes a text which stands for other values on one level than on another, as the number of a group among numbers:
parts once split by a column are told apart by it as long as each text in it stands for values that include each other.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from incrowd.core.table import Codes
from incrowd.searches._scored.splitting import Members, Part, Units

Texts = tuple[int, ...]


def ambiguous(numbers: Codes) -> bool:
    """Return whether a text stands on two levels for values that have none in common; `numbers` are levels x units."""
    texts = [set(np.unique(row).tolist()) for row in numbers]
    for high in range(1, len(numbers)):
        for low in range(high):
            nested = np.unique(numbers[low][numbers[low] == numbers[high]]).tolist()
            if (texts[low] & texts[high]) - set(nested):
                return True
    return False


class Published:
    """The published classes of parts, and the moves that wait for one of them to change."""

    def __init__(self, units: Units, parts: Sequence[Part]) -> None:
        self._units = units
        self._classes: dict[Texts, list[Part]] = defaultdict(list)
        self._waiting: dict[Texts, list[tuple[Part, int]]] = defaultdict(list)
        for part in parts:
            self._classes[part.texts].append(part)

    def allows(self, part: Part, column: int) -> bool:
        """Return whether all published classes that the move touches satisfy the model after it."""
        touched = {part.texts: self._others(part, part.texts)}
        for each in part.moved(column):
            touched.setdefault(each.texts, self._others(part, each.texts)).append(each.members)
        classes = [members for members in touched.values() if members]
        of = np.repeat(np.arange(len(classes), dtype=np.int32), [sum(map(len, members)) for members in classes])
        joined = np.concatenate([each for members in classes for each in members])
        if self._units.holds(joined, of, len(classes)).all():
            return True
        for texts in touched:
            self._waiting[texts].append((part, column))
        return False

    def _others(self, part: Part, texts: Texts) -> list[Members]:
        return [other.members for other in self._classes[texts] if other is not part]

    def exchange(self, part: Part, made: Sequence[Part]) -> list[tuple[Part, int]]:
        """Exchange a part for others; return the moves that may have become possible."""
        self._classes[part.texts].remove(part)
        for each in made:
            self._classes[each.texts].append(each)
        touched = {part.texts, *(each.texts for each in made)}
        return [move for texts in touched for move in self._waiting.pop(texts, [])]

"""Partial-domain de-generalization: single classes get their detail back while all stay anonymous (section 5.4).

Of all moves (one class, one column, one level) that keep the table anonymous the one that leads to the highest score is
made; of equal ones that in the column with the highest priority, then that of the first class, in the order of its
first values. It ends when no move is possible. What is published alike is judged as one class, whatever its levels.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Levels
from incrowd.searches._scored.published import Published, ambiguous
from incrowd.searches._scored.queue import Queue
from incrowd.searches._scored.shown import Shown
from incrowd.searches._scored.splitting import Part, Units
from incrowd.searches._scored.tables import Tables
from incrowd.watch import Watch


class Partial:
    """A table on its way from a full-domain one; after every move it is anonymous."""

    def __init__(self, tables: Tables, levels: Levels, watch: Watch) -> None:
        self._tables = tables
        self._watch = watch
        self._units = Units(tables.lattice, tables.ascending[::-1], watch)
        parts = self._units.classes(levels)
        within = [
            numbers[low : high + 1]
            for numbers, low, high in zip(self._units.numbers, tables.lattice.bottom, levels, strict=True)
        ]
        self._published = Published(self._units, parts) if any(map(ambiguous, within)) else None
        self._shown = [Shown(column, numbers, parts) for column, numbers in enumerate(within)]
        self._queue = Queue(self._rank)
        self._level = False
        """No move changes the score any more: priority alone decides, and what happens to a part can be foreseen."""
        self._offer(parts)
        self.moves = 0

    @property
    def score(self) -> float:
        """The score of the table."""
        return self._score([shown.different for shown in self._shown])

    def _score(self, distinct: list[int]) -> float:
        return self._tables.scoring.score(distinct, self._tables.before, self._tables.priorities)

    def _rank(self, column: int, gain: int) -> tuple[float, int]:
        distinct = [shown.different for shown in self._shown]
        distinct[column] += gain
        return self._score(distinct), self._tables.ascending.index(column)

    def run(self) -> None:
        """Make moves until none is possible; if stopped, those made so far stand."""
        while (found := self._queue.best()) is not None:
            self._watch.tick(f"{self.moves} classes de-generalized")
            part, column, gain = found
            now = self._shown[column].gain(part)
            if now != gain:
                # A gain that has shrunk is noticed only here, one that has grown at once.
                self._queue.put(part, column, now)
                continue
            if not self._level and self._rank(column, gain)[0] == self.score:
                self._level = True
                self._units.foresee(self._shown[0].parts())
            del part.queued[column]
            if self._published is None or self._published.allows(part, column):
                self._make(part, column)

    def _make(self, part: Part, column: int) -> None:
        self.moves += 1
        part.alive = False
        made = part.moved(column)
        different = self._shown[column].different
        for at, shown in enumerate(self._shown):
            if at != column:
                shown.exchange(part, made)
        grown = self._shown[column].move(part, made)
        if self._shown[column].different != different:
            self._queue.reorder()
        self._offer(made)
        for each in grown:
            if each.alive and column in each.queued:
                self._queue.put(each, column, self._shown[column].gain(each))
        for each, at in self._published.exchange(part, made) if self._published else ():
            if each.alive:
                self._queue.put(each, at, self._shown[at].gain(each))

    def _offer(self, parts: Sequence[Part]) -> None:
        """Offer all moves of new parts that are not known to be impossible."""
        look = self._units.foresee if self._level else self._units.look
        look([part for part in parts if not part.seen])
        for part in parts:
            for column, split in part.splits.items():
                if split.ok or self._published:
                    self._queue.put(part, column, self._shown[column].gain(part))

    def levels(self) -> NDArray[np.int16]:
        """Return columns x counted combinations: the level of every cell."""
        of_units = np.empty((len(self._shown), len(self._units)), dtype=np.int16)
        for part in self._shown[0].parts():
            of_units[:, part.members] = np.array(part.levels, dtype=np.int16)[:, None]
        return of_units[:, self._units.of]

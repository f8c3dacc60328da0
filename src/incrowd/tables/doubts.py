"""The contributors that may learn a sensitive cell: only these need an audit of their own.

A change of the table shows that an outsider cannot narrow a cell down too far. It shows the same for every contributor
who cannot rule the change out; only those who know one of the cells that it changes can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from incrowd.tables.audit import Knowledge
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.insiders import Insider, adds_up
from incrowd.tables.moves import Change, Moves


class Doubts:
    """The knowledge of contributors, cell by cell."""

    def __init__(self, cells: Cells, insiders: Sequence[Insider], floor: Numbers) -> None:
        self._cells = cells
        self._insiders = insiders
        additive = adds_up(cells, floor)
        self._least: dict[int, list[tuple[int, int]]] = {}
        self._whole: dict[int, list[int]] = {}
        for number, insider in enumerate(insiders):
            at, least = insider.at_least(floor, additive)
            for cell, value in zip(at.tolist(), least.tolist(), strict=True):
                if value > floor[cell]:
                    self._least.setdefault(cell, []).append((value, number))
            for cell in insider.whole.tolist():
                self._whole.setdefault(cell, []).append(number)
        for known in self._least.values():
            known.sort(reverse=True)

    def about(self, known: Knowledge, asked: Numbers, low: Numbers, high: Numbers) -> Iterator[tuple[Insider, Numbers]]:
        """Yield contributors to suppressed cells, each with the cells that an outsider's changes do not clear."""
        if not self._insiders:
            return
        moves = Moves(self._cells, known.lower, known.upper)
        found: dict[int, set[int]] = {}
        for target in (low, high):
            for cell, change in zip(asked.tolist(), moves.changes(asked, target), strict=True):
                for number in range(len(self._insiders)) if change is None else self._refuting(change):
                    found.setdefault(number, set()).add(cell)
        for number in sorted(found):
            insider = self._insiders[number]
            if insider.matters(known.open):
                yield insider, np.array(sorted(found[number]), dtype=np.int64)

    def _refuting(self, change: Change) -> Iterator[int]:
        """Yield contributors who can rule out a changed table."""
        for cell, step in zip(change[0].tolist(), change[1].tolist(), strict=True):
            yield from self._whole.get(cell, ())
            after = int(self._cells.values[cell]) + step
            for least, number in self._least.get(cell, ()):
                if least <= after:
                    break
                yield number

"""The protection a table needs against attackers, and the cost of suppressing its cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import Infeasible
from incrowd.tables.audit import Knowledge, ceiling, short
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.doubts import Doubts
from incrowd.tables.equations import summed
from incrowd.tables.insiders import Insider, adds_up, insiders
from incrowd.watch import Watch

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Needs:
    """Per cell how far its interval must reach to both sides; 0 if it may be known."""

    cells: Cells
    room: Numbers
    """Above and below the real value, in units."""
    may_hide: Mask
    """Which cells may be suppressed though they are not sensitive."""
    floor: Numbers
    """The public lower bound of each cell once it is suppressed."""
    costs: NDArray[np.float64] | None = None
    """The cost of suppressing each cell, 1 if not given. Only whole numbers count; fractions break ties."""
    insiders: tuple[Insider, ...] = ()
    """Contributors from whom the sensitive cells must be hidden too, each with what they know."""
    fixed: Mask | None = None
    """Which cells are known though they are hidden; none if not given."""

    @property
    def sensitive(self) -> Mask:
        """Return the cells that a rule forbids to publish: the primary suppressions."""
        return self.room > 0

    @property
    def primary(self) -> Numbers:
        """Return the positions of the sensitive cells."""
        return np.flatnonzero(self.sensitive)

    @property
    def low(self) -> Numbers:
        """Return how far down the interval of each cell must reach; no further than public knowledge."""
        return np.where(self.sensitive, np.maximum(self.cells.values - self.room, self.floor), self.cells.values)

    @property
    def high(self) -> Numbers:
        """Return how far up the interval of each cell must reach."""
        return self.cells.values + self.room

    def suppressed(self, hidden: Mask) -> Knowledge:
        """Return the attacker's knowledge if these cells are suppressed and all others published."""
        values, highest = self.cells.values, ceiling(self.cells, self.room)
        open_ = hidden if self.fixed is None else hidden & ~self.fixed
        return Knowledge(np.where(open_, self.floor, values), np.where(open_, highest, values))

    @property
    def movable(self) -> Mask:
        """Return the cells that may differ in a table that the attacker cannot rule out."""
        possible = self.sensitive | self.may_hide
        return possible if self.fixed is None else possible & ~self.fixed

    def known_to(self, insider: Insider) -> Needs:
        """Return the same as seen by contributors, whose own cells need no protection from them."""
        fixed = np.zeros(len(self.cells), dtype=np.bool_)
        fixed[insider.whole] = True
        floor = insider.floor(self.floor, self._adds_up)
        room = np.where(fixed, 0, self.room)
        return replace(self, room=room, may_hide=self.may_hide | self.sensitive, floor=floor, insiders=(), fixed=fixed)

    @cached_property
    def _adds_up(self) -> bool:
        return adds_up(self.cells, self.floor)

    @cached_property
    def _doubts(self) -> Doubts:
        return Doubts(self.cells, self.insiders, self.floor)

    def learned(self, hidden: Mask, watch: Watch | None = None) -> Iterator[tuple[Needs, Numbers]]:
        """Yield each attacker who learns too much if these cells are suppressed, with the sensitive cells concerned."""
        known, primary = self.suppressed(hidden), self.primary
        lacking = short(self.cells, known, primary, self.low, self.high, watch)
        if len(lacking):
            yield self, lacking
        for insider, asked in self._doubts.about(known, primary, self.low, self.high):
            view = self.known_to(insider)
            asked = asked[view.sensitive[asked]]
            lacking = short(self.cells, view.suppressed(hidden), asked, view.low, view.high, watch)
            if len(lacking):
                yield view, lacking

    @property
    def weights(self) -> NDArray[np.float64]:
        """Return the cost of each cell."""
        return np.ones(len(self.cells)) if self.costs is None else self.costs


@dataclass(frozen=True, eq=False)
class Chosen:
    """Which cells are hidden, and whether nothing cheaper is safe."""

    hidden: Mask
    proven: bool
    least: int | None = None
    """A lower bound of the cost of any safe choice, if known."""


def cannot_be_hidden(needs: Needs) -> Infeasible:
    """Return the error for a table that is not safe even with every permitted cell suppressed."""
    number = int(needs.sensitive.sum())
    which = "1 sensitive cell cannot" if number == 1 else f"{number} sensitive cells cannot all"
    return Infeasible(
        f"no safe table: {which} be protected by secondary suppression; tabulate by fewer or coarser columns, allow "
        "suppression of empty cells (zeros=hide), or require narrower intervals (room)"
    )


def of_suppression(cells: Cells, room: Numbers, zeros: str, cost: str) -> Needs:
    """Return the needs of a table; empty cells are kept or may be suppressed (`hide`), at a cost per cell or value.

    If all empty cells are published, a suppressed cell is known not to be empty, and a suppressed subtotal to be at
    least the number of its nonempty parts. If they may be suppressed, labels still show that no category is empty.
    """
    values = cells.values
    leaves = values.reshape(cells.shape)[tuple(slice(axis.leaves) for axis in cells.axes)]
    floor = summed((leaves > 0).astype(np.int64), cells.axes).ravel() if zeros == "keep" else cells.public_minimum
    may_hide = values > 0 if zeros == "keep" else np.ones(len(values), dtype=bool)
    attackers = insiders(cells, room, floor)
    if cost == "values":
        return Needs(cells, room, may_hide, floor, np.maximum(values, 1).astype(np.float64), attackers)
    # Of equally many cells rather those that hold little; all of them together count less than one cell.
    return Needs(cells, room, may_hide, floor, 1.0 + values / (1.0 + 2.0 * values.sum()), attackers)

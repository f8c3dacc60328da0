"""What a table must keep from an attacker, and what it costs to hide its cells."""

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
    """Per cell how far its range must reach to both sides; 0 where it may be known."""

    cells: Cells
    room: Numbers
    """Above and below the real value, in units."""
    may_hide: Mask
    """Which cells may be suppressed though they are not sensitive."""
    floor: Numbers
    """What anybody knows that each cell holds at least, once it is suppressed."""
    costs: NDArray[np.float64] | None = None
    """What it costs to suppress each cell, 1 when not given. Only whole numbers count; what is beyond one chooses among
    equals."""
    insiders: tuple[Insider, ...] = ()
    """Contributors from whom the sensitive cells must be hidden too, each with what they know."""
    fixed: Mask | None = None
    """Which cells are known though they are hidden; none when not given."""

    @property
    def sensitive(self) -> Mask:
        """The cells that a rule forbids to publish: the primary suppressions."""
        return self.room > 0

    @property
    def primary(self) -> Numbers:
        """The positions of the sensitive cells."""
        return np.flatnonzero(self.sensitive)

    @property
    def low(self) -> Numbers:
        """How far down the range of each cell must reach; no further than anybody knows."""
        return np.where(self.sensitive, np.maximum(self.cells.values - self.room, self.floor), self.cells.values)

    @property
    def high(self) -> Numbers:
        """How far up."""
        return self.cells.values + self.room

    def suppressed(self, hidden: Mask) -> Knowledge:
        """What an attacker knows when these cells are hidden and all others published as they are."""
        values, highest = self.cells.values, ceiling(self.cells, self.room)
        open_ = hidden if self.fixed is None else hidden & ~self.fixed
        return Knowledge(np.where(open_, self.floor, values), np.where(open_, highest, values))

    @property
    def movable(self) -> Mask:
        """The cells that may differ in a table that the attacker cannot rule out."""
        possible = self.sensitive | self.may_hide
        return possible if self.fixed is None else possible & ~self.fixed

    def known_to(self, insider: Insider) -> Needs:
        """The same as contributors see it, who need not be kept from their own cells."""
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
        """Each attacker who learns too much when these cells are hidden, and which sensitive cells those are."""
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
        """The cost of each cell."""
        return np.ones(len(self.cells)) if self.costs is None else self.costs


@dataclass(frozen=True, eq=False)
class Chosen:
    """Which cells are hidden, and whether nothing cheaper is safe."""

    hidden: Mask
    proven: bool
    least: int | None = None
    """What any safe choice costs at least, where that is known."""


def cannot_be_hidden(needs: Needs) -> Infeasible:
    """Even with all cells hidden that may be, an attacker learns too much."""
    number = int(needs.sensitive.sum())
    which = "1 sensitive cell cannot" if number == 1 else f"{number} sensitive cells cannot all"
    return Infeasible(
        f"no table is safe: {which} be hidden by hiding "
        "others; tabulate by fewer or coarser columns, let empty cells be hidden too (zeros=hide), or ask for less room"
    )


def of_suppression(cells: Cells, room: Numbers, zeros: str, cost: str) -> Needs:
    """The needs of a table whose empty cells are all kept, or may be hidden (`hide`), at a cost per cell or by value.

    Where all empty cells are published, a hidden cell is known not to be empty, and a hidden subtotal to hold as many
    as it has parts that are not. Where they may be hidden, labels still tell that somebody is in every category.
    """
    values = cells.values
    leaves = values.reshape(cells.shape)[tuple(slice(axis.leaves) for axis in cells.axes)]
    floor = summed((leaves > 0).astype(np.int64), cells.axes).ravel() if zeros == "keep" else cells.told
    may_hide = values > 0 if zeros == "keep" else np.ones(len(values), dtype=bool)
    attackers = insiders(cells, room, floor)
    if cost == "values":
        return Needs(cells, room, may_hide, floor, np.maximum(values, 1).astype(np.float64), attackers)
    # Of equally many cells rather those that hold little; all of them together count less than one cell.
    return Needs(cells, room, may_hide, floor, 1.0 + values / (1.0 + 2.0 * values.sum()), attackers)

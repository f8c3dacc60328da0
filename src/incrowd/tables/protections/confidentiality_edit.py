"""Confidentiality edit: before the table is made, records swap a value, those in sensitive cells first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.errors import UsageError
from incrowd.parameters import number_from, one_of
from incrowd.spelling import Text
from incrowd.tables.audit import Knowledge
from incrowd.tables.cells import Cells, Numbers, Records
from incrowd.tables.needs import Mask
from incrowd.tables.protections import Protected
from incrowd.watch import Watch

_MOST_PARTNERS = 1_000
"""The number of records to examine to find one that differs."""


@dataclass(frozen=True)
class ConfidentialityEdit:
    """Pairs of records with different values of one column exchange them.

    The margin of that column and the table of all others do not change.
    """

    share: float = 0.05
    """The share of all records that are picked at random, besides those in sensitive cells."""
    column: Text = ""
    """The column to swap; the first one if not given."""
    totals: str = "protected"
    """`protected` if totals that swaps do not change must be protected too, `public` if they are public."""

    def __post_init__(self) -> None:
        number_from("share of confidentiality_edit", self.share, 0, most=1)
        one_of("totals of confidentiality_edit", self.totals, ("protected", "public"))

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Return the table of the records after the swaps."""
        at = self._side(cells)
        records = cells.records.each()
        pairs = _pairs(records, at, _sensitive_first(cells, records, room, self.share, chance), chance)
        edited = cells.of_records(_swapped(records, at, pairs)).values
        same = _unchanged(cells, at)
        known = Knowledge(
            np.where(same, cells.values, np.maximum(0, edited - len(pairs))),
            np.where(same, cells.values, edited + len(pairs)),
        )
        words = f"Before the table was made, some records swapped their values of {cells.axes[at].name}."
        public = None
        if self.totals == "public":
            public = Knowledge(
                np.where(same, cells.values, 0), np.where(same, cells.values, int(cells.values.max(initial=0)))
            )
            words += " Totals that this does not change are as counted, and assumed public."
        nothing = np.zeros(len(edited), dtype=bool)
        private = {"swapped_records": 2 * len(pairs), **({} if public is None else {"public_totals": True})}
        return Protected(edited, nothing, known, public=public, words=(words,), private=private)

    def _side(self, cells: Cells) -> int:
        names = [axis.name for axis in cells.axes]
        if cells.measure.column is not None:
            raise UsageError.invalid(
                "confidentiality_edit", "only for tables of counts", "suppress cells of a sum, or round them"
            )
        if len(names) < 2:
            raise UsageError.invalid(
                "confidentiality_edit", "swapping has no effect with a single column", "tabulate by two or more"
            )
        if self.column and self.column not in names:
            raise UsageError.unknown_columns([self.column], names)
        return names.index(self.column) if self.column else 0

    def remedy(self) -> str:
        """Return what to change."""
        return "swap a larger share or another column, declare totals public (totals=public), or suppress cells"


def _sensitive_first(
    cells: Cells, records: Records, room: Numbers, share: float, chance: np.random.Generator
) -> Numbers:
    """Return the records to swap: all in sensitive cells, then random others up to the share."""
    flagged = _below(cells, room > 0).ravel()
    leaves = tuple(axis.leaves for axis in cells.axes)
    at_risk = flagged[np.ravel_multi_index(tuple(records.leaves), leaves)]
    order = chance.permutation(len(at_risk))
    first = order[at_risk[order]]
    return np.concatenate([first, order[~at_risk[order]][: round(share * len(order))]])


def _below(cells: Cells, flags: Mask) -> Mask:
    """Return which categories' cells are part of a flagged cell, or flagged themselves."""
    found = flags.reshape(cells.shape).copy()
    for at, axis in enumerate(cells.axes):
        along = np.moveaxis(found, at, 0)
        for node in reversed(axis.inner()):
            along[axis.children(node)] |= along[node]
    return found[tuple(slice(axis.leaves) for axis in cells.axes)]


def _pairs(records: Records, at: int, picked: Numbers, chance: np.random.Generator) -> list[tuple[int, int]]:
    """Return each picked record with a partner that differs in the column and in another one, none twice."""
    values, everyone = records.leaves[at], chance.permutation(records.leaves.shape[1])
    others = np.delete(records.leaves, at, axis=0)
    free = np.ones(len(values), dtype=bool)
    found = []
    for record in picked:
        if not free[record]:
            continue
        start = int(chance.integers(len(everyone)))
        for partner in everyone[(start + np.arange(min(_MOST_PARTNERS, len(everyone)))) % len(everyone)]:
            if free[partner] and values[partner] != values[record] and (others[:, partner] != others[:, record]).any():
                free[[record, partner]] = False
                found.append((int(record), int(partner)))
                break
    return found


def _swapped(records: Records, at: int, pairs: list[tuple[int, int]]) -> Records:
    leaves = records.leaves.copy()
    if pairs:
        first, second = np.array(pairs).T
        leaves[at, first], leaves[at, second] = records.leaves[at, second], records.leaves[at, first]
    return Records(leaves, records.counts, records.amounts)


def _unchanged(cells: Cells, at: int) -> Mask:
    """Return the cells that no swap changes: over all values of the column, or over all values of all others."""
    nodes = np.indices(cells.shape)
    total = [nodes[side] == len(axis) - 1 for side, axis in enumerate(cells.axes)]
    others = np.logical_and.reduce([of for side, of in enumerate(total) if side != at])
    return np.asarray(total[at] | others).ravel()


PROTECTION = ConfidentialityEdit
MEANING = "some records swap a value before tabulation"
RANK = 4
LABELS = {
    "share": "Share of records to swap",
    "column": "Column to swap",
    "totals": "Totals (protected or public)",
}

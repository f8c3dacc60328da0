"""Contributions of people: what all records of a person add to a cell, margins included.

One person may be behind several cells, so the contributors to a total are not the sum of those to its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.axis import Axis

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Contributions:
    """Entries of a cell and a person, each pair once: the cells in ascending order, in each the largest first."""

    cell: Numbers
    person: Numbers
    amount: Numbers

    @classmethod
    def of(cls, axes: Sequence[Axis], leaves: Numbers, person: Numbers, amounts: Numbers) -> Contributions:
        """Return what people contribute; `amounts` are those of groups of records, `leaves` axes x groups."""
        nodes: list[Numbers] = []
        entry = np.arange(len(person), dtype=np.int64)
        for axis, of_axis in zip(axes, leaves, strict=True):
            starts, above = _paths(axis)
            first, lengths = starts[of_axis[entry]], np.diff(starts)[of_axis[entry]]
            nodes = [np.repeat(each, lengths) for each in nodes]
            within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            nodes.append(above[np.repeat(first, lengths) + within])
            entry = np.repeat(entry, lengths)
        shape = tuple(len(axis) for axis in axes)
        cell = np.ravel_multi_index(tuple(nodes), shape) if len(entry) else entry
        return cls._joined(cell, person[entry], amounts[entry])

    @classmethod
    def of_leaves(cls, axes: Sequence[Axis], leaves: Numbers, person: Numbers, amounts: Numbers) -> Contributions:
        """Return the same for combinations of categories alone, numbered without totals."""
        cell = np.ravel_multi_index(tuple(leaves), tuple(axis.leaves for axis in axes)) if len(person) else person
        return cls._joined(cell, person, amounts)

    @classmethod
    def _joined(cls, cell: Numbers, person: Numbers, amount: Numbers) -> Contributions:
        order = np.lexsort((person, cell))
        cell, person, amount = cell[order], person[order], amount[order]
        new = np.append(True, (cell[1:] != cell[:-1]) | (person[1:] != person[:-1])) if len(cell) else cell > 0
        first = np.flatnonzero(new)
        summed = np.add.reduceat(amount, first) if len(first) else amount
        largest = np.lexsort((-summed, cell[first]))
        return cls(cell[first][largest], person[first][largest], summed[largest])

    def people(self, cells: int) -> Numbers:
        """Return the number of people behind each cell."""
        return np.bincount(self.cell, minlength=cells).astype(np.int64)

    def largest(self, most: int, cells: int) -> Numbers:
        """Return positions x cells: the largest contributions to each cell, in descending order, 0 after the last."""
        rank = np.arange(len(self.cell)) - np.searchsorted(self.cell, self.cell)
        found = np.zeros((most, cells), dtype=np.int64)
        among = rank < most
        found[rank[among], self.cell[among]] = self.amount[among]
        return found


def upward(axis: Axis, leaf: int) -> list[int]:
    """Return a category and all nodes above it."""
    found = [leaf]
    while axis.parents[found[-1]] >= 0:
        found.append(axis.parents[found[-1]])
    return found


def _paths(axis: Axis) -> tuple[Numbers, Numbers]:
    """Return the nodes from each category upward, one after the other, and where those of each begin."""
    paths = [upward(axis, leaf) for leaf in range(axis.leaves)]
    starts = np.append(0, np.cumsum([len(path) for path in paths])).astype(np.int64)
    return starts, np.array([node for path in paths for node in path], dtype=np.int64)

"""A table of counts or sums: every cell, margins included, with what the rules and an attacker need to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.errors import UsageError
from incrowd.tables.axis import Axis
from incrowd.tables.contributions import Contributions
from incrowd.tables.equations import equations, largest, summed
from incrowd.tables.measure import MOST_UNITS, Amounts, Measure, too_large

Numbers = NDArray[np.int64]

MOST_CELLS = 1_000_000
"""Larger tables are refused: hardly a cell of them would stay."""


@dataclass(frozen=True, eq=False)
class Records:
    """The records behind a table, grouped: those of one combination and one amount together."""

    leaves: Numbers
    """Axes x groups: the category of each."""
    counts: Numbers
    """The number of records of each group."""
    amounts: Numbers | None
    """The contribution of each record of a group to a sum; None for counts."""
    person: Numbers | None = None
    """The person of each group, numbered from 0; None if every record is a contributor of its own."""

    def each(self) -> Records:
        """Return the same with one record per group."""
        amounts = None if self.amounts is None else np.repeat(self.amounts, self.counts)
        leaves = np.repeat(self.leaves, self.counts, axis=1)
        return Records(leaves, np.ones(leaves.shape[1], dtype=np.int64), amounts)

    @property
    def added(self) -> Numbers:
        """Return what each group adds to its cell."""
        return self.counts if self.amounts is None else self.counts * self.amounts


@dataclass(frozen=True, eq=False)
class Cells:
    """All cells of a table, flat, in the order of its axes' nodes."""

    axes: tuple[Axis, ...]
    measure: Measure
    records: Records
    values: Numbers
    """The content of each cell: a count, or a sum in units."""
    counts: Numbers
    """The number of records that contribute to each cell."""
    decimals: int = 0
    """Digits after the point of a sum; its unit is the last of them."""
    rounded: bool = False
    """True if amounts with more digits were rounded."""
    without_amount: int = 0
    """Records not in a sum because they have no amount."""
    contributors: int = 0
    """The number of contributors that may combine knowledge of their own records; 0 for outsiders alone."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the number of nodes per axis."""
        return tuple(len(axis) for axis in self.axes)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def contributions(self) -> Contributions | None:
        """Return what each person contributes to each cell; None if every record is a contributor of its own."""
        records = self.records
        if records.person is None:
            return None
        return Contributions.of(self.axes, records.leaves, records.person, records.added)

    @cached_property
    def contributing(self) -> Numbers:
        """Return the number of contributors to each cell: people, or records."""
        return self.counts if self.contributions is None else self.contributions.people(len(self))

    @cached_property
    def equations(self) -> Any:
        """Return the equations that the cells satisfy."""
        return equations(self.axes)

    @cached_property
    def public_minimum(self) -> Numbers:
        """Return the least value of each cell that follows from the labels: every category of a count has a record."""
        found, values = np.zeros(self.shape, dtype=np.int64), self.values.reshape(self.shape)
        # The only category of a column is all of it, as its total is.
        everyone = [[-1] if axis.leaves > 1 else list(range(len(axis))) for axis in self.axes]
        for at, axis in enumerate(self.axes if self.measure.column is None else ()):
            there = values[tuple(slice(axis.leaves) if side == at else -1 for side in range(len(self.axes)))] > 0
            margin = np.ix_(*(range(len(axis)) if side == at else all_of for side, all_of in enumerate(everyone)))
            lower = summed(there.astype(np.int64), [axis])
            found[margin] = np.maximum(found[margin], np.moveaxis(lower[(..., *[None] * (len(everyone) - 1))], 0, at))
        return found.ravel()

    def largest(self, most: int) -> Numbers:
        """Return positions x cells: the largest contributions to each cell, in descending order, 0 after the last."""
        if most == 0:
            return np.zeros((0, len(self)), dtype=np.int64)
        if self.contributions is not None:
            return self.contributions.largest(most, len(self))
        leaves = tuple(axis.leaves for axis in self.axes)
        amounts = np.ones_like(self.records.counts) if self.records.amounts is None else self.records.amounts
        at = np.ravel_multi_index(tuple(self.records.leaves), leaves) if len(self.records.counts) else amounts
        order = np.lexsort((-amounts, at))
        # Of equal records in one group no more than `most` can be among the largest.
        times = np.minimum(self.records.counts[order], most)
        at, amounts = np.repeat(at[order], times), np.repeat(amounts[order], times)
        rank = np.arange(len(at)) - np.searchsorted(at, at)
        top = np.zeros((most, int(np.prod(leaves))), dtype=np.int64)
        top[rank[rank < most], at[rank < most]] = amounts[rank < most]
        return largest(top.reshape(most, *leaves), self.axes).reshape(most, -1)

    def labels(self, cell: int) -> tuple[str, ...]:
        """Return the label of a cell on each axis."""
        nodes = np.unravel_index(cell, self.shape)
        return tuple(axis.labels[int(node)] for axis, node in zip(self.axes, nodes, strict=True))

    def of_records(self, records: Records) -> Cells:
        """Return the same table of other records."""
        values, counts = _totals(self.axes, records)
        return replace(self, records=records, values=values, counts=counts)

    def shown(self, value: int) -> int | float:
        """Return a value in units as the number that is published."""
        return int(value) if self.decimals == 0 else float(value) / 10**self.decimals


def tabulate(
    frequencies: FrequencySet,
    by: Sequence[str],
    measure: Measure,
    ladders: Mapping[str, EncodedHierarchy] | None = None,
    of_people: bool = False,
) -> Cells:
    """Return the table of a frequency set's columns, by `by`; if `of_people`, the last column numbers people."""
    columns = frequencies.indices(by)
    summed_at = 0 if measure.column is None else frequencies.names.index(measure.column)
    amounts = None if measure.column is None else Amounts.of(measure.column, frequencies.values[summed_at])
    there = frequencies.counts > 0
    axes = tuple(
        Axis.of(
            name, frequencies.values[at], bool((frequencies.codes[at][there] == 0).any()), (ladders or {}).get(name)
        )
        for name, at in zip(by, columns, strict=True)
    )
    _refuse_large(axes)
    has_amount = there if amounts is None else there & (frequencies.codes[summed_at] != 0)
    leaves = np.array([axis.leaf_of[frequencies.codes[at]] for axis, at in zip(axes, columns, strict=True)])
    records = Records(
        leaves[:, has_amount].astype(np.int64),
        frequencies.counts[has_amount],
        None if amounts is None else amounts.units[frequencies.codes[summed_at][has_amount]],
        frequencies.codes[-1][has_amount].astype(np.int64) - 1 if of_people else None,
    )
    if amounts is not None and float((records.counts * records.amounts.astype(float)).sum()) >= MOST_UNITS:  # type: ignore[union-attr]
        raise too_large(str(measure.column))
    values, counts = _totals(axes, records)
    left_out = int(frequencies.counts[there & ~has_amount].sum())
    if amounts is None:
        return Cells(axes, measure, records, values, counts)
    return Cells(axes, measure, records, values, counts, amounts.decimals, amounts.rounded, left_out)


def _totals(axes: Sequence[Axis], records: Records) -> tuple[Numbers, Numbers]:
    """Return values and counts of all cells."""
    leaves = tuple(axis.leaves for axis in axes)
    counts = np.zeros(leaves, dtype=np.int64)
    np.add.at(counts, tuple(records.leaves), records.counts)
    of_all = summed(counts, axes).ravel()
    if records.amounts is None:
        return of_all, of_all
    sums = np.zeros(leaves, dtype=np.int64)
    np.add.at(sums, tuple(records.leaves), records.counts * records.amounts)
    return summed(sums, axes).ravel(), of_all


def _refuse_large(axes: Sequence[Axis]) -> None:
    cells = int(np.prod([len(axis) for axis in axes], dtype=object))
    if cells > MOST_CELLS:
        raise UsageError.invalid(
            "the table",
            f"{cells:,} cells with margins exceed the limit of {MOST_CELLS:,}",
            "tabulate by fewer columns, or by coarser ones",
        )

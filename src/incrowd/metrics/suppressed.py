"""Suppressed (Samarati's preference): how many records are not published."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Cells, Columns, Generalised, Levels, Numbers, Score


@dataclass(frozen=True)
class Suppressed:
    """Number of suppressed records; generalising costs nothing, so that the top of the lattice is never beaten."""

    def prepare(self, columns: Columns) -> Score:
        """Lay the metric along a table."""
        return _SuppressedScore([np.zeros(ladder.height + 1) for ladder in columns.ladders])

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """The definition, record by record."""
        return float(sum(1 for record in records if record.suppressed))


class _SuppressedScore:
    def __init__(self, parts: Sequence[Numbers]) -> None:
        self.parts = parts

    def bound(self, total: Numbers) -> Numbers:
        """Nothing: the levels alone suppress no record."""
        return total

    def score(self, node: Generalised) -> float:
        """How many records are in classes that are not kept."""
        return self.penalty(node, ~node.kept)

    def penalty(self, node: Generalised, lost: NDArray[np.bool_]) -> float:
        """How many records are lost; every one of them is lost on all levels below as well."""
        return float(node.sizes[lost].sum())


METRIC = Suppressed

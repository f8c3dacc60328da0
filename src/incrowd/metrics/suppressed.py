"""Suppressed (Samarati's preference): how many records are not published."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.metrics import Cells, Columns, Generalized, Levels, Numbers, Score


@dataclass(frozen=True)
class Suppressed:
    """Number of suppressed records; generalizing costs nothing, so that the top of the lattice is never beaten."""

    def prepare(self, columns: Columns) -> Score:
        """Prepare the metric for a table."""
        return _SuppressedScore([np.zeros(ladder.height + 1) for ladder in columns.ladders])

    def textbook(self, records: Sequence[Cells], levels: Levels, columns: Columns) -> float:
        """Return the result by definition, record by record."""
        return float(sum(1 for record in records if record.suppressed))


class _SuppressedScore:
    def __init__(self, parts: Sequence[Numbers]) -> None:
        self.parts = parts

    def bound(self, total: Numbers) -> Numbers:
        """Return 0: the levels alone suppress no record."""
        return total

    def score(self, node: Generalized) -> float:
        """Return how many records are in classes that are not kept."""
        return self.penalty(node, ~node.kept)

    def penalty(self, node: Generalized, lost: NDArray[np.bool_]) -> float:
        """Return how many records are lost; every one of them is lost on all levels below as well."""
        return float(node.sizes[lost].sum())


METRIC = Suppressed
MEANING = "number of suppressed records"
RANK = 7

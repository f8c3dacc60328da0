"""A table whose cells may be wiped one by one, and what each wiped cell costs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import total
from incrowd.core.keys import Packed, number_combinations
from incrowd.core.table import Codes
from incrowd.metrics import Levels, Numbers
from incrowd.recodings.by_combination import SUPPRESSED, Texts
from incrowd.searches._layers.candidates import LevelSteps
from incrowd.searches.lattice import Lattice

Flags = NDArray[np.bool_]
Positions = NDArray[np.int64]

Pattern = tuple[int, ...]
"""The columns that are wiped, ascending."""

_NEAR = 1e-9
"""Costs this near are the same but for rounding."""


@dataclass(frozen=True, eq=False)
class WipedPieces:
    """The published pieces: some records of a combination may be wiped in one way, some in another."""

    combination: Positions
    """Of each part, never falling."""
    counts: NDArray[np.int64]
    """Records of each part."""
    wiped: Flags
    """Columns x pieces."""
    left_out: Flags
    """Which pieces are not published. A combination is left out as a whole."""

    @classmethod
    def of(cls, combination: Positions, counts: NDArray[np.int64], wiped: Flags, left_out: Flags) -> "WipedPieces":
        """Return the pieces in the order of the combinations, equal ones joined."""
        flags = np.ascontiguousarray(np.vstack([wiped, left_out]), dtype=np.int32)
        rows = [combination.astype(np.int32), *flags]
        numbers, n = number_combinations(rows, [int(row.max(initial=0)) + 1 for row in rows])
        first = np.empty(n, dtype=np.int64)
        first[numbers[::-1]] = np.arange(len(numbers))[::-1]
        order = np.lexsort([*wiped[::-1, first], combination[first]])
        first, sizes = first[order], total(numbers, n, counts)[order]
        return cls(combination[first], sizes, wiped[:, first], left_out[first])

    @property
    def splits(self) -> bool:
        """Whether any combination is in more than one part."""
        return bool((np.diff(self.combination) == 0).any())


class Wiping:
    """A table on some levels: each cell stays as it is there, or is wiped, which is the top of its hierarchy."""

    def __init__(self, lattice: Lattice, levels: Levels, k: int) -> None:
        """The lattice's limits say which columns may be wiped: those that may reach their top, and are not there."""
        self.lattice = lattice
        self.levels = levels
        self.k = k
        combinations, ladders = lattice.combinations, lattice.problem.ladders
        self.counts = combinations.counts
        texts = [Texts.of(ladder) for ladder in ladders]
        self.codes: Codes = np.array(
            [of.numbers[level][codes] for of, level, codes in zip(texts, levels, combinations.codes, strict=True)],
            dtype=np.int32,
        ).reshape(len(ladders), len(self.counts))
        """Columns x combinations: the text of each cell where it is not wiped; equal numbers are equal texts."""
        self.tops = np.array([of.numbers[-1][0] for of in texts], dtype=np.int32)
        """Per column the text of a wiped cell."""
        self.labels = tuple(str(of.labels[top]) for of, top in zip(texts, self.tops.tolist(), strict=True))
        self._texts = texts
        self.columns: Pattern = tuple(
            at
            for at, (ladder, level) in enumerate(zip(ladders, levels, strict=True))
            if level < lattice.top[at] == ladder.height
        )
        """Those that may be wiped."""

    @property
    def weights(self) -> tuple[float, ...]:
        """How much a cell of each column matters."""
        return self.lattice.problem.priorities or (1.0,) * len(self.tops)

    @cached_property
    def cells(self) -> Numbers:
        """Columns x combinations: the loss of each cell where it is not wiped, times its weight."""
        found = np.zeros(self.codes.shape)
        ladders, codes = self.lattice.problem.ladders, self.lattice.combinations.codes
        for at, (ladder, level, weight) in enumerate(zip(ladders, self.levels, self.weights, strict=True)):
            found[at] = weight * ladder.spread(level)[codes[at]]
        return found

    @cached_property
    def prices(self) -> Numbers:
        """Columns x combinations: what it adds to the loss when a cell is wiped. A wiped cell loses all: 1."""
        prices = np.maximum(0.0, np.array(self.weights)[:, None] - self.cells)
        return np.where(self.wiped_already, 0.0, prices)

    @cached_property
    def wiped_already(self) -> Flags:
        """Columns x combinations: which cells show the same as if they were wiped, whatever their level."""
        found: Flags = self.codes == self.tops[:, None]
        return found

    @cached_property
    def order(self) -> Positions:
        """The combinations in the order of their texts: how they are numbered depends on who counted them."""
        texts = [
            of.order[of.numbers[0][codes]]
            for of, codes in zip(self._texts, self.lattice.combinations.codes, strict=True)
        ]
        return np.lexsort(texts[::-1]) if texts else np.arange(len(self.counts))

    def patterns(self) -> list[Pattern]:
        """Return the sets of columns that may be suppressed, small ones first: all, or some of them if too many."""
        weights = [np.array([0.0, self.weights[at]]) for at in self.columns]
        if not self.columns:
            return [()]
        flags = LevelSteps(((0, 1),) * len(self.columns), tuple(weights)).nodes(self.lattice.problem.seed)
        found = [tuple(np.array(self.columns)[row > 0].tolist()) for row in flags]
        return sorted(found, key=lambda pattern: (len(pattern), pattern))

    def alike(self, pattern: Pattern) -> tuple[Codes, int]:
        """Return the class of each combination where these columns are wiped, and how many classes there are."""
        return self._packed.number(set(range(len(self.tops))).difference(pattern))

    @cached_property
    def _packed(self) -> Packed:
        return Packed(list(self.codes), (self.codes.max(axis=1, initial=0) + 1).tolist())

    def price(self, pattern: Pattern) -> Numbers:
        """Return the cost of wiping these columns in a record of each combination."""
        found: Numbers = self.prices[list(pattern)].sum(axis=0)
        return found

    def cost(self, pieces: WipedPieces) -> float:
        """Return the cost of all wiped cells; in a suppressed record all cells count as wiped."""
        wiped = pieces.wiped | pieces.left_out
        return float((wiped * self.prices[:, pieces.combination]).sum(axis=0) @ pieces.counts)

    def loss(self, pieces: WipedPieces) -> float:
        """Return the loss of the release (the metric of this name): the mean over all cells."""
        whole = float((self.cells * self.counts).sum()) + self.cost(pieces)
        return whole / max(_NEAR, sum(self.weights) * float(self.counts.sum()))

    def own_levels(self, pieces: WipedPieces) -> NDArray[np.int16]:
        """Return columns x pieces: the level of every cell."""
        heights = np.array([ladder.height for ladder in self.lattice.problem.ladders], dtype=np.int16)
        wiped = pieces.wiped & ~self.wiped_already[:, pieces.combination]
        own = np.where(wiped, heights[:, None], np.array(self.levels, dtype=np.int16)[:, None])
        return np.where(pieces.left_out, np.int16(SUPPRESSED), own).astype(np.int16)

    def wiped_by_column(self, pieces: WipedPieces) -> dict[str, int]:
        """Return how many cells are wiped of the records that are published."""
        kept = pieces.wiped & ~pieces.left_out & ~self.wiped_already[:, pieces.combination]
        return dict(zip(self.lattice.problem.quasi, (kept @ pieces.counts).tolist(), strict=True))

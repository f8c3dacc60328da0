"""Distance vectors (Samarati): two combinations fall together at a node where no level is below their vector's."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.errors import UsageError
from incrowd.metrics import Levels
from incrowd.searches import Node, Problem
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.blocks import Blocks

_MOST = 4_000
"""The matrix compares each combination with each: 32 MB a column for so many."""

_WHOLE = np.array([np.iinfo(np.uint64).max], dtype=np.uint64)


def distance_vectors(codes: NDArray[np.int32], ladders: Sequence[EncodedHierarchy]) -> NDArray[np.int16]:
    """Return columns x combinations x combinations: the lowest level on which two combinations are equal in a
    column."""
    n = codes.shape[1]
    vectors = np.zeros((len(ladders), n, n), dtype=np.int16)
    for column, ladder in enumerate(ladders):
        for up in ladder.up:
            # What is equal on one level is equal on all above, so the levels that differ are counted.
            on_level = up[codes[column]]
            vectors[column] += on_level[:, None] != on_level
    return vectors


class VectorLattice(Lattice):
    """Finds the classes of a node in the matrix of distance vectors, without generalizing the table."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        if len(self.ground) > _MOST:
            raise UsageError.invalid(
                "samarati with vectors",
                f"the table has {len(self.ground)} different combinations; the limit of the comparison matrix is "
                f"{_MOST}",
                "omit vectors",
            )
        self._vectors = distance_vectors(self.combinations.codes[:, self.ground.origins], problem.ladders)

    def count(self, levels: Levels) -> Node:
        """Judge one node by the combinations that fall together there."""
        self.counted += 1
        return self._judged(levels, self._together(levels))

    def _together(self, levels: Levels) -> Blocks:
        if not len(self.ground):
            return self.ground
        together = np.ones(self._vectors.shape[1:], dtype=np.bool_)
        for matrix, level in zip(self._vectors, levels, strict=True):
            together &= matrix <= level
        # A class is known by its first combination.
        first = together.argmax(axis=1).astype(np.uint64)
        return replace(self.ground, keys=first.reshape(-1, 1)).rollup(_WHOLE, self._grouper)

"""Outcomes of searches over cuts."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches import CellsOutcome, Guarantee, NothingFound
from incrowd.searches._layers.outcome import node_of
from incrowd.searches._subtrees.cuts import Cuts, JudgedCut
from incrowd.searches.outcomes import Shared


def outcome_of(
    search: str, cuts: Cuts, best: JudgedCut | None, stopped: str, details: Mapping[str, Any]
) -> CellsOutcome | NothingFound:
    """Return the best cut as a release; if there is none, the most general one is the nearest."""
    lattice = cuts.lattice
    own = None if best is None else cuts.own_levels(best.cut)
    shared: Shared = {
        "search": search,
        "guarantee": Guarantee.HEURISTIC,
        "counted": cuts.counted,
        # How many cuts there are depends on values that nobody may see.
        "lattice": 0,
        "stopped": stopped,
        "gap": None,
        "details": details if own is None else {**details, "levels": _levels(cuts, own)},
    }
    if own is None:
        return NothingFound(nearest=lattice.count(lattice.top), **shared)
    node = node_of(cuts.problem, lattice.combinations, own)
    return CellsOutcome(node=node, own_levels=own, found_on=lattice.settled(), **shared)


def _levels(cuts: Cuts, own: np.ndarray[Any, np.dtype[np.int16]]) -> dict[str, list[int]]:
    """Return the published levels by column."""
    return {
        name: np.unique(levels[levels != SUPPRESSED]).tolist()
        for name, levels in zip(cuts.problem.quasi, own, strict=True)
    }

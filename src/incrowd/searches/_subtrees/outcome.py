"""What a search over cuts makes known."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches import Guarantee, Outcome
from incrowd.searches._layers.outcome import node_of
from incrowd.searches._subtrees.cuts import Cuts, Judged


def outcome_of(search: str, cuts: Cuts, best: Judged | None, stopped: str, details: Mapping[str, Any]) -> Outcome:
    """The best cut as a release; where there is none, the most general one is the nearest."""
    lattice = cuts.lattice
    own = None if best is None else cuts.own_levels(best.cut)
    return Outcome(
        search=search,
        guarantee=Guarantee.HEURISTIC,
        node=None if own is None else node_of(cuts.problem, lattice.combinations, own),
        counted=cuts.counted,
        # How many cuts there are depends on values that nobody may see.
        lattice=0,
        stopped=stopped,
        gap=None,
        nearest=lattice.count(lattice.top) if own is None else None,
        details=details if own is None else {**details, "levels": _levels(cuts, own)},
        own_levels=own,
        found_on=lattice.settled(),
    )


def _levels(cuts: Cuts, own: np.ndarray[Any, np.dtype[np.int16]]) -> dict[str, list[int]]:
    """By column the levels that are published."""
    return {
        name: np.unique(levels[levels != SUPPRESSED]).tolist()
        for name, levels in zip(cuts.problem.quasi, own, strict=True)
    }

"""Cell suppression: sensitive cells (primary), and others from which they could be derived (secondary)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.parameters import number_above_zero, one_of
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.exact import exact
from incrowd.tables.greedy import greedy
from incrowd.tables.needs import Chosen, Needs, of_suppression
from incrowd.tables.protections import Protected
from incrowd.watch import Watch

MOST_CELLS = 1_500
MOST_SENSITIVE = 60
"""Up to here the cheapest suppression is searched for, unless the user says how to search."""


@dataclass(frozen=True)
class Suppression:
    """Suppress cells, as few as possible."""

    search: str = "auto"
    """`exact` proves that none is cheaper, `heuristic` is fast; `auto` is exact for small tables."""
    zeros: str = "keep"
    """Empty cells are all published (`keep`), or may be suppressed too (`hide`)."""
    cost: str = "cells"
    """The cost to minimize: the number of suppressed `cells`, or the sum of their `values`."""
    seconds: float = 60
    """The time limit of the exact search, which ends with the best safe choice so far."""

    def __post_init__(self) -> None:
        one_of("search of suppression", self.search, ("auto", "exact", "heuristic"))
        one_of("zeros of suppression", self.zeros, ("keep", "hide"))
        one_of("cost of suppression", self.cost, ("cells", "values"))
        number_above_zero("seconds of suppression", self.seconds)

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Hide the sensitive cells and the cheapest company found for them."""
        # Where empty cells are sensitive, a hidden one is not known to hold anything.
        zeros = "hide" if bool((room[cells.values == 0] > 0).any()) else self.zeros
        needs = of_suppression(cells, room, zeros, self.cost)
        chosen = self._chosen(needs, watch)
        secondary = chosen.hidden & ~needs.sensitive
        return Protected(
            cells.values,
            chosen.hidden,
            needs.suppressed(chosen.hidden),
            needs.low,
            needs.high,
            needs.floor,
            private={
                "primary": int(needs.sensitive.sum()),
                "secondary": int(secondary.sum()),
                "optimal": chosen.proven,
                "at_least": chosen.least,
            },
        )

    def _chosen(self, needs: Needs, watch: Watch) -> Chosen:
        small = len(needs.cells) <= MOST_CELLS and len(needs.primary) <= MOST_SENSITIVE
        if self.search == "heuristic" or (self.search == "auto" and not small):
            return greedy(needs, watch)
        return exact(needs, watch, self.seconds)

    def remedy(self) -> str:
        """Return what to change."""
        return "tabulate by fewer or coarser columns"


PROTECTION = Suppression
MEANING = "sensitive cells are suppressed, and others with them, so none can be derived"
RANK = 1
LABELS = {
    "search": "Search (auto, exact or heuristic)",
    "zeros": "Empty cells (keep or hide)",
    "cost": "Cost to minimize (cells or values)",
    "seconds": "Limit of the exact search (seconds)",
}

"""Outcomes of searches that wipe cells."""

from typing import Any, Unpack

from incrowd.searches import CellsOutcome, Guarantee, NothingFound
from incrowd.searches._cells.options import Wiped
from incrowd.searches._cells.putting_back import matches
from incrowd.searches._cells.wiping import WipedPieces, Wiping
from incrowd.searches._layers.outcome import node_of
from incrowd.searches.outcomes import Progress, Shared


def outcome_of(
    search: str, wiping: Wiping, pieces: WipedPieces, wiped: Wiped, guarantee: Guarantee, **progress: Unpack[Progress]
) -> CellsOutcome | NothingFound:
    """Return the release as it stands; nothing if it suppresses more than it may."""
    lattice = wiping.lattice
    own = wiping.own_levels(pieces)
    own_pieces = (pieces.combination, pieces.counts) if pieces.splits else None
    node = node_of(lattice.problem, lattice.combinations, own, own_pieces)
    if wiped == Wiped.ANYTHING:
        node = node._replace(smallest=min(matches(wiping, pieces).tolist(), default=0))
    details = {**counted(wiping, pieces), **progress.get("details", {})}
    shared: Shared = {
        "search": search,
        "guarantee": guarantee,
        "counted": 1,
        "lattice": lattice.size,
        "stopped": "done",
        "gap": None,
        **progress,
        "details": details,
    }
    if not node.feasible:
        return NothingFound(nearest=node, **shared)
    labels = wiping.labels if wiped == Wiped.ANYTHING else ()
    return CellsOutcome(node=node, own_levels=own, pieces=own_pieces, wiped=labels, **shared)


def counted(wiping: Wiping, pieces: WipedPieces) -> dict[str, Any]:
    """Return how many cells are wiped, in all and by column."""
    by_column = wiping.wiped_by_column(pieces)
    return {"wiped": sum(by_column.values()), "wiped_by_column": by_column}

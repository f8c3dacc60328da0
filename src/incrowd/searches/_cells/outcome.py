"""What a search that wipes cells makes known."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from incrowd.searches import Guarantee, Outcome
from incrowd.searches._cells.asking import Wiped
from incrowd.searches._cells.putting_back import matches
from incrowd.searches._cells.wiping import Parts, Wiping
from incrowd.searches._layers.outcome import node_of


def outcome_of(
    search: str, wiping: Wiping, parts: Parts, wiped: Wiped, guarantee: Guarantee, **further: Any
) -> Outcome:
    """The release as it stands; where it leaves out more than it may, none. `further` are fields of the outcome."""
    lattice = wiping.lattice
    own = wiping.own_levels(parts)
    pieces = (parts.combination, parts.counts) if parts.splits else None
    node = node_of(lattice.problem, lattice.combinations, own, pieces)
    if wiped == Wiped.ANYTHING:
        node = node._replace(smallest=min(matches(wiping, parts).tolist(), default=0))
    details: Mapping[str, Any] = {**counted(wiping, parts), **further.pop("details", {})}
    found = Outcome(
        search=search,
        guarantee=guarantee,
        node=node if node.feasible else None,
        counted=1,
        lattice=lattice.size,
        stopped="done",
        gap=None,
        nearest=None if node.feasible else node,
        details=details,
        own_levels=own if node.feasible else None,
        pieces=pieces if node.feasible else None,
        wiped=wiping.labels if wiped == Wiped.ANYTHING else (),
    )
    return replace(found, **further)


def counted(wiping: Wiping, parts: Parts) -> dict[str, Any]:
    """How many cells are wiped, in all and by column."""
    by_column = wiping.wiped_by_column(parts)
    return {"wiped": sum(by_column.values()), "wiped_by_column": by_column}

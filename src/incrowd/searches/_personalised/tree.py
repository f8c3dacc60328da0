"""The hierarchy of a sensitive column as arrays: what values cover on every level, and which nodes are guarded."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import Ladder
from incrowd.core.histograms import Domain
from incrowd.core.table import Codes
from incrowd.models._nodes import Nodes
from incrowd.models.personal_breach import PersonalBreach
from incrowd.searches import Problem

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """Values x levels and values x levels x guards, by the codes of both columns."""

    losses: Numbers
    """Values x levels: the share of the domain that a cell spans, as for a quasi-identifier."""
    shares: Numbers
    """Values x levels x guards: how much of what the cell covers lies below the guard; nothing below code 0."""
    rank: Codes
    """Per value its place in an order that does not depend on who counted."""
    floors: Numbers
    """Per guard the share of all values that lies below it: no release can make a breach less likely."""
    covers: NDArray[np.bool_]
    """Values x guards: whether the value itself lies below the guard."""

    @classmethod
    def of(cls, problem: Problem, model: PersonalBreach) -> "Tree":
        """The tree of the guarded column, with the guards that the table has."""
        [name], [guard] = model.needs
        frequencies = problem.frequencies
        values, named = (frequencies.values[frequencies.names.index(each)] for each in (name, guard))
        ladder = problem.sensitive.get(name)
        nodes = model.nodes(Domain((name,), np.zeros(0, dtype=np.int64), values, ladder))
        guards = model.guards(nodes, Domain((guard,), np.zeros(0, dtype=np.int64), named))
        assert ladder is not None
        cells = np.stack([_spans(nodes, ladder, level) for level in range(ladder.height + 1)], axis=1)
        there = [at for at, span in enumerate(guards) if span is not None]
        shares = np.zeros((*cells.shape[:2], len(guards)))
        shares[:, :, there] = nodes.below(cells.reshape(-1, 2), [guards[at] for at in there]).reshape(
            *cells.shape[:2], len(there)
        )
        whole = max(1, nodes.leaves - 1)
        return cls(
            losses=(cells[:, :, 1] - cells[:, :, 0] - 1) / whole,
            shares=shares,
            rank=problem.sensitive_axes[name].rank,
            floors=shares[:, -1].max(axis=0, initial=0.0),
            covers=shares[:, 0] == 1.0,
        )


def _spans(nodes: Nodes, ladder: Ladder, level: int) -> NDArray[np.int64]:
    """Per code of the column the node above it on a level."""
    named = [nodes.spans[label] for label in ladder.labels(level)] if level else [nodes.spans[None]]
    of = np.array(named if level else [*named, *nodes.find(ladder.values)], dtype=np.int64)
    return of[ladder.up[level]]

"""The hierarchy of a sensitive column as arrays: what values cover on every level, and which nodes are guarded."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Domain
from incrowd.core.table import Codes
from incrowd.models.nodes import Nodes
from incrowd.models.personal_breach import PersonalBreach
from incrowd.searches import Problem

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tree:
    """Leaves side by side: every node covers those from one place to just before another. By the codes of columns."""

    cells: Places
    """Values x levels x 2: the leaves that a value's cell covers on a level."""
    guards: Places
    """Guards x 2: the leaves below a guard; none of a missing one."""
    leaves: int
    losses: Numbers
    """Values x levels: the share of the domain that a cell spans, as for a quasi-identifier."""
    rank: Codes
    """Per value its place in an order that does not depend on who counted."""

    @classmethod
    def of(cls, problem: Problem, model: PersonalBreach) -> "Tree":
        """Return the tree of the guarded column, with the guards that the table has."""
        [name], [guard] = model.needs
        frequencies = problem.frequencies
        values, named = (frequencies.values[frequencies.names.index(each)] for each in (name, guard))
        ladder = problem.sensitive.get(name)
        nodes = model.nodes(Domain((name,), np.zeros(0, dtype=np.int64), values, ladder))
        guards = model.guards(nodes, Domain((guard,), np.zeros(0, dtype=np.int64), named))
        assert ladder is not None
        return cls(
            cells=np.stack([_spans(nodes, ladder, level) for level in range(ladder.height + 1)], axis=1),
            guards=np.array([span or (0, 0) for span in guards], dtype=np.int64),
            leaves=nodes.leaves,
            losses=np.stack([ladder.spread(level) for level in range(ladder.height + 1)], axis=1),
            rank=problem.sensitive_axes[name].rank,
        )

    @property
    def floors(self) -> Numbers:
        """Per guard the share of all values that lies below it: no release can make a breach less likely."""
        found: Numbers = (self.guards[:, 1] - self.guards[:, 0]) / max(1, self.leaves)
        return found

    def below(self, cells: Places, guards: Places) -> Numbers:
        """Return the share of what cells cover that lies below guards; everything lies below the top. Arrays of
        spans."""
        common = np.minimum(cells[..., 1], guards[..., 1]) - np.maximum(cells[..., 0], guards[..., 0])
        shares: Numbers = np.maximum(common, 0) / (cells[..., 1] - cells[..., 0])
        return np.where(guards[..., 1] - guards[..., 0] == self.leaves, 1.0, shares)

    def counted(self, values: Codes, counts: Places, guards: Codes) -> Places:
        """Return per guard how many records have a value below it."""
        places = self.cells[values, 0, 0]
        order = np.argsort(places)
        before, sums = places[order], np.append(0, np.cumsum(counts[order]))
        first, last = self.guards[guards].T
        found: Places = sums[np.searchsorted(before, last)] - sums[np.searchsorted(before, first)]
        return np.where(last - first == self.leaves, sums[-1], found)


def _spans(nodes: Nodes, ladder: EncodedHierarchy, level: int) -> Places:
    """Return per code of the column the node above it on a level."""
    if level:
        of = [nodes.spans[label] for label in ladder.labels(level)]
    else:
        of = [nodes.spans[None], *(span or nodes.spans[None] for span in nodes.find(ladder.values))]
    return np.array(of, dtype=np.int64)[ladder.up[level]]

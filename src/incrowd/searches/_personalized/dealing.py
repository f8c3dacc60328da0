"""Which records of a group are the ones whose sensitive value goes up."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.groups import Groups
from incrowd.core.table import MISSING, Codes
from incrowd.models.personal_breach import PersonalBreach
from incrowd.searches import Problem
from incrowd.searches._personalized.generalizing import Counts, generalize
from incrowd.searches._personalized.tree import Tree

_SMALL = 16
"""Groups with up to so many values are often alike, and met again: what becomes of them is remembered."""


@dataclass(frozen=True, eq=False)
class Guarded:
    """A table whose records guard nodes."""

    problem: Problem
    model: PersonalBreach
    tree: Tree
    known: dict[tuple[bytes, bytes, bytes], Counts] = field(default_factory=dict)

    def plans(self, classes: Classes) -> Iterator[tuple[Codes, Counts]]:
        """Yield for each class its values, and how many records of each are published on each level."""
        values, guards = classes.histograms[self.model.columns], classes.histograms[self.model.guard,]
        # Whoever counted, and in whatever order: ties are decided by what values are.
        rank = self.problem.sensitive_axes[self.model.guard].rank
        for at in range(len(classes)):
            mine, theirs = (slice(each.starts[at], each.starts[at + 1]) for each in (values, guards))
            codes, named = values.values[mine], guards.values[theirs]
            order = np.argsort(self.tree.rank[codes])
            codes, counts = codes[order], values.counts[mine][order]
            named = named[np.argsort(rank[named])]
            yield codes, self._plan(codes, counts, named[named != MISSING])

    def _plan(self, codes: Codes, counts: Counts, guards: Codes) -> Counts:
        if len(codes) > _SMALL:
            return generalize(self.tree, codes, counts, guards, self.model.most)
        key = codes.tobytes(), counts.tobytes(), guards.tobytes()
        if key not in self.known:
            self.known[key] = generalize(self.tree, codes, counts, guards, self.model.most)
        return self.known[key]

    def codes(self, name: str) -> Codes:
        """Return the codes of a column, by combination."""
        frequencies = self.problem.frequencies
        found: Codes = frequencies.codes[frequencies.names.index(name)]
        return found


def generalized(guarded: Guarded, groups: Groups) -> Groups:
    """Return the groups with the level of each piece; equal records may be published on different levels.

    Of the records of a value those go up first, and highest, who guard it themselves, then those with another guard.
    """
    [name] = guarded.model.columns
    order = _in_turn(guarded, groups)
    counts, levels = _levels(guarded, groups)
    ends, level_ends = np.cumsum(groups.counts[order]), np.cumsum(counts)
    cuts = np.union1d(ends, level_ends)
    pieces, at = order[np.searchsorted(ends, cuts)], np.searchsorted(level_ends, cuts)
    out = np.flatnonzero(~groups.kept)
    combination, group, level, count = (
        np.concatenate(both)
        for both in (
            (groups.combination[pieces], groups.combination[out]),
            (groups.group[pieces], groups.group[out]),
            (levels[at], np.zeros(len(out), dtype=np.int32)),
            (np.diff(cuts, prepend=0), groups.counts[out]),
        )
    )
    sort = np.lexsort((level, group, combination))
    return replace(
        groups,
        combination=combination[sort],
        counts=count[sort],
        group=group[sort],
        levels={name: level[sort]},
    )


def _in_turn(guarded: Guarded, groups: Groups) -> NDArray[np.int64]:
    """Return the pieces that are published, group by group and value by value, those first that are to go up first."""
    problem, model, tree = guarded.problem, guarded.model, guarded.tree
    axes = {axis.name: axis for axis in problem.axes} | dict(problem.sensitive_axes)
    frequencies = problem.frequencies
    ranks = [axes[name].rank[codes] for name, codes in zip(frequencies.names, frequencies.codes, strict=True)]
    value, guard = (guarded.codes(name)[groups.combination] for name in (model.columns[0], model.guard))
    theirs = tree.below(tree.cells[value, 0], tree.guards[guard]) == 1.0
    asks = np.where(guard == MISSING, 2, np.where(theirs, 0, 1))
    keys = [*(each[groups.combination] for each in ranks[::-1]), asks, tree.rank[value], groups.group]
    order = np.lexsort(keys)
    return order[groups.kept[order]]


def _levels(guarded: Guarded, groups: Groups) -> tuple[Counts, Codes]:
    """Return how many records in a row have each level, in the same order, the highest levels of a value first."""
    found = [np.zeros(0, dtype=np.int64)]
    for _, plan in guarded.plans(groups.classes(guarded.model.needs, guarded.problem.sensitive)):
        found.append(plan[:, ::-1].reshape(-1))
    counts = np.concatenate(found)
    width = guarded.tree.cells.shape[1]
    levels = (width - 1 - np.arange(len(counts)) % width).astype(np.int32)
    return counts[counts > 0], levels[counts > 0]

"""From parts to an outcome: each column's parts become a hierarchy, and the release a node of its lattice."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from incrowd.recodings.by_parts import ladder_of_parts, level_of
from incrowd.searches import Guarantee, NothingFound, PartsOutcome
from incrowd.searches._parts.costs import Cost
from incrowd.searches._parts.table import Partition, PartTable
from incrowd.searches.lattice import Lattice


def refined(table: PartTable, partition: Partition, cost: Cost) -> Iterator[Partition]:
    """Yield every partition on the way to more intervals that cost no more: detail is not lost for nothing."""
    best = table.judged(partition, cost)
    for column, part in enumerate(partition):
        for at in np.flatnonzero(np.diff(part) == 0) + 1:
            finer = np.where(np.arange(len(part)) >= at, partition[column] + 1, partition[column])
            other = (*partition[:column], finer, *partition[column + 1 :])
            found = table.judged(other, cost)
            if found.feasible and found.cost <= best.cost:
                best, partition = found, other
            yield partition


class Walked(NamedTuple):
    """How a search went."""

    search: str
    guarantee: Guarantee
    stopped: str
    gap: float | None
    """In units of the cost."""
    counted: int
    details: Mapping[str, Any] = MappingProxyType({})


def found_outcome(
    walked: Walked, table: PartTable, partition: Partition | None, cost: Cost | None
) -> PartsOutcome | NothingFound:
    """Return the release with these parts, scored by a cost or else by the metric of the job; none if there are
    none."""
    problem = table.problem
    if partition is None:
        return NothingFound(
            search=walked.search,
            guarantee=walked.guarantee,
            counted=walked.counted,
            lattice=0,
            stopped=walked.stopped,
            gap=None,
            details={**walked.details, "would_suppress": table.judged(table.coarsest).suppressed},
        )
    ladders = tuple(
        ladder_of_parts(axis, form, codes, part)
        for axis, form, codes, part in zip(problem.axes, problem.forms, table.codes, partition, strict=True)
    )
    lattice = Lattice(replace(problem, ladders=ladders, axes=(), forms=()))
    node = lattice.count(tuple(level_of(part) for part in partition))
    if cost is not None:
        node = node._replace(score=table.judged(partition, cost).cost * cost.unit)
    parts = {axis.name: len(np.unique(part)) for axis, part in zip(problem.axes, partition, strict=True)}
    return PartsOutcome(
        search=walked.search,
        guarantee=walked.guarantee,
        node=node,
        counted=walked.counted,
        lattice=0,
        stopped=walked.stopped,
        gap=None if walked.gap is None or cost is None else walked.gap * cost.unit,
        details={"parts": parts, **walked.details},
        found_on=lattice.settled(),
        scored_by=None if cost is None else cost.name,
    )

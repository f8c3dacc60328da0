"""The neighbors of a node: one level more or less in one column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import prepare
from incrowd.anonymization.run import Inputs
from incrowd.core.brief import Brief
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.schema import Role
from incrowd.core.table import MISSING
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS
from incrowd.metrics import Levels
from incrowd.models.of_people import OfPeople, people_in
from incrowd.results import Result, flat
from incrowd.searches import AxisSearch, Node
from incrowd.searches.lattice import Lattice, lattice_of
from incrowd.text import count, table
from incrowd.watch import Watch, all_or_nothing

if TYPE_CHECKING:
    from incrowd.charts import Chart

_STEPS = {"chosen": "chosen", "below": "more detail", "above": "less detail"}


@dataclass(frozen=True)
class Neighbor:
    """The chosen node of the lattice, or one that differs from it by one level in one column."""

    levels: dict[str, int]
    step: str
    """above, below or chosen."""
    column: str | None
    """The column in which it differs."""
    node: Node
    metric: str
    """The metric of the score."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the score is None if the models or limits are not satisfied."""
        return {
            "levels": self.levels,
            "step": self.step,
            "column": self.column,
            "feasible": self.node.feasible,
            "suppressed": self.node.suppressed,
            "smallest": self.node.smallest,
            "classes": self.node.classes,
            "score": self.node.score if isfinite(self.node.score) else None,
        }


Neighbour = Neighbor
"""The name before 0.2, kept for those who import it."""


@dataclass(frozen=True, repr=False)
class SampleRow(Brief):
    """A record before and as the chosen node publishes it; all with equal values are published alike."""

    original: dict[str, str | None]
    published: dict[str, str | None]
    records: int
    """The records of its class."""
    suppressed: bool


class Neighbors(Result, list[Neighbor]):
    """The chosen node of the lattice, and those around it."""

    sample: tuple[SampleRow, ...] | None = None
    """The first records that differ, if some are asked for."""

    def __repr__(self) -> str:
        return f"<Neighbors: {count(len(self), 'node')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: the metric, and every node."""
        sample = {} if self.sample is None else {"sample": [asdict(each) for each in self.sample]}
        return {"metric": self[0].metric, "nodes": [each.to_dict() for each in self], **sample}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for every node, with a column for each level."""
        return [flat(each.to_dict()) for each in self]

    def parts(self) -> list[str]:
        """Return a table with a line for every node, and the first records if some are asked for."""
        return [*self.look(), *([] if self.sample is None else [_sample_table(self.sample)])]

    def look(self) -> list[str]:
        """Return the nodes alone: they show no value of a record."""
        rows = [
            (
                _STEPS[each.step],
                each.column,
                _spelled(each.levels),
                each.node.suppressed,
                each.node.smallest,
                _score(each),
            )
            for each in self
        ]
        return [table(("release", "column", "levels", "suppressed", "smallest class", self[0].metric), rows)]

    def plot(self) -> Chart:
        """Return a picture of the score of each node that is feasible; lower is better."""
        from incrowd.charts import bars

        feasible = [each for each in self if each.node.feasible]
        return bars([(_spelled(each.levels), each.node.score) for each in feasible], self[0].metric)


def _spelled(levels: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={level}" for name, level in levels.items())


def _score(neighbor: Neighbor) -> float | str:
    return neighbor.node.score if neighbor.node.feasible else "infeasible"


def _sample_table(sample: tuple[SampleRow, ...]) -> str:
    rows = [
        (
            *(each.original[name] for name in each.original),
            *each.published.values(),
            "yes" if each.suppressed else "no",
            each.records,
        )
        for each in sample
    ]
    names = list(sample[0].original) if sample else []
    return table((*names, *(f"{name} published" for name in names), "suppressed", "class"), rows)


def neighbors(inputs: Inputs, job: Job, levels: Mapping[str, int], watch: Watch, rows: int = 0) -> Neighbors:
    """Count and score the node at these levels, and those one level up or down in one column.

    With `rows`, show so many records before and as the node publishes them.
    """
    if isinstance(job.search, AxisSearch):
        raise UsageError.invalid(
            "neighbors of a release", "its search does not choose a level per column", "use a search such as optimal"
        )
    with all_or_nothing("the neighbors were being counted"):
        return _counted(inputs, job, levels, watch, rows)


def _counted(inputs: Inputs, job: Job, levels: Mapping[str, int], watch: Watch, rows: int) -> Neighbors:
    names = job.having(Role.QUASI)
    lattice = lattice_of(prepare(Preparation(inputs.source, inputs.population), job, {}, watch).problem)
    metric = METRICS.spell(job.metric)
    _refuse(levels, names, lattice)
    chosen = tuple(levels[name] for name in names)
    around = [("chosen", chosen), *(("below", each) for each in lattice.below(chosen))]
    around += (("above", each) for each in lattice.above(chosen))
    found = Neighbors()
    for step, at in around:
        watch.tick(f"{len(found)} of {len(around)} nodes counted", len(found) / len(around))
        differs = _differing(names, chosen, at)
        node = in_people(lattice, lattice.count(at))
        found.append(Neighbor(dict(zip(names, at, strict=True)), step, differs, node, metric))
    if rows:
        found.sample = _sample(lattice, chosen, rows)
    return found


def _sample(lattice: Lattice, levels: Levels, rows: int) -> tuple[SampleRow, ...]:
    """Return the first combinations of the quasi-identifiers, before and at these levels."""
    of, holds = lattice.classes_of(levels)
    decided = lattice.decided
    sizes = np.bincount(of, decided.counts, len(holds)).astype(np.int64)
    found = []
    for at in np.flatnonzero(decided.counts > 0)[:rows].tolist():
        original, published = dict[str, str | None](), dict[str, str | None]()
        for ladder, level, codes in zip(lattice.problem.ladders, levels, decided.codes, strict=False):
            code = int(codes[at])
            value = None if code == MISSING else text_forms(plain(ladder.values.slice(code - 1, 1))[0])[0]
            original[ladder.name] = value
            published[ladder.name] = ladder.labels(level)[int(ladder.up[level][code])] if level else value
        found.append(SampleRow(original, published, int(sizes[of[at]]), not bool(holds[of[at]])))
    return tuple(found)


def in_people(lattice: Lattice, node: Node) -> Node:
    """Return the node with the people of its smallest class, if the model counts people."""
    problem = lattice.problem
    if not isinstance(problem.model, OfPeople):
        return node
    of, holds = lattice.classes_of(node.levels)
    numbers = of[problem.frequencies.classes(lattice.decided.names).of]
    grouped = problem.frequencies.grouped(numbers, len(holds), [problem.model.person], {})
    kept = people_in(grouped.histograms[problem.model.person])[holds]
    return node._replace(smallest=int(kept.min()) if len(kept) else 0)


def _refuse(levels: Mapping[str, int], names: tuple[str, ...], lattice: Lattice) -> None:
    """Refuse levels that are not a node of the lattice."""
    inside = set(levels) == set(names) and all(
        0 <= levels[name] <= highest for name, highest in zip(names, lattice.top, strict=True)
    )
    if not inside:
        raise UsageError.invalid(
            "the levels",
            "they are not a node of the lattice",
            "give those of a release with one level per column (--uniform)",
        )


def _differing(names: tuple[str, ...], chosen: Levels, at: Levels) -> str | None:
    return next((name for name, here, there in zip(names, chosen, at, strict=True) if here != there), None)

"""One method on one table: the groups it forms, measured as the thesis measures them."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from data import Table
from numpy.typing import NDArray

from incrowd.anonymization.axes import axes_of
from incrowd.core.groups import Groups
from incrowd.jobs import Job
from incrowd.metrics.loss import Loss
from incrowd.models import parse
from incrowd.models._all import All
from incrowd.searches import Problem
from incrowd.searches._tradeoff.clusters import Clusters, alike
from incrowd.searches._tradeoff.records import Records
from incrowd.watch import Watch

METHODS: dict[str, Any] = {
    "Mondrian": "mondrian",
    "K-Members": {"k_members": {"block": None, "refine": 0}},
    "K-Members-p": {"k_members": {"objective": "protection", "block": None}},
    "MRG": {"tradeoff": {"clusters": "seeded"}},
    "MRG, no subspaces": {"tradeoff": {"s": 1 << 30}},
    "tradeoff": "tradeoff",
    "tradeoff, w_p = 0.1": {"tradeoff": {"protection": 0.1}},
}
"""MRG is the thesis' own method; `tradeoff` is what Incrowd does when nothing else is asked."""


@dataclass(frozen=True)
class Measured:
    """Groups of a table, those with equal cells being one, and what they cost."""

    spans: NDArray[np.float64]
    """Per group the mean Q-diversity of the quasi-identifiers."""
    lacks: NDArray[np.float64]
    """Per group the mean S-diversity of the sensitive columns."""
    sizes: NDArray[np.int64]
    unprotected: float | None
    """The share of the published records in groups that fail range_diversity; None where none was asked about."""
    records: int
    cpu: float

    @property
    def figures(self) -> dict[str, float]:
        """As the thesis names them."""
        out = self.records - int(self.sizes.sum())
        if not len(self.sizes):
            return {"suppressed": 1.0, "cpu": self.cpu}
        told = {
            "UM": float(self.spans.mean()),
            "MPM": float(self.lacks.mean()),
            "DM": float((self.sizes.astype(float) ** 2).sum() + out * self.records),
            "WGU": float(self.spans.max()),
            "groups": len(self.sizes),
            "unprotected": self.unprotected,
            "suppressed": out / self.records,
            "cpu": self.cpu,
        }
        return {name: value for name, value in told.items() if value is not None}


def measured(table: Table, k: int, search: Any, safe: str | None = None, judge: str | None = None) -> Measured:
    """The groups that a search forms; `safe` is a range_diversity that it must meet, `judge` one that is only looked
    at."""
    frequencies, quasi = table
    columns = {name: {"role": "quasi" if name in quasi else "sensitive"} for name in frequencies.names}
    models = [f"k_anonymity:k={k}", *([] if safe is None else safe.split("&"))]
    job = Job.from_dict({"columns": columns, "models": models, "search": search})
    axes, _, sensitive = axes_of(job, frequencies)
    budget = frequencies.records
    problem = Problem(frequencies, (), All(job.models), Loss(), budget, axes=axes, sensitive_axes=sensitive)
    begun = time.process_time()
    with Watch() as watch:
        outcome = job.search.run(problem, watch)
    cpu = time.process_time() - begun
    if outcome.groups is None:
        nothing = np.zeros(0)
        return Measured(nothing, nothing, nothing.astype(np.int64), None, frequencies.records, cpu)
    groups = _classes(problem, outcome.groups)
    published, group = groups.published, groups.group[groups.kept].astype(np.int32)
    sizes = np.bincount(group, weights=published.counts, minlength=groups.n).astype(np.int64)

    def mean(axes: Any) -> NDArray[np.float64]:
        codes = [published.codes[published.names.index(axis.name)] for axis in axes]
        each = [axis.cells(own, group, groups.n).spread for axis, own in zip(axes, codes, strict=True)]
        return np.mean(each, axis=0) if each else np.zeros(groups.n)

    failing = np.zeros(groups.n, dtype=np.bool_)
    for model in [] if judge is None else [parse(text) for text in judge.split("&")]:
        failing |= ~model.holds(groups.classes(model.needs, {}))
    unprotected = None if judge is None else float(sizes[failing].sum() / max(1, sizes.sum()))
    spread = mean(problem.axes)
    return Measured(spread, 1 - mean(sensitive.values()), sizes, unprotected, frequencies.records, cpu)


def _classes(problem: Problem, groups: Groups) -> Groups:
    """Groups that publish the same cells as one: to a reader they are one class."""
    records = Records.of(problem)
    position = np.empty(len(records.order), dtype=np.int64)
    position[records.order] = np.arange(len(records.order))
    clusters = Clusters(position[groups.combination], groups.counts, groups.group.astype(np.int64))
    return clusters.renumbered(alike(records, clusters)).groups(records)

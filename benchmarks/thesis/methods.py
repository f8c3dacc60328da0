"""One method on one table: the classes that it publishes, measured as the thesis measures them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from data import Table
from numpy.typing import NDArray

import incrowd
from incrowd.anonymization.axes import axes_of
from incrowd.comparison.columns import columns_of
from incrowd.comparison.tables import Original
from incrowd.core.axes import Axis
from incrowd.core.groups import Groups
from incrowd.core.histograms import Histogram
from incrowd.metrics.loss import Loss
from incrowd.models import parse
from incrowd.models.conjunction import All
from incrowd.models.range_diversity import TOLERANCE
from incrowd.release_metrics.released import Released
from incrowd.searches import LocalOutcome, Problem
from incrowd.watch import Watch

METHODS: dict[str, Any] = {
    "Mondrian": "mondrian",
    "K-Members": {"k_members": {"block": None, "refine": 0}},
    "K-Members-p": {"k_members": {"objective": "protection", "block": None}},
    "MRG": {"tradeoff": {"clusters": "seeded"}},
    "MRG, w_p = 0": {"tradeoff": {"clusters": "seeded", "protection": 0.0}},
    "MRG, no subspaces": {"tradeoff": {"s": 1 << 30}},
    "tradeoff": "tradeoff",
    "tradeoff, w_p = 0.1": {"tradeoff": {"protection": 0.1}},
}
"""MRG is the thesis' own method; `tradeoff` is what Incrowd does when nothing else is asked."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """A release, records with equal cells being one class, and what it costs."""

    released: Released
    """Over the columns of the table; sensitive values as they were."""
    lacks: Numbers
    """Per class the mean S-diversity of the sensitive columns."""
    disclosed: Numbers | None
    """Per class the Range Diversity, of several columns the largest; None where none was asked about."""
    limit: float
    """What the Range Diversity should not exceed."""
    details: Mapping[str, Any]
    cpu: float
    sizes_judged: Numbers | None = None
    """Records of each class that Range Diversity was computed of, where those are other classes."""
    formed: "Formed | None" = None
    """The groups as a local search formed them; some may publish the same cells."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Records per class."""
        return self.released.sizes

    @property
    def spans(self) -> Numbers:
        """Per class the mean Q-diversity of the quasi-identifiers."""
        return self.released.spread

    @property
    def _judged_sizes(self) -> NDArray[Any]:
        return self.sizes if self.sizes_judged is None else self.sizes_judged

    @property
    def figures(self) -> dict[str, float]:
        """As the thesis names them."""
        out, records = self.released.suppressed, self.released.records
        if not self.released.classes:
            return {"suppressed": 1.0, "cpu": self.cpu}
        told = {
            "UM": float(self.spans.mean()),
            "MPM": float(self.lacks.mean()),
            "DM": float((self.sizes.astype(float) ** 2).sum() + out * records),
            "WGU": float(self.spans.max()),
            "groups": self.released.classes,
            "suppressed": out / records,
            "cpu": self.cpu,
        }
        if self.disclosed is not None:
            told["WGP"] = float(self.disclosed.max())
            sizes = self._judged_sizes
            told["unprotected"] = float(sizes[self.disclosed > self.limit + TOLERANCE].sum() / sizes.sum())
        return told

    def by_record(self, quantiles: int = 20) -> list[float]:
        """The Range Diversity of the class of each published record, from the largest down, at equal steps."""
        assert self.disclosed is not None
        order = np.argsort(-self.disclosed, kind="stable")
        passed = np.cumsum(self._judged_sizes[order])
        at = np.linspace(1, passed[-1], quantiles + 1)
        return [float(self.disclosed[order[np.searchsorted(passed, each)]]) for each in at]


@dataclass(frozen=True, eq=False)
class Formed:
    """Groups as they were formed, those with equal cells not being joined."""

    groups: Groups
    axes: tuple[Axis, ...]
    sensitive: Mapping[str, Axis]

    def spread(self, axis: Axis) -> Numbers:
        """Per group the share of a column's domain that it spans."""
        published = self.groups.published
        codes = published.codes[published.names.index(axis.name)]
        return axis.cells(codes, self.groups.group[self.groups.kept], self.groups.n).spread

    @property
    def figures(self) -> dict[str, float]:
        """UM, MPM and DM."""
        group, counts = self.groups.group[self.groups.kept], self.groups.counts[self.groups.kept]
        sizes = np.bincount(group, weights=counts, minlength=self.groups.n)
        return {
            "UM": float(np.mean([self.spread(axis) for axis in self.axes])),
            "MPM": float(1 - np.mean([self.spread(axis) for axis in self.sensitive.values()])),
            "DM": float((sizes**2).sum()),
            "groups": self.groups.n,
        }


def measured(
    table: Table, k: int, search: Any, safe: str | None = None, judge: str | None = None, **more: Any
) -> Measured:
    """The groups that a local search forms; `safe` are models that it must meet, `judge` is a range_diversity that is
    only looked at; several are joined by &."""
    job = table.job([f"k_anonymity:k={k}", *(safe.split("&") if safe else ())], search, **more)
    axes, _, sensitive = axes_of(job, table.frequencies)
    ladders = {name: axis.ladder for name, axis in sensitive.items() if axis.ladder is not None}
    problem = Problem(
        table.frequencies,
        (),
        All(job.models),
        Loss(),
        table.frequencies.records,
        sensitive=ladders,
        seed=job.seed,
        axes=axes,
        sensitive_axes=sensitive,
    )
    begun = time.process_time()
    with Watch() as watch:
        outcome = job.search.run(problem, watch)
    cpu = time.process_time() - begun
    groups = outcome.groups if isinstance(outcome, LocalOutcome) else _nothing(table)
    released = Released.of_groups(groups, axes, sensitive, k)
    found = _judged(released, judge, dict(outcome.details), cpu)
    return replace(found, formed=Formed(groups, axes, sensitive))


def published(table: Table, job_of: Mapping[str, Any], judge: str) -> Measured:
    """The release of any search, read cell by cell."""
    begun = time.process_time()
    made = incrowd.anonymize(table.rows(), table.job(**job_of))
    cpu = time.process_time() - begun
    counted = incrowd.read(made.frame).count(table.frequencies.names, Watch())
    released = original_of(table, job_of.get("hierarchies")).released("release", counted, {}, None)
    return _judged(released, judge, dict(made.details), cpu)


def of_release(released: Released, judge: str, groups: Groups, cpu: float) -> Measured:
    """A release whose sensitive cells are generalized; the groups, by original values, tell what it discloses."""
    model: Any = parse(judge)
    histogram = model.histogram(groups.classes(model.needs, {}))
    disclosed = model.contributions(histogram.domain).range_diversity(histogram)
    sizes = np.bincount(groups.group[groups.kept], weights=groups.counts[groups.kept], minlength=groups.n)
    return Measured(released, np.ones(released.classes), disclosed, model.p, {}, cpu, sizes_judged=sizes)


def original_of(table: Table, hierarchies: Mapping[str, Any] | None = None) -> Original:
    """The table beside which a release is read."""
    columns = table.job(["k_anonymity:k=2"], "optimal", hierarchies).columns
    told = {name: {"role": str(of.role), "hierarchy": of.hierarchy} for name, of in columns.items()}
    return Original.of(table.frequencies, columns_of(told))


def range_diversities(released: Released, judge: str) -> tuple[Numbers, float]:
    """Per class the largest Range Diversity of the judged columns, and the limit."""
    models: list[Any] = [parse(text) for text in judge.split("&")]
    rows = []
    for model in models:
        histogram: Histogram | None = released.histogram(model.columns[0])
        assert histogram is not None
        rows.append(model.contributions(histogram.domain).range_diversity(histogram))
    return np.max(rows, axis=0), models[0].p


def _judged(released: Released, judge: str | None, details: dict[str, Any], cpu: float) -> Measured:
    disclosed, limit = range_diversities(released, judge) if judge and released.classes else (None, 1.0)
    return Measured(released, _lacks(released), disclosed, limit, details, cpu)


def _lacks(released: Released) -> Numbers:
    """Mean S-diversity per class."""
    each = [released.spanned(name) for name in released.sensitive]
    spread = [cells.spread for cells in each if cells is not None]
    return 1 - np.mean(spread, axis=0) if spread else np.ones(released.classes)


def _nothing(table: Table) -> Groups:
    """All records suppressed."""
    given = table.frequencies
    return Groups.of_combinations(given, np.full(given.combinations, -1, dtype=np.int32))

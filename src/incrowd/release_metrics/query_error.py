"""Query error (ARE): how far off the answers of queries that count records are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from incrowd.errors import UsageError
from incrowd.release_metrics.contract import ANY, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import ReferenceRelease, Value
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Numbers
from incrowd.release_metrics.workload import Workload

TYPES = {"type 1": 3, "type 2": 5}
"""The two kinds of random queries (Loukides 4.5.2), by how many columns have a condition."""
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True)
class QueryError:
    """Mean over queries of |actual - estimated| / actual; of own queries, else of random ones of type 1.

    The values that a cell covers are assumed equally likely, whole numbers one by one. A suppressed record is not in
    any answer, and a query that matches no original record does not count.
    """

    size: int = 1000
    """The number of random queries of each type."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = ANY
    meaning: ClassVar[str] = "mean relative error of queries that count records (ARE)"

    def __post_init__(self) -> None:
        if self.size < 1:
            raise UsageError(f"size is {self.size!r}; it must be a number of queries, 1 or more")

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and the distribution of errors of each type of query."""
        workloads = released.workloads or self.workloads(released)
        parts: dict[str, Any] = {}
        for name, workload in workloads.items():
            if len(workload):
                errors = workload.errors(workload.estimated(released.columns, released.cells, released.counts))
                parts[name] = {"queries": len(errors), "mean": float(errors.mean()), **_quantiles(errors)}
        if not parts:
            return nothing("no query matches a record of the original table")
        return Reading(next(iter(parts.values()))["mean"], parts)

    def workloads(self, released: Released) -> dict[str, Workload]:
        """Return random queries of both types; of the second only if there are enough columns."""
        scales = [covers.scale for covers in released.columns]
        return {
            name: Workload.at_random(released.original, scales, columns, self.size, released.seed)
            for name, columns in TYPES.items()
            if name == "type 1" or len(scales) > TYPES["type 1"]
        }

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition (Loukides 4.5.2), query by query and record by record, for the given queries."""
        errors = []
        for query in page.queries:
            actual = sum(all(record[at] in wanted for at, wanted in query.items()) for record in page.original)
            if actual:
                estimated = 0.0
                for group in page.classes:
                    for others in group.others:
                        cells = [*group.cells, *(frozenset([value]) for value in others)]
                        estimated += _probability(cells, query, page)
                errors.append(abs(actual - estimated) / actual)
        return sum(errors) / len(errors) if errors else None


def _quantiles(errors: Numbers) -> dict[str, float]:
    return {f"{round(100 * at)} %": float(np.quantile(errors, at)) for at in QUANTILES}


def _probability(cells: list[frozenset[Value]], query: Mapping[int, frozenset[Value]], page: ReferenceRelease) -> float:
    """Return the probability that a published record matches a query."""
    probability = 1.0
    for at, wanted in query.items():
        base = set(page.bases[at].values)
        covered = (cells[at] & base) or cells[at]
        probability *= len((covered & wanted) - {None}) / len(covered)
    return probability


RELEASE_METRIC = QueryError

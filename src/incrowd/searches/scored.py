"""Scored: PrivacyFrost2 (Kiyomoto, Miyake 2014). Step by step to a table with detail where it matters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.grid import Point
from incrowd.core.kernels import total
from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.metrics import Columns, Generalized, Levels, Score
from incrowd.models.class_size import smallest_class_size
from incrowd.parameters import whole_number
from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.scores import named
from incrowd.searches import (
    CellsOutcome,
    CellsSearch,
    Conceding,
    Guarantee,
    LevelsOutcome,
    Node,
    NothingFound,
    Problem,
    Served,
)
from incrowd.searches._scored.partial import Partial
from incrowd.searches._scored.presampling import isolated, thresholds
from incrowd.searches._scored.steps import improving
from incrowd.searches._scored.tables import Tables
from incrowd.searches.lattice import Lattice
from incrowd.searches.outcomes import Shared
from incrowd.watch import Stopped, Watch

_HIGHEST_SAMPLE_K = 100
"""So far pre-sampling is tried where no table is found."""


@dataclass(frozen=True)
class Scored(CellsSearch):
    """The best-scored table that PrivacyFrost2 reaches: no promise that none scores more.

    Columns of high priority keep detail first. Nothing is suppressed but what pre-sampling drops: every class of the
    others must satisfy the model, so what may be suppressed beyond that is left unused.
    """

    score: str | Mapping[str, Any] = "basic"
    """Basic, logarithm, {eta: {d: 4}}, or a score that another package adds."""
    p: int = 0
    """How many records beyond k each value of a single column has in the table that the search begins with."""
    sample_k: int = 1
    """Pre-sampling drops records whose class on the sample levels has fewer records; 1 drops nothing."""
    sample_levels: Mapping[str, int] = field(default_factory=dict)
    """By column the level on which pre-sampling looks at it; 0 if none is given."""
    partial: bool = False
    """In the end single classes get back what detail they can have (partial-domain generalization)."""

    points: ClassVar[Served] = {
        Point.AG_TS: {"partial": False},
        Point.AG: {"partial": False, "sample_k": 1},
        Point.AS: {"partial": False, "sample_k": 1},
        Point.CG: {"partial": True, "sample_k": 1},
    }

    def __post_init__(self) -> None:
        named(self.score)
        whole_number("p of scored", self.p, 0)
        whole_number("sample_k of scored", self.sample_k, 1)
        if not isinstance(self.sample_levels, Mapping):
            raise UsageError.not_one_of("sample_levels of scored", self.sample_levels, ["columns with their levels"])
        if not isinstance(self.partial, bool):
            raise UsageError.not_one_of("partial of scored", self.partial, ["true", "false"])

    @property
    def drops_records(self) -> bool:
        """Whether pre-sampling leaves records out."""
        return self.sample_k > 1

    def finds(self, problem: Problem, watch: Watch) -> bool:
        """Return whether the steps lead to a table with records."""
        try:
            found = replace(self, partial=False).run(problem, watch)
            return not isinstance(found, NothingFound) and found.node.classes > 0
        except UsageError:
            # Pre-sampling would drop more records than may be suppressed.
            return False

    def concessions(self, problem: Problem) -> Iterator[tuple[str, float, Conceding]]:
        """Yield higher values of sample_k, up to the k of the models, and lower values of p."""
        for k in range(self.sample_k + 1, min(smallest_class_size(problem.model), _HIGHEST_SAMPLE_K) + 1):
            yield "sample_k of scored", k, replace(self, sample_k=k)
        for p in range(self.p - 1, -1, -1):
            yield "p of scored", p, replace(self, p=p)

    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | LevelsOutcome | NothingFound:
        """Return the best-scored table that the steps lead to; if stopped, the best one so far."""
        name, score = named(self.score)
        self._refuse(problem)
        dropped = self._dropped(problem)
        lattice = Lattice(replace(problem, budget=0), dropped)
        tables = Tables(lattice, score, watch)
        path: list[Levels] = []
        partial: Partial | None = None
        stopped = "done"
        try:
            for levels in improving(tables, smallest_class_size(problem.model) + self.p):
                path.append(levels)
            if path and self.partial:
                partial = Partial(tables, path[-1], watch)
                partial.run()
        except Stopped as stop:
            stopped = stop.reason
        shared: Shared = {
            "search": "scored",
            "guarantee": Guarantee.HEURISTIC,
            "counted": lattice.counted,
            "lattice": lattice.size,
            "stopped": stopped,
            "gap": None,
            "details": {
                "score": name,
                "initial": list(path[0]) if path else None,
                "full_domain": tables.score(path[-1]) if path else None,
                "partial_domain": partial.score if partial else None,
                "tables_checked": len(tables.checked),
                "skipped": tables.skipped,
                "dropped": 0 if dropped is None else int(lattice.combinations.counts[dropped].sum()),
                "suppressed_by": "pre-sampling alone",
            },
        }
        if not path:
            nearest = min(tables.checked.values(), key=lambda node: node.suppressed, default=None)
            return NothingFound(nearest=nearest and _with_dropped(lattice, nearest, dropped), **shared)
        node = _with_dropped(lattice, tables.checked[path[-1]], dropped)
        if not self.partial and dropped is None:
            return LevelsOutcome(node=node, **shared)
        return CellsOutcome(node=node, own_levels=_own_levels(lattice, path[-1], partial), **shared)

    def _refuse(self, problem: Problem) -> None:
        if self.partial and problem.nulls in WILDCARDS:
            raise UsageError.invalid(
                "partial of scored",
                f"with nulls={problem.nulls} records are judged by what they match, not by classes",
                "choose nulls=extended, or omit partial",
            )
        if problem.population is not None and (self.partial or self.sample_k > 1):
            raise UsageError.invalid(
                "scored",
                "neither pre-sampling nor partial is defined if classes are compared with a population",
                "omit sample_k and partial, or choose another model",
            )

    def _dropped(self, problem: Problem) -> NDArray[np.bool_] | None:
        """Return the combinations that pre-sampling drops; None if it drops nothing."""
        levels = thresholds(problem.ladders, self.sample_levels)
        combinations = problem.frequencies.project(problem.quasi)
        dropped = isolated(combinations, problem.ladders, self.sample_k, levels)
        records = int(combinations.counts[dropped].sum())
        if records > problem.budget:
            raise UsageError.invalid(
                "pre-sampling of scored",
                f"it drops {records} of {combinations.records} records and only {problem.budget} may be suppressed",
                "lower sample_k, raise sample_levels, or raise the suppression limit",
            )
        return dropped if records else None


SEARCH = Scored


def _with_dropped(lattice: Lattice, node: Node, dropped: NDArray[np.bool_] | None) -> Node:
    """Return the node with the dropped records among the suppressed ones, in its score too."""
    if dropped is None:
        return node
    of, holds = lattice.classes_of(node.levels)
    origins = np.empty(len(holds), dtype=np.int64)
    origins[of] = lattice.ground.origins
    gone = np.flatnonzero(dropped)
    counts = lattice.combinations.counts[gone]
    everything = Generalized(
        node.levels,
        np.concatenate([total(of, len(holds), lattice.ground.counts), counts]),
        np.concatenate([holds, np.zeros(len(gone), dtype=np.bool_)]),
        np.concatenate([origins, gone]),
    )
    return node._replace(
        suppressed=node.suppressed + int(counts.sum()),
        score=_metric(lattice).score(everything) if node.feasible else node.score,
        penalty=0.0,
    )


def _metric(lattice: Lattice) -> Score:
    """Return the metric with the dropped records."""
    problem = lattice.problem
    weights = problem.priorities or (1.0,) * len(problem.ladders)
    return problem.metric.prepare(Columns(lattice.combinations, problem.ladders, weights))


def _own_levels(lattice: Lattice, levels: Levels, partial: Partial | None) -> NDArray[np.int16]:
    """Return columns x combinations: the level of every cell."""
    own = np.full((len(levels), lattice.combinations.combinations), SUPPRESSED, dtype=np.int16)
    own[:, lattice.ground.origins] = np.array(levels)[:, None] if partial is None else partial.levels()
    return own


MEANING = "generalizes step by step by a score that is set under Expert settings"
RANK = 17

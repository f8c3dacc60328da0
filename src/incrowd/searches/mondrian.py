"""Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): the table is cut in two, and each part again, while both can stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.groups import Groups
from incrowd.core.kernels import Cutter
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Guarantee, Outcome, Problem
from incrowd.searches._cuts import Rows, cut_columns, halves, judged_cuts
from incrowd.searches._cuts.judged import Stand
from incrowd.searches._cuts.rows import Numbers
from incrowd.watch import Stopped, Watch

_SLICE = 1 << 17
"""So many rows are looked at between two ticks."""


@dataclass(frozen=True)
class Mondrian:
    """Groups are boxes: a part of the table is cut at the middle of a column as long as both halves satisfy the models.

    Strict cuts leave records with equal quasi-identifiers together, relaxed ones part them to make even halves.
    """

    cuts: str = "strict"
    """Strict or relaxed."""
    column: str = "widest"
    """Which column is cut: that which spans most of its domain (widest), or after whose cut least is lost (loss)."""
    trees: str = "nodes"
    """Columns with a hierarchy are cut between nodes that lie side by side, or anywhere between their leaves."""

    local = True

    def __post_init__(self) -> None:
        for name, given, known in (
            ("cuts", self.cuts, ("strict", "relaxed")),
            ("column", self.column, ("loss", "widest")),
            ("trees", self.trees, ("nodes", "leaves")),
        ):
            if given not in known:
                raise UsageError.not_one_of(f"{name} of mondrian", given, known)

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """Boxes that cannot be cut further; stopped, those that there are by then."""
        rows = Rows.of(problem, self.cuts == "relaxed")
        whole = rows.grouped(np.zeros(len(rows.counts), dtype=np.int32))
        groups, stopped = None, "done"
        if not whole.n or _holds(problem, whole).all():
            groups, stopped = self._cut(problem, rows, watch)
        return Outcome(
            search="mondrian",
            guarantee=Guarantee.HEURISTIC,
            node=None,
            counted=groups.n if groups else 0,
            lattice=0,
            stopped=stopped,
            gap=None,
            groups=groups,
        )

    def _cut(self, problem: Problem, rows: Rows, watch: Watch) -> tuple[Groups, str]:
        weights = problem.priorities or (1.0,) * len(problem.axes)
        cutter = Cutter(
            rows.ranks,
            rows.counts,
            cut_columns(problem.axes, weights, self.trees == "leaves"),
            smallest(problem.model),
            self.column == "loss",
            self.cuts == "strict",
        )
        stopped = "done"
        work = judged_cuts(cutter, _stand(cutter, problem, rows)) if _judges(problem.model) else _plain_cuts(cutter)
        try:
            for words in work:
                watch.tick(words)
        except Stopped as stop:
            stopped = stop.reason
        return rows.grouped(cutter.groups()[0]), stopped


def smallest(model: PrivacyModel) -> int:
    """k, where the model asks for one: no class is smaller."""
    parts = model.models if isinstance(model, All) else (model,)
    return max([part.k for part in parts if isinstance(part, KAnonymity)], default=1)


def _judges(model: PrivacyModel) -> bool:
    """Whether there is more to judge than sizes."""
    return not isinstance(model, KAnonymity)


def _holds(problem: Problem, groups: Groups) -> NDArray[np.bool_]:
    return problem.model.holds(groups.classes(problem.model.needs, problem.sensitive))


def _plain_cuts(cutter: Any) -> Iterator[str]:
    """k alone: the kernel knows what may be cut."""
    yield "cutting"
    while cutter.work(_SLICE):
        yield f"{len(cutter.leaves):,} groups that cannot be cut"


def _stand(cutter: Any, problem: Problem, rows: Rows) -> Stand:
    """Whether the model holds in both halves of each segment."""

    def stand(starts: Numbers, middles: Numbers, ends: Numbers) -> NDArray[np.bool_]:
        parts = halves(cutter, starts, middles, ends)
        holds = problem.model.holds(rows.classes(parts, problem.model.needs, problem.sensitive)).reshape(-1, 2)
        return holds[:, 0] & holds[:, 1]

    return stand


SEARCH = Mondrian

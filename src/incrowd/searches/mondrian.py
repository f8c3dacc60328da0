"""Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): the table is cut in two, and each part again, while both can stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.groups import Groups
from incrowd.core.histograms import UNLIMITED
from incrowd.core.kernels import Cutter
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople, enough_people, entries_of
from incrowd.searches import GroupsOutcome, GroupsSearch, NothingFound, Problem
from incrowd.searches._people.limits import run_for_people
from incrowd.searches._splits import RankedRows, halves, judged_splits, split_columns
from incrowd.searches._splits.judging import Stand
from incrowd.searches._splits.rows import Numbers
from incrowd.searches.outcomes import of_groups
from incrowd.watch import Stopped, Watch

_SLICE = 1 << 17
"""How many rows are looked at between two ticks."""
_AT_THE_END = 2.0
"""How many times as long as to lay out the rows it takes to finish once time is up."""


@dataclass(frozen=True)
class Mondrian(GroupsSearch):
    """Groups are boxes: a part of the table is cut at the middle of a column as long as both halves satisfy the models.

    Strict cuts leave records with equal quasi-identifiers together, relaxed ones part them to make even halves.
    """

    leaves_out_people: ClassVar[bool] = True

    cuts: str = "strict"
    """Strict or relaxed."""
    column: str = "widest"
    """Which column is cut: that which spans most of its domain (widest), or after whose cut least is lost (loss)."""
    trees: str = "nodes"
    """Columns with a hierarchy are cut between nodes that lie side by side, or anywhere between their leaves; nodes, of
    a column whose groups may publish values: between these, in the order of the hierarchy."""

    def __post_init__(self) -> None:
        for name, given, known in (
            ("cuts", self.cuts, ("strict", "relaxed")),
            ("column", self.column, ("loss", "widest")),
            ("trees", self.trees, ("nodes", "leaves")),
        ):
            if given not in known:
                raise UsageError.not_one_of(f"{name} of mondrian", given, known)

    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return boxes that cannot be cut further; if stopped, those that there are by then.

        Nothing is suppressed, unless so much is known of people that some must go even if nothing is cut.
        """
        if problem.people is not None:
            return run_for_people("mondrian", self.run, problem, watch)
        if self.trees == "nodes":
            problem = problem.by_values()
        groups, stopped = None, "done"
        if not problem.frequencies.combinations or _holds(problem).all():
            groups, stopped = self._split(problem, watch)
        return of_groups("mondrian", groups, groups.n if groups else 0, stopped)

    def _split(self, problem: Problem, watch: Watch) -> tuple[Groups, str]:
        if self.cuts == "strict" and enough_people(problem.model) != UNLIMITED:
            rows, cutter = self._by_people(problem)
            work = _plain_splits(cutter)
        else:
            with watch.as_long_at_the_end(_AT_THE_END):
                rows = RankedRows.of(problem, self.cuts == "relaxed")
                cutter = self._cutter(problem, rows)
            judges = not isinstance(problem.model, KAnonymity)
            work = judged_splits(cutter, _stand(cutter, problem, rows)) if judges else _plain_splits(cutter)
        stopped = "done"
        try:
            for words in work:
                watch.tick(words)
        except Stopped as stop:
            stopped = stop.reason
        return rows.grouped(cutter.groups()[0]), stopped

    def _cutter(self, problem: Problem, rows: RankedRows) -> Any:
        weights = problem.priorities or (1.0,) * len(problem.axes)
        return Cutter(
            rows.ranks,
            rows.counts,
            split_columns(problem.axes, weights, self.trees == "leaves"),
            smallest(problem.model),
            self.column == "loss",
            self.cuts == "strict",
        )

    def _by_people(self, problem: Problem) -> tuple[RankedRows, Any]:
        """Return the combinations of the quasi-identifiers alone, to be cut by the people of each, or k of them."""
        (person,), most = problem.model.needs, enough_people(problem.model)
        classes = problem.frequencies.judged(problem.quasi, [person], most=most)
        rows = RankedRows.of_quasi(problem, classes)
        cutter = self._cutter(problem, rows)
        cutter.count_people(*entries_of(classes.histograms[person]))
        return rows, cutter


def smallest(model: PrivacyModel) -> int:
    """Return k, if the model has one: no class has fewer records."""
    if isinstance(model, OfPeople):
        return smallest(model.model)
    parts = model.models if isinstance(model, All) else (model,)
    return max([part.k for part in parts if isinstance(part, KAnonymity)], default=1)


def _holds(problem: Problem) -> NDArray[np.bool_]:
    """Return whether the whole table satisfies the model."""
    frequencies, model = problem.frequencies, problem.model
    whole = np.zeros(frequencies.combinations, dtype=np.int32)
    most = enough_people(model)
    return model.holds(frequencies.grouped(whole, 1, model.needs, problem.sensitive, most=most))


def _plain_splits(cutter: Any) -> Iterator[str]:
    """Split by k alone, which the kernel can judge."""
    yield "cutting"
    while cutter.work(_SLICE):
        yield f"{len(cutter.leaves):,} groups that cannot be cut"


def _stand(cutter: Any, problem: Problem, rows: RankedRows) -> Stand:
    """Return whether the model holds in both halves of each segment."""

    def stand(starts: Numbers, middles: Numbers, ends: Numbers) -> NDArray[np.bool_]:
        parts = halves(cutter, starts, middles, ends)
        holds = problem.model.holds(rows.classes(parts, problem.model.needs, problem.sensitive)).reshape(-1, 2)
        return holds[:, 0] & holds[:, 1]

    return stand


SEARCH = Mondrian
MEANING = "splits the table into classes and generalizes each by itself; fast, and often loses less"
RANK = 2

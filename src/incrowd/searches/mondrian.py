"""Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): the table is cut in two, and each part again, while both can stand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import Cutter
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import Groups
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models._all import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Guarantee, Outcome, Problem
from incrowd.searches._cuts import cut_columns
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
        rows = _Rows.of(problem, self.cuts == "relaxed")
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

    def _cut(self, problem: Problem, rows: "_Rows", watch: Watch) -> tuple[Groups, str]:
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
        segments = _judged_cuts(cutter, problem, rows) if _judges(problem.model) else _plain_cuts(cutter)
        try:
            for words in segments:
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


@dataclass(frozen=True, eq=False)
class _Rows:
    """What is cut: the combinations, or single records where equal ones may part."""

    frequencies: FrequencySet
    combination: NDArray[np.int64]
    counts: NDArray[np.int64]
    ranks: Codes
    """Rows x columns."""
    single: bool
    """Whether rows are records."""

    @classmethod
    def of(cls, problem: Problem, single: bool) -> "_Rows":
        frequencies = problem.frequencies
        columns = [axis.rank[codes] for axis, codes in zip(problem.axes, frequencies.codes, strict=False)]
        at, counts = np.arange(frequencies.combinations, dtype=np.int64), frequencies.counts
        if single:
            # Which of equal ranks goes where must not depend on the order in which an engine counted.
            further = [problem.sensitive_axes[name].rank[codes] for name, codes in _beyond(problem)]
            order = np.lexsort([*further[::-1], *columns[::-1]])
            at = np.repeat(order, counts[order])
            counts = np.ones(len(at), dtype=np.int64)
        ranks = np.ascontiguousarray(np.array(columns, dtype=np.int32).T[at])
        return cls(frequencies, at, counts, ranks, single)

    def grouped(self, numbers: Codes) -> Groups:
        if not self.single:
            return Groups.of_combinations(self.frequencies, numbers)
        return Groups.of_pieces(self.frequencies, self.combination, self.counts, numbers)

    def classes(self, rows: NDArray[np.integer], numbers: Codes, n: int, problem: Problem) -> Any:
        """Some rows in n classes."""
        part = replace(
            self.frequencies,
            codes=np.ascontiguousarray(self.frequencies.codes[:, self.combination[rows]]),
            counts=self.counts[rows],
        )
        return part.grouped(numbers, n, problem.model.needs, problem.sensitive, self.frequencies)


def _beyond(problem: Problem) -> Iterator[tuple[str, Codes]]:
    frequencies = problem.frequencies
    yield from zip(frequencies.names[len(problem.axes) :], frequencies.codes[len(problem.axes) :], strict=True)


def _plain_cuts(cutter: Any) -> Iterator[str]:
    """k alone: the kernel knows what may be cut."""
    yield "cutting"
    while cutter.work(_SLICE):
        yield f"{len(cutter.leaves):,} groups that cannot be cut"


def _judged_cuts(cutter: Any, problem: Problem, rows: _Rows) -> Iterator[str]:
    """Segments are cut side by side and all halves judged at once; a segment whose halves fail tries another column."""
    open_segments = cutter.open_segments
    tries = [0] * len(open_segments)
    while open_segments:
        yield f"{len(cutter.leaves):,} groups that cannot be cut, {len(open_segments):,} that may be"
        starts, ends = np.array(open_segments, dtype=np.int64).T
        middles = cutter.cuts(np.ascontiguousarray(starts), np.ascontiguousarray(ends), np.array(tries, dtype=np.int32))
        there = np.flatnonzero(middles >= 0)
        stands = np.zeros(len(middles), dtype=np.bool_)
        stands[there] = _both_stand(cutter, problem, rows, starts[there], middles[there], ends[there])
        following: list[tuple[int, int]] = []
        again: list[int] = []
        for at, (start, middle, end) in enumerate(zip(starts.tolist(), middles.tolist(), ends.tolist(), strict=True)):
            if stands[at]:
                following += [(start, middle), (middle, end)]
                again += [0, 0]
            elif middle >= 0:
                following.append((start, end))
                again.append(tries[at] + 1)
            else:
                cutter.leaves.append((start, end))
        open_segments, tries = following, again
        cutter.open_segments = open_segments


def _both_stand(
    cutter: Any,
    problem: Problem,
    rows: _Rows,
    starts: NDArray[np.int64],
    middles: NDArray[np.int64],
    ends: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether the model holds in both halves of each segment."""
    lengths = np.stack([middles - starts, ends - middles], axis=1).reshape(-1)
    begins = np.stack([starts, middles], axis=1).reshape(-1)
    offsets = np.append(0, np.cumsum(lengths))
    places = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths)
    numbers = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    classes = rows.classes(cutter.arranged()[places], numbers, len(lengths), problem)
    holds = problem.model.holds(classes).reshape(-1, 2)
    return holds[:, 0] & holds[:, 1]


SEARCH = Mondrian

"""Personalized anonymity (Xiao and Tao 2006): groups, and in them sensitive values as general as guards ask for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.groups import Groups
from incrowd.core.kernels import Cutter
from incrowd.core.keys import number_combinations
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.personal_breach import PersonalBreach
from incrowd.parameters import number_from
from incrowd.recodings.by_group import by_group
from incrowd.searches import GroupsOutcome, GroupsSearch, NothingFound, Problem
from incrowd.searches._personalized.dealing import Guarded, generalized
from incrowd.searches._personalized.tree import Tree
from incrowd.searches._splits import RankedRows, Segments, halves, judged_splits, segments, split_columns
from incrowd.searches._splits.rows import Numbers
from incrowd.searches.mondrian import smallest
from incrowd.searches.outcomes import of_groups
from incrowd.text import count
from incrowd.watch import Stopped, Watch

_TOGETHER = 64
"""How many groups are generalized between two ticks."""
_LESS = 1e-9
"""A cut must save more than rounding."""


@dataclass(frozen=True)
class Personalized(GroupsSearch):
    """Groups are cut, as by mondrian, while that loses less in quasi-identifiers than it costs in sensitive values.

    In each group sensitive values go up their hierarchy, record by record and as little as it takes, until no guarding
    node is breached. A group may be of any size unless k_anonymity asks for one.
    """

    counts_people: ClassVar[bool] = False

    weight: float = 1.0
    """How much the sensitive column matters beside a quasi-identifier of priority 1; 0: groups are cut all the same."""

    generalizes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number_from("weight of personalized", self.weight, 0)

    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return groups that no cut makes better; if stopped, those that there are by then."""
        model, others = guarding(problem.model)
        guarded = Guarded(problem, model, Tree.of(problem, model))
        safe = guarded.tree.floors[guarded.codes(model.guard)] <= model.most
        hopeless = int(problem.frequencies.counts[~safe].sum())
        rows = RankedRows.of(problem, among=np.flatnonzero(safe))
        groups, stopped = None, "done"
        details: dict[str, Any] = {}
        if hopeless > problem.budget:
            details = _why(model, hopeless)
        elif _holds_together(problem, rows, others):
            groups, stopped = self._split(guarded, others, rows, watch)
            groups = generalized(guarded, _seen_as_one(problem, groups))
            raised = groups.levels[model.columns[0]] > 0
            details = {"generalized": int(groups.counts[raised & groups.kept].sum())}
        return of_groups("personalized", groups, groups.n if groups else 0, stopped, details)

    def _split(
        self, guarded: Guarded, others: PrivacyModel | None, rows: RankedRows, watch: Watch
    ) -> tuple[Groups, str]:
        problem = guarded.problem
        weights = problem.priorities or (1.0,) * len(problem.axes)
        k = 1 if others is None else smallest(others)
        cutter = Cutter(rows.ranks, rows.counts, split_columns(problem.axes, weights, False), k, False, True)
        losses = _Losses(guarded, rows, self.weight, watch)
        before: dict[tuple[int, int], float] = {}

        def stand(starts: Numbers, middles: Numbers, ends: Numbers) -> NDArray[np.bool_]:
            parts = halves(cutter, starts, middles, ends)
            after = losses.of(parts)
            for at, segment in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
                if segment not in before:
                    before[segment] = losses.of(segments(cutter, starts[at : at + 1], ends[at : at + 1]))[0]
            lost = np.array([before[segment] for segment in zip(starts.tolist(), ends.tolist(), strict=True)])
            for at, segment in enumerate(_halves_of(starts, middles, ends)):
                before[segment] = after[at]
            holds = np.ones(parts.n, dtype=np.bool_)
            if others is not None:
                holds = others.holds(rows.classes(parts, others.needs, problem.sensitive))
            found: NDArray[np.bool_] = holds.reshape(-1, 2).all(axis=1) & (
                after.reshape(-1, 2).sum(axis=1) < lost - _LESS
            )
            return found

        stopped = "done"
        try:
            for words in judged_splits(cutter, stand):
                watch.tick(words)
        except Stopped as stop:
            stopped = stop.reason
        return rows.grouped(cutter.groups()[0]), stopped


def guarding(model: PrivacyModel) -> tuple[PersonalBreach, PrivacyModel | None]:
    """Return the model that guards, and what else is asked for, which must not look at the guarded column."""
    parts = model.models if isinstance(model, All) else (model,)
    guards = [part for part in parts if isinstance(part, PersonalBreach)]
    others = tuple(part for part in parts if not isinstance(part, PersonalBreach))
    if len(guards) != 1 or any(guards[0].columns[0] in columns for part in others for columns in part.needs):
        raise UsageError.invalid(
            "personalized with these models",
            "it generalizes the values of one column, those that personal_breach guards",
            "give personal_breach once, and beside it no model of the same column",
        )
    return guards[0], None if not others else others[0] if len(others) == 1 else All(others)


def _why(model: PersonalBreach, hopeless: int) -> dict[str, Any]:
    return {
        "would_suppress": hopeless,
        "why": f"the guards of {count(hopeless, 'record')} have more than {model.p:g} of all values of "
        f"{model.columns[0]!r} below them, which alone lets an attacker place a value there",
        "remedy": "guard lower nodes than those, raise p, or allow these records to be suppressed",
    }


def _holds_together(problem: Problem, rows: RankedRows, others: PrivacyModel | None) -> bool:
    """Return whether one group of everything satisfies what else is asked for."""
    if others is None or not len(rows.counts):
        return True
    whole = Segments(np.arange(len(rows.counts)), np.zeros(len(rows.counts), dtype=np.int32), 1)
    return bool(others.holds(rows.classes(whole, others.needs, problem.sensitive)).all())


def _halves_of(starts: Numbers, middles: Numbers, ends: Numbers) -> Iterator[tuple[int, int]]:
    for start, middle, end in zip(starts.tolist(), middles.tolist(), ends.tolist(), strict=True):
        yield from ((start, middle), (middle, end))


@dataclass(frozen=True, eq=False)
class _Losses:
    """The loss of rows as a group: in quasi-identifiers, and in sensitive values that must be generalized."""

    guarded: Guarded
    rows: RankedRows
    weight: float
    watch: Watch

    def of(self, parts: Segments) -> NDArray[np.float64]:
        """Return per class the sum over its records."""
        problem, model = self.guarded.problem, self.guarded.model
        classes = self.rows.classes(parts, model.needs, problem.sensitive)
        combinations = self.rows.combination[parts.rows]
        found, losses = np.zeros(parts.n), self.guarded.tree.losses
        weights = problem.priorities or (1.0,) * len(problem.axes)
        for axis, weight, codes in zip(problem.axes, weights, problem.frequencies.codes, strict=False):
            found += weight * axis.cells(codes[combinations], parts.numbers, parts.n).spread * classes.sizes
        if self.weight:
            for at, (codes, plan) in enumerate(self.guarded.plans(classes)):
                found[at] += self.weight * float((plan * losses[codes]).sum())
                if at % _TOGETHER == 0:
                    self.watch.tick("weighing groups")
        return found


def _seen_as_one(problem: Problem, groups: Groups) -> Groups:
    """Return the groups with those joined that publish the same cells and so cannot be told apart."""
    [name] = guarding(problem.model)[0].columns
    level = np.zeros(len(groups.group), dtype=np.int32)
    recoding = by_group(replace(groups, levels={name: level}), problem.axes, problem.forms, problem.sensitive)
    numbers, n = [], []
    for at in range(len(problem.axes)):
        column = recoding.columns[at]
        if column is None:
            numbers.append(recoding.codes(at)[groups.kept])
            n.append(problem.frequencies.cardinalities[at])
        else:
            texts = {label: at for at, label in enumerate(dict.fromkeys(column.labels))}
            of = np.array([texts[label] for label in column.labels], dtype=np.int32)
            numbers.append(of[column.codes[groups.kept]])
            n.append(len(texts))
    found, _ = number_combinations(numbers, n)
    group = groups.group.copy()
    group[groups.kept] = found
    return replace(groups, group=group)


SEARCH = Personalized
ALIASES = ("personalised",)
"""The British spelling, which jobs and private records may have."""

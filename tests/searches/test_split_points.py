"""What k_optimize prunes by: no release below a node undercuts its bound, and no split that it drops is ever needed."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import NothingFound, Problem
from incrowd.searches._parts import enumeration
from incrowd.searches._parts.costs import ClassificationCost, Cost, DiscernibilityCost
from incrowd.searches._parts.split_points import Mask, SplitPoints
from incrowd.searches._parts.table import PartTable
from incrowd.searches.k_optimize import KOptimize
from incrowd.watch import Watch
from searches.local_problems import numbers
from searches.part_problems import part_problem, part_problems
from searches.problems import DISEASE

INF = float("inf")
LABELS = st.sampled_from([None, DISEASE])


def cuts_of(problem: Problem, label: str | None) -> SplitPoints:
    cost: Cost = DiscernibilityCost(problem.frequencies.records)
    if label is not None:
        cost = ClassificationCost((label,), 1.0)
    return SplitPoints(PartTable.of(problem, "k_optimize", None if label is None else (label,)), cost, Watch())


def below(head: Mask, tail: Mask) -> list[Mask]:
    """All sets of splits that have the head and no others than those of the tail."""
    chosen = product(*([False, True] if may else [False] for may in tail))
    return [head | np.array(each, dtype=bool) for each in chosen]


def exact(splits: SplitPoints, made: Mask) -> float:
    """What the best intervals of the line cost with these splits."""
    return splits.bound(made, np.zeros_like(made), np.arange(len(splits.ends[0])), INF).cost


def nodes(draw: st.DrawFn, splits: SplitPoints) -> tuple[Mask, Mask]:
    """The head and the tail of a node."""
    kinds = np.array([draw(st.integers(0, 2)) for _ in range(len(splits))], dtype=np.int64)
    return kinds == 1, kinds == 2


@settings(max_examples=60)
@given(part_problems(), LABELS, st.data())
def test_no_release_below_a_node_undercuts_its_bound(problem: Problem, label: str | None, data: st.DataObject) -> None:
    splits = cuts_of(problem, label)
    head, tail = nodes(data.draw, splits)
    every = np.arange(len(splits.ends[0]))
    least = min(exact(splits, made) for made in below(head, tail))
    assert splits.bound(head, tail, every, INF).cost <= least
    if least < INF:
        # What is left of the intervals suffices for every release that costs less than the limit.
        left = splits.bound(head, tail, every, least + 1).intervals
        none = np.zeros_like(head)
        assert min(splits.bound(made, none, left, INF).cost for made in below(head, tail)) == least


@settings(max_examples=60)
@given(part_problems(), LABELS, st.data())
def test_useless_cuts_are_never_needed(problem: Problem, label: str | None, data: st.DataObject) -> None:
    splits = cuts_of(problem, label)
    head, tail = nodes(data.draw, splits)
    for split in np.flatnonzero(splits.useless(head, tail)):
        assert tail[split]
        one = np.arange(len(tail)) == split
        for made in below(head, tail & ~one):
            assert exact(splits, made | one) >= exact(splits, made)


def test_a_cut_is_useless_where_it_only_makes_small_classes() -> None:
    rows = [{"a": str(age), "b": b} for b in "xyz" for age in (1, 2, 3, 4)]
    rows += [{"a": "1", "b": "z"}] * 4
    splits = cuts_of(part_problem(rows, {"a": numbers, "b": Axis.of_set}, KAnonymity(5)), None)
    none, every = np.zeros(2, dtype=bool), np.ones(2, dtype=bool)
    # Four x and four y are too few alone; z has eight.
    assert splits.useless(none, every).tolist() == [False, False]
    assert splits.useless(np.array([False, True]), np.array([True, False])).tolist() == [True, False]


@st.composite
def larger(draw: st.DrawFn) -> Problem:
    """Three columns with some values each."""
    values = [draw(st.integers(3, 6)), draw(st.integers(3, 4)), draw(st.integers(2, 4))]
    cells = st.tuples(*(st.integers(1, most).map(str) for most in values))
    kinds = draw(st.lists(st.tuples(cells, st.sampled_from("xyz"), st.integers(1, 9)), min_size=12, max_size=40))
    rows = [dict(zip("abc", each, strict=True)) | {DISEASE: ill} for each, ill, often in kinds for _ in range(often)]
    budget = draw(st.sampled_from([0, len(rows) // 20, len(rows)]))
    k = draw(st.integers(2, 12))
    return part_problem(rows, dict.fromkeys("abc", numbers), KAnonymity(k), budget, DISEASE)


@pytest.mark.parametrize("climbing", [True, False])
@settings(max_examples=25)
@given(problem=larger(), label=LABELS)
def test_larger_tables(climbing: bool, problem: Problem, label: str | None) -> None:
    """All sets of splits but those of the line, whose best intervals are found for each."""
    with pytest.MonkeyPatch.context() as patch:
        if not climbing:
            patch.setattr(enumeration.SetEnumeration, "_climb", lambda self, start, of: iter(()))
        outcome = KOptimize(label).run(problem, Watch())
    splits = cuts_of(problem, label)
    best = min(
        exact(splits, made) for made in below(np.zeros(len(splits), dtype=bool), np.ones(len(splits), dtype=bool))
    )
    unit = 1 if label is None else problem.frequencies.records
    assert (INF if isinstance(outcome, NothingFound) else outcome.node.score * unit) == pytest.approx(best, rel=1e-12)

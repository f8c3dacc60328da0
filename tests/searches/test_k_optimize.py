"""k_optimize finds what weighing every set of splits finds, and says truly how far it came."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.errors import UsageError
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings import Form
from incrowd.searches import NothingFound, Outcome, Problem
from incrowd.searches._parts import enumeration, intervals, split_points
from incrowd.searches._parts.split_points import Bound, Mask, Numbers, SplitPoints
from incrowd.searches.k_optimize import KOptimize
from incrowd.watch import Watch
from searches.chosen import node_of
from searches.local_problems import numbers
from searches.part_problems import every_interval, part_problem, part_problems, seen
from searches.problems import DISEASE, K_ANONYMITY, Ticks
from searches.worked_examples import samarati_rows

LABELS = st.sampled_from([None, DISEASE])
FEW = settings(max_examples=60)


def best_cost(problem: Problem, label: str | None) -> float | None:
    """The least cost of a feasible release, every set of splits weighed."""
    found = [seen(problem, parts) for parts in every_interval(problem)]
    costs = [each.discernibility if label is None else each.classification for each in found if each.feasible]
    return min(costs, default=None)


def cost_of(outcome: Outcome, problem: Problem, label: str | None) -> float:
    """In records, as the definitions count."""
    assert not isinstance(outcome, NothingFound)
    return outcome.node.score * (1 if label is None else problem.frequencies.records)


def assert_best(outcome: Outcome, problem: Problem, label: str | None) -> None:
    """As cheap as the best, and what it says of itself is so."""
    best = best_cost(problem, label)
    assert (isinstance(outcome, NothingFound)) == (best is None)
    if isinstance(outcome, NothingFound):
        return
    assert cost_of(outcome, problem, label) == pytest.approx(best, rel=1e-12)
    assert outcome.node.feasible
    assert outcome.node.suppressed <= problem.budget
    assert (outcome.optimal, outcome.gap) == (True, 0)
    assert outcome.scored_by == ("discernibility" if label is None else "classification")


@FEW
@given(part_problems(), LABELS)
def test_the_cost_is_the_lowest(problem: Problem, label: str | None) -> None:
    assert_best(KOptimize(label).run(problem, Watch()), problem, label)


@FEW
@given(part_problems(K_ANONYMITY), LABELS)
def test_the_cost_is_the_lowest_for_k_alone(problem: Problem, label: str | None) -> None:
    assert_best(KOptimize(label).run(problem, Watch()), problem, label)


@pytest.mark.parametrize("without", ["useless splits", "intervals", "probing", "pieces", "climbing"])
@settings(max_examples=15)
@given(problem=part_problems(K_ANONYMITY), label=LABELS)
def test_without_one_kind_of_pruning_it_is_the_same(without: str, problem: Problem, label: str | None) -> None:
    usual = KOptimize(label).run(problem, Watch())
    with pytest.MonkeyPatch.context() as patch:
        if without == "useless splits":
            patch.setattr(SplitPoints, "useless", lambda self, head, tail: np.zeros(len(tail), dtype=bool))
        if without == "intervals":
            bound = SplitPoints.bound

            def keeps(self: SplitPoints, head: Mask, tail: Mask, of: Numbers, limit: float) -> Bound:
                return bound(self, head, tail, of, limit)._replace(intervals=of)

            patch.setattr(SplitPoints, "bound", keeps)
        if without == "probing":
            patch.setattr(enumeration, "_PROBED", 1)
        if without == "pieces":
            patch.setattr(split_points, "_CELLS", 1)
        if without == "climbing":
            patch.setattr(enumeration.SetEnumeration, "_climb", lambda self, start, of: iter(()))
        found = KOptimize(label).run(problem, Watch())
    assert (node_of(found) and found.node.score) == (node_of(usual) and usual.node.score)


@settings(max_examples=60)
@given(part_problems(), LABELS, st.integers(0, 30))
def test_stopped_at_any_moment_the_gap_is_true(problem: Problem, label: str | None, ticks: int) -> None:
    outcome = KOptimize(label).run(problem, Ticks(ticks))
    best = best_cost(problem, label)
    if isinstance(outcome, NothingFound):
        assert outcome.gap is None
        assert outcome.stopped != "done" or best is None
        return
    assert best is not None
    assert outcome.gap is not None
    unit = 1 if label is None else problem.frequencies.records
    assert (
        cost_of(outcome, problem, label) - outcome.gap * unit <= best + 1e-9 <= cost_of(outcome, problem, label) + 2e-9
    )
    assert outcome.optimal == (outcome.stopped == "done")


@FEW
@given(part_problems(K_ANONYMITY), LABELS)
def test_no_detail_is_lost_for_nothing(problem: Problem, label: str | None) -> None:
    """No further split leaves the cost as it is."""
    outcome = KOptimize(label).run(problem, Watch())
    if isinstance(outcome, NothingFound):
        return
    ladders = outcome.found_on.problem.ladders if outcome.found_on is not None else ()
    mine = tuple(
        {code: int(ladder.up[level][code]) for code in range(len(ladder.up[level]))}
        for ladder, level in zip(ladders, outcome.node.levels, strict=True)
    )
    unit = 1 if label is None else problem.frequencies.records
    for parts in every_interval(problem):
        finer = all(
            len({mine[at][code] for code, of in part.items() if of == number}) == 1
            for at, part in enumerate(parts)
            for number in set(part.values())
        )
        more = sum(len(set(part.values())) for part in parts) > sum(
            len({mine[at][code] for code in part}) for at, part in enumerate(parts)
        )
        if finer and more and _one_more(mine, parts):
            found = seen(problem, parts)
            cost = found.discernibility if label is None else found.classification
            assert not found.feasible or cost > outcome.node.score * unit - 1e-9
            assert not found.feasible or cost != pytest.approx(outcome.node.score * unit)


def _one_more(mine: tuple[dict[int, int], ...], parts: tuple[dict[int, int], ...]) -> bool:
    """Whether a partition has one part more."""
    more = [
        len(set(part.values())) - len({here[code] for code in part}) for here, part in zip(mine, parts, strict=True)
    ]
    return sum(more) == 1


def test_samarati() -> None:
    """FX-SAM-8: the set {6} of the lecture is one part of Race, and ZIP split at 94141."""
    kinds = {"Race": Axis.of_set, "ZIP": numbers}
    problem = part_problem(samarati_rows(), kinds, KAnonymity(2))
    race, zip_code = (["asian", "black", "white"], ["94138", "94139", "94141", "94142"])
    texts = [[None, *values.to_pylist()] for values in problem.frequencies.values]
    six = tuple(
        {code: int(text is not None and text >= opens) for code, text in enumerate(of) if text is not None}
        for of, opens in zip(texts, ("~", "94141"), strict=True)
    )
    assert [sorted(filter(None, of)) for of in texts] == [race, zip_code]
    # ZIP holds t3 to t8 in one part, t1, t2 and t9 in the other.
    assert seen(problem, six)[:3] == (True, 0, 6 * 6 + 3 * 3)
    outcome = KOptimize().run(replace(problem, forms=(Form.SET, Form.RANGE)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.score == best_cost(problem, None) <= 45


def test_the_parts_of_the_lecture_are_published_as_it_names_them() -> None:
    """With Race in one part and two 3-classes wanted, the best split of ZIP is that of FX-SAM-8."""
    kinds = {"ZIP": numbers}
    outcome = KOptimize().run(replace(part_problem(samarati_rows(), kinds, KAnonymity(3))), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.found_on is not None
    [ladder] = outcome.found_on.problem.ladders
    assert set(ladder.hierarchy.labels[1]) == {"{94138, 94139}", "{94141, 94142}"}
    assert outcome.node.score == 45


@pytest.mark.parametrize("label", [None, DISEASE])
def test_nothing_and_too_few(label: str | None) -> None:
    kinds = {"a": numbers, "b": Axis.of_set}
    rows = [{"a": "1", "b": "x", DISEASE: "y"}, {"a": "2", "b": None, DISEASE: "z"}]
    empty = KOptimize(label).run(part_problem([], kinds, KAnonymity(2), label=DISEASE), Watch())
    assert not isinstance(empty, NothingFound)
    assert (empty.node.suppressed, empty.node.classes, empty.node.score) == (0, 0, 0)
    one = KOptimize(label).run(part_problem([], {"a": numbers}, KAnonymity(2), label=DISEASE), Watch())
    assert not isinstance(one, NothingFound)
    assert (one.node.suppressed, one.node.classes, one.node.score) == (0, 0, 0)
    few = KOptimize(label).run(part_problem(rows, kinds, KAnonymity(3), label=DISEASE), Watch())
    assert isinstance(few, NothingFound)
    assert few.details["would_suppress"] == 2
    gone = KOptimize(label).run(part_problem(rows, kinds, KAnonymity(3), 2, label=DISEASE), Watch())
    assert not isinstance(gone, NothingFound)
    assert gone.node.suppressed == 2


def test_one_class_and_one_value() -> None:
    rows = [{"a": "7", "b": "x"}] * 5
    outcome = KOptimize().run(part_problem(rows, {"a": numbers, "b": Axis.of_set}, KAnonymity(5)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert (outcome.node.levels, outcome.node.score) == ((0, 0), 25)


@st.composite
def lines(draw: st.DrawFn) -> tuple[intervals.Intervals, int, int]:
    values = draw(st.integers(1, 5))
    first, last = np.triu_indices(values + 1, 1)
    costs = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, 9.0, np.inf]), min_size=len(first), max_size=len(first)))
    lost = draw(st.lists(st.integers(0, 4), min_size=len(first), max_size=len(first)))
    return intervals.Intervals(first, last, np.array(costs), np.array(lost)), values, draw(st.integers(0, 8))


def every_way(given_line: intervals.Intervals, values: int) -> Iterator[list[int]]:
    """All sequences of intervals from the first value to the end, as their numbers."""

    def further(at: int) -> Iterator[list[int]]:
        if at == values:
            yield []
        for step in np.flatnonzero(given_line.first == at).tolist():
            for rest in further(int(given_line.last[step])):
                yield [step, *rest]

    return further(0)


@given(lines())
def test_the_shortest_way_within_the_budget(drawn: tuple[intervals.Intervals, int, int]) -> None:
    line, values, budget = drawn
    before, after = intervals.reached(line, values)
    costs = [float(line.cost[way].sum()) for way in every_way(line, values) if int(line.lost[way].sum()) <= budget]
    found = intervals.cheapest(line, values, budget, before, after)
    least = min(costs, default=np.inf)
    assert before[values] == after[0]
    assert (np.inf if found is None else found.cost) == least
    if found is not None:
        steps = [
            int(np.flatnonzero((line.first == low) & (line.last == high))[0])
            for low, high in zip(found.starts, (*found.starts[1:], values), strict=True)
        ]
        assert (line.cost[steps].sum(), line.lost[steps].sum()) == (found.cost, found.lost)


def test_columns_with_too_many_values_are_refused() -> None:
    rows = [{"a": str(at)} for at in range(1001)]
    with pytest.raises(UsageError, match="1,001 different values; the limit is 1,000"):
        KOptimize().run(part_problem(rows, {"a": numbers}, KAnonymity(2)), Watch())

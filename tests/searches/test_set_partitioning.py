"""set_partitioning: every release that it finds is feasible and no better than the best of all partitions."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.metrics.discernibility import Discernibility
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import NothingFound, Problem
from incrowd.searches._parts import merging
from incrowd.searches.set_partitioning import SetPartitioning
from incrowd.watch import Watch
from searches.local_problems import numbers
from searches.part_problems import Parts, every_set, part_problem, part_problems, seen
from searches.problems import K_ANONYMITY, Ticks
from searches.worked_examples import samarati_rows

METRICS = st.sampled_from([Loss(), Discernibility()])


def chosen_parts(problem: Problem, ticks: int | None = None) -> tuple[Parts | None, float]:
    """The parts that the search made, by code, and its score."""
    outcome = SetPartitioning().run(problem, Watch() if ticks is None else Ticks(ticks))
    assert not outcome.optimal
    assert outcome.gap is None
    if isinstance(outcome, NothingFound):
        return None, float("inf")
    assert outcome.found_on is not None
    assert outcome.node.feasible
    levels = zip(outcome.found_on.problem.ladders, outcome.node.levels, strict=True)
    return tuple(dict(enumerate(ladder.up[level].tolist())) for ladder, level in levels), outcome.node.score


@settings(max_examples=60)
@given(part_problems(), METRICS)
def test_it_is_among_all_partitions(problem: Problem, metric: Loss | Discernibility) -> None:
    problem = replace(problem, metric=metric)
    mine, score = chosen_parts(problem)
    whole = [dict.fromkeys(range(len(axis.rank)), 0) for axis in problem.axes]
    if mine is None:
        assert not seen(problem, tuple(whole)).feasible
        return
    found = seen(problem, mine)
    assert found.feasible
    if isinstance(metric, Discernibility):
        feasible = [
            each.discernibility for each in (seen(problem, parts) for parts in every_set(problem)) if each.feasible
        ]
        assert found.discernibility == score >= min(feasible)


@settings(max_examples=60)
@given(part_problems(K_ANONYMITY, Discernibility()))
def test_no_two_parts_and_no_value_make_it_better(problem: Problem) -> None:
    """No partition that joins two of its parts, or moves one value, costs less."""
    mine, score = chosen_parts(problem)
    if mine is None:
        return
    for at, part in enumerate(mine):
        used = set(problem.frequencies.codes[at].tolist())
        numbered = {code: part[code] for code in used}
        others = [
            {code: one if of == two else of for code, of in numbered.items()}
            for one in set(numbered.values())
            for two in set(numbered.values())
        ]
        others += [{**numbered, code: to} for code in used for to in (*set(numbered.values()), -1)]
        for other in others:
            found = seen(problem, (*mine[:at], other, *mine[at + 1 :]))
            # Joined first and moved afterwards, two parts may have become worth joining again.
            if len(set(other.values())) >= len(set(numbered.values())):
                assert not found.feasible or found.discernibility >= score


@settings(max_examples=30)
@given(part_problems(), METRICS, st.integers(0, 12))
def test_stopped_it_gives_what_is_feasible(problem: Problem, metric: Loss | Discernibility, ticks: int) -> None:
    problem = replace(problem, metric=metric)
    mine, _ = chosen_parts(problem, ticks)
    assert mine is None or seen(problem, mine).feasible


@settings(max_examples=20)
@given(part_problems(), METRICS)
def test_in_pieces_it_is_the_same(problem: Problem, metric: Loss | Discernibility) -> None:
    problem = replace(problem, metric=metric)
    whole = chosen_parts(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "_CELLS", 1)
        assert chosen_parts(problem) == whole


def test_parts_need_not_lie_side_by_side() -> None:
    """The thesis' example of the model: {NW10, NW16}, {NW12}, {NW20, NW21}."""
    rows = [
        {"postcode": code, "age": age} for code, age in (("NW10", "1"), ("NW16", "1"), ("NW20", "2"), ("NW21", "2"))
    ]
    rows += [{"postcode": "NW12", "age": "3"}] * 2
    kinds = {"postcode": Axis.of_set, "age": Axis.of_set}
    outcome = SetPartitioning().run(part_problem(rows, kinds, KAnonymity(2)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.found_on is not None
    labels = outcome.found_on.problem.ladders[0].hierarchy.labels[1]
    assert set(labels) == {"{NW10, NW16}", "NW12", "{NW20, NW21}"}
    assert outcome.node.levels == (1, 0)


def test_nothing_one_class_and_too_few() -> None:
    kinds = {"Race": Axis.of_set, "ZIP": numbers}
    assert not isinstance(SetPartitioning().run(part_problem([], kinds, KAnonymity(2)), Watch()), NothingFound)
    few = SetPartitioning().run(part_problem(samarati_rows(), kinds, KAnonymity(10)), Watch())
    assert isinstance(few, NothingFound)
    assert few.details["would_suppress"] == 9
    one = SetPartitioning().run(part_problem(samarati_rows(), kinds, KAnonymity(9)), Watch())
    assert not isinstance(one, NothingFound)
    assert (one.node.levels, one.node.classes) == ((2, 2), 1)


def test_it_looks_at_the_watch_between_pieces_of_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of many values has as many pieces as its sheet has cells, however few columns there are."""
    problem = part_problem(samarati_rows(), {"Race": Axis.of_set, "ZIP": numbers}, KAnonymity(2))
    looks = []
    for cells in (1, 1 << 18):
        monkeypatch.setattr(merging, "_CELLS", cells)
        watch = Ticks(1_000_000)
        SetPartitioning().run(problem, watch)
        looks.append(1_000_000 - watch.ticks_left)
    assert looks[0] > 3 * looks[1]

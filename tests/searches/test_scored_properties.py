"""PrivacyFrost2 on random problems, against the definitions and against itself without shortcuts."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics import Cells, Columns
from incrowd.models import PrivacyModel
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.models.t_closeness import TCloseness
from incrowd.scores import Score, named
from incrowd.scores.basic import Basic
from incrowd.searches import CellsOutcome, NothingFound, Outcome, Problem
from incrowd.searches._scored.partial import Partial
from incrowd.searches._scored.splitting import Part
from incrowd.searches.lattice import Lattice
from incrowd.searches.scored import Scored
from incrowd.watch import Watch
from searches.chosen import node_of
from searches.problems import DISEASE, Row, Ticks, problem, problems
from searches.scored_by_hand import greedy, holds, label, moves, own_levels, published, score

SCORES = st.sampled_from(["basic", "logarithm"]) | st.sampled_from([1, 2, 3, 4.5]).map(lambda d: {"eta": {"d": d}})
"""The three of the paper."""
CHECKS: SearchStrategy[PrivacyModel] = st.builds(
    lambda k, other: All((KAnonymity(k), *other)),
    st.integers(1, 4),
    st.one_of(
        st.just(()),
        st.builds(DistinctL, l=st.integers(1, 3), column=st.just(DISEASE)).map(lambda model: (model,)),
        st.builds(RecursiveCL, c=st.sampled_from([0.5, 1.5, 3.0]), l=st.integers(1, 2), column=st.just(DISEASE)).map(
            lambda model: (model,)
        ),
        st.builds(TCloseness, t=st.sampled_from([0.1, 0.3, 0.6]), column=st.just(DISEASE)).map(lambda model: (model,)),
    ),
)
"""What the paper's Check looks at: k, with l, (c,l) or t."""
SEARCHES = st.builds(Scored, score=SCORES, p=st.integers(0, 3), partial=st.booleans())


def run(given_problem: Problem, search: Scored) -> Outcome:
    """To the end."""
    return search.run(given_problem, Watch())


@given(problems(CHECKS), SEARCHES)
def test_what_it_returns_is_anonymous_within_the_limits_and_no_worse_than_where_it_began(
    given_problem: Problem, search: Scored
) -> None:
    outcome = run(given_problem, search)
    lattice = Lattice(replace(given_problem, budget=0))
    assert (not isinstance(outcome, NothingFound)) == lattice.count(lattice.top).feasible
    if isinstance(outcome, NothingFound):
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed > 0
        return
    _, scoring = named(search.score)
    full = np.array(outcome.node.levels, dtype=np.int16)[:, None]
    cells = published(given_problem, np.repeat(full, lattice.combinations.combinations, axis=1))
    assert holds(given_problem, cells)
    assert all(
        low <= at <= high for low, at, high in zip(lattice.bottom, outcome.node.levels, lattice.top, strict=True)
    )
    assert outcome.node == Lattice(replace(given_problem, budget=0)).count(outcome.node.levels)
    assert outcome.details["full_domain"] == score(given_problem, scoring, cells)
    initial = np.array(outcome.details["initial"], dtype=np.int16)[:, None]
    before = published(given_problem, np.repeat(initial, lattice.combinations.combinations, axis=1))
    assert outcome.details["full_domain"] >= score(given_problem, scoring, before)


@given(problems(CHECKS), SEARCHES)
def test_the_steps_as_the_paper_tells_them(given_problem: Problem, search: Scored) -> None:
    outcome = run(given_problem, search)
    _, scoring = named(search.score)
    levels = by_the_paper(given_problem, scoring, search.p)
    assert (node_of(outcome) and outcome.node.levels) == levels


def by_the_paper(given_problem: Problem, scoring: Score, p: int) -> tuple[int, ...] | None:
    """Pre-computation, top-down without its skip rule, second top-down and bottom-up; levels counted from the root."""
    columns = range(len(given_problem.ladders))
    heights = [ladder.height for ladder in given_problem.ladders]
    combinations = given_problem.frequencies.project(given_problem.quasi)
    deepest = [heights[a] - (given_problem.minimum or [0] * len(heights))[a] for a in columns]
    least = [heights[a] - (given_problem.limit or heights)[a] for a in columns]
    priorities = given_problem.priorities or (1.0,) * len(heights)
    order = sorted(columns, key=lambda a: priorities[a])
    k = max(model.k for model in given_problem.model.models if isinstance(model, KAnonymity))  # type: ignore[attr-defined]

    def table(w: list[int]) -> dict[int, tuple[str | None, ...]]:
        own = np.array([heights[a] - w[a] for a in columns], dtype=np.int16)[:, None]
        return published(given_problem, np.repeat(own, combinations.combinations, axis=1))

    def check(w: list[int]) -> bool:
        return holds(given_problem, table(w))

    def value(w: list[int]) -> float:
        return score(given_problem, scoring, table(w))

    def single(a: int, level: int) -> int:
        sizes: dict[str | None, int] = defaultdict(int)
        for code, times in zip(combinations.codes[a], combinations.counts, strict=True):
            sizes[label(given_problem, a, int(code), heights[a] - level)] += int(times)
        return min(sizes.values())

    def moved(w: list[int], a: int, by: int) -> list[int]:
        return [level + by * (at == a) for at, level in enumerate(w)]

    w = list(deepest)
    for a in order:
        while w[a] > least[a] and single(a, w[a]) < k + p:
            w[a] -= 1
    while not check(w) and any(w[a] > least[a] for a in columns):
        w = [w[a] - (w[a] > least[a]) for a in columns]
    if not check(w):
        return None
    s = value(w)
    while True:
        found = None
        for a in reversed(order):
            if w[a] < deepest[a] and check(t := moved(w, a, 1)) and value(t) > s:
                found, s = t, value(t)
        if found is None:
            break
        w = found
    while True:
        above, top = None, s
        for a in reversed(order):
            if w[a] < deepest[a] and value(t := moved(w, a, 1)) > top:
                above, top = t, value(t)
        found = above if above is not None and check(above) else None
        while found is None and above is not None:
            steps = [moved(above, a, -1) for a in order if above[a] > least[a]]
            steps = [t for t in steps if value(t) > s]
            anonymous = [t for t in steps if check(t)]
            found = max(anonymous, key=value) if anonymous else None
            above = max(steps, key=value) if steps else None
        if found is None:
            break
        w, s = found, value(found)
    return tuple(heights[a] - w[a] for a in columns)


@given(problems(CHECKS), st.integers(0, 3))
def test_the_skip_rule_changes_nothing_but_the_work(given_problem: Problem, p: int) -> None:
    with_rule = run(given_problem, Scored(p=p))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Basic, "most", lambda *_: None)
        without = run(given_problem, Scored(p=p))
    assert node_of(with_rule) == node_of(without)
    assert without.details["skipped"] == 0
    assert with_rule.details["tables_checked"] <= without.details["tables_checked"]


def test_the_skip_rule_skips_something() -> None:
    deep = Hierarchy.from_rows([(str(n), str(n // 2), "*") for n in range(10, 18)])
    flat = Hierarchy.from_rows([("x", "*"), ("y", "*")])
    rows: list[Row] = [{"a": str(n), "b": flag} for n in range(10, 18) for flag in "xy" for _ in range(2)]
    outcome = run(problem(rows, {"b": flat, "a": deep}, KAnonymity(4)), Scored(p=20))
    assert outcome.details["initial"] == [1, 2]
    # Twice a is de-generalized, to 4 and to 8 values, and b cannot keep up with its 2.
    assert outcome.details["full_domain"] == 1 + 8
    assert outcome.details["skipped"] == 2


def test_the_skip_rule_counts_missing_cells_among_the_values() -> None:
    flat = Hierarchy.from_rows([("x", "*"), ("y", "*")])
    rows: list[Row] = [{"a": a, "b": b} for a in ("x", "y", None) for b in "xy"]
    outcome = run(problem(rows, {"a": flat, "b": flat}, KAnonymity(2), priorities=(2.0, 3.0)), Scored(p=9))
    # Three values in a are worth 9, two in b 8; the hierarchy of a has two.
    assert (outcome.details["initial"], outcome.details["full_domain"]) == ([1, 1], 9)
    assert outcome.details["skipped"] == 0


# Partial-domain generalization.


@st.composite
def numbered(draw: st.DrawFn) -> Hierarchy:
    """A hierarchy whose labels are numbers like its values, so that a text can mean two things."""
    values = [str(number) for number in range(draw(st.integers(2, 4)))]
    levels = [values]
    for _ in range(draw(st.integers(1, 2))):
        parents = {text: str(draw(st.integers(0, 3))) for text in dict.fromkeys(levels[-1])}
        levels.append([parents[text] for text in levels[-1]])
    return Hierarchy.from_rows(list(zip(*levels, ["*"] * len(values), strict=True)))


def recorded_moves(patch: pytest.MonkeyPatch) -> list[NDArray[np.int16]]:
    """A list that gets the levels after every move."""
    path: list[NDArray[np.int16]] = []
    make = Partial._make

    def recorded(self: Partial, part: Part, column: int) -> None:
        make(self, part, column)
        path.append(self.levels())

    patch.setattr(Partial, "_make", recorded)
    return path


@st.composite
def numbered_problems(draw: st.DrawFn) -> Problem:
    """Problems over such hierarchies."""
    columns = ("a", "b", "c")[: draw(st.integers(2, 3))]
    ladders = {name: draw(numbered()) for name in columns}
    cells = {name: st.sampled_from(ladder.values) for name, ladder in ladders.items()}
    kinds = draw(st.lists(st.fixed_dictionaries({**cells, DISEASE: st.sampled_from("xyz")}), min_size=3, max_size=12))
    rows = [row for row in kinds for _ in range(draw(st.integers(1, 3)))]
    return problem(rows, ladders, draw(CHECKS))


@given(problems(CHECKS) | numbered_problems(), SCORES)
def test_the_best_move_over_and_over(given_problem: Problem, scoring_name: str) -> None:
    full = run(given_problem, Scored(score=scoring_name))
    with pytest.MonkeyPatch.context() as patch:
        path = recorded_moves(patch)
        outcome = run(given_problem, Scored(score=scoring_name, partial=True))
    assert node_of(outcome) == node_of(full)
    if isinstance(outcome, NothingFound):
        return
    name, scoring = named(scoring_name)
    expected = greedy(given_problem, scoring, own_levels(given_problem, full))
    assert [levels.tolist() for levels in path] == [levels.tolist() for levels in expected]
    assert isinstance(outcome, CellsOutcome)
    assert outcome.own_levels.tolist() == [own_levels(given_problem, full), *path][-1].tolist()
    cells = published(given_problem, outcome.own_levels)
    assert outcome.details["partial_domain"] == score(given_problem, scoring, cells)
    assert outcome.details["score"] == name


@given(problems(CHECKS) | numbered_problems(), SCORES, st.integers(0, 60))
def test_after_every_move_the_table_is_anonymous_and_in_the_end_no_move_is_left(
    given_problem: Problem, scoring_name: str, ticks: int
) -> None:
    search = Scored(score=scoring_name, partial=True)
    outcome = search.run(given_problem, Ticks(ticks))
    if isinstance(outcome, CellsOutcome):
        assert holds(given_problem, published(given_problem, outcome.own_levels))
        low = np.array(given_problem.minimum or [0] * len(given_problem.ladders))[:, None]
        assert (outcome.own_levels >= low).all()
        assert not isinstance(outcome, NothingFound)
        assert (outcome.own_levels <= np.array(outcome.node.levels)[:, None]).all()
        if outcome.stopped == "done":
            after = [published(given_problem, each) for _, _, each in moves(given_problem, outcome.own_levels)]
            assert not any(holds(given_problem, cells) for cells in after)


@given(problems(CHECKS), SCORES)
def test_partial_tables_never_score_less(given_problem: Problem, scoring_name: str) -> None:
    details = run(given_problem, Scored(score=scoring_name, partial=True)).details
    if details["full_domain"] is not None:
        assert details["partial_domain"] >= details["full_domain"]


@given(problems(CHECKS), st.data())
def test_the_order_of_the_combinations_does_not_matter(given_problem: Problem, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(given_problem.frequencies.combinations)))
    frequencies = given_problem.frequencies
    shuffled = replace(frequencies, codes=frequencies.codes[:, order].copy(), counts=frequencies.counts[order])
    search = Scored(partial=True)
    one, other = run(given_problem, search), run(replace(given_problem, frequencies=shuffled), search)
    assert node_of(one) == node_of(other)
    if not isinstance(one, CellsOutcome):
        assert not isinstance(other, CellsOutcome)
        return
    assert isinstance(other, CellsOutcome)
    of_one, of_other = (each.classes(given_problem.quasi).of for each in (frequencies, shuffled))
    assert np.array_equal(one.own_levels[:, of_one][:, order], other.own_levels[:, of_other])


# Pre-sampling.


@given(problems(CHECKS), st.integers(1, 6), SCORES, st.booleans(), st.data())
def test_pre_sampling_drops_small_classes_of_its_levels(
    given_problem: Problem, k: int, scoring_name: str, partial: bool, data: st.DataObject
) -> None:
    levels = {ladder.name: data.draw(st.integers(0, ladder.height)) for ladder in given_problem.ladders}
    given_problem = replace(given_problem, budget=given_problem.frequencies.records)
    outcome = run(given_problem, Scored(score=scoring_name, sample_k=k, sample_levels=levels, partial=partial))
    combinations = given_problem.frequencies.project(given_problem.quasi)
    at = np.repeat(np.array(list(levels.values()), dtype=np.int16)[:, None], combinations.combinations, axis=1)
    sampled = published(given_problem, at)
    sizes: dict[tuple[str | None, ...], int] = defaultdict(int)
    for number, cells in sampled.items():
        sizes[cells] += int(combinations.counts[number])
    dropped = {number for number, cells in sampled.items() if sizes[cells] < k}
    assert outcome.details["dropped"] == sum(int(combinations.counts[number]) for number in dropped)
    if isinstance(outcome, NothingFound):
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed > outcome.details["dropped"]
        return
    assert outcome.node.suppressed == outcome.details["dropped"]
    records = [
        Cells(tuple(combinations.codes[:, number].tolist()), number in dropped)
        for number, times in enumerate(combinations.counts)
        for _ in range(times)
    ]
    columns = Columns(combinations, given_problem.ladders, given_problem.priorities or (1.0,) * len(levels))
    cost = given_problem.metric.textbook(records, outcome.node.levels, columns)
    assert outcome.node.score == pytest.approx(cost, rel=1e-9, abs=1e-12)
    if dropped:
        assert isinstance(outcome, CellsOutcome)
        assert set(np.flatnonzero((outcome.own_levels == -1).all(axis=0)).tolist()) == dropped
        assert set(np.flatnonzero((outcome.own_levels == -1).any(axis=0)).tolist()) == dropped
    cells = published(given_problem, own_levels(given_problem, outcome))
    assert holds(given_problem, cells)
    _, scoring = named(scoring_name)
    reached = outcome.details["partial_domain" if partial else "full_domain"]
    assert reached == score(given_problem, scoring, cells)

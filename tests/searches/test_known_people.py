"""Searches that judge people by what is known of them, against the definition in plain Python."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.core.knowledge import Known
from incrowd.core.people import TableOfPeople
from incrowd.metrics import Levels
from incrowd.metrics.discernibility import Discernibility
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople
from incrowd.searches import LevelsSearch, LinkedTable, NothingFound, People, Problem
from incrowd.searches.best_first import BestFirst
from incrowd.searches.bottom_up import BottomUp
from incrowd.searches.datafly import Datafly
from incrowd.searches.exhaustive import Exhaustive
from incrowd.searches.incognito import Incognito
from incrowd.searches.lattice import PeopleLattice, lattice_of
from incrowd.searches.optimal import Optimal
from incrowd.searches.samarati import Samarati
from incrowd.watch import Watch
from searches.chosen import node_of
from searches.people_by_hand import PERSON, ByHand, linked_problems, people_problems
from searches.problems import CLOSED_MODELS, frequency_set, minimal


def nodes(given_problem: Problem) -> list[Levels]:
    return list(product(*(range(ladder.height + 1) for ladder in given_problem.ladders)))


def is_below(lower: Levels, upper: Levels) -> bool:
    return all(low <= high for low, high in zip(lower, upper, strict=True))


@given(people_problems(), st.data())
def test_a_node_is_what_the_definition_says(given_problem: Problem, data: st.DataObject) -> None:
    by_hand = ByHand(given_problem)
    lattice = lattice_of(given_problem)
    assert isinstance(lattice, PeopleLattice)
    levels = data.draw(st.sampled_from(nodes(given_problem)))
    people, records, feasible, kept = by_hand.judged(levels)
    node = lattice.count(levels)
    assert (node.people, node.suppressed, node.feasible) == (people, records, feasible)
    if feasible:
        assert node.score == pytest.approx(by_hand.score(levels, kept))
    classes = {row.of for row, stays in zip(by_hand.tables(levels)[0], kept[0], strict=True) if stays}
    assert node.classes == len(classes)
    of, holds = lattice.classes_of(levels)
    assert int(lattice.decided.counts[~holds[of]].sum()) == records
    [rows] = lattice.kept_rows(levels)
    assert int(given_problem.frequencies.counts[~rows].sum()) == records


@given(people_problems())
def test_what_is_pruned_is_not_feasible_and_bounds_hold(given_problem: Problem) -> None:
    lattice = lattice_of(given_problem)
    counted = {levels: lattice.count(levels) for levels in nodes(given_problem)}
    for upper, node in counted.items():
        for lower, below in counted.items():
            if not is_below(lower, upper):
                continue
            assert not (node.dead and below.feasible)
            if below.feasible:
                assert below.score >= lattice.bound(lower) + node.penalty - 1e-9
                assert node.feasible or not lattice.keeps_feasible


@given(people_problems())
def test_optimal_and_exhaustive_find_the_best(given_problem: Problem) -> None:
    by_hand = ByHand(given_problem)
    scores = []
    for levels in nodes(given_problem):
        _, _, feasible, kept = by_hand.judged(levels)
        if feasible:
            scores.append(by_hand.score(levels, kept))
    for search in (Optimal(), Exhaustive(), Incognito()):
        found = search.run(given_problem, Watch())
        node = node_of(found)
        assert (node is None) == (not scores)
        assert node is None or node.score == pytest.approx(min(scores))


@given(people_problems())
def test_samarati_and_incognito_find_minimal_nodes(given_problem: Problem) -> None:
    by_hand = ByHand(given_problem)
    solutions = {levels for levels in nodes(given_problem) if by_hand.judged(levels)[2]}
    found = Incognito(answer="minimal").run(given_problem, Watch())
    if isinstance(found, NothingFound):
        assert not solutions
    else:
        assert {found.node.levels, *found.also} == minimal(solutions)
    lowest = node_of(Samarati().run(given_problem, Watch()))
    assert (lowest is None) == (not solutions)
    assert lowest is None or sum(lowest.levels) == min(map(sum, solutions))


@pytest.mark.parametrize("search", [BestFirst(), Datafly(), BottomUp()])
@given(given_problem=people_problems())
def test_climbing_ends_at_a_feasible_node(search: LevelsSearch, given_problem: Problem) -> None:
    by_hand = ByHand(given_problem)
    node = node_of(search.run(given_problem, Watch()))
    if node is None:
        assert not by_hand.judged(lattice_of(given_problem).top)[2]
    else:
        assert by_hand.judged(node.levels)[2]


def test_a_class_that_loses_a_part_may_cost_less_than_a_whole_one() -> None:
    """Four people have one record, one has two; known by all records, the last one goes."""
    rows = [{"a": "v", PERSON: str(at)} for at in (0, 1, 2, 3, 4, 4)]
    frequencies = frequency_set(rows, ["a", PERSON])
    ladder = Hierarchy.from_rows([("v", "*")]).along("a", frequencies.values[0])
    table = LinkedTable(TableOfPeople.of(frequencies, (PERSON,)), (ladder,))
    model = OfPeople(KAnonymity(2), (PERSON,))
    people = People((table,), Known.HISTORY, whole=True)
    lattice = lattice_of(Problem(frequencies, (ladder,), model, Discernibility(), budget=2, people=people))
    node = lattice.count((0,))
    assert (node.people, node.suppressed, node.score) == (1, 2, 4 * 4 + 2 * 6)
    assert Discernibility().prepare(lattice.tables[0].columns).bound(np.zeros(1)) == 6 * 6
    assert lattice.bound((0,)) <= node.score


@given(linked_problems(CLOSED_MODELS), st.data())
def test_several_tables_are_judged_together(given_problem: Problem, data: st.DataObject) -> None:
    lattice = lattice_of(given_problem)
    levels = data.draw(st.sampled_from(nodes(given_problem)))
    people, records, feasible, _ = ByHand(given_problem).judged(levels)
    node = lattice.count(levels)
    assert node.feasible == feasible
    if feasible:
        assert (node.people, node.suppressed) == (people, records)
    else:
        # Once too many must go, the others are not looked for.
        assert node.people <= people


@given(linked_problems(CLOSED_MODELS))
def test_optimal_and_incognito_agree_with_exhaustive_search_over_several_tables(given_problem: Problem) -> None:
    best = node_of(Exhaustive().run(given_problem, Watch()))
    for search in (Optimal(), Incognito()):
        node = node_of(search.run(given_problem, Watch()))
        assert (node is None) == (best is None)
        assert node is None or best is None or node.score == pytest.approx(best.score)

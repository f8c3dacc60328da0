"""Searches by people: what decides most classes without counting all people changes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.core.histograms import UNLIMITED
from incrowd.metrics import Levels
from incrowd.models import PrivacyModel
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.of_people import OfPeople
from incrowd.searches import GroupsOutcome, NothingFound, Problem
from incrowd.searches.lattice import Lattice, lattice
from incrowd.searches.lattice.quick import Quick
from incrowd.searches.mondrian import Mondrian
from incrowd.searches.optimal import Optimal
from incrowd.watch import Watch
from local.tables import QUASI, local_problem, records_of, tables
from searches.problems import METRICS, problem
from searches.test_lattice import generalized, judged_by_definition
from searches.test_lattice import records_of as codes_of
from strategies_lattice import hierarchies

PEOPLE = st.sampled_from(["ann", "bob", "cem", "dov", "eve", None])
BORN = st.sampled_from(["1980", "1990", None])
BY_PEOPLE: SearchStrategy[PrivacyModel] = st.builds(
    OfPeople, model=st.builds(KAnonymity, k=st.integers(1, 5)), person=st.sampled_from([("name",), ("name", "born")])
)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Records of a few people; some lack what tells the person."""
    columns = ("a", "b", "c")[: draw(st.integers(1, 3))]
    ladders = {name: draw(hierarchies(most_values=4)) for name in columns}
    cells = {name: st.sampled_from(ladder.values) | st.none() for name, ladder in ladders.items()}
    rows = draw(st.lists(st.fixed_dictionaries({**cells, "name": PEOPLE, "born": BORN}), min_size=1, max_size=24))
    return problem(rows, ladders, draw(BY_PEOPLE), draw(METRICS), budget=draw(st.integers(0, len(rows) // 2)))


@contextmanager
def all_people_counted() -> Iterator[None]:
    """Without what spares counting them."""
    with (
        patch.object(lattice, "enough_people", lambda model: UNLIMITED),
        patch.object(Quick, "of", classmethod(lambda cls, *given: None)),
        patch("incrowd.searches.mondrian.enough_people", lambda model: UNLIMITED),
    ):
        yield


def every_level(given_problem: Problem) -> list[Levels]:
    return list(product(*(range(ladder.height + 1) for ladder in given_problem.ladders)))


@given(problems(), st.data())
def test_nodes_are_what_the_definition_and_the_general_way_say(given_problem: Problem, data: st.DataObject) -> None:
    quick = Lattice(given_problem)
    with all_people_counted():
        slow = Lattice(given_problem)
        assert slow._quick is None
    records = codes_of(given_problem.frequencies)
    for levels in data.draw(st.permutations(every_level(given_problem)))[:8]:
        node, other = quick.count(levels), slow.count(levels)
        verdict = judged_by_definition(given_problem, levels)
        lost = sum(not verdict[generalized(given_problem, record, levels)] for record in records)
        assert node.suppressed == other.suppressed == lost
        assert (node.classes, node.smallest, node.feasible) == (other.classes, other.smallest, other.feasible)
        assert node.dead == other.dead
        assert node.score == pytest.approx(other.score, rel=1e-12)
        assert node.penalty == pytest.approx(other.penalty, rel=1e-9, abs=1e-12)
        for one, two in zip(quick.classes_of(levels), slow.classes_of(levels), strict=True):
            assert one.tolist() == two.tolist()


@given(problems())
def test_the_best_node_is_the_same(given_problem: Problem) -> None:
    with Watch() as watch:
        quick = Optimal().run(given_problem, watch)
        with all_people_counted():
            slow = Optimal().run(given_problem, watch)
    assert isinstance(quick, NothingFound) == isinstance(slow, NothingFound)
    if not isinstance(quick, NothingFound) and not isinstance(slow, NothingFound):
        assert quick.node.score == pytest.approx(slow.node.score, rel=1e-12)
        assert quick.node.suppressed <= given_problem.budget


@given(
    tables(30),
    st.lists(st.tuples(PEOPLE, BORN), min_size=30, max_size=30),
    BY_PEOPLE,
    st.builds(Mondrian, column=st.sampled_from(["widest", "loss"]), trees=st.sampled_from(["nodes", "leaves"])),
)
def test_mondrian_makes_the_same_cuts(
    rows: list[dict[str, Any]], people: list[tuple[str | None, str | None]], model: OfPeople, search: Mondrian
) -> None:
    whole = [{**row, "name": name, "born": born} for row, (name, born) in zip(rows, people, strict=False)]
    given_problem = local_problem(whole, model)
    assert given_problem.quasi == QUASI
    with Watch() as watch:
        quick = search.run(given_problem, watch)
        with all_people_counted():
            slow = search.run(given_problem, watch)
    assert type(quick) is type(slow)
    if isinstance(quick, GroupsOutcome) and isinstance(slow, GroupsOutcome):
        assert records_of(quick.groups) == records_of(slow.groups)
        assert model.holds(quick.groups.classes(model.needs)).all()

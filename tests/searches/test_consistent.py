"""The search consistent, against the definitions and against all cell generalizations of tiny tables."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import UsageError
from incrowd.metrics.loss import Loss
from incrowd.models.consistent_k import NOTIONS, ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings.by_combination import SUPPRESSED, recode
from incrowd.searches import CellsOutcome, NothingFound, Outcome, Problem, consistent
from incrowd.searches.consistent import Consistent
from incrowd.searches.layered import Layered
from incrowd.watch import Watch
from searches.consistent_by_hand import cheapest, fits_of, holds, loss_of
from searches.own_levels import shuffled
from searches.problems import AGES, PRIORITIES, Ticks, problem
from strategies_lattice import hierarchies

MODELS = st.builds(ConsistentK, k=st.integers(1, 4), notion=st.sampled_from(NOTIONS))


@st.composite
def problems(draw: st.DrawFn, most: int = 7, columns: int = 2, values: int = 4) -> Problem:
    """Few records, some of them equal, with missing cells."""
    ladders = {name: draw(hierarchies(most_values=values)) for name in "ab"[: draw(st.integers(1, columns))]}
    cells = {name: st.sampled_from(ladder.values) | st.none() for name, ladder in ladders.items()}
    rows = draw(st.lists(st.fixed_dictionaries(cells), max_size=most))
    minimum = tuple(draw(st.integers(0, min(1, ladder.height))) for ladder in ladders.values())
    limit = tuple(draw(st.integers(low, top.height)) for low, top in zip(minimum, ladders.values(), strict=True))
    return problem(
        rows,
        ladders,
        draw(MODELS),
        Loss(),
        budget=draw(st.integers(0, len(rows))),
        minimum=draw(st.sampled_from([(), minimum])),
        limit=draw(st.sampled_from([(), limit])),
        priorities=draw(st.just(()) | st.tuples(*[PRIORITIES] * len(ladders)).filter(any)),
    )


def model_of(given: Problem) -> ConsistentK:
    assert isinstance(given.model, ConsistentK)
    return given.model


def check(given: Problem, watch: Watch) -> Outcome | None:
    """What is found satisfies the definition within the limits."""
    outcome, model = Consistent().run(given, watch), model_of(given)
    if isinstance(outcome, NothingFound):
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed > given.budget
        return None
    own = outcome.own_levels
    assert own is not None
    table = given.frequencies.project(given.quasi)
    pieces = outcome.pieces
    at, counts = pieces or (np.arange(table.combinations), table.counts)
    assert np.array_equal(np.bincount(at, counts, table.combinations), table.counts)
    kept = (own != SUPPRESSED).all(axis=0)
    assert outcome.node.suppressed == counts[~kept].sum() <= given.budget
    low = given.minimum or (0,) * len(given.ladders)
    high = given.limit or tuple(ladder.height for ladder in given.ladders)
    for levels, least, most in zip(own[:, kept], low, high, strict=True):
        assert ((levels >= least) & (levels <= most)).all()
    fits = fits_of(given, own, pieces)
    assert holds(model, fits)
    assert outcome.node.score == pytest.approx(loss_of(given, own, pieces))
    assert outcome.details["rows"] == min((sum(of) for of in zip(*fits, strict=True)), default=0)
    if model.notion != "global_one_k":
        assert outcome.details["people"] == min((sum(of) for of in fits if any(of)), default=0)
    else:
        reached = outcome.details["people"]
        assert not kept.any() or holds(ConsistentK(reached, "global_one_k"), fits)
        assert not holds(ConsistentK(reached + 1, "global_one_k"), fits) or not kept.any()
    return outcome


@settings(max_examples=100)
@given(problems())
def test_by_definition(given: Problem) -> None:
    found = check(given, Watch())
    top = given.limit or tuple(ladder.height for ladder in given.ladders)
    whole = Layered().run(replace(given, model=KAnonymity(model_of(given).k), minimum=top), Watch())
    assert (found is None) == (isinstance(whole, NothingFound)), "there is a release where the highest levels are one"


@settings(max_examples=40)
@given(problems(), st.integers(0, 12))
def test_stopped_it_is_still_what_is_asked_for(given: Problem, ticks: int) -> None:
    check(given, Ticks(ticks))


@settings(max_examples=40)
@given(problems(most=3, values=3))
def test_never_better_than_the_best(given: Problem) -> None:
    found = check(given, Watch())
    if found is None or isinstance(found, NothingFound) or found.node.suppressed:
        return
    best = cheapest(given, model_of(given))
    if model_of(given).notion == "k_one":
        # Every row is chosen by itself, so that the cheapest ones are found.
        assert found.node.score == pytest.approx(best)
    assert found.node.score >= best - 1e-9


@settings(max_examples=60)
@given(problems())
def test_equal_records_part_only_where_that_is_better(given: Problem) -> None:
    found, whole = Consistent().run(given, Watch()), Consistent().run(replace(given, can_part=False), Watch())
    assert isinstance(whole, NothingFound) or whole.pieces is None
    assert (isinstance(found, NothingFound)) == (isinstance(whole, NothingFound))
    if not isinstance(found, NothingFound) and not isinstance(whole, NothingFound):
        assert found.node.score < whole.node.score if found.pieces else found.node.score == whole.node.score


RACES = Hierarchy.from_rows([(race, "Person") for race in ("White", "Black", "Asian")])
ZIPS = Hierarchy.from_rows([(zip, zip[:4] + "*", "941**") for zip in ("94138", "94139", "94141", "94142")])
LECTURE = [("White", "94138"), ("Black", "94139"), ("Asian", "94141"), ("Asian", "94141"), ("Asian", "94142")]


@pytest.mark.parametrize("notion", ["k_k", "global_one_k"])
def test_the_lecture_s_release_is_found(notion: str) -> None:
    """FX-SAM-9 (Samarati 2008, slide 57): one of two equal records keeps its ZIP, the other hides the third."""
    rows = [{"race": race, "zip": code} for race, code in LECTURE]
    given = problem(rows, {"race": RACES, "zip": ZIPS}, ConsistentK(2, notion))
    found = check(given, Watch())
    assert found is not None
    assert not isinstance(found, NothingFound)
    assert found.node.score == pytest.approx(cheapest(given, model_of(given)))
    assert isinstance(found, CellsOutcome)
    released = recode(given.frequencies, given.ladders, found.own_levels, found.pieces)
    cells = [
        tuple(column.labels[column.codes[at]] for column in released.columns if column is not None)
        for at, records in enumerate(released.counts.tolist())
        for _ in range(records)
    ]
    assert sorted(map(str, cells)) == sorted(
        map(str, [("Person", "9413*")] * 2 + [("Asian", "94141")] + [("Asian", "9414*")] * 2)
    )


@settings(max_examples=40)
@given(problems(), st.data())
def test_the_order_of_the_table_does_not_matter(given: Problem, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(given.frequencies.combinations)))
    first, second = (Consistent().run(each, Watch()) for each in (given, shuffled(given, order)))
    assert (not isinstance(first, CellsOutcome)) == (not isinstance(second, CellsOutcome))
    if isinstance(first, CellsOutcome) and isinstance(second, CellsOutcome):
        assert by_values(given, first) == by_values(shuffled(given, order), second)


def by_values(given: Problem, found: Outcome) -> list[Any]:
    """Values, levels and records of each combination, or of its pieces, whatever their position."""
    table, own = given.frequencies.project(given.quasi), found.own_levels
    assert own is not None
    at, counts = found.pieces or (np.arange(table.combinations), table.counts)
    return sorted(zip(table.codes[:, at].T.tolist(), own.T.tolist(), counts.tolist(), strict=True))


def people(*ages: int, k: int = 2, notion: str = "k_k", **settings: Any) -> Problem:
    return problem([{"age": str(age)} for age in ages], {"age": AGES}, ConsistentK(k, notion), **settings)


@pytest.mark.parametrize("notion", NOTIONS)
def test_edges(notion: str) -> None:
    assert isinstance(Consistent().run(people(30, notion=notion), Watch()), NothingFound), "one record, k=2"
    gone = Consistent().run(people(30, notion=notion, budget=1), Watch())
    assert not isinstance(gone, NothingFound)
    assert gone.node.suppressed == 1
    alone = Consistent().run(people(30, k=1, notion=notion), Watch())
    assert isinstance(alone, CellsOutcome)
    assert alone.own_levels.tolist() == [[0]]
    empty = Consistent().run(people(notion=notion), Watch())
    assert not isinstance(empty, NothingFound)
    assert empty.details == {"people": 0, "rows": 0}
    alike = Consistent().run(people(30, 30, 30, k=3, notion=notion), Watch())
    assert isinstance(alike, CellsOutcome)
    assert alike.own_levels.tolist() == [[0]]


def test_both_sides_cost_less_than_equal_records() -> None:
    """Two in their thirties stay so: 30 covers 30, and the other hides in the row of a third."""
    given = people(30, 30, 31, 41, 42)
    found = Consistent().run(given, Watch())
    alike = Layered().run(replace(given, model=KAnonymity(2)), Watch())
    assert not isinstance(found, NothingFound)
    assert not isinstance(alike, NothingFound)
    assert found.node.score <= alike.node.score


def test_other_models_are_refused() -> None:
    with pytest.raises(UsageError, match="give only the model consistent_k"):
        Consistent().run(replace(people(30, 31), model=KAnonymity(2)), Watch())


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistent, "MOST", 2)
    with pytest.raises(UsageError, match="it has 3 different combinations; the limit is 2"):
        Consistent().run(people(30, 31, 32), Watch())

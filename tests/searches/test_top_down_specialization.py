"""Top-down specialization: the steps of its definition, a release that cannot be specialized further, and its label."""

from dataclasses import replace
from fractions import Fraction
from math import log2
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.hospital import PATIENTS, hospital_job, in_arrow
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import JobError, UsageError
from incrowd.metrics.loss import Loss
from incrowd.models import PrivacyModel
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Guarantee, Node, NothingFound, Problem
from incrowd.searches._subtrees.cuts import Cuts
from incrowd.searches.top_down_specialization import TopDownSpecialization, information_gains
from incrowd.watch import Watch
from searches.own_levels import check_any_order, check_feasible
from searches.problems import CLOSED_MODELS, DISEASE, MODELS, SEXES, Ticks, frequency_set, population_problems, problem
from searches.subtrees import ByHand, Cut, check_subtrees, tree_problems
from searches.test_optimal import NINE, adult, on_adult

__all__ = ["adult"]

SEARCH = TopDownSpecialization(DISEASE)
TOWNS = Hierarchy.from_rows(
    [
        ("Graz", "Styria", "*"),
        ("Leoben", "Styria", "*"),
        ("Linz", "Upper Austria", "*"),
        ("Wels", "Upper Austria", "*"),
    ]
)


@st.composite
def labeled(draw: st.DrawFn, models: st.SearchStrategy[PrivacyModel] = MODELS, most: int = 100) -> Problem:
    """Problems in which the disease is counted, whether a model looks at it or not."""
    given_problem = draw(tree_problems(models, most))
    if DISEASE in given_problem.frequencies.names:
        return given_problem
    table = given_problem.frequencies
    labels = draw(st.lists(st.integers(0, 2), min_size=table.combinations, max_size=table.combinations))
    codes = np.concatenate([table.codes, np.array([labels], dtype=np.int32)])
    values = (*table.values, pa.array(["x", "y"]))
    return replace(given_problem, frequencies=FrequencySet((*table.names, DISEASE), values, codes, table.counts))


def uncertainty(given_problem: Problem, column: int, codes: set[int]) -> tuple[int, float]:
    """How many records have one of the values, and the entropy of the label among them."""
    table, labels = given_problem.frequencies, dict[int, int]()
    at = table.names.index(DISEASE)
    for row, count in zip(table.codes.T.tolist(), table.counts.tolist(), strict=True):
        if row[column] in codes:
            labels[row[at]] = labels.get(row[at], 0) + count
    n = sum(labels.values())
    return n, -sum(count / n * log2(count / n) for count in labels.values())


Step = tuple[int, frozenset[int], tuple[Cut, ...]]
"""A column, the values below the node that is specialized, and the cut then."""


def steps_down(given_problem: Problem, cut: tuple[Cut, ...]) -> list[Step]:
    """Every node of the cut that can be specialized."""
    low = given_problem.minimum or (0,) * len(given_problem.ladders)
    found = []
    for column, (ladder, levels) in enumerate(zip(given_problem.ladders, cut, strict=True)):
        nodes: dict[tuple[int, int], set[int]] = {}
        for code, level in levels.items():
            nodes.setdefault((level, int(ladder.up[level][code])), set()).add(code)
        for (level, _), codes in nodes.items():
            if level > low[column]:
                after = {**levels, **dict.fromkeys(codes, level - 1)}
                found.append((column, frozenset(codes), (*cut[:column], after, *cut[column + 1 :])))
    return found


def gain(given_problem: Problem, column: int, codes: frozenset[int], after: Cut) -> float:
    """InfoGain by the definition: the label's entropy less what is left of it in the children, weighted by records."""
    ladder = given_problem.ladders[column]
    children: dict[int, set[int]] = {}
    for code in codes:
        children.setdefault(int(ladder.up[after[code]][code]), set()).add(code)
    n, whole = uncertainty(given_problem, column, set(codes))
    parts = [uncertainty(given_problem, column, each) for each in children.values()]
    return whole - sum(size / n * entropy for size, entropy in parts)


def worth(given_problem: Problem, step: Step, before: Node, after: Node) -> float:
    """InfoGain / (AnonyLoss + 1)."""
    column, codes, cut = step
    return gain(given_problem, column, codes, cut[column]) / (max(0, before.smallest - after.smallest) + 1)


def every_release(given_problem: Problem) -> dict[tuple[tuple[tuple[int, int], ...], ...], Node]:
    """By cut what its release is."""
    return {_name(cut): node for cut, node in ByHand(given_problem).every_cut()}


def _name(cut: tuple[Cut, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(tuple(sorted(levels.items())) for levels in cut)


@settings(max_examples=60)
@given(labeled())
def test_the_steps_are_those_of_the_definition(given_problem: Problem) -> None:
    """From the top the worthiest feasible step, over and over; among equally worthy ones any may be the way."""
    outcome = SEARCH.run(given_problem, Watch())
    assert (outcome.stopped, outcome.guarantee) == ("done", Guarantee.HEURISTIC)
    check_feasible(given_problem, outcome)
    releases = every_release(given_problem)
    high = given_problem.limit or tuple(ladder.height for ladder in given_problem.ladders)
    codes = given_problem.frequencies.codes
    top = tuple(dict.fromkeys(set(row.tolist()), level) for row, level in zip(codes, high, strict=False))
    if isinstance(outcome, NothingFound):
        assert not releases[_name(top)].feasible
        return
    check_subtrees(given_problem, outcome)
    ways, ends = {_name(top): top}, set()
    while ways:
        name, cut = ways.popitem()
        before = releases[name]
        steps = [step for step in steps_down(given_problem, cut) if releases[_name(step[2])].feasible]
        values = [worth(given_problem, step, before, releases[_name(step[2])]) for step in steps]
        if not steps:
            ends.add((before.suppressed, before.classes, round(before.score, 8)))
            continue
        best = max(values)
        costs = [releases[_name(step[2])].score for step in steps]
        least = min(cost for cost, value in zip(costs, values, strict=True) if value > best - 1e-9)
        for step, value, cost in zip(steps, values, costs, strict=True):
            if value > best - 1e-9 and cost < least + 1e-8:
                ways[_name(step[2])] = step[2]
    found = outcome.node
    assert (found.suppressed, found.classes, round(found.score, 8)) in ends


@settings(max_examples=40)
@given(labeled(CLOSED_MODELS))
def test_no_single_specialization_is_feasible_in_the_end(given_problem: Problem) -> None:
    """And where generalizing never harms, none of several together is either."""
    outcome = SEARCH.run(given_problem, Watch())
    if isinstance(outcome, NothingFound):
        return
    own = check_subtrees(given_problem, outcome)
    kept = (own >= 0).all(axis=0)
    codes = given_problem.frequencies.project(given_problem.quasi).codes
    if not kept.all() or not Cuts(given_problem).keeps_feasible:
        return
    cut = tuple(dict(zip(row, levels, strict=True)) for row, levels in zip(codes.tolist(), own.tolist(), strict=True))
    for other, node in ByHand(given_problem).every_cut():
        below = all(one[code] <= two[code] for one, two in zip(other, cut, strict=True) for code in two)
        assert _name(other) == _name(cut) or not (below and node.feasible)


@settings(max_examples=25)
@given(labeled(), st.integers(0, 12))
def test_stopped_at_any_moment_it_is_a_release(given_problem: Problem, ticks: int) -> None:
    outcome = SEARCH.run(given_problem, Ticks(ticks))
    check_feasible(given_problem, outcome)
    if not isinstance(outcome, NothingFound):
        check_subtrees(given_problem, outcome)


@settings(max_examples=25)
@given(labeled(), st.randoms())
def test_the_order_of_counting_does_not_matter(given_problem: Problem, random: Random) -> None:
    check_any_order(given_problem, SEARCH, random)


def counted(rows: list[dict[str, str]], model: PrivacyModel, budget: int = 0) -> Problem:
    """Town and sex are quasi-identifiers, and the disease is counted with them."""
    table = frequency_set(rows, ["town", "sex", DISEASE])
    ladders = tuple(
        tree.along(name, values)
        for name, tree, values in zip(("town", "sex"), (TOWNS, SEXES), table.values, strict=False)
    )
    return Problem(table, ladders, model, Loss(), budget)


def test_what_tells_the_label_apart_comes_first() -> None:
    """Eight people: the province tells the label, sex tells nothing, and k = 4 leaves room for one of them."""
    rows = [
        {"town": town, "sex": sex, DISEASE: "flu" if town in ("Graz", "Leoben") else "gout"}
        for town in ("Graz", "Leoben", "Linz", "Wels")
        for sex in "FM"
    ]
    given_problem = counted(rows, KAnonymity(4))
    outcome = SEARCH.run(given_problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert (outcome.node.levels, outcome.node.classes, outcome.details["specializations"]) == ((1, 1), 2, 1)
    trees = Cuts(given_problem).trees
    gains = information_gains(given_problem, trees, DISEASE)
    # In order: all towns, Styria with its towns, Upper Austria with its towns; both sexes, each sex.
    assert gains.tolist() == pytest.approx([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    # Without any gain, what is left over is given to the metric: sex costs more than a town.
    outcome = SEARCH.run(counted(rows, KAnonymity(2)), Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == (1, 0)


def test_information_gain_by_hand() -> None:
    """Of six records three have the flu; of the four in Styria three."""
    places = ["Graz", "Graz", "Graz", "Leoben", "Linz", "Linz"]
    rows = [
        {"town": town, "sex": "F", DISEASE: disease}
        for town, disease in zip(places, ["flu"] * 3 + ["gout"] * 3, strict=True)
    ]
    given_problem = counted(rows, KAnonymity(1))
    gains = information_gains(given_problem, Cuts(given_problem).trees, DISEASE)
    styria = -(Fraction(3, 4) * log2(3 / 4) + Fraction(1, 4) * log2(1 / 4))
    # All towns, Styria, Graz, Leoben, Upper Austria, Linz; both sexes, F.
    assert gains.tolist() == pytest.approx([1 - 4 / 6 * float(styria), float(styria), 0, 0, 0, 0, 0, 0])


def test_tables_at_the_edge() -> None:
    empty = SEARCH.run(counted([], KAnonymity(3)), Watch())
    assert not isinstance(empty, NothingFound)
    assert (empty.node.levels, empty.node.classes) == ((0, 0), 0)
    two = [{"town": "Graz", "sex": "F", DISEASE: "flu"}, {"town": "Linz", "sex": "F", DISEASE: "flu"}]
    none = SEARCH.run(counted(two, KAnonymity(3)), Watch())
    assert isinstance(none, NothingFound)
    assert none.nearest is not None
    assert none.nearest.suppressed == 2
    gone = SEARCH.run(counted(two, KAnonymity(3), budget=2), Watch())
    assert not isinstance(gone, NothingFound)
    assert gone.node.suppressed == 2
    one = SEARCH.run(counted(two[:1], KAnonymity(1)), Watch())
    assert not isinstance(one, NothingFound)
    assert one.node.levels == (0, 0)


@settings(max_examples=5)
@given(population_problems())
def test_a_population_is_refused(given_problem: Problem) -> None:
    with pytest.raises(UsageError, match="compared with a population"):
        SEARCH.run(given_problem, Watch())


def test_a_label_that_was_not_counted() -> None:
    with pytest.raises(UsageError, match="no column 'weight'"):
        TopDownSpecialization("weight").run(problem([{"town": "Graz"}], {"town": TOWNS}, KAnonymity(1)), Watch())


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ("top_down_specialization", "needs label; write top_down_specialization:label="),
        ("top_down_specialization:label=weight", "does not mention"),
        ("top_down_specialization:label=age", "which is quasi"),
        ("top_down_specialization:label=name", "which is identifier"),
        ({"top_down_specialization": {"label": ""}}, "the name of a column"),
    ],
)
def test_labels_that_make_no_sense(search: object, words: str) -> None:
    with pytest.raises(JobError, match=words):
        incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, search=search))


@pytest.mark.parametrize("label", ["disease", "visits"])
def test_a_label_is_published_as_it_is(label: str) -> None:
    """A sensitive column that no model looks at, and one that is kept."""
    search = f"top_down_specialization:label={label}"
    made = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, search=search))
    assert made.verdict.holds
    assert sorted(made.frame.column(label).to_pylist()) == sorted(person[label] for person in PATIENTS)


def test_adult(adult: FrequencySet) -> None:
    """Labels are told apart better than by the recoding of the same kind that loses least."""
    quasi = tuple(name for name in NINE if name != "salary-class")
    given_problem = on_adult(adult, quasi, KAnonymity(5), Loss(), 0.02, "salary-class")
    outcome = TopDownSpecialization("salary-class").run(given_problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.smallest >= 5
    assert outcome.node.suppressed <= given_problem.budget
    assert outcome.details["levels"]["marital-status"] == [1]

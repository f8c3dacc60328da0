"""The optimal search finds what counting every node finds, listed or lazily, and says truly how far it came."""

import csv
from collections.abc import Collection, Iterator
from itertools import islice
from math import inf
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.table import Table
from incrowd.metrics import Metric
from incrowd.metrics.average_class_size import AverageClassSize
from incrowd.metrics.discernibility import Discernibility
from incrowd.metrics.height import Height
from incrowd.metrics.loss import Loss
from incrowd.metrics.precision import Precision
from incrowd.models import PrivacyModel, parse
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Node, NothingFound, Problem, optimal
from incrowd.searches.exhaustive import Exhaustive
from incrowd.searches.lattice import Lattice, boxes, projections
from incrowd.searches.optimal import Optimal
from incrowd.watch import Watch
from searches.chosen import node_of
from searches.problems import Ticks, every_node, problem, problems


@pytest.fixture(params=["listed", "lazy", "lazy, in small blocks of columns"])
def _walk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both ways to visit a lattice, whatever its size."""
    with monkeypatch.context() as patch:
        if request.param != "listed":
            patch.setattr(optimal, "_LISTED", 0)
        if "blocks" in request.param:
            patch.setattr(projections, "_NODES", 4)
        yield


def best_score(given_problem: Problem) -> float | None:
    """The lowest score of a feasible node, each counted apart from all others."""
    return min((node.score for node in every_node(given_problem).values() if node.feasible), default=None)


@pytest.mark.usefixtures("_walk")
@given(problems())
def test_the_score_is_the_lowest(given_problem: Problem) -> None:
    outcome = Optimal().run(given_problem, Watch())
    best = best_score(given_problem)
    assert (isinstance(outcome, NothingFound)) == (best is None)
    assert outcome.stopped == "done"
    if not isinstance(outcome, NothingFound):
        assert outcome.node.score == pytest.approx(best, rel=1e-12)
        assert outcome.node.feasible
        assert outcome.optimal
        assert outcome.gap == 0
    else:
        assert outcome.nearest is not None
    assert outcome.counted <= outcome.lattice == len(every_node(given_problem))


@given(problems(), st.sampled_from([1, 4, 16]), st.data())
def test_no_release_undercuts_the_bound_of_blocks(given_problem: Problem, nodes: int, data: st.DataObject) -> None:
    """Of any two nodes, however many of the blocks' nodes were counted."""
    lattice, every = Lattice(given_problem), every_node(given_problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projections, "_NODES", nodes)
        known = projections.Projections(lattice)
    for _ in islice(known.sweep(lattice.count), data.draw(st.sampled_from([None, 3, 1, 0]))):
        pass
    for levels, node in every.items():
        assert not node.feasible or known.floor(levels, levels) <= node.score + 1e-9
    low, high = (data.draw(st.sampled_from(sorted(every))) for _ in range(2))
    low, high = tuple(map(min, low, high)), tuple(map(max, low, high))
    between = [
        node.score
        for levels, node in every.items()
        if node.feasible and all(a <= at <= b for a, at, b in zip(low, levels, high, strict=True))
    ]
    assert known.floor(low, high) <= min(between, default=inf) + 1e-9


@pytest.mark.parametrize(("nodes", "budget"), [(1, 0), (9, 0), (81, 0), (9, 4), (81, 4)])
def test_bounds_of_blocks_in_every_box(nodes: int, budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four columns of three levels, in blocks of one, two or four of them."""
    monkeypatch.setattr(projections, "_NODES", nodes)
    ladder = Hierarchy.from_rows([("v0", "v0 or v1", "*"), ("v1", "v0 or v1", "*"), ("v2", "v2", "*")])
    random = np.random.default_rng(11)
    raised = 0
    for _ in range(4):
        rows = [{name: f"v{min(random.integers(0, 5), 2)}" for name in "abcd"} for _ in range(30)]
        given_problem = problem(rows, dict.fromkeys("abcd", ladder), KAnonymity(3), budget=budget)
        lattice, every = Lattice(given_problem), every_node(given_problem)
        known = projections.Projections(lattice)
        assert list(known.sweep(lattice.count))
        levels = np.array(list(every))
        scores = np.array([node.score for node in every.values()])
        for low in every:
            above = (levels >= low).all(axis=1)
            for high in map(tuple, levels[above].tolist()):
                inside = above & (levels <= high).all(axis=1)
                floor = known.floor(low, high)
                assert floor <= scores[inside].min() + 1e-9
                raised += floor > lattice.bound(low) + 1e-9
    assert raised


@given(problems())
def test_open_boxes_and_counted_nodes_are_few(given_problem: Problem) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal, "_LISTED", 0)
        patch.setattr(boxes, "_OPEN", 1)
        patch.setattr(boxes, "_COUNTED", 2)
        node = node_of(Optimal().run(given_problem, Watch()))
    best = best_score(given_problem)
    assert (node is None) == (best is None)
    assert node is None or node.score == pytest.approx(best, rel=1e-12)


@pytest.mark.usefixtures("_walk")
@pytest.mark.parametrize("remembered", [1, 3])
@given(given_problem=problems())
def test_what_is_remembered_of_counted_nodes_is_limited(given_problem: Problem, remembered: int) -> None:
    everything = Optimal().run(given_problem, Watch())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal, "_REMEMBERED", remembered)
        patch.setattr(boxes, "_COUNTED", remembered)
        found = Optimal().run(given_problem, Watch())
    assert (node_of(found) and found.node.score) == (
        node_of(everything) and pytest.approx(everything.node.score, rel=1e-12)
    )
    # Nodes on the way down may be counted twice, and no other.
    assert found.counted <= 2 * everything.lattice


def test_few_nodes_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []

    def lower(lattice: Lattice, best: Node, seen: Collection[Node]) -> Iterator[Node]:
        kept.append(len(seen))
        return iter(())

    monkeypatch.setattr(optimal, "_REMEMBERED", 5)
    monkeypatch.setattr(optimal, "_lower", lower)
    ladder = Hierarchy.from_rows([(str(value), str(value // 2), str(value // 4), "*") for value in range(8)])
    people = [{"a": str(value % 8), "b": str(value % 7), "c": str(value % 5)} for value in range(60)]
    outcome = Optimal().run(problem(people, dict.fromkeys("abc", ladder), KAnonymity(2)), Watch())
    assert outcome.counted > 5
    assert kept == [5]


def test_the_lattice_is_handed_on_without_its_half_way_sets() -> None:
    ladder = Hierarchy.from_rows([(str(value), str(value // 2), "*") for value in range(6)])
    people = [{"a": str(value % 6), "b": str(value % 5)} for value in range(40)]
    given_problem = problem(people, dict.fromkeys("ab", ladder), KAnonymity(2))
    outcome = Optimal().run(given_problem, Watch())
    assert not isinstance(outcome, NothingFound)
    assert outcome.found_on is not None
    assert outcome.found_on.problem is given_problem
    assert not outcome.found_on._store._kept
    mine, others = (
        outcome.found_on.classes_of(outcome.node.levels),
        Lattice(given_problem).classes_of(outcome.node.levels),
    )
    assert all(np.array_equal(one, other) for one, other in zip(mine, others, strict=True))


@given(problems())
def test_no_detail_is_lost_for_nothing(given_problem: Problem) -> None:
    node = node_of(Optimal().run(given_problem, Watch()))
    nodes = every_node(given_problem)
    for levels in Lattice(given_problem).below(node.levels) if node is not None else ():
        assert not nodes[levels].feasible or nodes[levels].score > node.score - 1e-12
        assert not nodes[levels].feasible or nodes[levels].score != node.score


@given(problems())
def test_the_oracle_counts_everything(given_problem: Problem) -> None:
    outcome = Exhaustive().run(given_problem, Watch())
    assert outcome.counted == outcome.lattice
    assert (node_of(outcome) and outcome.node.score) == best_score(given_problem)


@pytest.mark.usefixtures("_walk")
@given(problems(), st.integers(0, 8))
def test_stopped_at_any_moment_the_gap_is_true(given_problem: Problem, ticks: int) -> None:
    outcome = Optimal().run(given_problem, Ticks(ticks))
    best = best_score(given_problem)
    if isinstance(outcome, NothingFound):
        assert outcome.gap is None
        return
    assert best is not None
    assert outcome.gap is not None
    assert outcome.node.score - outcome.gap <= best + 1e-9
    assert outcome.optimal == (outcome.stopped == "done")


ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult"
NINE = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)


@pytest.fixture(scope="module")
def adult() -> FrequencySet:
    """The 30,162 complete training records."""
    if not ADULT.exists():
        pytest.skip("the Adult census table is not beside the project")
    source = incrowd.read(ADULT / "adult-train.csv", missing=["?"])
    return source.count(source.columns, Watch()).complete(source.columns)


def on_adult(
    adult: FrequencySet, quasi: tuple[str, ...], model: PrivacyModel, metric: Metric, share: float, sensitive: str = ""
) -> Problem:
    """Quasi-identifiers along the shared hierarchies."""
    frequencies = adult.project([*quasi, sensitive] if sensitive else quasi)
    ladders = {}
    for name, values in zip(frequencies.names, frequencies.values, strict=True):
        with (ADULT / "hierarchies" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            ladders[name] = Hierarchy.from_rows(csv.reader(file, delimiter=";")).along(name, values)
    return Problem(
        frequencies,
        tuple(ladders[name] for name in quasi),
        model,
        metric,
        int(share * frequencies.records),
        sensitive={sensitive: ladders[sensitive]} if sensitive else {},
    )


# The optima that another tool (ARX 3.9.2) found on the same records and hierarchies.
@pytest.mark.parametrize(
    ("metric", "share", "levels", "suppressed", "classes", "score"),
    [
        (Discernibility(), 0.0, (1, 1, 1, 2, 3, 2, 2, 1, 1), 0, 45, 33_627_534),
        (Discernibility(), 0.02, (0, 0, 1, 2, 3, 2, 2, 1, 1), 105, 356, 7_220_555),
        (Height(), 0.0, None, 0, None, 14),
        (Height(), 0.02, None, None, None, 9),
        (Precision(), 0.02, (0, 4, 0, 1, 1, 1, 1, 2, 0), 511, 231, 0.435652),
        (Loss(), 0.02, (0, 3, 0, 2, 2, 1, 1, 2, 0), 506, 222, 0.357482),
        (AverageClassSize(), 0.02, (1, 0, 1, 2, 3, 2, 2, 0, 1), 419, 636, 47.350078),
    ],
)
def test_the_optima_of_another_tool_on_adult(
    adult: FrequencySet,
    metric: Metric,
    share: float,
    levels: tuple[int, ...] | None,
    suppressed: int | None,
    classes: int | None,
    score: float,
) -> None:
    outcome = Optimal().run(on_adult(adult, NINE, KAnonymity(5), metric, share), Watch())
    assert outcome.lattice == 12_960
    node = node_of(outcome)
    assert node is not None
    assert node.score == pytest.approx(score, abs=5e-7)
    # Where other nodes tie, only the score is the same.
    if levels is not None:
        assert (node.levels, node.suppressed, node.classes) == (levels, suppressed, classes)


@pytest.mark.parametrize(
    ("model", "levels", "suppressed", "classes"),
    [
        ("distinct_l:l=3", (0, 3, 0, 2, 2, 1, 1, 0), 522, 219),
        ("entropy_l:l=3", (0, 4, 0, 1, 2, 1, 1, 0), 518, 152),
        ("recursive_cl:c=2,l=3", (0, 4, 0, 0, 2, 1, 2, 0), 582, 171),
        ("t_closeness:t=0.2,distance=hierarchical", (1, 4, 0, 2, 3, 1, 2, 1), 151, 9),
    ],
)
def test_sensitive_columns_on_adult(
    adult: FrequencySet, model: str, levels: tuple[int, ...], suppressed: int, classes: int
) -> None:
    quasi = tuple(name for name in NINE if name != "occupation")
    models = All((KAnonymity(5), parse(f"{model},column=occupation")))
    outcome = Optimal().run(on_adult(adult, quasi, models, Loss(), 0.02, "occupation"), Watch())
    node = node_of(outcome)
    assert node is not None
    assert (node.levels, node.suppressed, node.classes) == (levels, suppressed, classes)


def test_few_nodes_are_counted_on_adult(adult: FrequencySet) -> None:
    counted = [
        Optimal().run(on_adult(adult, NINE, KAnonymity(5), Loss(), share), Watch()).counted for share in (0.02, 0.0)
    ]
    assert counted[0] <= 400
    assert counted[1] <= 150


def test_sixty_columns_give_an_answer_with_a_gap() -> None:
    rng = np.random.default_rng(7)
    hidden = rng.integers(0, 3, 400)
    names = [f"c{number}" for number in range(60)]
    columns = [
        pa.array([f"v{(value * (at + 1)) % 3 if rng.random() < 0.95 else rng.integers(3)}" for value in hidden])
        for at in range(60)
    ]
    frequencies = FrequencySet.of_table(Table.from_batches(names, [pa.RecordBatch.from_arrays(columns, names=names)]))
    rows = [("v0", "v0 or v1", "*"), ("v1", "v0 or v1", "*"), ("v2", "v2", "*")]
    ladders = tuple(
        Hierarchy.from_rows(rows).along(name, values) for name, values in zip(names, frequencies.values, strict=True)
    )
    given_problem = Problem(frequencies, ladders, KAnonymity(3), Loss(), budget=20)
    outcome = Optimal().run(given_problem, Ticks(800))
    assert outcome.lattice == 3**60
    assert outcome.stopped == "interrupted"
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.suppressed <= 20
    assert outcome.node.score < 1
    assert outcome.gap is not None
    assert 0 < outcome.gap < outcome.node.score

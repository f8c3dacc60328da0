"""k_optimize on a real table: the optimum among all sets of cuts, with proof."""

import csv
from pathlib import Path

import pytest

import incrowd
from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics.discernibility import Discernibility
from incrowd.models.k_anonymity import KAnonymity
from incrowd.recodings import Form
from incrowd.searches import NothingFound, Problem
from incrowd.searches.k_optimize import KOptimize
from incrowd.searches.set_partitioning import SetPartitioning
from incrowd.watch import Watch
from searches.problems import Ticks

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult"
COLUMNS = ("age", "sex", "race", "marital-status")
LABEL = "salary-class"


@pytest.fixture(scope="module")
def adult() -> FrequencySet:
    """The 30,162 complete training records."""
    if not ADULT.exists():
        pytest.skip("the Adult census table is not beside the project")
    source = incrowd.read(ADULT / "adult-train.csv", missing=["?"])
    return source.count(source.columns, Watch()).complete(source.columns).project([*COLUMNS, LABEL])


def on_adult(adult: FrequencySet, k: int, share: float) -> Problem:
    """Ages as numbers, the others in the order of their hierarchies."""
    axes = []
    for name, values in zip(COLUMNS, adult.values, strict=False):
        if name == "age":
            axes.append(Axis.of_numbers(name, values))
            continue
        with (ADULT / "hierarchies" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            axes.append(Axis.of_tree(Hierarchy.from_rows(csv.reader(file, delimiter=";")).along(name, values)))
    budget = int(share * adult.records)
    known = tuple(axis for axis in axes if axis is not None)
    return Problem(adult, (), KAnonymity(k), Discernibility(), budget, axes=known, forms=(Form.SET,) * len(known))


# The least over all 2,048 sets of cuts of the last three columns, each with the cheapest intervals of age; with a
# label, what the search proves.
@pytest.mark.parametrize(
    ("k", "share", "label", "best"),
    [(5, 0.0, None, 7_895_890), (25, 0.01, None, 9_639_228), (25, 0.01, LABEL, 6_756)],
)
def test_the_optimum(adult: FrequencySet, k: int, share: float, label: str | None, best: int) -> None:
    outcome = KOptimize(label).run(on_adult(adult, k, share), Watch())
    assert outcome.optimal
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.score * (1 if label is None else adult.records) == pytest.approx(best)
    assert outcome.node.suppressed <= share * adult.records


def test_stopped_the_gap_is_true(adult: FrequencySet) -> None:
    outcome = KOptimize().run(on_adult(adult, 5, 0.0), Ticks(150))
    assert (outcome.stopped, outcome.optimal) == ("interrupted", False)
    assert not isinstance(outcome, NothingFound)
    assert outcome.gap is not None
    assert outcome.node.score - outcome.gap <= 7_895_890 <= outcome.node.score


def test_any_sets_may_be_better_than_intervals(adult: FrequencySet) -> None:
    outcome = SetPartitioning().run(on_adult(adult, 5, 0.0), Watch())
    assert not isinstance(outcome, NothingFound)
    assert (outcome.node.suppressed, outcome.node.smallest >= 5) == (0, True)
    assert outcome.node.score < 7_895_890

"""Adult: what another tool (ARX 3.9.2) finds at the nodes that it finds best, all nine columns with k = 5."""

import csv
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy
from incrowd.families import members
from incrowd.metrics import Levels
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem
from incrowd.searches.lattice import Lattice

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult"
NAMES = (
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

pytestmark = pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not beside the repository")


@cache
def adult() -> tuple[FrequencySet, tuple[EncodedHierarchy, ...]]:
    """The 30,162 complete records of the training table, and its hierarchies."""
    with (ADULT / "adult-train.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if "?" not in row.values()]
    counting = Counting(NAMES)
    counting.add([pa.array([row[name] for row in rows]) for name in NAMES])
    frequencies = counting.result()
    return frequencies, tuple(
        hierarchy(name).along(name, values) for name, values in zip(NAMES, frequencies.values, strict=True)
    )


def hierarchy(name: str) -> Hierarchy:
    """A hierarchy from its file."""
    with (ADULT / "hierarchies" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return Hierarchy.from_rows(csv.reader(file, delimiter=";"), name=name)


@pytest.mark.parametrize(
    ("metric", "levels", "suppressed", "classes", "score"),
    [
        ("discernibility", "1 1 1 2 3 2 2 1 1", 0, 45, 33_627_534),
        ("discernibility", "0 0 1 2 3 2 2 1 1", 105, 356, 7_220_555),
        ("height", "0 4 1 2 3 2 0 2 0", 0, 26, 14),
        ("height", "0 1 1 1 1 2 1 2 0", 563, 485, 9),
        ("precision", "0 4 0 1 1 1 1 2 0", 511, 231, 0.435652),
        ("loss", "0 3 0 2 2 1 1 2 0", 506, 222, 0.357482),
        ("average_class_size", "1 0 1 2 3 2 2 0 1", 419, 636, 47.350078),
    ],
)
def test_nodes(metric: str, levels: str, suppressed: int, classes: int, score: float) -> None:
    frequencies, ladders = adult()
    made = members("metrics", "METRIC")[metric].METRIC()
    # Two percent of the records, whole ones.
    lattice = Lattice(Problem(frequencies, ladders, KAnonymity(5), made, budget=603))
    at: Levels = tuple(int(level) for level in levels.split())
    node = lattice.count(at)
    assert lattice.records == 30_162
    assert (node.suppressed, node.classes, node.feasible) == (suppressed, classes, True)
    # As many decimals as are known.
    assert node.score == (score if isinstance(score, int) else pytest.approx(score, abs=5e-7))
    assert lattice.bound(at) <= node.score

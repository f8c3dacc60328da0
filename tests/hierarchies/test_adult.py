"""The level tables that come with the Adult table fit it."""

from functools import cache
from pathlib import Path

import pytest

from hierarchies.shapes import assert_true_tree
from incrowd.core.frequencies import FrequencySet
from incrowd.formats import ReadOptions, read
from incrowd.hierarchies import build
from incrowd.hierarchies.levels import save
from incrowd.watch import Watch

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult"
COLUMNS = {
    "age": (100, [100, 20, 10, 5, 1]),
    "education": (16, [16, 5, 3, 1]),
    "marital-status": (7, [7, 2, 1]),
    "native-country": (41, [41, 5, 1]),
    "occupation": (14, [14, 3, 1]),
    "race": (5, [5, 1]),
    "salary-class": (2, [2, 1]),
    "sex": (2, [2, 1]),
    "workclass": (8, [8, 3, 1]),
}
"""Base values, and labels per level."""

pytestmark = pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not beside the repository")


@cache
def column(name: str) -> FrequencySet:
    """A column of the training table."""
    return read(ADULT / "adult-train.csv", options=ReadOptions(("?",))).count([name], Watch())


@pytest.mark.parametrize("name", COLUMNS)
def test_the_table_covers_the_data(name: str) -> None:
    domain, labels = COLUMNS[name]
    values = column(name).values[0]
    hierarchy = build(f"{name}.csv", values, name, ADULT / "hierarchies")
    assert (hierarchy.domain, [len(level) for level in hierarchy.labels]) == (domain, labels)
    assert_true_tree(hierarchy, values.to_pylist())
    assert (hierarchy.spans is not None) == (name == "age")


@pytest.mark.parametrize("name", COLUMNS)
def test_saving_changes_nothing(name: str, tmp_path: Path) -> None:
    values = column(name).values[0]
    hierarchy = build(f"{name}.csv", values, name, ADULT / "hierarchies")
    save(hierarchy, tmp_path / "t.csv")
    assert build("t.csv", values, name, tmp_path).rows == hierarchy.rows


@pytest.mark.parametrize("name", [*COLUMNS, "fnlwgt", "capital-gain", "hours-per-week", "relationship"])
def test_something_is_proposed_for_every_column(name: str) -> None:
    values = column(name).values[0]
    hierarchy = build(None, values, name)
    assert_true_tree(hierarchy, values.to_pylist())
    assert hierarchy.height <= 3

"""The attacks, vectorised, against their definitions in plain Python."""

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.table import MISSING
from incrowd.reports.attacks import Attack, exposures, textbook

VALUES = ["flu", "cold", "gout", "mumps", "measles"]
NODES = {"flu": "lungs", "cold": "lungs", "gout": "joints", "mumps": "child", "measles": "child"}
GROUPS = st.lists(st.lists(st.sampled_from([*VALUES, None]), min_size=1, max_size=7), min_size=1, max_size=8)


def counted(groups: list[list[Any]], values: list[Any]) -> FrequencySet:
    """The classes as a frequency set, a combination a record."""
    codes = [
        [at + 1 for at, group in enumerate(groups) for _ in group],
        [MISSING if value is None else values.index(value) + 1 for group in groups for value in group],
    ]
    numbers = pa.array([str(at) for at in range(len(groups))])
    matrix = np.array(codes, dtype=np.int32)
    ones = np.ones(matrix.shape[1], dtype=np.int64)
    return FrequencySet(("class", "value"), (numbers, pa.array(values)), matrix, ones)


def found_in(groups: list[list[Any]], values: list[Any], ladders: dict[str, Any]) -> dict[str, int | None]:
    """What the vectorised form says."""
    histogram = counted(groups, values).judged(["class"], [("value",)], ladders).histograms["value",]
    return {each.attack: each.records for each in exposures(histogram)}


@given(GROUPS)
def test_without_a_hierarchy(groups: list[list[Any]]) -> None:
    assert found_in(groups, VALUES, {}) == textbook(groups)


@given(GROUPS)
def test_with_a_hierarchy(groups: list[list[Any]]) -> None:
    hierarchy = Hierarchy.from_rows([(value, NODES[value], "*") for value in VALUES])
    ladder = hierarchy.along("value", pa.array(VALUES))
    # Missing joins the others at the top alone, so below it is a node by itself.
    assert found_in(groups, VALUES, {"value": ladder}) == textbook(groups, {**NODES, None: None})


@given(st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=5), min_size=1, max_size=6))
def test_numbers_are_alike_within_a_tenth_of_their_range(groups: list[list[int]]) -> None:
    there = [number for group in groups for number in group]
    reach = (max(there) - min(there)) / 10
    exposed = sum(len(group) for group in groups if max(group) - min(group) <= reach)
    assert found_in(groups, list(range(41)), {})[Attack.SIMILARITY] == exposed


def test_a_missing_value_is_near_to_no_number() -> None:
    found = found_in([[10, None], [10, 11], [90]], list(range(100)), {})
    assert found[Attack.SIMILARITY] == 3


def test_worked_by_hand() -> None:
    """Four classes of a table of ten records: 5 flu, 2 cold, 2 gout, 1 mumps."""
    groups = [["flu", "flu", "flu"], ["flu", "flu", "cold"], ["gout", "gout", "cold"], ["mumps"]]
    assert found_in(groups, VALUES, {}) == {
        Attack.HOMOGENEITY: 4,
        Attack.BACKGROUND_1: 10,
        Attack.BACKGROUND_2: 10,
        # Flu alone in a class is just twice as frequent as elsewhere; gout and mumps are more than that.
        Attack.SKEWNESS: 4,
        Attack.SIMILARITY: None,
    }

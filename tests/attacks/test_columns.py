"""Attacks on a sensitive column, vectorized, against their definitions: every attacker, every person."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.definitions import by_definition
from incrowd.attacks import exposures
from incrowd.attacks.background_knowledge import BackgroundKnowledge
from incrowd.attacks.range_disclosure import RangeDisclosure
from incrowd.attacks.similarity import Similarity
from incrowd.attacks.skewness import Skewness
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.histograms import Histogram
from incrowd.core.table import MISSING
from incrowd.errors import UsageError

VALUES = ["flu", "cold", "gout", "mumps", "Röteln"]
NODES = {"flu": "lungs", "cold": "lungs", "gout": "joints", "mumps": "child", "Röteln": "child"}
GROUPS = st.lists(st.lists(st.sampled_from([*VALUES, None]), min_size=1, max_size=7), min_size=1, max_size=8)
NUMBERS = st.lists(st.lists(st.none() | st.integers(0, 40), min_size=1, max_size=5), min_size=1, max_size=6)


def histogram(groups: list[list[Any]], values: list[Any], ladders: dict[str, Any] | None = None) -> Histogram:
    """The classes as attacks see them, a combination a record."""
    codes = [
        [at + 1 for at, group in enumerate(groups) for _ in group],
        [MISSING if value is None else values.index(value) + 1 for group in groups for value in group],
    ]
    numbers = pa.array([str(at) for at in range(len(groups))])
    matrix = np.array(codes, dtype=np.int32)
    ones = np.ones(matrix.shape[1], dtype=np.int64)
    rows = FrequencySet(("class", "value"), (numbers, pa.array(values)), matrix, ones)
    return rows.grouped(matrix[0] - 1, len(groups), [("value",)], ladders or {}).histograms["value",]


def found_in(
    groups: list[list[Any]], values: list[Any], ladders: dict[str, Any] | None = None
) -> dict[str, int | None]:
    """What the vectorized form says."""
    return {each.attack: each.records for each in exposures(histogram(groups, values, ladders))}


@given(GROUPS)
def test_without_a_hierarchy(groups: list[list[Any]]) -> None:
    assert found_in(groups, VALUES) == by_definition(groups)


@given(GROUPS)
def test_with_a_hierarchy(groups: list[list[Any]]) -> None:
    hierarchy = Hierarchy.from_rows([(value, NODES[value], "*") for value in VALUES])
    ladder = hierarchy.along("value", pa.array(VALUES))
    # Missing joins the others at the top alone, so below it is a node by itself.
    assert found_in(groups, VALUES, {"value": ladder}) == by_definition(groups, {**NODES, None: None})


@given(NUMBERS, st.sampled_from([0.0, 0.05, 0.1, 0.3, 1.0]))
def test_numbers(groups: list[list[Any]], within: float) -> None:
    attack = RangeDisclosure(within)
    assert attack.of_column(histogram(groups, list(range(41)))).records == attack.textbook(groups)


@given(GROUPS, st.integers(1, 4))
def test_values_ruled_out(groups: list[list[Any]], values: int) -> None:
    attack = BackgroundKnowledge(values)
    assert attack.of_column(histogram(groups, VALUES)).records == attack.textbook(groups)


@given(GROUPS, st.sampled_from([1, 1.5, 2, 3]), st.sampled_from([0.2, 0.5, 1]))
def test_skew(groups: list[list[Any]], factor: float, share: float) -> None:
    attack = Skewness(factor, share)
    assert attack.of_column(histogram(groups, VALUES)).records == attack.textbook(groups)


def test_a_factor_with_many_digits() -> None:
    """Products beyond 64 bits: all of the first class have what two thirds have, all in all: 1.5 times as often."""
    groups = [["flu"] * 30_000, ["flu"] * 30_000 + ["cold"] * 30_000]
    assert Skewness(1.4999999999999).of_column(histogram(groups, VALUES)).records == 90_000
    assert Skewness(1.5000000000001).of_column(histogram(groups, VALUES)).records == 0


def test_the_worst_class_is_told_by_one_value() -> None:
    """Two values are skewed: three records with one, 1.2 times as often; one record with the other, 2 times."""
    groups = [["flu", "flu", "flu", "cold"], ["flu", "flu", "gout", "gout"]]
    worst = Skewness(1.1, 0.2).of_column(histogram(groups, VALUES)).worst
    assert worst is not None
    assert worst.told == "a value in 1 of 4 records, 2.0 times as often as in all"


@settings(max_examples=30)
@given(GROUPS)
def test_the_worst_class_is_exposed_and_no_other_is_hit_harder(groups: list[list[Any]]) -> None:
    found = exposures(histogram(groups, VALUES))
    for each in found:
        assert (each.worst is None) == (not each.records)
        if each.worst is not None:
            assert each.worst.size == len(groups[each.worst.number - 1])
    homogeneous = [len(group) for group in groups if len(set(group)) == 1]
    assert (found[0].worst is None) if not homogeneous else found[0].worst.size == max(homogeneous)  # type: ignore[union-attr]


def test_worked_by_hand() -> None:
    """Four classes of a table of ten records: 5 flu, 2 cold, 2 gout, 1 mumps."""
    groups = [["flu", "flu", "flu"], ["flu", "flu", "cold"], ["gout", "gout", "cold"], ["mumps"]]
    assert found_in(groups, VALUES) == {
        "homogeneity": 4,
        "background_knowledge": 10,
        "background_knowledge:values=2": 10,
        # Flu alone in a class is just twice as frequent as elsewhere; gout and mumps are more than that.
        "skewness": 4,
        "similarity": None,
        "range_disclosure": None,
    }


def test_a_missing_value_is_near_to_no_number() -> None:
    groups = [[10, None], [10, 11], [90]]
    assert RangeDisclosure().of_column(histogram(groups, list(range(100)))).records == 3


def test_sensitive_ranges() -> None:
    """Low and high incomes must not be known; the third class is in neither range, the fourth has a missing value."""
    groups = [[1, 5, 9], [91, 95], [40, 95], [None, 1], [9, 91], []]
    found = RangeDisclosure(ranges=("0-9", ">=90")).of_column(histogram(groups, list(range(100))))
    assert (found.records, found.classes) == (3 + 2, 2)
    one = RangeDisclosure(ranges=("0-99",)).of_column(histogram(groups, list(range(100))))
    assert (one.records, one.classes) == (9, 4)


def test_a_level_of_the_hierarchy() -> None:
    rows = [("flu", "cough", "lungs", "*"), ("cold", "sneeze", "lungs", "*"), ("gout", "joints", "joints", "*")]
    ladder = Hierarchy.from_rows(rows).along("value", pa.array(["flu", "cold", "gout"]))
    seen = histogram([["flu", "cold"], ["flu", "flu"], ["cold", "gout"]], ["flu", "cold", "gout"], {"value": ladder})
    assert Similarity().of_column(seen).records == 4
    assert Similarity(1).of_column(seen).records == 2
    beyond = Similarity(3).of_column(seen)
    assert beyond.records is None
    assert "level 3" in beyond.why


def test_nothing_published() -> None:
    assert {each.records for each in exposures(histogram([], VALUES))} == {0, None}
    assert RangeDisclosure().of_column(histogram([], [1, 2])).records == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: BackgroundKnowledge(0),
        lambda: Skewness(0.5),
        lambda: Skewness(share=0),
        lambda: Similarity(0),
        lambda: RangeDisclosure(2),
        lambda: RangeDisclosure(ranges=("x",)).of_column(histogram([[1]], [1])),
    ],
)
def test_senseless_options_are_refused(make: Any) -> None:
    with pytest.raises(UsageError) as refused:
        make()
    assert "\n" not in str(refused.value)

"""Samples on which models are measured: bounded, of neighbors, with every sensitive value of the records in them."""

import numpy as np
import pyarrow as pa
import pytest

from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.metrics.loss import Loss
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import Problem, sampling
from incrowd.searches.sampling import CLUSTERS, REGIONS, drawn, sampled


def table(values: int, counts: np.ndarray | None = None) -> FrequencySet:
    """Records that differ in age; the first combination, of many records, has none."""
    ages = pa.array([str(at) for at in range(values)])
    age = np.arange(1, values + 1)
    age[0] = 0
    codes = np.array([age, 1 + np.arange(values) % 2], dtype=np.int32)
    if counts is None:
        counts = np.ones(values, dtype=np.int64)
        counts[0] = values // 5
    return FrequencySet(("age", "ill"), (ages, pa.array(["a", "b"])), codes, counts)


def cells(frequencies: FrequencySet) -> list[tuple[str | None, ...]]:
    """The combinations, in words."""
    return [
        tuple(
            None if code == 0 else values[int(code) - 1].as_py()
            for values, code in zip(frequencies.values, row, strict=True)
        )
        for row in frequencies.codes.T
    ]


def test_records_are_drawn_if_a_column_has_very_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = table(500)
    assert drawn(whole) is whole
    monkeypatch.setattr(sampling, "MOST_VALUES", 100)
    found = drawn(whole)
    assert found.records == 100
    assert len(found.values[0]) <= 100
    # What is drawn are records of the table, none more often than it is there, missing values included.
    assert set(cells(found)) <= set(cells(whole))
    assert len(set(cells(found))) == found.combinations
    assert (None, "a") in cells(found)
    assert cells(drawn(whole)) == cells(found)


def test_records_that_repeat_are_drawn_as_often_as_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST_VALUES", 400)
    counts = np.ones(500, dtype=np.int64)
    counts[3] = 500
    found = drawn(table(500, counts))
    assert found.records == 400
    assert 150 < int(found.counts.max()) < 250


def problem_of(frequencies: FrequencySet) -> Problem:
    axis = Axis.of_numbers("age", frequencies.values[0])
    assert axis is not None
    return Problem(frequencies, (), KAnonymity(5), Loss(), axes=(axis,))


def test_a_small_table_is_its_own_sample() -> None:
    problem = problem_of(table(300))
    assert sampled(problem, 360, 3) is problem
    assert sampled(problem, 10, 5) is problem, "classes of 5 need room"


def test_a_sample_has_neighbors_and_is_bounded() -> None:
    problem = problem_of(table(20_000))
    found = sampled(problem, 1_000, 5).frequencies
    assert 1_000 // 2 <= found.records <= 3 * 1_000 // 2
    present = np.sort(found.codes[0][found.codes[0] > 0])
    # Most are next to each other; a few gaps part the regions.
    assert int((np.diff(present) > 2).sum()) < REGIONS
    assert found.values[0] is problem.frequencies.values[0], "the domain stays that of the table"


def test_records_with_equal_quasi_identifiers_stay_together_and_become_rarer_alike() -> None:
    ages, ills = pa.array(["30", "40"]), pa.array([f"d{at}" for at in range(4)])
    codes = np.array([[1, 1, 1, 1, 2, 2, 2, 2], [1, 2, 3, 4] * 2], dtype=np.int32)
    counts = np.array([40_000, 30_000, 20_000, 10_000] * 2, dtype=np.int64)
    problem = problem_of(FrequencySet(("age", "ill"), (ages, ills), codes, counts))
    found = sampled(problem, 2_000, 5).frequencies
    by_age = {int(age): found.counts[found.codes[0] == age] for age in np.unique(found.codes[0])}
    for counted in by_age.values():
        assert len(counted) == 4
        assert counted / counted.sum() == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=0.01)
    assert found.records <= 2_000 + 8
    assert found.records >= CLUSTERS * REGIONS * 5

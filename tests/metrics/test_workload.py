"""Queries: answers against brute force, and what is drawn at random."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.query_error import QueryError
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.workload import NO_CONDITION, Workload, _counted
from metrics.pages import Example, Told, examples


def by_brute_force(released: Released, workload: Workload) -> list[float]:
    """Expected answers, combination by combination and position by position."""
    found = []
    for conditions in workload.conditions.T:
        total = 0.0
        for cells, count in zip(released.cells.T, released.counts, strict=True):
            share = 1.0
            for at, condition in enumerate(conditions):
                if condition != NO_CONDITION:
                    wanted = positions(workload.asked[at], condition)
                    covered = positions(released.columns[at], cells[at])
                    share *= len(wanted & covered) / released.columns[at].count[cells[at]]
            total += share * count
        found.append(total)
    return found


def positions(covers: Covers, cell: int) -> set[float]:
    if np.isnan(covers.low[cell]):
        return set()
    if covers.scattered[cell]:
        return set(covers.members_of(cell).astype(float))
    return set(np.arange(covers.low[cell], covers.high[cell] + 1))


@settings(max_examples=60)
@given(example=examples(sensitive=1))
def test_answers(example: Example) -> None:
    released = example.released()
    for columns in (1, 2, 3):
        scales = [covers.scale for covers in released.columns]
        workload = Workload.at_random(released.original, scales, columns, 12, seed=columns)
        estimated = workload.estimated(released.columns, released.cells, released.counts)
        assert estimated == pytest.approx(by_brute_force(released, workload), abs=1e-9)
        values = [Covers.of_values(scale) for scale in scales]
        actual = workload.estimated(values, released.original.codes, released.original.counts)
        assert actual == pytest.approx(workload.actual)
        assert (workload.actual > 0).all()
        asked = (workload.conditions != NO_CONDITION).sum(axis=0)
        assert set(asked.tolist()) <= {min(columns, len(scales))}


def table() -> Example:
    rows = [(a, b, c, d, e, f) for a, b, c, d, e, f in product(range(3), "xy", range(2), "pq", range(2), "uv")]
    told = {name: Told("set") if name in "bdf" else Told("numbers") for name in "abcdef"}
    return Example(told, rows, [at % 4 for at in range(len(rows))])


def test_two_types_of_random_queries() -> None:
    fresh = replace(table().released(), workloads={})
    found = QueryError(size=50).measure(fresh)
    assert found.parts.keys() == {"type 1", "type 2"}
    assert found.parts["type 1"]["queries"] == found.parts["type 2"]["queries"] == 50
    assert found.value == found.parts["type 1"]["mean"]
    quantiles = [found.parts["type 1"][name] for name in ("10 %", "25 %", "50 %", "75 %", "90 %", "100 %")]
    assert quantiles == sorted(quantiles)
    assert QueryError(size=50).measure(fresh) == found


def test_no_queries() -> None:
    with pytest.raises(UsageError, match="size is 0"):
        QueryError(size=0)


@pytest.mark.parametrize("room", [1, 6, 1 << 62])
@given(examples(), st.integers(0, 999))
def test_records_of_drawn_values_are_counted(room: int, example: Example, seed: int) -> None:
    """Also where there are so many combinations that they must be numbered anew on the way."""
    original = example.released().original
    among = range(len(original.names))
    drawn = [np.random.default_rng(seed).integers(-1, max(1, size), (3, 4)) for size in original.cardinalities]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("incrowd.release_metrics.workload._ROOM", room)
        found = _counted(original, among, drawn)
    for at in product(range(3), range(4)):
        values = [each[at] for each in drawn]
        rows = zip(original.codes.T, original.counts, strict=True)
        assert found[at] == sum(count for codes, count in rows if codes.tolist() == values)

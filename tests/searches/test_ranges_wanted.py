"""Clusters with values of several ranges, which Range Diversity asks for."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.metrics.loss import Loss
from incrowd.models import Block
from incrowd.models.conjunction import All
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.range_diversity import RangeDiversity
from incrowd.searches import GroupsOutcome, Problem
from incrowd.searches._clusters import records
from incrowd.searches._clusters.ranges import ranges_wanted
from incrowd.searches.k_members import KMembers
from incrowd.watch import Watch

RANGES = ((0, 19), (20, 39), (40, 59), (60, 79), (80, 100))


def problem_of(numbers: list[int], p: float, k: int) -> tuple[Problem, RangeDiversity]:
    """Records of different ages, and a number each."""
    ages, pays = pa.array([str(at) for at in range(len(numbers))]), pa.array([str(at) for at in range(101)])
    codes = np.array([np.arange(1, len(numbers) + 1), np.array(numbers) + 1], dtype=np.int32)
    frequencies = FrequencySet(("age", "pay"), (ages, pays), codes, np.ones(len(numbers), dtype=np.int64))
    model = RangeDiversity(column="pay", p=p, ranges=RANGES, domain=(0, 100))
    axis = Axis.of_numbers("age", ages)
    assert axis is not None
    return Problem(frequencies, (), All((KAnonymity(k), model)), Loss(), axes=(axis,)), model


@given(
    numbers=st.lists(st.integers(0, 100), min_size=12, max_size=40),
    p=st.sampled_from([0.3, 0.5, 0.8, 0.9, 1.0]),
    k=st.integers(1, 7),
    data=st.data(),
)
def test_records_of_so_many_ranges_satisfy_the_model_wherever_they_are(
    numbers: list[int], p: float, k: int, data: st.DataObject
) -> None:
    problem, model = problem_of(numbers, p, k)
    wanted = ranges_wanted(problem, model, k)
    if wanted is None:
        return
    ranges, least = wanted
    assert len({*ranges.tolist()}) >= least
    chosen = data.draw(st.lists(st.integers(0, len(numbers) - 1), min_size=k, max_size=k, unique=True))
    if len({int(ranges[at]) for at in chosen}) < least:
        return
    counts: dict[tuple[str | None, ...], int] = {}
    for at in chosen:
        counts[(str(numbers[at]),)] = counts.get((str(numbers[at]),), 0) + 1
    block = Block(k, {("pay",): counts})
    assert model.textbook(block, None)  # type: ignore[arg-type]


def test_a_range_with_nearly_all_records_guides_nothing() -> None:
    problem, model = problem_of([5] * 39 + [50], 0.8, 5)
    assert ranges_wanted(problem, model, 5) is None
    # One record in five of another range is enough for every cluster.
    problem, model = problem_of(([5] * 4 + [50]) * 8, 0.8, 5)
    assert ranges_wanted(problem, model, 5) is not None


def test_ranges_that_overlap_guide_nothing() -> None:
    problem, _ = problem_of([*range(40)], 0.8, 5)
    rows = tuple((str(at), at, at + 5) for at in range(95))
    overlapping = RangeDiversity(column="pay", p=0.8, policy=rows, distance="numeric")
    assert ranges_wanted(problem, overlapping, 5) is None


def test_clusters_are_made_of_several_ranges_instead_of_being_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pay goes with age, so the nearest five are all of one range."""
    problem, model = problem_of([at // 2 for at in range(200)], 0.8, 5)
    found = KMembers().run(problem, Watch())
    monkeypatch.setattr(records, "ranges_wanted", lambda *_: None)
    joined = KMembers().run(problem, Watch())
    for each in (found, joined):
        assert isinstance(each, GroupsOutcome)
        assert model.holds(each.groups.classes(model.needs, {})).all()
    assert isinstance(found, GroupsOutcome)
    assert isinstance(joined, GroupsOutcome)
    assert found.groups.n >= 3 * joined.groups.n

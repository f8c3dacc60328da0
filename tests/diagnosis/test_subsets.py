"""The lattice of attribute sets, on any monotone property; and the counter that refines what it counted before."""

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import small_tables
from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.diagnosis import counters
from incrowd.diagnosis.counters import RollupCounter
from incrowd.diagnosis.subsets import BorderSearch, Columns, borders_of_all, columns_of, extreme, mask_of, walk
from incrowd.watch import Stopped, Watch
from strategies import Row, arrays

Sets = list[frozenset[int]]


def every_set(width: int, most: int) -> Sets:
    """All sets of at most so many columns."""
    return [frozenset(names) for size in range(1, most + 1) for names in combinations(range(width), size)]


def to_masks(sets: Iterable[frozenset[int]]) -> set[int]:
    """The sets as bit masks."""
    return {sum(1 << column for column in one) for one in sets}


def no_smaller(sets: Sets) -> Sets:
    """Those that hold no other."""
    return [one for one in sets if not any(other < one for other in sets)]


def no_larger(sets: Sets) -> Sets:
    """Those that are part of no other."""
    return [one for one in sets if not any(one < other for other in sets)]


class Counted:
    """A property of sets that remembers what was asked; counters rely on columns coming highest first."""

    def __init__(self, holds: Callable[[frozenset[int]], bool]) -> None:
        self.holds = holds
        self.seen: list[Columns] = []

    def __call__(self, columns: Columns) -> bool:
        assert list(columns) == sorted(columns, reverse=True)
        self.seen.append(columns)
        return self.holds(frozenset(columns))


PROMISING = ("always", "never", "now and then")


def hope(promising: str, luck: Random) -> Callable[[Columns], bool]:
    """Which sets are tried at once."""
    return lambda _: promising == "always" or (promising != "never" and luck.random() < 0.5)


@st.composite
def lattices(draw: st.DrawFn) -> tuple[int, Sets, int]:
    """How many columns, which sets are unsafe (with all that hold them), and how large sets may be."""
    width = draw(st.integers(1, 7))
    sets = st.frozensets(st.integers(0, width - 1), min_size=1)
    return width, draw(st.lists(sets, max_size=6)), draw(st.integers(1, width))


@pytest.mark.parametrize("promising", PROMISING)
@settings(max_examples=100)
@given(lattice=lattices(), luck=st.randoms(use_true_random=False))
def test_both_borders_whatever_looks_promising(promising: str, lattice: tuple[int, Sets, int], luck: Random) -> None:
    width, unsafe, most = lattice
    safe = Counted(lambda columns: not any(one <= columns for one in unsafe))
    found = BorderSearch(width, safe, hope(promising, luck), most, Watch()).run()
    sets = every_set(width, most)
    assert set(found.largest_safe) == to_masks(no_larger([one for one in sets if safe.holds(one)]))
    assert set(found.smallest_unsafe) == to_masks(no_smaller([one for one in sets if not safe.holds(one)]))
    assert len(found.largest_safe) == len(set(found.largest_safe))
    assert len(found.smallest_unsafe) == len(set(found.smallest_unsafe))
    assert found.stopped is None
    assert found.evaluations == len(safe.seen)
    assert all(len(columns) <= most for columns in safe.seen)


@pytest.mark.parametrize("promising", PROMISING)
@settings(max_examples=100)
@given(lattice=lattices(), luck=st.randoms(use_true_random=False))
def test_no_set_is_counted_twice(promising: str, lattice: tuple[int, Sets, int], luck: Random) -> None:
    width, unsafe, most = lattice
    safe = Counted(lambda columns: not any(one <= columns for one in unsafe))
    BorderSearch(width, safe, hope(promising, luck), most, Watch()).run()
    assert len(safe.seen) == len(set(safe.seen))


@settings(max_examples=150)
@given(lattice=lattices())
def test_a_set_is_counted_once_and_only_when_its_parts_are_safe(lattice: tuple[int, Sets, int]) -> None:
    width, unsafe, most = lattice
    safe = Counted(lambda columns: not any(one <= columns for one in unsafe))
    BorderSearch(width, safe, lambda _: False, most, Watch()).run()
    a_priori = [
        one for one in every_set(width, most) if all(safe.holds(one - {column}) for column in one) or len(one) == 1
    ]
    assert sorted(map(mask_of, safe.seen)) == sorted(to_masks(a_priori))


def test_what_promises_to_be_safe_together_is_tried_at_once() -> None:
    safe = Counted(lambda _: True)
    found = BorderSearch(10, safe, lambda _: True, 10, Watch()).run()
    assert found.largest_safe == [(1 << 10) - 1]
    assert found.evaluations == 1


@settings(max_examples=150)
@given(lattice=lattices())
def test_walk_evaluates_every_set_below_the_border_and_the_border(lattice: tuple[int, Sets, int]) -> None:
    width, full, most = lattice

    def saturated(columns: frozenset[int]) -> bool:
        return any(one <= columns for one in full)

    evaluate = Counted(saturated)
    known = walk(width, evaluate, lambda value: value, most, Watch())
    sets = every_set(width, most)
    assert set(known.values) == to_masks([one for one in sets if not saturated(one)])
    assert set(known.saturated) == to_masks(no_smaller([one for one in sets if saturated(one)]))
    assert [len(columns) for columns in evaluate.seen] == sorted(len(columns) for columns in evaluate.seen)
    assert known.through == most
    assert known.evaluations == len(evaluate.seen) <= len(sets)


@settings(max_examples=100)
@given(lattice=lattices(), sets=st.integers(0, 40))
def test_a_walk_that_is_stopped_has_decided_every_smaller_set(lattice: tuple[int, Sets, int], sets: int) -> None:
    width, full, most = lattice
    seen: list[Columns] = []

    def saturated(columns: Columns) -> bool:
        if len(seen) == sets:
            raise Stopped("time")
        seen.append(columns)
        return any(one <= frozenset(columns) for one in full)

    known = walk(width, saturated, lambda value: value, most, Watch())
    decided = {*known.values, *known.saturated}
    above = [frozenset(columns_of(mask)) for mask in known.saturated]
    for one in every_set(width, known.through):
        assert sum(1 << column for column in one) in decided or any(border <= one for border in above)
    assert (known.stopped is None) == (known.through == most)


@settings(max_examples=100)
@given(data=st.data())
def test_borders_of_a_property_that_comes_back_upwards(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 5))
    most = data.draw(st.integers(1, width))
    sets = every_set(width, most)
    safe = set(data.draw(st.lists(st.sampled_from(sets))))
    found = borders_of_all(width, lambda columns: frozenset(columns) in safe, most, Watch())
    assert set(found.largest_safe) == to_masks(no_larger([one for one in sets if one in safe]))
    assert set(found.smallest_unsafe) == to_masks(no_smaller([one for one in sets if one not in safe]))
    assert found.evaluations == len(sets)


@given(masks=st.lists(st.integers(1, 63), unique=True))
def test_extreme_masks(masks: list[int]) -> None:
    sets = [frozenset(columns_of(mask)) for mask in masks]
    assert set(extreme(masks, largest=True)) == to_masks(no_larger(sets))
    assert set(extreme(masks, largest=False)) == to_masks(no_smaller(sets))


@given(mask=st.integers(0, 1 << 70))
def test_masks_and_columns_are_the_same_set(mask: int) -> None:
    assert mask_of(columns_of(mask)) == mask
    assert list(columns_of(mask)) == sorted(columns_of(mask), reverse=True)


def counted(columns: tuple[str, ...], rows: list[Row]) -> FrequencySet:
    """The frequency set of some rows."""
    counting = Counting(columns)
    counting.add(arrays(rows, columns))
    return counting.result()


@pytest.mark.parametrize("thresholds", ["as they are", "hash whatever can be", "roll up always", "roll up never"])
@settings(max_examples=60)
@given(data=st.data())
def test_rollup_counter_in_any_order_of_sets(thresholds: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    frequencies = counted(columns, rows)
    positions = st.permutations(range(len(columns)))
    sets = data.draw(st.lists(st.builds(lambda order, size: order[:size], positions, st.integers(1, 5)), max_size=8))
    with pytest.MonkeyPatch.context() as patch:
        if thresholds == "hash whatever can be":
            patch.setattr(counters, "_DENSE", 0)
            patch.setattr(counters, "_DENSE_ALWAYS", -(1 << 40))
        if thresholds == "roll up always":
            patch.setattr(RollupCounter, "_rolled_up_to", lambda _, last: frequencies.project(columns[: last + 1]))
        if thresholds == "roll up never":
            patch.setattr(RollupCounter, "_rolled_up_to", lambda *_: frequencies)
        counter = RollupCounter(frequencies)
        for one in sets:
            if data.draw(st.booleans(), label="highest first, as the lattice is walked"):
                one = sorted(one, reverse=True)
            names = [columns[at] for at in one]
            assert sorted(counter.sizes(one)) == sorted(frequencies.classes(names).sizes)


@settings(max_examples=60)
@given(data=st.data())
def test_rollup_counter_gives_the_classes_of_each_combination(data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    frequencies = counted(columns, rows)
    counter = RollupCounter(frequencies)
    for _ in range(3):
        one = data.draw(st.lists(st.integers(0, len(columns) - 1), min_size=1, unique=True))
        counter.sizes(one)
        of, n = counter.classes(one)
        classes = frequencies.classes([columns[at] for at in one])
        assert n == len(classes)
        assert len(set(zip(of.tolist(), classes.of.tolist(), strict=True))) == n


def many_values(values: int) -> FrequencySet:
    """Columns with so many values that pairs of them do not fit a table."""
    cells = [np.arange(values) % (values - at) for at in range(4)]
    counting = Counting([f"column {at}" for at in range(4)])
    counting.add([pa.array(column) for column in cells])
    return counting.result()


@settings(max_examples=60)
@given(data=st.data())
def test_a_small_class_that_is_found_in_passing_is_there(data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    frequencies = counted(columns, rows)
    width = len(columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counters, "_WORTH_A_SAMPLE", 0)
        patch.setattr(counters, "_SAMPLED", data.draw(st.sampled_from([1, 2, 32])))
        counter = RollupCounter(frequencies)
        for one in data.draw(st.lists(st.sets(st.integers(0, width - 1), min_size=1), max_size=8)):
            highest_first = sorted(one, reverse=True)
            k = data.draw(st.integers(1, 4))
            names = [columns[at] for at in highest_first]
            if counter.has_smaller(highest_first, k):
                assert frequencies.classes(names).sizes.min() < k
            assert sorted(counter.sizes(highest_first)) == sorted(frequencies.classes(names).sizes)


def test_one_small_class_decides_a_set_without_a_full_count() -> None:
    frequencies = many_values(1 << 15)
    counter = RollupCounter(frequencies)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RollupCounter, "sizes", lambda *_: pytest.fail("every combination is counted"))
        assert counter.has_smaller([3, 2], 2)


def test_rollup_counter_rolls_up_where_few_combinations_are_left() -> None:
    counting = Counting(["two", "three", "four", "many"])
    counting.add([pa.array(np.arange(300) % size) for size in (2, 3, 4, 300)])
    frequencies = counting.result()
    counter = RollupCounter(frequencies)
    for size in range(1, 5):
        for one in combinations(range(3, -1, -1), size):
            names = [frequencies.names[at] for at in one]
            assert sorted(counter.sizes(one)) == sorted(frequencies.classes(names).sizes)
    assert counter._rolled[2].combinations == 12 < frequencies.combinations


def test_rollup_counter_with_more_pairs_than_fit_a_table() -> None:
    frequencies = many_values(3000)
    counter = RollupCounter(frequencies)
    for size in range(1, 5):
        for one in combinations(range(4), size):
            names = [frequencies.names[at] for at in one]
            expected = sorted(frequencies.classes(names).sizes)
            assert sorted(counter.sizes(one)) == expected
            assert sorted(counter.sizes(one[::-1])) == expected


def test_rollup_counter_with_more_records_than_32_bits_hold() -> None:
    values = (pa.array(["x", "y"]), pa.array(["x", "y"]))
    codes = np.array([[1, 1, 2, 2], [1, 2, 1, 2]], dtype=np.int32)
    counts = np.array([1 << 40, 3, 5, 7], dtype=np.int64)
    counter = RollupCounter(FrequencySet(("a", "b"), values, codes, counts))
    assert sorted(counter.sizes([1, 0])) == [3, 5, 7, 1 << 40]
    assert sorted(counter.sizes([0])) == [12, (1 << 40) + 3]
    assert sorted(counter.sizes([1])) == [10, (1 << 40) + 5]

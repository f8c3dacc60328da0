"""The kernels that number values and count people: compiled, checked and plain ones do what plain Python does."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from incrowd.core.kernels import numpy_kernels
from test_kernels import LAST, PHI, any_kernels, judged_nodes  # noqa: F401  (a fixture among them)

Entries = list[dict[int, int]]
"""Per class its people, with their records."""

NOBODY = 3
"""Stands for as many people as it has records."""

classes = st.lists(st.dictionaries(st.integers(0, 6), st.integers(1, 3), min_size=1, max_size=5), max_size=20)


def laid(strings: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Strings as the kernel takes them."""
    starts = np.cumsum([0, *map(len, strings)]).astype(np.int64)
    return starts, np.frombuffer(b"".join(strings), dtype=np.uint8)


def entries(members: Entries) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """The people of classes as the kernels take them."""
    starts = np.cumsum([0, *(len(each) for each in members)]).astype(np.int64)
    people = np.array([who for each in members for who in each], dtype=np.int32)
    records = np.array([n for each in members for n in each.values()], dtype=np.int64)
    return starts, people, records


def people_of(members: Entries) -> int:
    """How many there are, with a set."""
    return len({who for each in members for who in each} - {NOBODY}) + sum(each.get(NOBODY, 0) for each in members)


@given(chunks=st.lists(st.lists(st.tuples(st.binary(max_size=20), st.booleans()), max_size=20), max_size=4))
def test_values_are_numbered_in_order_of_appearance(
    any_kernels: ModuleType,  # noqa: F811
    chunks: list[list[tuple[bytes, bool]]],
) -> None:
    numbering = any_kernels.ValueNumbering()
    expected: dict[bytes, int] = {}
    for chunk in chunks:
        known = len(expected)
        wanted = [expected.setdefault(value, len(expected)) if there else -1 for value, there in chunk]
        numbers, fresh = numbering.add(
            *laid([value for value, _ in chunk]), np.array([there for _, there in chunk], dtype=np.uint8)
        )
        assert numbers.tolist() == wanted
        assert fresh.tolist() == [wanted.index(number) for number in range(known, len(expected))]
        assert len(numbering) == len(expected)


def test_many_values_are_numbered(any_kernels: ModuleType) -> None:  # noqa: F811
    strings = [f"{number:x}".encode() * (number % 3) for number in range(6000)]
    numbering = any_kernels.ValueNumbering()
    expected: dict[bytes, int] = {}
    for begin in (0, 100, 3000):
        part = strings[begin : begin + 3000]
        numbers, _ = numbering.add(*laid(part), np.ones(len(part), dtype=np.uint8))
        assert numbers.tolist() == [expected.setdefault(each, len(expected)) for each in part]


def _mixed(state: int, word: int) -> int:
    """What the compiled hash makes of eight bytes more."""
    found = ((state ^ word) * PHI) & LAST
    return found ^ (found >> 29)


def test_values_of_the_same_hash_are_told_apart(any_kernels: ModuleType) -> None:  # noqa: F811
    # The second word makes up for the first, so that the same comes out.
    words = [(first, _mixed(16, first) ^ 12345) for first in range(60)]
    assert len({_mixed(_mixed(16, first), second) for first, second in words}) == 1
    strings = [first.to_bytes(8, "little") + second.to_bytes(8, "little") for first, second in words]
    numbering = any_kernels.ValueNumbering()
    for part in (strings[:20], strings[10:40], strings):
        numbers, _ = numbering.add(*laid(part), np.ones(len(part), dtype=np.uint8))
        assert numbers.tolist() == [strings.index(each) for each in part]


def test_values_beyond_their_text_are_refused(any_kernels: ModuleType) -> None:  # noqa: F811
    text, there = np.zeros(3, dtype=np.uint8), np.ones(2, dtype=np.uint8)
    for starts in ([0, 1, 4], [0, 2, 1], [-1, 0, 1]):
        with pytest.raises(ValueError, match="beyond"):
            any_kernels.ValueNumbering().add(np.array(starts, dtype=np.int64), text, there)
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.ValueNumbering().add(np.array([0, 1], dtype=np.int64), text, there)


@given(members=classes, most=st.integers(1, 4), data=st.data())
def test_a_group_is_looked_at_until_it_has_enough_values(
    any_kernels: ModuleType,  # noqa: F811
    members: Entries,
    most: int,
    data: st.DataObject,
) -> None:
    of = [data.draw(st.integers(0, 3)) for _ in members]
    arguments = (np.array(of, dtype=np.int32), 4, *entries(members), 7, most)
    starts, values, counts = any_kernels.regroup(*arguments)
    for group in range(4):
        expected: dict[int, int] = {}
        for value, n in [item for each, at in zip(members, of, strict=True) if at == group for item in each.items()]:
            if len(expected) < most:
                expected[value] = expected.get(value, 0) + n
        mine = slice(starts[group], starts[group + 1])
        assert dict(zip(values[mine].tolist(), counts[mine].tolist(), strict=True)) == expected
    assert all(map(np.array_equal, (starts, values, counts), numpy_kernels.regroup(*arguments)))


def test_a_group_without_any_value_is_refused(any_kernels: ModuleType) -> None:  # noqa: F811
    with pytest.raises(ValueError, match="no value"):
        any_kernels.regroup(np.zeros(0, dtype=np.int32), 1, *entries([]), 7, 0)


@given(case=judged_nodes(), data=st.data())
def test_nodes_are_judged_by_people(
    any_kernels: ModuleType,  # noqa: F811
    case: tuple[list[Any], list[Any], tuple[int, ...]],
    data: st.DataObject,
) -> None:
    made, (keys, _, origins), levels = case
    k, budget, masks, parts, codes, gaps, begins = made
    person = st.dictionaries(st.integers(0, 6), st.integers(1, 3), min_size=1, max_size=5)
    whole = [data.draw(person) for _ in keys]
    counts = np.array([sum(each.values()) for each in whole], dtype=np.int64)
    # Any k of a class do.
    some = [dict(list(each.items())[:k]) for each in whole]
    judge = any_kernels.Judge(any_kernels.Grouper(), *made)
    mask = np.bitwise_or.reduce([masks[column, level] for column, level in enumerate(levels)])
    groups: dict[tuple[int, ...], list[int]] = {}
    for at, key in enumerate(keys):
        groups.setdefault(tuple((key & mask).tolist()), []).append(at)
    small = [at for at in groups.values() if people_of([whole[each] for each in at]) < k]
    large = [int(counts[at].sum()) for at in groups.values() if at not in small]
    cost = [
        int(counts[at].sum()) * sum(gaps[begins[c, levels[c]] + codes[origins[at[0]], c]] for c in range(len(begins)))
        for at in small
    ]
    for known in (whole, some):
        lost, kept, smallest, plain, lost_cost = judge.judge_people(
            levels, keys, counts, origins, *entries(known), 7, NOBODY
        )
        assert lost == sum(int(counts[at].sum()) for at in small)
        assert (kept, smallest) == (len(large), min(large, default=0))
        assert plain == sum(parts[column, level] for column, level in enumerate(levels))
        assert lost_cost == (pytest.approx(sum(cost)) if lost <= budget else 0)


def test_people_that_do_not_fit_are_refused(any_kernels: ModuleType) -> None:  # noqa: F811
    masks, parts, codes = np.zeros((1, 1, 1), np.uint64), np.zeros((1, 1)), np.zeros((2, 1), np.int32)
    judge = any_kernels.Judge(any_kernels.Grouper(), 2, 0, masks, parts, codes, np.zeros(1), np.zeros((1, 1), np.int64))
    keys, counts, rows = np.zeros((2, 1), np.uint64), np.ones(2, np.int64), np.zeros(2, np.int32)
    starts, people, records = entries([{0: 1}, {1: 1}])
    for wrong in ((starts[:2], people, records), (starts, people, records[:1])):
        with pytest.raises(ValueError, match="lengths differ"):
            judge.judge_people((0,), keys, counts, rows, *wrong, 7, NOBODY)
    one = np.zeros(1, np.int32)
    axes = (one, np.ones(1, np.int32), np.ones(1, np.int32), np.zeros(1, np.int64), np.zeros(1), one)
    cutter = any_kernels.Cutter(np.zeros((2, 1), np.int32), counts, axes, 2, False, True)
    for wrong in ((starts[:2], people, records), (starts, people, records[:1])):
        with pytest.raises(ValueError, match="lengths differ"):
            cutter.count_people(*wrong, 7, NOBODY)

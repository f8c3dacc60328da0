"""The compiled kernels, their build with bounds checks and their NumPy twins give the same answers."""

import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from incrowd.core.kernels import numpy_kernels

Keys = NDArray[np.uint64]

LAST = 2**64 - 1
PHI = 0x9E3779B97F4A7C15
UNPHI = pow(PHI, -1, 2**64)
"""Undoes the hash of the compiled tables, so that a key can be made for each slot."""
FIRST_CAPACITY = 1 << 10


def has_compiler() -> bool:
    """Whether the kernels could have been compiled here."""
    names = [*(sysconfig.get_config_var("CC") or "cc").split()[:1], "cc", "gcc", "clang"]
    return any(shutil.which(name) for name in names)


def load(name: str) -> ModuleType:
    """One build of the kernels; a missing one is a failure or a skip with its reason."""
    try:
        return importlib.import_module(f"incrowd.core.kernels.{name}")
    except ImportError:
        if name == "checked":
            pytest.skip("the kernels with bounds checks are not built; install with INCROWD_CHECKED=1")
        if has_compiler():
            pytest.fail("a C compiler is here, but the kernels are not compiled; install the package again")
        pytest.skip("no C compiler here, so the kernels are not compiled")


@pytest.fixture(scope="module", params=["compiled", "checked"])
def kernels(request: pytest.FixtureRequest) -> ModuleType:
    """Each compiled build."""
    return load(request.param)


@pytest.fixture(scope="module", params=["compiled", "checked", "numpy_kernels"])
def any_kernels(request: pytest.FixtureRequest) -> ModuleType:
    """Each build, the NumPy twins among them."""
    return load(request.param)


@pytest.fixture(scope="module")
def checked() -> ModuleType:
    """The build with bounds checks."""
    return load("checked")


def colliding(slot: int, low: int) -> int:
    """A key whose hash begins with the ten bits of `slot` and ends with `low`: with equal slots they all collide."""
    return ((slot << 54 | low) * UNPHI) % 2**64


keys = (
    st.sampled_from([0, 1, 2, LAST, LAST - 1, 1 << 63, 1 << 32])
    | st.integers(0, 20)
    | st.integers(0, LAST)
    # The last slot, where probing wraps round, and one other.
    | st.builds(colliding, st.sampled_from([FIRST_CAPACITY - 1, 5]), st.integers(0, 30))
)
key_arrays = st.lists(keys, max_size=60).map(lambda found: np.array(found, dtype=np.uint64))


@st.composite
def weighted(draw: st.DrawFn) -> tuple[Keys, NDArray[np.int64] | None]:
    """Keys, and how often each of them counts or None."""
    found = draw(key_arrays)
    if draw(st.booleans()):
        return found, None
    weights = draw(st.lists(st.integers(1, 2**40), min_size=len(found), max_size=len(found)))
    return found, np.array(weights, dtype=np.int64)


def counts_of(tally: Any) -> dict[int, int]:
    """A tally's keys and counts; their order is free."""
    found, counts = tally.items()
    assert found.dtype == np.uint64
    assert counts.dtype == np.int64
    assert len(tally) == len(found) == len(set(found.tolist()))
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


@given(adds=st.lists(weighted(), max_size=4))
def test_tally_counts(any_kernels: ModuleType, adds: list[tuple[Keys, NDArray[np.int64] | None]]) -> None:
    tally = any_kernels.Tally()
    expected: Counter[int] = Counter()
    for found, weights in adds:
        tally.add(found, weights)
        for key, weight in zip(found.tolist(), weights if weights is not None else [1] * len(found), strict=True):
            expected[key] += int(weight)
        assert counts_of(tally) == expected


@given(adds=st.lists(key_arrays, max_size=4))
def test_numbering_numbers_in_order_of_appearance(any_kernels: ModuleType, adds: list[Keys]) -> None:
    numbering = any_kernels.Numbering()
    expected: dict[int, int] = {}
    for found in adds:
        numbers = numbering.add(found)
        assert numbers.dtype == np.int32
        assert numbers.tolist() == [expected.setdefault(key, len(expected)) for key in found.tolist()]
        assert numbering.keys().tolist() == list(expected)
        assert len(numbering) == len(expected)


def many_keys(kind: str, rng: np.random.Generator) -> Keys:
    """Enough distinct keys for several growths, each of them twice, in random order."""
    number = 5000
    distinct = {
        "consecutive": lambda: np.arange(number, dtype=np.uint64),
        "from the end": lambda: np.uint64(LAST) - np.arange(number, dtype=np.uint64),
        "random": lambda: rng.integers(0, LAST, number, dtype=np.uint64, endpoint=True),
        "equal low bits": lambda: np.arange(number, dtype=np.uint64) << np.uint64(48),
        "one slot": lambda: np.array([colliding(700, low) for low in range(1500)], dtype=np.uint64),
        "last slot": lambda: np.array([colliding(FIRST_CAPACITY - 1, low) for low in range(1500)], dtype=np.uint64),
    }[kind]()
    return rng.permutation(np.concatenate([distinct, distinct]))


KINDS = ["consecutive", "from the end", "random", "equal low bits", "one slot", "last slot"]


@pytest.mark.parametrize("kind", KINDS)
def test_tally_grows(kernels: ModuleType, kind: str) -> None:
    found = many_keys(kind, np.random.default_rng(1))
    compiled, twin = kernels.Tally(), numpy_kernels.Tally()
    for part in np.array_split(found, 7):
        compiled.add(part)
        twin.add(part)
        assert counts_of(compiled) == counts_of(twin)
    assert len(compiled) > FIRST_CAPACITY // 2


@pytest.mark.parametrize("kind", KINDS)
def test_numbering_grows(kernels: ModuleType, kind: str) -> None:
    found = many_keys(kind, np.random.default_rng(2))
    compiled, twin = kernels.Numbering(), numpy_kernels.Numbering()
    for part in np.array_split(found, 7):
        np.testing.assert_array_equal(compiled.add(part), twin.add(part))
        np.testing.assert_array_equal(compiled.keys(), twin.keys())
    assert len(compiled) > FIRST_CAPACITY // 2


@pytest.mark.parametrize("number", [511, 512, 513, 1024])
def test_tables_around_their_first_growth(kernels: ModuleType, number: int) -> None:
    found = np.arange(number, dtype=np.uint64)
    tally, numbering = kernels.Tally(), kernels.Numbering()
    tally.add(found)
    assert counts_of(tally) == dict.fromkeys(range(number), 1)
    np.testing.assert_array_equal(numbering.add(found), np.arange(number))


@st.composite
def scatters(draw: st.DrawFn) -> tuple[Keys, NDArray[np.int32], Keys]:
    """Keys, codes and the bits of each code."""
    lookup = draw(st.lists(keys, min_size=1, max_size=8))
    codes = draw(st.lists(st.integers(0, len(lookup) - 1), max_size=40))
    start = draw(st.lists(keys, min_size=len(codes), max_size=len(codes)))
    return np.array(start, np.uint64), np.array(codes, np.int32), np.array(lookup, np.uint64)


@given(case=scatters())
def test_scatter(any_kernels: ModuleType, case: tuple[Keys, NDArray[np.int32], Keys]) -> None:
    start, codes, lookup = case
    expected = [key | int(lookup[code]) for key, code in zip(start.tolist(), codes.tolist(), strict=True)]
    any_kernels.scatter(start, codes, lookup)
    assert start.tolist() == expected


@dataclass(frozen=True)
class Refinement:
    """The arguments of one call of a Refiner."""

    classes: NDArray[np.int32]
    n_classes: int
    codes: NDArray[np.int32]
    n_codes: int
    weights: NDArray[np.int32] | None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The class and code of each combination."""
        return list(zip(self.classes.tolist(), self.codes.tolist(), strict=True))


@st.composite
def refinements(draw: st.DrawFn) -> Refinement:
    """Spaces from one entry to more than the first table has."""
    n_classes = draw(st.sampled_from([1, 2, 5, 40, 300]))
    n_codes = draw(st.sampled_from([1, 2, 7, 90]))
    size = draw(st.integers(0, 30))

    def numbers(least: int, most: int) -> NDArray[np.int32]:
        return np.array(draw(st.lists(st.integers(least, most), min_size=size, max_size=size)), dtype=np.int32)

    # Thirty of the largest weight add up to just less than 2^31.
    weights = numbers(1, 2**31 // 31) if draw(st.booleans()) else None
    return Refinement(numbers(0, n_classes - 1), n_classes, numbers(0, n_codes - 1), n_codes, weights)


@given(calls=st.lists(st.tuples(refinements(), st.booleans()), max_size=6))
def test_refiner_can_be_used_again(any_kernels: ModuleType, calls: list[tuple[Refinement, bool]]) -> None:
    """Both of its questions, in any order, on spaces that grow and shrink."""
    refiner = any_kernels.Refiner()
    for call, asks_sizes in calls:
        if asks_sizes:
            check_sizes(refiner, call)
        else:
            check_refined(refiner, call)


def check_sizes(refiner: Any, call: Refinement) -> None:
    """The sizes are the sums of the weights of equal pairs."""
    expected: Counter[tuple[int, int]] = Counter()
    weights = call.weights.tolist() if call.weights is not None else [1] * len(call.classes)
    for pair, weight in zip(call.pairs, weights, strict=True):
        expected[pair] += weight
    sizes = refiner.sizes(call.classes, call.n_classes, call.codes, call.n_codes, call.weights)
    assert sizes.dtype == np.int64
    assert sorted(sizes.tolist()) == sorted(expected.values())


def check_refined(refiner: Any, call: Refinement) -> None:
    """Pairs are numbered in order of first appearance."""
    expected: dict[tuple[int, int], int] = {}
    numbers = [expected.setdefault(pair, len(expected)) for pair in call.pairs]
    refined, found = refiner.refine(call.classes, call.n_classes, call.codes, call.n_codes)
    assert refined.dtype == np.int32
    assert (refined.tolist(), found) == (numbers, len(expected))


@pytest.mark.parametrize("spaces", [[10, 5000, 3, 200_000, 10], [200_000, 4096, 4097, 1]])
def test_refiner_over_growing_and_shrinking_spaces(kernels: ModuleType, spaces: list[int]) -> None:
    rng = np.random.default_rng(3)
    compiled, twin = kernels.Refiner(), numpy_kernels.Refiner()
    for n_classes in spaces:
        pairs = (rng.integers(0, n_classes, 3000, np.int32), n_classes, rng.integers(0, 6, 3000, np.int32), 6)
        weights = rng.integers(1, 9, 3000, np.int32)
        for mine, other in zip(compiled.refine(*pairs), twin.refine(*pairs), strict=True):
            np.testing.assert_array_equal(mine, other)
        for each in (weights, None):
            np.testing.assert_array_equal(np.sort(compiled.sizes(*pairs, each)), np.sort(twin.sizes(*pairs, each)))


@given(pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**40)), max_size=40), more=st.integers(0, 3))
def test_total(any_kernels: ModuleType, pairs: list[tuple[int, int]], more: int) -> None:
    numbers = np.array([number for number, _ in pairs], dtype=np.int32)
    counts = np.array([count for _, count in pairs], dtype=np.int64)
    n_numbers = 10 + more
    sums = any_kernels.total(numbers, n_numbers, counts)
    assert sums.dtype == np.int64
    assert sums.tolist() == [sum(count for at, count in pairs if at == number) for number in range(n_numbers)]


def test_nothing_at_all(any_kernels: ModuleType) -> None:
    no_keys, no_codes = np.empty(0, np.uint64), np.empty(0, np.int32)
    no_counts = np.empty(0, np.int64)
    tally, numbering = any_kernels.Tally(), any_kernels.Numbering()
    tally.add(no_keys)
    tally.add(no_keys, no_counts)
    assert counts_of(tally) == {}
    assert numbering.add(no_keys).tolist() == numbering.keys().tolist() == []
    any_kernels.scatter(no_keys, no_codes, no_keys)
    refiner = any_kernels.Refiner()
    refined, found = refiner.refine(no_codes, 0, no_codes, 0)
    assert (refined.tolist(), found) == ([], 0)
    assert refiner.sizes(no_codes, 0, no_codes, 0).tolist() == []
    assert refiner.sizes(no_codes, 5, no_codes, 7, no_codes).tolist() == []
    assert any_kernels.total(no_codes, 0, no_counts).tolist() == []
    assert any_kernels.total(no_codes, 3, no_counts).tolist() == [0, 0, 0]


@pytest.mark.parametrize("other", [1, 2, 4, 5])
def test_lengths_that_differ_are_refused(any_kernels: ModuleType, other: int) -> None:
    three_keys, three = np.arange(3, dtype=np.uint64), np.zeros(3, dtype=np.int32)
    codes, counts = np.zeros(other, dtype=np.int32), np.ones(other, dtype=np.int64)
    refiner = any_kernels.Refiner()
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.Tally().add(three_keys, counts)
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.scatter(three_keys, codes, three_keys)
    with pytest.raises(ValueError, match="lengths differ"):
        refiner.refine(three, 1, codes, 1)
    with pytest.raises(ValueError, match="lengths differ"):
        refiner.sizes(three, 1, codes, 1)
    with pytest.raises(ValueError, match="lengths differ"):
        refiner.sizes(three, 1, three, 1, codes)
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.total(three, 1, counts)


@pytest.mark.parametrize("code", [-1, 3, 2**31 - 1])
def test_the_checked_build_notices_codes_out_of_range(checked: ModuleType, code: int) -> None:
    codes, one = np.array([code], dtype=np.int32), np.ones(1, dtype=np.int64)
    with pytest.raises(IndexError):
        checked.scatter(np.zeros(1, np.uint64), codes, np.zeros(3, np.uint64))
    with pytest.raises(IndexError):
        checked.total(codes, 3, one)


@pytest.mark.parametrize("code", [-1, 1 << 12, 2**31 - 1])
def test_the_checked_build_notices_classes_out_of_the_table(checked: ModuleType, code: int) -> None:
    codes, zero = np.array([code], dtype=np.int32), np.zeros(1, dtype=np.int32)
    for arguments in ((zero, 1, codes, 1), (codes, 1, zero, 1)):
        with pytest.raises(IndexError):
            checked.Refiner().refine(*arguments)
        with pytest.raises(IndexError):
            checked.Refiner().sizes(*arguments)


def test_wrong_types_are_refused(kernels: ModuleType) -> None:
    with pytest.raises((TypeError, ValueError)):
        kernels.Tally().add(np.arange(3, dtype=np.int64))
    with pytest.raises((TypeError, ValueError)):
        kernels.total(np.zeros(3, np.int64), 1, np.ones(3, np.int64))


def test_without_compiled_kernels_the_twins_serve_with_a_note() -> None:
    program = """
import sys, warnings
sys.modules["incrowd.core.kernels.compiled"] = None  # as if it had not been built
with warnings.catch_warnings(record=True) as notes:
    warnings.simplefilter("always")
    from incrowd.core import kernels
    from incrowd.api import diagnose
    import pyarrow
    print(kernels.NAME, diagnose(pyarrow.table({"a": [1, 1, 2], "b": [1, 1, 3]})).ask(k=2).answer)
print(["without a C compiler" in str(note.message) for note in notes if issubclass(note.category, RuntimeWarning)])
"""
    environment = {name: value for name, value in os.environ.items() if name != "INCROWD_KERNELS"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "numpy_kernels []\n[True]\n"


# Grouping under a mask, for the lattice search.


@st.composite
def masked_keys(draw: st.DrawFn) -> tuple[Keys, Keys, NDArray[np.int64]]:
    """Keys of one to three words, a mask, and counts of which some are 0."""
    words = draw(st.integers(1, 3))
    found = draw(st.lists(st.lists(keys, min_size=words, max_size=words), max_size=40))
    mask = draw(
        st.lists(st.sampled_from([0, 1, 3, 0xFF00, LAST]) | st.integers(0, LAST), min_size=words, max_size=words)
    )
    counts = draw(st.lists(st.integers(0, 5) | st.just(2**40), min_size=len(found), max_size=len(found)))
    return (
        np.array(found, dtype=np.uint64).reshape(len(found), words),
        np.array(mask, dtype=np.uint64),
        np.array(counts, dtype=np.int64),
    )


@given(calls=st.lists(masked_keys(), min_size=1, max_size=3))
def test_groups_are_what_is_equal_under_the_mask(
    any_kernels: ModuleType, calls: list[tuple[Keys, Keys, NDArray[np.int64]]]
) -> None:
    # One grouper for all calls: a call must leave nothing behind.
    grouper = any_kernels.Grouper()
    for given_keys, mask, counts in calls:
        expected: dict[tuple[int, ...], list[int]] = {}
        for at, row in enumerate(given_keys.tolist()):
            expected.setdefault(tuple(word & int(bits) for word, bits in zip(row, mask, strict=True)), []).append(at)
        groups, sums, first, of = grouper.group(given_keys, mask, counts, True)
        assert [tuple(row) for row in groups.tolist()] == list(expected)
        assert sums.tolist() == [int(counts[members].sum()) for members in expected.values()]
        assert first.tolist() == [members[0] for members in expected.values()]
        assert of.tolist() == [
            next(number for number, members in enumerate(expected.values()) if at in members)
            for at in range(len(given_keys))
        ]
        other_groups, other_sums, other_first, nothing = grouper.group(given_keys, mask, counts, False)
        assert len(nothing) == 0
        order = np.argsort(other_first)
        for in_any_order, in_order in ((other_groups, groups), (other_sums, sums), (other_first, first)):
            assert np.array_equal(in_any_order[order], in_order)


@st.composite
def judged_nodes(draw: st.DrawFn) -> tuple[list[Any], list[Any], tuple[int, ...]]:
    """What a judge is made of but its grouper, what it judges, and the levels of a node."""
    given_keys, mask, counts = draw(masked_keys())
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    columns, levels = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    # The bits of the mask are shared out among the columns, and any of them may go on any level.
    bits = rng.integers(0, LAST, (columns, levels, len(mask)), dtype=np.uint64, endpoint=True) & mask
    priced = int(rng.integers(0, columns + 1))
    made = [
        draw(st.integers(1, 6)),
        draw(st.integers(0, 12)),
        bits,
        rng.integers(0, 8, (columns, levels)) / 8,
        rng.integers(0, 3, (len(given_keys), columns)).astype(np.int32),
        rng.integers(0, 8, 3 * priced * levels) / 8,
        3 * np.arange(priced * levels, dtype=np.int64).reshape(priced, levels),
    ]
    node = tuple(draw(st.integers(0, levels - 1)) for _ in range(columns))
    return made, [given_keys, counts, rng.permutation(len(given_keys)).astype(np.int32)], node


@given(case=judged_nodes())
def test_nodes_are_judged_without_listing_their_classes(
    any_kernels: ModuleType, case: tuple[list[Any], list[Any], tuple[int, ...]]
) -> None:
    made, (given_keys, counts, origins), levels = case
    k, budget, masks, parts, codes, gaps, begins = made
    grouper = any_kernels.Grouper()
    judge = any_kernels.Judge(grouper, *made)
    mask = np.bitwise_or.reduce([masks[column, level] for column, level in enumerate(levels)])
    for _ in range(2):
        lost, kept, smallest, plain_cost, lost_cost = judge.judge(levels, given_keys, counts, origins)
        _, sums, first, _ = grouper.group(given_keys, mask, counts, False)
        small = [(int(size), int(at)) for size, at in zip(sums, first, strict=True) if size < k]
        large = [int(size) for size in sums if size >= k]
        assert lost == sum(size for size, _ in small)
        assert (kept, smallest) == (len(large), min(large, default=0))
        assert plain_cost == sum(parts[column, level] for column, level in enumerate(levels))
        each = [
            size * sum(gaps[begins[c, levels[c]] + codes[origins[at], c]] for c in range(len(begins)))
            for size, at in small
        ]
        assert lost_cost == (pytest.approx(sum(each)) if lost <= budget else 0)


def test_a_judge_refuses_what_does_not_fit(any_kernels: ModuleType) -> None:
    masks, parts, codes = np.zeros((2, 3, 1), np.uint64), np.zeros((2, 3)), np.zeros((4, 2), np.int32)
    gaps, begins = np.zeros(4), np.zeros((1, 3), np.int64)
    grouper = any_kernels.Grouper()
    for wrong in ((masks[:1], parts, codes), (masks, parts[:, :2].copy(), codes), (masks, parts, codes[:, :0].copy())):
        with pytest.raises(ValueError, match="columns differ"):
            any_kernels.Judge(grouper, 2, 0, *wrong, gaps, begins)
    judge = any_kernels.Judge(grouper, 2, 0, masks, parts, codes, gaps, begins)
    keys, whole, rows = np.zeros((4, 1), np.uint64), np.zeros(4, np.int64), np.zeros(4, np.int32)
    with pytest.raises(ValueError, match="another number"):
        judge.judge((0,), keys, whole, rows)
    for outside in ((0, 3), (-1, 0)):
        with pytest.raises(ValueError, match="no such level"):
            judge.judge(outside, keys, whole, rows)
    for arrays in ((keys, whole[:3], rows), (keys, whole, rows[:3]), (np.zeros((4, 2), np.uint64), whole, rows)):
        with pytest.raises(ValueError, match="lengths differ"):
            judge.judge((0, 0), *arrays)


def test_a_grouper_grows(any_kernels: ModuleType) -> None:
    many = np.arange(20_000, dtype=np.uint64).reshape(-1, 2) * np.uint64(PHI)
    grouper = any_kernels.Grouper()
    ones = np.ones(len(many), dtype=np.int64)
    one_word = np.ascontiguousarray(many[:, :1])
    for bits in (LAST, 0xFFF << 40, 0):
        mask = np.array([bits], dtype=np.uint64)
        sums, first = grouper.group(one_word, mask, ones, False)[1:3]
        twin = numpy_kernels.Grouper().group(one_word, mask, ones, False)
        assert np.array_equal(np.sort(first), np.sort(twin[2]))
        assert np.array_equal(sums[np.argsort(first)], twin[1][np.argsort(twin[2])])
    for both in ([LAST, LAST], [0, LAST], [1, 0]):
        mask = np.array(both, dtype=np.uint64)
        groups, sums, _, of = grouper.group(many, mask, ones, True)
        twin = numpy_kernels.Grouper().group(many, mask, ones, True)
        assert np.array_equal(groups, twin[0])
        assert np.array_equal(sums, twin[1])
        assert np.array_equal(of, twin[3])


@st.composite
def boards(draw: st.DrawFn) -> tuple[list[int], list[float], list[int]]:
    """The shape of a lattice, the bounds of its nodes, and an order to visit them in."""
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    size = int(np.prod(shape))
    bounds = draw(st.lists(st.integers(0, 9).map(float), min_size=size, max_size=size))
    return shape, bounds, draw(st.permutations(range(size)))


@given(board=boards(), data=st.data())
def test_a_board_gives_out_open_nodes_that_may_be_better(
    any_kernels: ModuleType, board: tuple[list[int], list[float], list[int]], data: st.DataObject
) -> None:
    shape, bounds, order = board
    low = np.array([data.draw(st.integers(0, 2)) for _ in shape], dtype=np.int64)
    kernel = any_kernels.NodeSchedule(
        np.array(bounds), np.array(order, dtype=np.int64), np.array(shape, dtype=np.int64), low
    )
    closed: set[int] = set()
    extra = dict.fromkeys(range(len(bounds)), 0.0)
    best = np.inf
    place = 0
    for _ in range(len(bounds) + 1):
        open_left = [bounds[at] + extra[at] for at in extra if at not in closed]
        assert kernel.floor() == min(open_left, default=np.inf)
        expected = None
        while place < len(order) and expected is None:
            at = order[place]
            place += 1
            if at not in closed:
                closed.add(at)
                if bounds[at] + extra[at] < best:
                    expected = tuple((np.array(np.unravel_index(at, shape)) + low).tolist())
        assert kernel.next(best) == expected
        if expected is None:
            return
        best = min(best, data.draw(st.integers(0, 12)))
        node = [data.draw(st.integers(0, size - 1)) for size in shape]
        dead, more = data.draw(st.booleans()), float(data.draw(st.integers(0, 3)))
        kernel.prune(tuple(height + int(least) for height, least in zip(node, low, strict=True)), dead, more)
        for at in extra:
            if all(level <= most for level, most in zip(np.unravel_index(at, shape), node, strict=True)):
                closed |= {at} if dead else set()
                extra[at] = extra[at] if dead else max(extra[at], more)


def test_a_board_refuses_what_does_not_fit(any_kernels: ModuleType) -> None:
    order, shape, low = np.arange(4), np.array([2, 2]), np.array([1, 0])
    for wrong in ((np.zeros(3), order, shape, low), (np.zeros(4), order, shape, low[:1])):
        with pytest.raises(ValueError, match="lengths differ"):
            any_kernels.NodeSchedule(*wrong)
    board = any_kernels.NodeSchedule(np.zeros(4), order, shape, low)
    with pytest.raises(ValueError, match="another number"):
        board.prune((1,), True, 0.0)
    for outside in ((1, 2), (0, 0), (3, 0)):
        with pytest.raises(ValueError, match="no such node"):
            board.prune(outside, True, 0.0)


def test_grouping_refuses_lengths_that_differ(any_kernels: ModuleType) -> None:
    three = np.zeros((3, 1), dtype=np.uint64)
    mask = np.zeros(1, dtype=np.uint64)
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.Grouper().group(three, mask, np.zeros(2, dtype=np.int64), False)
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.Grouper().group(three, np.zeros(2, dtype=np.uint64), np.zeros(3, dtype=np.int64), False)
    with pytest.raises(ValueError, match="lengths differ"):
        any_kernels.regroup(
            np.zeros(2, dtype=np.int32), 1, np.zeros(2, dtype=np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), 1
        )


@given(
    members=st.lists(
        st.tuples(st.integers(0, 3), st.dictionaries(st.integers(0, 4), st.integers(1, 9), max_size=5)), max_size=20
    )
)
def test_histograms_are_joined(any_kernels: ModuleType, members: list[tuple[int, dict[int, int]]]) -> None:
    of = np.array([group for group, _ in members], dtype=np.int32)
    starts = np.cumsum([0, *(len(entries) for _, entries in members)]).astype(np.int64)
    values = np.array([value for _, entries in members for value in entries], dtype=np.int32)
    counts = np.array([count for _, entries in members for count in entries.values()], dtype=np.int64)
    new_starts, new_values, new_counts = any_kernels.regroup(of, 4, starts, values, counts, 5)
    assert new_starts[0] == 0
    assert len(new_starts) == 5
    for group in range(4):
        expected: Counter[int] = Counter()
        for at, entries in members:
            expected.update(entries if at == group else {})
        mine = slice(new_starts[group], new_starts[group + 1])
        assert dict(zip(new_values[mine].tolist(), new_counts[mine].tolist(), strict=True)) == expected
    assert np.array_equal(new_values, numpy_kernels.regroup(of, 4, starts, values, counts, 5)[1])


@given(
    classes=st.lists(st.dictionaries(st.integers(0, 4), st.integers(1, 9) | st.just(10**12), max_size=5), max_size=8),
    whole=st.lists(st.integers(0, 9), min_size=5, max_size=5),
    labels=st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=3),
)
def test_histograms_beside_that_of_the_table(
    any_kernels: ModuleType, classes: list[dict[int, int]], whole: list[int], labels: list[list[int]]
) -> None:
    starts = np.cumsum([0, *map(len, classes)]).astype(np.int64)
    values = np.array([value for entries in classes for value in entries], dtype=np.int32)
    counts = np.array([count for entries in classes for count in entries.values()], dtype=np.int64)
    shares = np.array([np.bincount(level, weights=whole, minlength=4) / max(1, sum(whole)) for level in labels])
    surplus, lack = any_kernels.surplus_and_deficit(starts, values, counts, np.array(labels, dtype=np.int32), shares)
    for at, entries in enumerate(classes):
        size = sum(entries.values())
        too_much, absent = 0.0, 0.0
        for level, share in zip(labels, shares, strict=True):
            nodes: Counter[int] = Counter()
            for value, count in entries.items():
                nodes[level[value]] += count
            too_much += sum(max(0.0, count / size - share[node]) for node, count in nodes.items())
            absent += 1 - sum(share[node] for node in nodes)
        assert surplus[at] == pytest.approx(too_much / len(labels), abs=1e-12)
        assert lack[at] == pytest.approx(absent / len(labels), abs=1e-12)


def test_histograms_of_lengths_that_differ_are_refused(any_kernels: ModuleType) -> None:
    starts, one, label = np.array([0, 1]), np.ones(1, np.int64), np.zeros((1, 1), np.int32)
    for values, shares in ((np.zeros(2, np.int32), np.ones((1, 1))), (np.zeros(1, np.int32), np.ones((2, 1)))):
        with pytest.raises(ValueError, match="lengths differ"):
            any_kernels.surplus_and_deficit(starts, values, one, label, shares)

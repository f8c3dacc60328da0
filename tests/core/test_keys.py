"""Packing combinations into 64-bit keys loses nothing, however many columns there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from incrowd.core.keys import Layout, Packed, among_used, bits, chain, different, number_combinations

widths_of_columns = st.lists(st.integers(1, 31), min_size=1, max_size=300)


@pytest.mark.parametrize(
    ("cardinality", "needed"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (256, 8), (257, 9), (2**31, 31)]
)
def test_bits(cardinality: int, needed: int) -> None:
    assert bits(cardinality) == needed


@given(widths=widths_of_columns)
def test_every_column_has_its_own_bits(widths: list[int]) -> None:
    layout = Layout.for_widths(widths)
    assert layout.widths == tuple(widths)
    assert [column for word in layout.words for column, _ in word] == list(range(len(widths)))
    for number, word in enumerate(layout.words):
        taken = [bit for column, shift in word for bit in range(shift, shift + widths[column])]
        assert len(taken) == len(set(taken))
        assert max(taken) < (64 if number == 0 else 32)


@given(cardinalities=st.lists(st.integers(1, 2**31), min_size=1, max_size=50))
def test_layout_is_as_narrow_as_the_codes_allow(cardinalities: list[int]) -> None:
    layout = Layout.for_cardinalities(cardinalities)
    for width, cardinality in zip(layout.widths, cardinalities, strict=True):
        assert cardinality - 1 < 2**width
        assert width == 1 or cardinality - 1 >= 2 ** (width - 1)


@given(widths=widths_of_columns, seed=st.integers(0, 2**32 - 1), rows=st.integers(0, 20))
def test_unpacking_gives_back_the_codes(widths: list[int], seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    layout = Layout.for_widths(widths)
    # Few codes a column, the largest possible among them; a cell names its code through the lookup.
    lookups = [np.append(rng.integers(0, 2**width, 3), 2**width - 1).astype(np.int32) for width in widths]
    cells = [(rng.integers(0, 4, rows, dtype=np.int32), lookup) for lookup in lookups]
    unpacked = np.full((len(widths), rows), -1, dtype=np.int32)
    for number in range(len(layout.words)):
        layout.unpack(number, layout.word(number, cells, rows), unpacked)
    np.testing.assert_array_equal(unpacked, np.array([lookup[local] for local, lookup in cells]))


def numbered_in_python(codes: NDArray[np.int32]) -> tuple[list[int], int]:
    """What number_combinations must answer."""
    numbers: dict[tuple[int, ...], int] = {}
    found = [numbers.setdefault(tuple(column), len(numbers)) for column in codes.T.tolist()]
    return found, len(numbers)


@given(
    cardinalities=st.lists(st.integers(1, 5) | st.integers(1, 2**12), min_size=1, max_size=300),
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(0, 60),
)
def test_equal_combinations_have_equal_numbers(cardinalities: list[int], seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    base = np.array([rng.integers(0, size) for size in cardinalities], dtype=np.int32)
    # Neighbours that differ in one column alone, whichever word holds it.
    distinct = np.tile(base, (8, 1)).T
    for at, column in enumerate(rng.integers(0, len(cardinalities), 7)):
        distinct[column, at] = rng.integers(0, cardinalities[column])
    codes = np.ascontiguousarray(distinct[:, rng.integers(0, 8, rows)])
    numbers, n = number_combinations(list(codes), cardinalities)
    assert (numbers.tolist(), n) == numbered_in_python(codes)


@given(
    cardinalities=st.lists(st.integers(1, 10**4), min_size=1, max_size=12),
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 20),
    data=st.data(),
)
def test_any_columns_of_packed_rows(cardinalities: list[int], seed: int, rows: int, data: st.DataObject) -> None:
    """Numbered as they first appear; without columns all rows are alike."""
    random = np.random.default_rng(seed)
    few = [random.choice(random.integers(0, size, 2), rows).astype(np.int32) for size in cardinalities]
    columns = data.draw(st.sets(st.integers(0, len(cardinalities) - 1)))
    places = data.draw(st.lists(st.integers(0, rows - 1), min_size=1))
    numbers, n = Packed(few, cardinalities).number(columns, np.array(places))
    cells = [tuple(int(few[column][row]) for column in sorted(columns)) for row in places]
    order = list(dict.fromkeys(cells))
    assert numbers.tolist() == [order.index(each) for each in cells]
    assert n == len(order)


def test_a_number_and_a_word_share_a_key() -> None:
    keys = chain(np.array([0, 1, 2**31 - 1], dtype=np.int32), np.array([2**32 - 1, 0, 5], dtype=np.uint64))
    assert keys.tolist() == [2**32 - 1, 2**32, (2**31 - 1) * 2**32 + 5]


@given(st.lists(st.integers(0, 50)), st.integers(51, 5000))
def test_numbers_are_numbered_as_by_sorting(numbers: list[int], below: int) -> None:
    held = np.array(numbers, dtype=np.int64)
    used, positions = among_used(held, below)
    expected, places = np.unique(held, return_inverse=True)
    assert used.tolist() == expected.tolist() == different(held).tolist()
    assert positions.tolist() == places.reshape(-1).tolist()

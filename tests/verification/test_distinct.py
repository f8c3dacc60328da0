"""Whether all cells of a column are different."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.verification._distinct import all_different

TEXTS = st.text(st.sampled_from("ab\0é京"), max_size=20)


@given(st.lists(TEXTS | st.none(), max_size=12), st.integers(0, 3))
def test_texts(cells: list[str | None], skipped: int) -> None:
    there = [cell for cell in cells[skipped:] if cell is not None]
    array = pa.array(cells, pa.string()).slice(skipped)
    assert all_different(array) == (len(set(there)) == len(there))


@given(st.lists(TEXTS, min_size=1, max_size=12, unique=True), st.data())
def test_one_that_comes_twice_is_found(cells: list[str], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(cells))
    assert all_different(pa.array(cells, pa.string()))
    assert not all_different(pa.array([*cells, again], pa.string()))


@pytest.mark.parametrize("kind", [pa.int64(), pa.large_string(), pa.float64()])
def test_other_types(kind: pa.DataType) -> None:
    numbers = pa.array([3, 1, None, 2], pa.int64()).cast(kind)
    assert all_different(numbers)
    assert not all_different(pa.concat_arrays([numbers, numbers]))


def test_long_texts() -> None:
    texts = [f"{'x' * 100}{at}" for at in range(9)]
    assert all_different(pa.array(texts))
    assert not all_different(pa.array([*texts, texts[3]]))


def test_no_cells() -> None:
    for cells in ([], [None, None], [""]):
        assert all_different(pa.array(cells, pa.string()))
    assert not all_different(pa.array(["", ""], pa.string()))

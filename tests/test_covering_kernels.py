"""The kernels of rows that cover combinations: compiled, checked and plain ones do what plain Python does."""

from math import inf
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from test_kernels import any_kernels  # noqa: F401  (a fixture)


class Given(NamedTuple):
    """Combinations, their levels, and where they meet one of them."""

    places: NDArray[np.int32]
    prices: NDArray[np.float64]
    top: NDArray[np.int16]
    met: NDArray[np.int16]
    levels: NDArray[np.int16]

    def dearer(self, at: int) -> float:
        """What the row of a combination costs more; infinite where it covers the one already or never can."""
        before = after = 0.0
        wider = False
        for place, level, top in zip(self.places[at], self.levels[at], self.top, strict=True):
            if self.met[place] > top:
                return inf
            before += self.prices[level, place]
            after += self.prices[max(level, self.met[place]), place]
            wider |= bool(self.met[place] > level)
        return after - before if wider else inf


@st.composite
def tables(draw: st.DrawFn) -> Given:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, columns, values, height = (draw(st.integers(low, 6)) for low in (0, 1, 1, 0))
    top = rng.integers(0, height + 1, columns).astype(np.int16)
    prices = np.cumsum(rng.integers(0, 3, (height + 1, columns * values)), axis=0) / draw(st.sampled_from([1, 3, 7]))
    return Given(
        (rng.integers(0, values, (n, columns)) + np.arange(columns) * values).astype(np.int32),
        prices,
        top,
        np.concatenate([rng.integers(0, most + 2, values) for most in top]).astype(np.int16),
        np.stack([rng.integers(0, most + 1, n) for most in top], axis=1).astype(np.int16),
    )


@given(tables(), st.integers(1, 8))
def test_as_plain_python(any_kernels: ModuleType, table: Given, wanted: int) -> None:  # noqa: F811
    n = len(table.places)
    covering = any_kernels.Covering(table.places, table.prices, table.top)
    expected = [table.dearer(at) for at in range(n)]
    limit = sorted(expected)[wanted - 1] if wanted <= n else inf
    found = np.empty(n)
    covering.dearer(table.met, table.levels, wanted, found)
    assert found.tolist() == [more if more <= limit else inf for more in expected]
    for row in range(n):
        inside = np.empty(n, dtype=np.uint8)
        covering.covered(table.met, table.levels[row], inside)
        assert inside.tolist() == [int((table.met[of] <= table.levels[row]).all()) for of in table.places]


def arguments(**changed: Any) -> dict[str, Any]:
    """Two combinations of one column with two values."""
    usual = {"places": np.array([[0], [1]], dtype=np.int32), "prices": np.zeros((2, 2)), "top": np.array([1], np.int16)}
    return {**usual, **changed}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"top": np.array([1, 1], dtype=np.int16)}, "lengths differ"),
        ({"top": np.array([2], dtype=np.int16)}, "a top without a price"),
        ({"places": np.array([[0], [2]], dtype=np.int32)}, "no such place"),
        ({"places": np.array([[0], [-1]], dtype=np.int32)}, "no such place"),
    ],
)
def test_what_does_not_fit_together(any_kernels: ModuleType, changed: dict[str, Any], words: str) -> None:  # noqa: F811
    with pytest.raises(ValueError, match=words):
        any_kernels.Covering(**arguments(**changed))


def test_arrays_of_other_lengths(any_kernels: ModuleType) -> None:  # noqa: F811
    covering = any_kernels.Covering(**arguments())
    met, levels = np.zeros(2, dtype=np.int16), np.zeros((2, 1), dtype=np.int16)
    for short in (
        lambda: covering.covered(met[:1], levels[0], np.empty(2, dtype=np.uint8)),
        lambda: covering.covered(met, met, np.empty(2, dtype=np.uint8)),
        lambda: covering.covered(met, levels[0], np.empty(1, dtype=np.uint8)),
        lambda: covering.dearer(met[:1], levels, 1, np.empty(2)),
        lambda: covering.dearer(met, levels[:1], 1, np.empty(2)),
        lambda: covering.dearer(met, levels, 1, np.empty(1)),
        lambda: covering.dearer(met, levels, 0, np.empty(2)),
    ):
        with pytest.raises(ValueError, match="lengths differ"):
            short()

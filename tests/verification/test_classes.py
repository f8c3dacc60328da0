"""Where cells are wildcards: what is judged are all records that match a combination, pair by pair."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.schema import Nulls
from incrowd.models import Block
from incrowd.verification._classes import ClassesOfRelease, _Entries, blocks_under

Cells = tuple[str | None, ...]
COMBINATIONS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from(["a", "b", "*", None])] * width), min_size=1, unique=True)
)


def classes(combinations: list[Cells]) -> ClassesOfRelease:
    """Of different sizes; each class has a value of its own, so that it is seen which ones were joined."""
    n = len(combinations)
    entries = _Entries(list(range(n + 1)), np.arange(n), np.arange(1, n + 1), [(str(at),) for at in range(n)])
    return ClassesOfRelease(list(combinations), list(range(1, n + 1)), {("s",): entries})


def joined(numbers: list[int]) -> Block:
    """The classes of these numbers as one."""
    return Block(sum(at + 1 for at in numbers), {("s",): Counter({(str(at),): at + 1 for at in numbers})})


def cells_match(mine: str | None, other: str | None, nulls: Nulls) -> bool:
    """The definitions of Ciglic, Eder and Koncilia."""
    return mine == other or other is None or (nulls == Nulls.MAYBE and mine is None)


@pytest.mark.parametrize("nulls", [Nulls.MAYBE, Nulls.RIGHT_MAYBE])
@given(combinations=COMBINATIONS)
def test_missing_cells(nulls: Nulls, combinations: list[Cells]) -> None:
    found = list(blocks_under(classes(combinations), nulls))
    for mine, block in zip(combinations, found, strict=True):
        alike = [
            at
            for at, other in enumerate(combinations)
            if all(cells_match(one, two, nulls) for one, two in zip(mine, other, strict=True))
        ]
        assert block == joined(alike)


@given(combinations=COMBINATIONS, data=st.data())
def test_wiped_cells(combinations: list[Cells], data: st.DataObject) -> None:
    """A wiped cell matches everything, a missing one is a value like others, and so is the text in other columns."""
    width = len(combinations[0])
    wiped = data.draw(st.lists(st.sampled_from(["*", None]), min_size=width, max_size=width))
    found = list(blocks_under(classes(combinations), Nulls.EXTENDED, wiped))
    for mine, block in zip(combinations, found, strict=True):
        alike = [
            at
            for at, other in enumerate(combinations)
            if all(
                one == two or (text is not None and text in (one, two))
                for one, two, text in zip(mine, other, wiped, strict=True)
            )
        ]
        assert block == joined(alike)

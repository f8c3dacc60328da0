"""The ladder that a column's values suggest."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree
from incrowd.core.hierarchy import plain, text_forms
from incrowd.hierarchies.automatic import build, propose


def intervals(*widths: float) -> dict[str, Any]:
    return {"intervals": {"widths": list(widths)}}


def masks(*steps: int) -> dict[str, Any]:
    return {"mask": {"steps": list(steps)}}


def dates(*levels: str, **more: str) -> dict[str, Any]:
    return {"dates": {"levels": list(levels), **more}}


PROPOSALS: dict[str, tuple[Sequence[Any], dict[str, Any] | None]] = {
    # Numbers: about 20 and about 5 groups.
    "ages": (range(17, 91), intervals(5, 20)),
    "ages as text": ([str(age) for age in range(17, 91)], intervals(5, 20)),
    "up to 100": (range(101), intervals(5, 20)),
    "up to 30": (range(31), intervals(2, 10)),
    "up to 23": (range(24), intervals(2, 10)),
    "up to 19": (range(20), intervals(5)),
    "negative": (range(-500, 500), intervals(50, 200)),
    "fractions": ([at / 100 for at in range(1000)], intervals(0.5, 2)),
    "fractions as text": ([str(at / 1000) for at in range(1000)], intervals(0.05, 0.2)),
    "huge": ([str(10**30 + at) for at in range(100)], intervals(5, 20)),
    "years": ([str(year) for year in range(1984, 2024)], intervals(2, 10)),
    "few numbers": ([1, 2, 3, 4, 50], None),
    "one number": ([7], None),
    # Codes.
    "postcodes": (["94138", "94139", "94141", "94142"], masks(1)),
    "leading zero": (["01234", "01235", "02999", "10000"], masks(1, 4)),
    "two digits with zero": (["01", "02", "11", "12"], masks(1)),
    "letters and digits": (["NW10", "NW15", "NW22"], masks(1)),
    "long": ([f"{at * 1234567 % 10**9:09}" for at in range(10**4)], masks(3, 4, 5, 7, 8)),
    # Dates.
    "dates": (["2020-01-01", "2020-01-02", "2021-05-05", "2021-06-05", "2034-05-05"], dates("month", "year", "decade")),
    "months of a year": ([date(2020, month, 1) for month in range(1, 13)], None),
    "days of two months": ([date(2020, 1, 1), date(2020, 1, 2), date(2020, 2, 2)], dates("month")),
    "with points": (["31.12.1999", "30.12.1999", "01.01.2000"], dates("month", format="%d.%m.%Y")),
    "month first": (["12/31/1999", "12/30/1999", "01/01/2000"], dates("month", format="%m/%d/%Y")),
    "month or day first": (["01/02/1999", "01/03/1999", "02/03/1999"], None),
    # Categories and what is neither.
    "two words": (["f", "m"], None),
    "truth values": ([True, False], None),
    "mixed": (["12", "abc", "2020-01-01"], None),
    "words of one length": (["Ärger", "Übung"], None),
    "nothing": ([], None),
}


@pytest.mark.parametrize("kind", PROPOSALS)
def test_proposals(kind: str) -> None:
    values, proposed = PROPOSALS[kind]
    assert propose(pa.array(values)) == proposed


def test_the_proposal_is_what_is_built() -> None:
    ladder = build(pa.array([str(age) for age in range(17, 91)]))
    assert ladder.rows[0] == ("17", "15-19", "0-19", "*")
    assert len(ladder.labels[1]) == 16
    assert len(ladder.labels[2]) == 5


def test_categories_go_straight_to_the_top() -> None:
    assert build(pa.array(["m", "f"])).rows == [("f", "*"), ("m", "*")]


def test_a_column_without_values_can_be_published() -> None:
    ladder = build(pa.nulls(0))
    assert ladder.rows == [("*", "*")]
    assert [list(up) for up in ladder.along("empty", pa.nulls(0)).up] == [[0], [1]]


@given(
    st.lists(st.integers(-(10**18), 10**18), unique=True)
    | st.lists(st.floats(allow_nan=False, allow_infinity=False), unique=True)
    | st.lists(st.from_regex("[0-9]{5}", fullmatch=True), unique=True)
    | st.lists(st.from_regex("[0-9]{1,3}([.][0-9]{1,3})?", fullmatch=True), unique=True)
    | st.lists(st.dates(), unique=True)
    | st.lists(st.text(max_size=4), unique=True)
)
def test_a_true_tree(values: list[Any]) -> None:
    array = pa.array(values) if values else pa.nulls(0)
    ladder = build(array)
    texts = [text_forms(value)[0] for value in plain(array)]
    assert_true_tree(ladder, texts)
    # Each level joins something, and none but the top joins everything.
    groups = [len(labels) for labels in ladder.labels]
    if len(texts) > 1:
        assert all(low > high for low, high in pairwise(groups))

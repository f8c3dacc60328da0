"""The ladder of one column: what it knows, how it is laid along a column, and what is refused."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import STAYS_MISSING, Hierarchy, plain, text_forms
from incrowd.errors import HierarchyError

COUNTRIES = [
    ("UK", "Europe", "*"),
    ("Italy", "Europe", "*"),
    ("USA", "America", "*"),
]
WITH_MISSING = [*COUNTRIES, (None, "unknown", "*")]


def refused(rows: list[tuple[str | None, ...]], **more: object) -> HierarchyError:
    """The refusal of rows that make no ladder."""
    with pytest.raises(HierarchyError) as error:
        Hierarchy.from_rows(rows, name="it", **more)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    return error.value


def test_what_a_ladder_knows() -> None:
    ladder = Hierarchy.from_rows(COUNTRIES)
    assert ladder.values == ("UK", "Italy", "USA")
    assert ladder.height == 2
    assert ladder.domain == 3
    assert [list(codes) for codes in ladder.codes] == [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    assert ladder.labels[1:] == (("Europe", "America"), ("*",))
    assert [list(ladder.extent(level)) for level in range(3)] == [[1, 1, 1], [2, 1], [3]]
    assert ladder.losses == (0, 0.5, 1)
    assert ladder.rows == COUNTRIES


def test_missing_stays_missing_until_the_top() -> None:
    ladder = Hierarchy.from_rows(COUNTRIES).along("country", pa.array(["USA", "UK"]))
    assert [list(up) for up in ladder.up] == [[0, 1, 2], [0, 2, 1], [1, 1, 1]]
    assert ladder.labels(1) == [None, "Europe", "America"]
    assert [list(ladder.covered(level)) for level in range(3)] == [[1, 1, 1], [1, 1, 2], [3, 3, 3]]


def test_missing_with_a_row_of_its_own() -> None:
    hierarchy = Hierarchy.from_rows(WITH_MISSING)
    assert hierarchy.lists_missing
    assert hierarchy.domain == 4
    assert hierarchy.missing == (STAYS_MISSING, 2, 0)
    assert list(hierarchy.extent(1)) == [2, 1, 1]
    assert list(hierarchy.extent(2)) == [4]
    ladder = hierarchy.along("country", pa.array(["UK"]))
    assert [list(up) for up in ladder.up] == [[0, 1], [3, 1], [1, 1]]
    assert list(ladder.covered(2)) == [4, 4]


def test_missing_may_join_a_group() -> None:
    hierarchy = Hierarchy.from_rows([*COUNTRIES, (None, "America", "*")])
    assert hierarchy.missing == (STAYS_MISSING, 1, 0)
    assert list(hierarchy.extent(1)) == [2, 2]


def test_the_row_of_missing_may_not_tear_a_group() -> None:
    error = refused([("a", "x", "p", "*"), ("b", "y", "q", "*"), (None, "x", "q", "*")])
    assert error.offending == ("x",)
    assert "equal on level 1, not on level 2" in str(error)


def test_two_rows_for_missing() -> None:
    assert refused([*WITH_MISSING, (None, "Europe", "*")]).offending == ("",)
    assert Hierarchy.from_rows([*WITH_MISSING, WITH_MISSING[-1]]).domain == 4


def test_a_value_with_two_parents() -> None:
    rows = [*COUNTRIES, ("UK", "America", "*"), ("Italy", "America", "*"), ("USA", "America", "*")]
    error = refused(rows)
    assert error.offending == ("UK", "Italy")
    assert str(error).startswith("it: 2 values have two parents: equal on level 0, not on level 1; ")
    assert not any(value in str(error) for value in ("UK", "Italy"))


def test_a_level_that_tears_the_one_below() -> None:
    error = refused([("a", "x", "p", "*"), ("b", "x", "q", "*"), ("c", "y", "q", "*")])
    assert error.offending == ("x",)
    assert "1 value has two parents: equal on level 1, not on level 2" in str(error)


def test_no_single_top() -> None:
    error = refused([("a", "x"), ("b", "y")])
    assert error.offending == ("x", "y")
    assert "the last level has 2 labels" in str(error)
    assert refused([("a", "*"), (None, "unknown")]).offending == ("*", "unknown")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "it has no value"),
        ([(None, "*")], "it has no value"),
        ([("a",)], "no level above them"),
        ([("a", "x", "*"), ("b", "*")], "row 2 must have 3 non-empty cells"),
        ([("a", None, "*")], "row 1 must have 3 non-empty cells"),
        # An empty label would be published as a missing cell.
        ([("a", "x", "*"), ("b", "", "*")], "row 2 must have 3 non-empty cells"),
        ([()], "row 1 must have"),
    ],
)
def test_rows_that_make_no_ladder(rows: list[tuple[str | None, ...]], words: str) -> None:
    assert words in str(refused(rows))


def test_losses() -> None:
    ladder = Hierarchy.from_rows(COUNTRIES, losses=[0, 0.9, 0.9])
    assert ladder.losses == (0.0, 0.9, 0.9)
    other = ladder.with_losses([0, 1, 2])
    assert (other.losses, other.rows) == ((0.0, 1.0, 2.0), ladder.rows)
    with pytest.raises(HierarchyError, match="'age': losses of the levels: they decrease"):
        ladder.with_losses([0, 1, 0.5], "column 'age'")


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        ([0, 1], "2 are given; they must be one per level, 3 in all"),
        ([0], "1 is given"),
        ([0, 0.5, 0.4], "they decrease from one level to the next"),
        ([-1, 0, 1], "one is negative or not finite"),
        ([0, float("nan"), 1], "one is negative or not finite"),
        ([0, 1, float("inf")], "one is negative or not finite"),
        ([0, "much", 1], "not all of them are numbers"),
        ([0, None, 1], "not all of them are numbers"),
    ],
)
def test_losses_that_are_none(losses: list[float], words: str) -> None:
    assert words in str(refused(COUNTRIES, losses=losses))


def test_spans_belong_to_codes_whatever_the_order_of_rows() -> None:
    rows = [("1", "1-2", "*"), (None, "unknown", "*"), ("3", "3-4", "*"), ("1", "1-2", "*"), ("2", "1-2", "*")]
    points = [(1.0, 1.0), (0.0, 0.0), (3.0, 3.0), (1.0, 1.0), (2.0, 2.0)]
    pairs = [(1.0, 2.0), (0.0, 0.0), (3.0, 4.0), (1.0, 2.0), (1.0, 2.0)]
    spans = Hierarchy.from_rows(rows, spans=[points, pairs, [(1.0, 4.0)] * 5]).spans
    # The label that missing cells alone have spans nothing.
    assert spans == (((1, 1), (3, 3), (2, 2)), ((1, 2), (3, 4), (0, 0)), ((1, 4),))


# Along a column.


@pytest.mark.parametrize(
    "values",
    [
        pa.array(["39", "0", "-5"]),
        pa.array([39, 0, -5], pa.int8()),
        pa.array([39, 0, -5], pa.int64()),
        pa.array([39.0, -0.0, -5.0]),
        pa.array([Decimal("39.00"), Decimal("0.00"), Decimal("-5.00")]),
        pa.array(["39", "0", "-5"]).dictionary_encode(),
    ],
    ids=lambda values: str(values.type),
)
def test_numbers_match_their_text(values: pa.Array) -> None:
    hierarchy = Hierarchy.from_rows([("-5", "low", "*"), ("0", "low", "*"), ("39", "high", "*")])
    assert list(hierarchy.along("age", values).up[1]) == [0, 2, 1, 1]


def test_text_is_not_a_number() -> None:
    """A postcode 007 is not 7."""
    with pytest.raises(HierarchyError) as error:
        Hierarchy.from_rows([("7", "*")]).along("zip", pa.array(["007", "7", "7.0"]))
    assert error.value.offending == ("007", "7.0")


def test_lacking_values_are_counted_and_not_named() -> None:
    with pytest.raises(HierarchyError) as error:
        Hierarchy.from_rows(COUNTRIES).along("country", pa.array(["Peru", "UK", "Chile"]))
    assert error.value.offending == ("Peru", "Chile")
    assert "the hierarchy of column 'country' lacks 2 of its 3 different values" in str(error.value)
    assert "Peru" not in str(error.value)


def test_a_column_without_values() -> None:
    ladder = Hierarchy.from_rows(COUNTRIES).along("country", pa.nulls(0))
    assert [list(up) for up in ladder.up] == [[0], [0], [1]]


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        (True, ("True", "true", "1")),
        (10**30, (str(10**30),)),
        (1e22, ("10000000000000000000000", "1e+22")),
        (0.1, ("0.1",)),
        (float("inf"), ("inf",)),
        (Decimal("1.50"), ("1.50", "1.5")),
        (Decimal("1E+2"), ("1E+2", "100")),
        (date(987, 1, 2), ("0987-01-02",)),
        (datetime(2020, 2, 29), ("2020-02-29", "2020-02-29T00:00:00", "2020-02-29 00:00:00")),
        (datetime(2020, 2, 29, 1), ("2020-02-29T01:00:00", "2020-02-29 01:00:00")),
        ("ß", ("ß",)),
        (time(1, 2), ("01:02:00",)),
    ],
    ids=str,
)
def test_text_forms(value: object, forms: tuple[str, ...]) -> None:
    assert text_forms(value) == forms


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pa.array([1], pa.timestamp("s")), [datetime(1970, 1, 1, 0, 0, 1)]),
        (pa.array([1000], pa.timestamp("ns")), [datetime(1970, 1, 1, 0, 0, 0, 1)]),
        (pa.array([1, 0], pa.timestamp("ns")), ["1970-01-01 00:00:00.000000001", "1970-01-01 00:00:00.000000000"]),
        (pa.array([1000], pa.duration("ns")), [timedelta(microseconds=1)]),
        (pa.array([1], pa.time64("ns")), ["00:00:00.000000001"]),
        (pa.array([4_000_000], pa.date32()), ["12921-08-18"]),
        (pa.array([b"a"]), [b"a"]),
    ],
    ids=lambda given: str(getattr(given, "type", "")),
)
def test_values_as_pythons_own(values: pa.Array, expected: list[object]) -> None:
    assert plain(values) == expected


def test_zoned_timestamps() -> None:
    (value,) = plain(pa.array([0], pa.timestamp("ns", "Europe/Vienna")))
    assert isinstance(value, datetime)
    assert text_forms(value)[0] == "1970-01-01T01:00:00+01:00"


def test_values_finer_than_pythons_stay_apart() -> None:
    values = pa.array([0, 1, 86_400_000_000_000], pa.timestamp("ns"))
    texts = [text_forms(value)[0] for value in plain(values)]
    assert len(set(texts)) == 3
    ladder = Hierarchy.from_rows([(text, "*") for text in texts]).along("at", values)
    assert list(ladder.up[0]) == [0, 1, 2, 3]


@st.composite
def trees(draw: st.DrawFn) -> list[tuple[str, ...]]:
    """Rows of a random tree: each level joins the labels of the one below."""
    rows = [(f"v{at}",) for at in range(draw(st.integers(1, 8)))]
    for level in range(1, draw(st.integers(1, 3))):
        below = sorted({row[-1] for row in rows})
        parent = {label: f"{level}.{draw(st.integers(0, 2))}" for label in below}
        rows = [(*row, parent[row[-1]]) for row in rows]
    return [(*row, "*") for row in draw(st.permutations(rows))]


@given(trees())
def test_any_tree_is_a_ladder(rows: list[tuple[str, ...]]) -> None:
    hierarchy = Hierarchy.from_rows(rows)
    assert hierarchy.rows == rows
    for level in range(hierarchy.height + 1):
        by_label = {label: sum(row[level] == label for row in rows) for label in hierarchy.labels[level]}
        assert list(hierarchy.extent(level)) == list(by_label.values())
        assert int(hierarchy.extent(level).sum()) == hierarchy.domain
    ladder = hierarchy.along("v", pa.array([row[0] for row in rows]))
    for level in range(1, hierarchy.height + 1):
        assert [ladder.labels(level)[code] for code in ladder.up[level][1:]] == [row[level] for row in rows]
        assert np.array_equal(ladder.covered(level)[1:], hierarchy.extent(level)[hierarchy.codes[level]])

"""Units of time and ages."""

from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchies.shapes import assert_true_tree, labels_of
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies.dates import UNITS, age, build


def test_all_units() -> None:
    ladder = build(pa.array(["1964-04-12", "1959-12-31"]), levels=["day", "month", "quarter", "year", "decade"])
    assert ladder.rows == [
        ("1959-12-31", "1959-12-31", "1959-12", "1959-Q4", "1959", "1950s", "*"),
        ("1964-04-12", "1964-04-12", "1964-04", "1964-Q2", "1964", "1960s", "*"),
    ]


@pytest.mark.parametrize(
    "values",
    [
        pa.array([date(2020, 2, 29)]),
        pa.array([datetime(2020, 2, 29)]),
        pa.array([datetime(2020, 2, 29, 23, 59, 59)]),
        pa.array([datetime(2020, 2, 29, 1, tzinfo=UTC)]),
        pa.array([1582938000000000001], pa.timestamp("ns")),
        pa.array(["2020-02-29"]),
        pa.array([" 2020-02-29T13:14:15.123Z"]),
        pa.array(["2020-02-29 13:14"]),
    ],
    ids=lambda values: str(values[0]),
)
def test_what_is_a_date(values: pa.Array) -> None:
    assert build(values, levels=["day", "year"]).rows[0][1:] == ("2020-02-29", "2020", "*")


@pytest.mark.parametrize(
    "text",
    ["2021-02-29", "29.02.2020", "2020-2-9", "20200229", "2020-W09-6", "2020", "2020-02-29x", "2020-02-29 99:00", ""],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(HierarchyError) as error:
        build(pa.array(["2020-01-01", text]), name="born")
    assert error.value.offending == (text,)
    assert "1 of the 2 different values of column 'born' are not dates" in str(error.value)


def test_years_before_1000() -> None:
    assert build(pa.array(["0987-01-02", "0003-04-05"]), levels=["month", "year", "decade"]).rows == [
        ("0003-04-05", "0003-04", "0003", "0000s", "*"),
        ("0987-01-02", "0987-01", "0987", "0980s", "*"),
    ]


def test_format() -> None:
    assert build(pa.array(["31/12/1999"]), levels="month", format="%d/%m/%Y").rows == [("31/12/1999", "1999-12", "*")]
    assert build(pa.array([19991231]), levels=["year"], format="%Y%m%d").rows == [("19991231", "1999", "*")]


def test_years_of_two_digits_lie_before_the_reference() -> None:
    texts = pa.array(["64/04/12", "20/05/01", "20/01/01", "19/05/01"])
    ladder = build(texts, levels=["year"], format="%y/%m/%d", reference="2020-01-01")
    assert labels_of(ladder, 1) == {
        "64/04/12": "1964",
        "20/05/01": "1920",
        "20/01/01": "2020",
        "19/05/01": "2019",
    }
    with pytest.raises(HierarchyError):
        # 1900 had no leap day.
        build(pa.array(["00/02/29"]), levels=["year"], format="%y/%m/%d", reference="2000-01-01")


@pytest.mark.parametrize(
    ("born", "at", "years"),
    [
        ("1980-05-17", "2020-05-16", 39),
        ("1980-05-17", "2020-05-17", 40),
        ("2000-02-29", "2021-02-28", 20),
        ("2000-02-29", "2021-03-01", 21),
        ("2000-02-29", "2024-02-29", 24),
        ("2020-01-01", "2020-01-01", 0),
    ],
)
def test_age(born: str, at: str, years: int) -> None:
    assert age(date.fromisoformat(born), date.fromisoformat(at)) == years
    ladder = build(pa.array([born]), levels=["age"], reference=at)
    assert ladder.rows == [(born, str(years), "*")]


def test_ages_in_intervals() -> None:
    ladder = build(
        pa.array(["1980-05-17", "1985-01-01"]), levels=["day", "age"], reference=date(2020, 1, 1), widths=[5, 10]
    )
    assert ladder.rows == [
        ("1980-05-17", "1980-05-17", "39", "35-39", "30-39", "*"),
        ("1985-01-01", "1985-01-01", "35", "35-39", "30-39", "*"),
    ]


def test_who_is_born_after_the_reference() -> None:
    with pytest.raises(HierarchyError) as error:
        build(pa.array(["2020-01-01", "2020-01-02"]), levels=["age"], reference="2020-01-01")
    assert error.value.offending == ("2020-01-02",)


def test_no_values() -> None:
    assert build(pa.nulls(0)).rows == [("*",) * 5]
    assert build(pa.nulls(0), levels=["age"], reference="2020-01-01", widths=5).rows == [("*",) * 4]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levels": ["week"]}, "dates: a level is 'week'; it may be day, month"),
        ({"levels": 5}, "dates: a level is 5"),
        ({"levels": []}, "do not nest"),
        ({"levels": ["year", "month"]}, "not in ascending order"),
        ({"levels": ["year", "year"]}, "not in ascending order"),
        ({"levels": ["month", "age"], "reference": "2020-01-01"}, "do not nest"),
        ({"levels": ["age", "year"], "reference": "2020-01-01"}, "do not nest"),
        ({"levels": ["age"]}, "ages need a reference date"),
        ({"levels": ["age"], "reference": "soon"}, "not a date"),
        ({"levels": ["age"], "reference": "2020-01-01", "widths": [5, 7]}, "not a multiple"),
        ({"levels": ["age"], "reference": "2020-01-01", "widths": [0.5]}, "whole years"),
        ({"reference": "2020-01-01"}, "it is not used"),
        ({"widths": [5]}, "widths of ages"),
        ({"format": "%d/%m"}, "with a year"),
        ({"format": "%Q %Y"}, "with a year"),
        ({"format": "%Y"[:1]}, "with a year"),
        ({"format": 5}, "with a year"),
    ],
)
def test_misuse(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        build(pa.array(["2010-01-01"]), **options)


days = st.lists(st.dates() | st.just(date(2000, 2, 29)), min_size=1, max_size=20, unique=True)


@given(days, st.sets(st.sampled_from(list(UNITS)), min_size=1))
def test_a_true_tree(given_days: list[date], units: set[str]) -> None:
    ladder = build(pa.array(given_days), levels=[unit for unit in UNITS if unit in units])
    assert_true_tree(ladder, [day.isoformat() for day in given_days])


@given(days, st.dates(min_value=date(9000, 1, 1)))
def test_a_true_tree_of_ages(given_days: list[date], reference: date) -> None:
    born = [day for day in given_days if day <= reference]
    ladder = build(pa.array(born, pa.date32()), levels=["day", "age"], reference=reference, widths=[2, 10])
    assert_true_tree(ladder, [day.isoformat() for day in born])

"""The type of a column is told from how all its values are written."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.proposing.kinds import Kind, kind_of


def texts(*values: str) -> pa.Array:
    """Distinct values of a text file."""
    return pa.array(values, pa.string())


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Kind.INTEGER, ["0", "12", "-3", "+4", " 39 "]),
        (Kind.INTEGER, ["123456789012345678901234567890"]),
        (Kind.TEXT, ["01018", "28320"]),
        (Kind.TEXT, ["007", "12"]),
        (Kind.TEXT, ["00", "1", "2", "3"]),
        (Kind.NUMBER, ["1", "2.5", "-.5", "3.", "1e9", "6.02E+23"]),
        (Kind.NUMBER, ["3,14", "2,72"]),
        (Kind.NUMBER, ["1,234", "12,345,678.90"]),
        (Kind.NUMBER, ["1.234.567,89"]),
        (Kind.TEXT, ["00.5", "01.5"]),
        (Kind.TEXT, ["nan", "inf"]),
        (Kind.DATE, ["2024-02-29", "1999-12-31"]),
        (Kind.DATE, ["2024-02", "2024-12"]),
        (Kind.DATE, ["2024/2/29"]),
        (Kind.DATE, ["31/12/2024", "1/2/24"]),
        (Kind.DATE, ["12/31/2024", "1/2/24"]),
        (Kind.DATE, ["31.12.2024", "1.2.24"]),
        (Kind.DATE, ["31-12-2024"]),
        # One order of day and month must do for all.
        (Kind.MIXED, ["31/12/2024", "12/31/2024"]),
        (Kind.TEXT, ["31/13/2024", "2024-13-01", "32.1.2024"]),
        (Kind.TIMESTAMP, ["2024-02-29T23:59:59.123Z", "2024-02-29 23:59+01:00"]),
        (Kind.TIMESTAMP, ["2024-02-29", "2024-02-29 23:59"]),
        (Kind.TIMESTAMP, ["12/31/2024 11:59 PM"]),
        (Kind.TEXT, ["12:30", "23:59:59"]),
        (Kind.BOOLEAN, ["true", "False", "TRUE"]),
        (Kind.BOOLEAN, ["true"]),
        (Kind.BOOLEAN, ["Yes", "no"]),
        (Kind.BOOLEAN, ["Ja", "Nein"]),
        (Kind.BOOLEAN, ["vrai", "FAUX"]),
        (Kind.BOOLEAN, ["Sim", "Não"]),
        (Kind.BOOLEAN, ["tak", "nie"]),
        # One of two words alone may be anything: F of M and F, say.
        (Kind.TEXT, ["f"]),
        (Kind.TEXT, ["yes", "no", "perhaps"]),
        (Kind.MIXED, ["1", "2", "unknown"]),
        (Kind.MIXED, ["2024-01-01", "not yet"]),
        (Kind.TEXT, ["1", "two", "three"]),
        (Kind.TEXT, ["word"]),
        (Kind.TEXT, ["1\nb", "a\n1"]),
        (Kind.EMPTY, []),
    ],
)
def test_texts(kind: Kind, values: list[str]) -> None:
    assert kind_of(texts(*values)) is kind


@pytest.mark.parametrize(
    ("kind", "value", "arrow"),
    [
        (Kind.INTEGER, 1, pa.uint8()),
        (Kind.NUMBER, 1.0, pa.float32()),
        (Kind.NUMBER, Decimal("1.10"), pa.decimal128(10, 2)),
        (Kind.NUMBER, timedelta(1), pa.duration("s")),
        (Kind.BOOLEAN, True, pa.bool_()),
        (Kind.DATE, date(2024, 1, 1), pa.date32()),
        (Kind.TIMESTAMP, datetime(2024, 1, 1), pa.timestamp("ns")),
        (Kind.TEXT, time(12), pa.time64("us")),
        (Kind.TEXT, b"\0", pa.binary()),
    ],
)
def test_types_of_a_frame_are_what_they_are(kind: Kind, value: object, arrow: pa.DataType) -> None:
    assert kind_of(pa.array([value], arrow)) is kind


def test_no_value_at_all() -> None:
    assert kind_of(pa.nulls(0)) is Kind.EMPTY


@given(st.lists(st.integers(), min_size=1, max_size=20))
def test_every_integer(numbers: list[int]) -> None:
    assert kind_of(texts(*map(str, numbers))) is Kind.INTEGER


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_every_number(numbers: list[float]) -> None:
    assert kind_of(texts(*map(str, numbers))) is Kind.NUMBER


@given(st.lists(st.dates(), min_size=1, max_size=20), st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y"]))
def test_every_date(dates: list[date], form: str) -> None:
    assert kind_of(texts(*(day.isoformat() for day in dates))) is Kind.DATE
    # strftime does not pad years on every platform.
    assert kind_of(texts(*(day.replace(year=2000 + day.year % 4 * 4).strftime(form) for day in dates))) is Kind.DATE


@given(st.lists(st.datetimes(), min_size=1, max_size=20))
def test_every_timestamp(moments: list[datetime]) -> None:
    assert kind_of(texts(*(moment.isoformat() for moment in moments))) is Kind.TIMESTAMP


def test_the_last_of_many_values_counts_as_much_as_the_first() -> None:
    assert kind_of(texts(*map(str, range(5000)))) is Kind.INTEGER
    assert kind_of(texts(*map(str, range(5000)), "x")) is Kind.MIXED
    assert kind_of(texts(*map(str, range(5000)), "0.5")) is Kind.NUMBER
    assert kind_of(texts(*map(str, range(5000)), "0123")) is Kind.TEXT

"""Numbers and dates as people write them mean one value, to the program and to its verifier."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.normal_form import read_cell, respelled
from incrowd.core.schema import Notation
from incrowd.verification._normal_form import is_normal, value_of

READ = [
    ("decimal_comma", "1.234,5", "1234.5"),
    ("decimal_comma", "1.234", "1234"),
    ("decimal_comma", "1,50", "1.5"),
    ("decimal_comma", "1.5", "1.5"),
    ("decimal_comma", " -0,0 ", "0"),
    ("decimal_comma", "1 234 567,8", "1234567.8"),
    ("decimal_comma", ",5", "0.5"),
    ("decimal_comma", "12.34.5", "12.34.5"),
    ("decimal_comma", "k.A.", "k.A."),
    ("decimal_point", "1,234.50", "1234.5"),
    ("decimal_point", "1,234", "1234"),
    ("decimal_point", "+12", "12"),
    ("day_first", "03/04/2021", "2021-04-03"),
    ("month_first", "03/04/2021", "2021-03-04"),
    ("day_first", "3.4.2021 9:05", "2021-04-03 09:05"),
    ("day_first", "2021-4-3T10:30", "2021-04-03 10:30"),
    ("day_first", "31/12/99", "31/12/99"),
    ("day_first", "31. Dez 1999", "1999-12-31"),
    ("day_first", "30SEPTEMBER2021", "2021-09-30"),
    ("day_first", "12/13/2021", "12/13/2021"),
    ("month_first", "12/13/2021", "2021-12-13"),
    ("excel_date", "44289", "2021-04-03"),
    ("excel_date", "44289.5", "2021-04-03 12:00:00"),
    ("excel_date", "1", "1900-01-01"),
    ("excel_date", "60", "60"),
    ("excel_date", "61", "1900-03-01"),
    ("excel_date", "2958465", "9999-12-31"),
    ("excel_date", "2021-04-03", "2021-04-03"),
]


@pytest.mark.parametrize(("notation", "text", "value"), READ)
def test_a_cell_is_read(notation: str, text: str, value: str) -> None:
    assert (read_cell(text, [notation]), value_of(text, [notation])) == (value, value)
    assert is_normal(value, [notation])
    # A plain number may be what another one was read as.
    assert is_normal(text, [notation]) == (text == value or text == "1.234")


@given(
    st.text(alphabet="0123456789.,/- +'T:aprMÄ", max_size=14)
    | st.from_regex(r"[0-3]?[0-9][./-] ?[01]?[0-9][./-] ?(19|20)[0-9]{2}( [0-9]{1,2}:[0-9]{2})?", fullmatch=True)
    | st.from_regex(r"-?[0-9]{1,3}([.,][0-9]{3})*([.,][0-9]{0,3})?", fullmatch=True)
    | st.from_regex(r"[0-9]{1,2}[. -]?(Apr|MAI|décembre|sept)[. -]?2[0-9]{3}(T[0-9]{2}:[0-9]{2})?", fullmatch=True),
    st.lists(st.sampled_from(Notation), max_size=1),
    st.lists(st.sampled_from(["blanks", "case", "unicode", "missing=1.5", "missing=-9"]), unique=True),
)
def test_both_readers_agree_and_what_is_read_is_normal(text: str, notation: list[str], others: list[str]) -> None:
    steps = [*notation, *others]
    value = read_cell(text, steps)
    assert value == value_of(text, steps)
    assert is_normal(value, steps)


def test_codes_for_missing_are_no_values_whatever_the_type() -> None:
    steps = ("missing=99", "missing=n/a")
    for cells in (
        pa.array(["99", "n/a", "9", None]),
        pa.array([99, 99, 9, None]),
        pa.array([99.0, 99.0, 9.0, None]),
        pa.array(["99", "n/a", "9", None]).dictionary_encode(),
    ):
        read = respelled(cells, steps)
        assert read.is_valid().to_pylist() == [False, False, True, False]
        assert read.to_pylist()[2] == cells.to_pylist()[2]
    assert respelled(pa.array([44289, None]), ["excel_date"]).to_pylist() == ["2021-04-03", None]
    unchanged = pa.array([1, 2])
    assert respelled(unchanged, steps) is unchanged

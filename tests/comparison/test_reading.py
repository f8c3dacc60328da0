"""Every way in which a cell may be written, by Incrowd and by others."""

from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.comparison.columns import Column, scale_of
from incrowd.core.hierarchy import Hierarchy, text_forms
from incrowd.core.schema import Role
from incrowd.hierarchies import build
from incrowd.release_metrics.cell_reader import CellReader
from incrowd.release_metrics.covers import Cell

AGES = Column(Role.QUASI)


def reader(values: list[object], column: Column = AGES, has_missing: bool = False) -> CellReader:
    """What reads the cells of a column that has these values."""
    return CellReader(scale_of("c", pa.array(values), column), has_missing, order=column.scale)


def covered(cell: Cell | None) -> list[int] | None:
    """The positions that a cell covers; None where it cannot be read."""
    if cell is None:
        return None
    if np.isnan(cell.low):
        return []
    return list(range(int(cell.low), int(cell.high) + 1)) if cell.members is None else cell.members.tolist()


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("23", 23, 23),
        ("23.0", 23, 23),
        ("20-29", 20, 29),
        ("[20-29]", 20, 29),
        ("[20,29]", 20, 29),
        ("[20, 29]", 20, 29),
        ("20~29", 20, 29),
        ("(20, 29]", 21, 29),
        ("[20, 30)", 20, 29),
        ("]20;30[", 21, 29),
        ("20 to 29", 20, 29),
        ("20..29", 20, 29),
        ("20 - 29", 20, 29),
        ("20\N{EN DASH}29", 20, 29),
        ("19.5-29.5", 20, 29),
        ("<18", 10, 17),
        ("<=18", 10, 18),
        ("≤ 18", 10, 18),
        (">=65", 65, 70),
        (">65", 66, 70),
        ("65+", 65, 70),
        ("0-19", 10, 19),
        ("60-99", 60, 70),
        ("[*, 20]", 10, 20),
        ("(-inf, 20)", 10, 19),
        ("*", 10, 70),
    ],
)
def test_ranges_of_numbers(text: str, low: int, high: int) -> None:
    ages = reader([str(age) for age in range(10, 71) if age % 3])
    assert covered(ages.read(text)) == list(range(low - 10, high - 10 + 1))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("-5 to 3", -5, 3), ("-5-3", -5, 3), ("-5--3", -5, -3), ("[-5, -3]", -5, -3), ("-4", -4, -4)],
)
def test_negative_numbers(text: str, low: int, high: int) -> None:
    assert covered(reader([-6, -4, 0, 9]).read(text)) == list(range(low + 6, high + 7))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[1.5, 2.5)", [1, 2]), ("1.5 to 2.5", [1, 2, 3]), ("<1.5", [0]), ("(1.5, 9]", [2, 3]), ("2.0", [2]), ("2", [2])],
)
def test_numbers_that_are_not_whole(text: str, expected: list[int]) -> None:
    assert covered(reader([2.5, 0.25, 1.5, 2.0]).read(text)) == expected


def test_a_mean_is_a_point_between_values() -> None:
    assert reader([10, 20, 30]).read("23.5") == Cell(13.5, 13.5)
    assert reader([1.5, 2.5, 4.5]).read("3.5") == Cell(1.5, 1.5)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2020-01-01 to 2020-03-31", date(2020, 1, 1), date(2020, 3, 31)),
        ("2020-01-01-2020-03-31", date(2020, 1, 1), date(2020, 3, 31)),
        ("[2020-01-01, 2020-04-01)", date(2020, 1, 1), date(2020, 3, 31)),
        ("2020-02-02", date(2020, 2, 2), date(2020, 2, 2)),
        ("<2020-01-02", date(2019, 12, 1), date(2020, 1, 1)),
    ],
)
@pytest.mark.parametrize("as_text", [True, False])
def test_dates(text: str, low: date, high: date, as_text: bool) -> None:
    days = [date(2019, 12, 1), date(2020, 2, 2), date(2020, 12, 31)]
    found = covered(reader([str(day) if as_text else day for day in days]).read(text))
    assert found == list(range((low - days[0]).days, (high - days[0]).days + 1))


def test_moments() -> None:
    times = reader([datetime(2020, 1, 1, 10), datetime(2020, 1, 1, 11)])
    whole = times.read("2020-01-01T10:00:00 to 2020-01-01T11:00:00")
    assert whole is not None
    assert (whole.low, whole.high) == (0, 3_600_000_000)
    assert covered(times.read(datetime(2020, 1, 1, 10))) == [0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low..high", [1, 2, 3]),
        ("low to high", [1, 2, 3]),
        ("[low, medium]", [1, 2]),
        ("medium", [2]),
        ("severe", [4]),
        ("{low, high}", [1, 3]),
        ("*", [0, 1, 2, 3, 4]),
        ("high..low", None),
        ("low..huge", None),
    ],
)
def test_ordered_values(text: str, expected: list[int] | None) -> None:
    column = Column(Role.QUASI, scale=("none", "low", "medium", "high", "severe"))
    assert covered(reader(["low", "high", "medium"], column).read(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{Graz, Linz}", [1, 2]),
        ("{Graz,Wels}", [1, 4]),
        ("{Graz}", [1]),
        ('{Graz, "St. Pölten, \\"Stadt\\""}', [1, 3]),
        ('{"{}", Wels}', [4, 5]),
        ("Graz", [1]),
        ("{Graz, Rome}", None),
        ("{Graz", None),
        ('{"Graz}', None),
        ('{"Graz" Linz}', None),
        ("{ }", None),
        ("{}", [5]),
        ("Rome", None),
        ("Graz-Linz", None),
        ("", None),
    ],
)
def test_sets(text: str, expected: list[int] | None) -> None:
    towns = ["Wels", "Graz", "Linz", 'St. Pölten, "Stadt"', "Bad Ischl", "{}"]
    assert covered(reader(towns).read(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9413*", [0, 1]),
        ("941**", [0, 1, 2]),
        ("941##", [0, 1, 2]),
        ("9*", [0, 1, 2, 3]),
        ("9**3*", [0, 1]),
        ("*****", [0, 1, 2]),
        ("*000*", [3]),
        ("8****", None),
    ],
)
def test_masks(text: str, expected: list[int] | None) -> None:
    assert covered(reader(["94138", "94139", "94142", "95000x"]).read(text)) == expected


def test_masks_of_whole_numbers_leave_out_what_does_not_occur() -> None:
    zips = reader([94138, 94136, 94142])
    assert covered(zips.read("9413*")) == [0, 2]


class TestHierarchy:
    """Labels of a hierarchy, and everything else as well."""

    towns = Hierarchy.from_rows(
        [
            ("Graz", "Styria", "*"),
            ("Linz", "Upper Austria", "*"),
            ("Leoben", "Styria", "*"),
            ("Wels", "Upper Austria", "*"),
        ]
    )

    def read(self, value: object, has_missing: bool = False) -> Cell | None:
        return reader(["Graz", "Linz"], Column(Role.QUASI, self.towns), has_missing).read(value)

    def test_labels(self) -> None:
        assert covered(self.read("Styria")) == [0, 1]
        assert covered(self.read("Upper Austria")) == [2, 3]
        assert self.read("*") == Cell(0.0, 3.0, missing=True)

    def test_labels_may_begin_and_end_with_blanks(self) -> None:
        answers = Hierarchy.from_rows([("  ", "  , No ", "*"), ("No ", "  , No ", "*"), ("Yes", "Yes", "*")])
        found = reader(["  ", "No ", "Yes"], Column(Role.QUASI, answers))
        assert len(covered(found.read("  , No ")) or ()) == 2

    def test_leaves_that_do_not_occur(self) -> None:
        assert covered(self.read("Wels")) == [3]

    def test_sets_of_leaves_and_labels(self) -> None:
        assert covered(self.read("{Graz, Upper Austria}")) == [0, 2, 3]

    def test_a_missing_cell_is_missing_or_suppressed(self) -> None:
        assert covered(self.read(None, has_missing=True)) == []
        assert self.read(None) == Cell(0.0, 3.0, missing=True)

    def test_numbers_below_labels(self) -> None:
        ages = build({"intervals": {"widths": [10, 20]}}, pa.array([21, 25, 38, 41]), "age")
        found = reader([21, 25, 38, 41], Column(Role.QUASI, ages))
        assert covered(found.read("20-29")) == [0, 1]
        assert covered(found.read("22-40")) == [1, 2]
        assert covered(found.read("41")) == [3]

    def test_the_hierarchy_of_another_release(self) -> None:
        other = Hierarchy.from_rows([("Graz", "G to L", "all"), ("Linz", "G to L", "all"), ("Rome", "R", "all")])
        found = CellReader(scale_of("c", pa.array(["Graz", "Linz"]), Column(Role.QUASI, self.towns)), False, other)
        assert covered(found.read("G to L")) == [0, 2]
        assert covered(found.read("R")) is None
        assert covered(found.read("Styria")) == [0, 1]


def test_a_value_is_a_value_whatever_it_looks_like() -> None:
    assert covered(reader(["*", "{a}", "1-2", "a*"]).read("1-2")) == [1]
    assert covered(reader(["*", "{a}", "1-2", "a*"]).read("*")) == [0]


WRITTEN = st.text('ab19*#{}[](),;.-~+<>= "\\ö', max_size=8)


@given(st.lists(WRITTEN | st.integers(-99, 99).map(str), min_size=1, max_size=6, unique=True))
def test_every_value_is_read_as_itself(values: list[str]) -> None:
    found = reader(list(values))
    scale = scale_of("c", pa.array(values), AGES)
    for code, value in enumerate(values):
        cell = found.read(value)
        assert cell == Cell(scale.positions[code + 1], scale.positions[code + 1]), text_forms(value)


@given(WRITTEN)
def test_any_text_is_read_or_not(text: str) -> None:
    for values in (["1", "2", "30"], ["a", "b"], ["2020-01-01", "2021-01-01"], [0.5, 1.5]):
        reader(values).read(text)

"""Cells of two tables on a scale that both share, without an original."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.attacks._cells import fitting as fitting_cells
from incrowd.attacks._cells import same, with_strangers
from incrowd.comparison import Column
from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Role

PLAIN = Column(Role.QUASI)


def fitting(ones: list[str], others: list[str], column: Column = PLAIN) -> set[tuple[str | None, str | None]]:
    """The pairs of cells that can stand for the same value."""
    relation, _ = fitting_cells("c", column, pa.array(ones, pa.string()), pa.array(others, pa.string()))
    one, other = [None, *ones], [None, *others]
    return {(one[a], other[b]) for a, b in zip(relation.owner.tolist(), relation.cells.tolist(), strict=True)}


@pytest.mark.parametrize(
    ("one", "other", "fits"),
    [
        ("34", "30-39", True),
        ("40", "30-39", False),
        ("20-31", "31-40", True),
        ("20-30", "31-40", False),
        ("[20, 31)", "[31, 40)", False),
        ("(1.5, 2.5)", "(2.4, 3.5)", True),
        ("(1.5, 2.4)", "(2.4, 3.5)", False),
        ("1.50", "1.5", True),
        (">=65", "70", True),
        ("<18", "18+", False),
        ("{20, 25}", "21-24", False),
        ("{20, 25}", "21-25", True),
        ("{20, 25}", "{25, 30}", True),
        ("{20, 25}", "{24, 30}", False),
        ("94142", "941**", True),
        ("94242", "941**", False),
        ("9414*", "941**", True),
        ("9424*", "941**", False),
        ("2020-02-02", "2020-01-01 to 2020-03-31", True),
        ("Graz", "{Graz, Linz}", True),
        ("Wels", "{Graz, Linz}", False),
        ("Graz", "*", True),
        ("Styria", "Graz", False),
        ("Zürich", "Zürich", True),
        ("23.5", "20-29", True),
    ],
)
def test_two_cells(one: str, other: str, fits: bool) -> None:
    assert ((one, other) in fitting([one], [other])) == fits
    assert ((other, one) in fitting([other], [one])) == fits


NUMBERED = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", "*") for age in range(10, 60)])


@pytest.mark.parametrize("hierarchy", [None, NUMBERED])
def test_a_word_among_numbers_and_another_spelling(hierarchy: Hierarchy | None) -> None:
    """One person whose age nobody wrote down must not hide all the others."""
    found = fitting(
        ["25", "31.0", "unknown"], ["25.0", "20-29", "31", "[30, 35)", "unknown", "*"], Column(Role.QUASI, hierarchy)
    )
    assert {pair for pair in found if None not in pair} == {
        ("25", "25.0"), ("25", "20-29"), ("25", "*"), ("31.0", "31"), ("31.0", "[30, 35)"), ("31.0", "*"),
        ("unknown", "unknown"), ("unknown", "*"),
    }  # fmt: skip


def test_a_word_beyond_a_scale() -> None:
    column = Column(Role.QUASI, scale=("low", "middle", "high"))
    found = fitting(["low", "odd", "high"], ["low to middle", "odd", "*"], column)
    assert {pair for pair in found if None not in pair} == {
        ("low", "low to middle"), ("low", "*"), ("high", "*"), ("odd", "odd"), ("odd", "*"),
    }  # fmt: skip


def test_what_is_missing_fits_everything() -> None:
    assert {pair for pair in fitting(["1"], ["2", "x*"]) if None in pair} == {
        (None, None), (None, "2"), (None, "x*"), ("1", None),
    }  # fmt: skip


def test_the_same_text() -> None:
    relation = same(pa.array(["a", "b", "30-39"]), pa.array(["30-39", "b"]))
    assert list(zip(relation.owner.tolist(), relation.cells.tolist(), strict=True)) == [(2, 2), (3, 1)]
    numbers = same(pa.array([34, 35]), pa.array(["35", "36"]))
    assert list(zip(numbers.owner.tolist(), numbers.cells.tolist(), strict=True)) == [(2, 1)]


AGES = Hierarchy.from_rows([(str(age), f"{age - age % 5}-{age - age % 5 + 4}", "all", "*") for age in (20, 22, 26, 31)])


@settings(max_examples=40)
@given(st.lists(st.integers(15, 40).map(str), min_size=1, max_size=6, unique=True))
def test_values_that_a_hierarchy_lacks_are_below_the_ranges_that_hold_them(ages: list[str]) -> None:
    labels = ["20-24", "25-29", "30-34", "all", "*"]
    found = fitting(ages, labels, Column(Role.QUASI, AGES))
    for age in ages:
        ranges = [label for label in labels[:3] if int(label[:2]) <= int(age) <= int(label[3:])]
        # Beyond its ranges nobody knows what the word "all" of this hierarchy is about.
        word = ["all"] if ranges else []
        assert {other for one, other in found if one == age} == {None, "*", *ranges, *word}


def test_masks_and_words_of_a_hierarchy() -> None:
    towns = Hierarchy.from_rows([("8010", "80**", "Styria", "*"), ("4020", "40**", "Upper Austria", "*")])
    whole = with_strangers(towns, ["8099", "Graz"])
    assert whole.rows[2:] == [("8099", "80**", "Styria", "*"), ("Graz", "Graz", "Graz", "*")]
    assert with_strangers(towns, ["8010", "Styria"]) is towns


def test_a_rule_without_base_values_is_read_by_its_labels() -> None:
    by_rule = Column(Role.QUASI, {"intervals": {"widths": [10, 20]}})
    assert ("20-29", "25-44") in fitting(["20-29"], ["25-44"], by_rule)
    assert ("23", "20-39") in fitting(["23", "58"], ["20-39"], by_rule)
    assert ("58", "20-39") not in fitting(["23", "58"], ["20-39"], by_rule)

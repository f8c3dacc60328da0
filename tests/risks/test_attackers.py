"""Prosecutor, journalist, marketer and uniques: each fast form says what its definition says."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.risks import journalist, marketer, prosecutor, uniques
from incrowd.risks._attack import Attack
from incrowd.risks._population import population_of
from incrowd.risks._threshold import Threshold
from risks.counting import counted, letters, records_of
from strategies import Row, rows_of

COLUMNS = ("a", "b")
TABLES = rows_of(COLUMNS)
THRESHOLDS = st.sampled_from(["0", "0.1", "0.2", "1/3", "0.5", "1"]).map(Threshold.parse) | st.fractions(0, 1).map(
    Threshold
)


def same(fast: Attack, defined: Attack) -> None:
    assert fast.highest == pytest.approx(defined.highest, rel=1e-9)
    assert fast.average == pytest.approx(defined.average, rel=1e-9)
    assert fast.at_risk == defined.at_risk


@given(TABLES, THRESHOLDS)
def test_prosecutor(rows: list[Row], threshold: Threshold) -> None:
    fast = prosecutor.measure(counted(rows, COLUMNS).counts, threshold)
    same(fast, prosecutor.textbook(records_of(rows, COLUMNS), threshold))


@given(TABLES, TABLES, THRESHOLDS)
def test_journalist_with_a_population(rows: list[Row], others: list[Row], threshold: Threshold) -> None:
    classes, everybody = counted(rows, COLUMNS), [*others, *rows]
    population = population_of(classes, counted(everybody, COLUMNS))
    defined = journalist.textbook(records_of(rows, COLUMNS), records_of(everybody, COLUMNS), threshold)
    same(journalist.measure(classes.counts, population, threshold), defined)


@given(TABLES, st.integers(0, 300))
def test_journalist_with_a_size(rows: list[Row], others: int) -> None:
    # A threshold that no estimate meets exactly: textbook and fast form may differ in the last digit.
    threshold = Threshold(Fraction("0.123456789123"))
    classes, size = counted(rows, COLUMNS), len(rows) + others
    fast = journalist.measure(classes.counts, population_of(classes, size), threshold)
    same(fast, journalist.textbook(records_of(rows, COLUMNS), size, threshold))


@given(TABLES, TABLES, st.integers(0, 300))
def test_marketer(rows: list[Row], others: list[Row], more: int) -> None:
    classes, records = counted(rows, COLUMNS), records_of(rows, COLUMNS)
    everybody = [*others, *rows]
    assert marketer.measure(classes.counts) == pytest.approx(marketer.textbook(records))
    for population, plain in (
        (counted(everybody, COLUMNS), records_of(everybody, COLUMNS)),
        (len(rows) + more, len(rows) + more),
    ):
        fast = marketer.measure(classes.counts, population_of(classes, population))
        assert fast == pytest.approx(marketer.textbook(records, plain), rel=1e-9)


@given(TABLES, TABLES, st.integers(0, 300))
def test_uniques(rows: list[Row], others: list[Row], more: int) -> None:
    classes, records = counted(rows, COLUMNS), records_of(rows, COLUMNS)
    everybody = [*others, *rows]
    assert uniques.measure(classes.counts) == uniques.textbook(records)
    population = population_of(classes, counted(everybody, COLUMNS))
    assert uniques.measure(classes.counts, population) == uniques.textbook(records, records_of(everybody, COLUMNS))
    estimate = uniques.measure(classes.counts, population_of(classes, len(rows) + more))
    defined = uniques.textbook(records, len(rows) + more)
    assert estimate.sample == defined.sample
    assert estimate.population == pytest.approx(defined.population)


@given(TABLES)
def test_a_table_is_its_own_population(rows: list[Row]) -> None:
    classes, threshold = counted(rows, COLUMNS), Threshold.parse(0.3)
    here = prosecutor.measure(classes.counts, threshold)
    for itself in (classes, len(rows)):
        population = population_of(classes, itself)
        same(journalist.measure(classes.counts, population, threshold), here)
        assert marketer.measure(classes.counts, population) == pytest.approx(marketer.measure(classes.counts))
        assert uniques.measure(classes.counts, population).population == uniques.measure(classes.counts).sample


# By hand.


def test_five_records() -> None:
    # Classes of 3, 1 and 1, one of the latter with missing cells.
    sizes = counted(letters("xy", "xy", "xy", "xz", "--"), COLUMNS).counts
    assert prosecutor.measure(sizes, Threshold.parse("1/3")) == Attack(1.0, 3 / 5, 2)
    assert prosecutor.measure(sizes, Threshold.parse("0.33")) == Attack(1.0, 3 / 5, 5)
    assert marketer.measure(sizes) == 3 / 5
    assert uniques.measure(sizes).sample == 2


def test_five_records_of_eleven() -> None:
    rows = letters("xy", "xy", "xy", "xz", "--")
    everybody = counted([*rows, *letters("xy", "xz", "xz", "xz", "vw", "vw")], COLUMNS)
    classes = counted(rows, COLUMNS)
    population = population_of(classes, everybody)
    attack = journalist.measure(classes.counts, population, Threshold.parse("0.25"))
    assert attack == Attack(1.0, (3 / 4 + 1 / 4 + 1) / 5, 1)
    assert marketer.measure(classes.counts, population) == (3 / 4 + 1 / 4 + 1) / 5
    assert uniques.measure(classes.counts, population).population == 1


def test_all_alike_and_all_different() -> None:
    alike, different = counted(letters(*["xy"] * 4), COLUMNS).counts, counted(letters(*"wxyz"), ("a",)).counts
    fifth = Threshold.parse(0.2)
    assert prosecutor.measure(alike, fifth) == Attack(1 / 4, 1 / 4, 4)
    assert prosecutor.measure(alike, Threshold.parse(0.25)) == Attack(1 / 4, 1 / 4, 0)
    assert prosecutor.measure(different, fifth) == Attack(1.0, 1.0, 4)


def test_nobody() -> None:
    classes = counted([], COLUMNS)
    population = population_of(classes, 100)
    assert prosecutor.measure(classes.counts, Threshold.parse(0)) == Attack(0.0, 0.0, 0)
    assert journalist.measure(classes.counts, population, Threshold.parse(0)) == Attack(0.0, 0.0, 0)
    assert marketer.measure(classes.counts, population) == 0
    assert uniques.measure(classes.counts, population) == uniques.Uniques(0, 0)

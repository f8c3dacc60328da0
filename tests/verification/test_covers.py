"""Which cells cover a value, by the private record."""

from collections import Counter, defaultdict
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import listed
from incrowd.release import RecodedCombinations, RecodedQuasi, Record
from incrowd.text import count
from incrowd.verification._checks import cells_check
from incrowd.verification._covers import _OF_A_CLASS, _is_drawn, covers, covers_check
from incrowd.verification._rows import Rows, batches_of_rows
from incrowd.verification._tally import tally
from incrowd.verification._utility import _MEASURES, _Column

ROWS = (("Bonn", "west", "*"), ("Essen", "west", "*"), ("Ulm", "south", "*"), (None, None, "*"))
"""A hierarchy, a row for each value."""


@pytest.mark.parametrize(
    ("value", "cell", "holds"),
    [
        ("Bonn", "{Bonn, Ulm}", True),
        ("Bonn", "west", True),
        ("Bonn", "*", True),
        ("Bonn", "Bonn", True),
        ("Bonn", "{Essen, Ulm}", False),
        ("Bonn", "south", False),
        ("Bonn", "Essen", False),
        (None, "{Bonn, Ulm}", False),
        ("Bonn", None, False),
    ],
)
def test_a_set_or_an_ancestor(value: str | None, cell: str | None, holds: bool) -> None:
    column = RecodedQuasi("town", None, (), ROWS, "set_or_ancestor")
    assert covers(column, {row[0]: row for row in ROWS}, value, cell) == holds


def test_a_missing_value_has_a_path_of_its_own() -> None:
    rows = {"Bonn": ("Bonn", "west", "*"), None: (None, "unknown", "*")}
    for form in (None, "ancestor", "set_or_ancestor"):
        column = RecodedQuasi("town", None, (), tuple(rows.values()), form)
        assert covers(column, rows, None, "unknown")
        assert not covers(column, rows, None, "west")


def test_a_set_is_no_ancestor() -> None:
    column = RecodedQuasi("town", None, (), ROWS, "ancestor")
    assert not covers(column, {row[0]: row for row in ROWS}, "Bonn", "{Bonn, Ulm}")


def test_a_set_spans_its_values_and_a_label_all_below() -> None:
    whole, length = _MEASURES["set_or_ancestor"]
    column = _Column(("Bonn", "Essen", "Ulm"), rows=ROWS, original=True)
    assert whole(column) == 3
    assert [length(column, cell) for cell in ("Bonn", "{Bonn, Ulm}", "west", "*")] == [0, 1, 1, 3]
    assert length(_Column(("west",)), "west") is None


# What is checked over columns of numbers, beside the same over one piece after the other.


FORMS = ("range", "set", "ancestor", "set_or_ancestor", "mean", "median", "mode", "value")
VALUES = {"range": ("20", "25", "3", None), "set": ("a", "b", "c", None)}
LABELS = {
    "range": ("3 to 20", "20-25", "25", "*", "3"),
    "set": ("{a, b}", "a", "*", None),
    "ancestor": ("west", "*", "Ulm"),
}


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Private records whose cells may be anything."""
    forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=2))
    by_tree = [form in ("ancestor", "set_or_ancestor") for form in forms]
    told = list(zip(forms, by_tree, strict=True))
    values = [tuple(row[0] for row in ROWS) if tree else VALUES.get(form, VALUES["range"]) for form, tree in told]
    labels = [("west", "*", "Ulm") if tree else LABELS.get(form, LABELS["range"]) for form, tree in told]
    original, published = (st.tuples(*(st.integers(0, len(of) - 1) for of in some)) for some in (values, labels))
    pieces = draw(st.lists(st.tuples(original, st.none() | published, st.integers(1, 3)), max_size=8))
    names = tuple(f"c{at}" for at in range(len(forms)))
    quasi = tuple(
        RecodedQuasi(name, None, (), ROWS if tree else (), form)
        for name, form, tree in zip(names, forms, by_tree, strict=True)
    )
    # The last column is a sensitive one: classes are of the quasi-identifiers before it.
    texts = [[*some, ("flu", "ill")] for some in (values, labels)]
    rows = [[(*each[at], 0) if each[at] else None for each in pieces] for at in range(2)]
    raised = [row and (*row[:-1], at % 2) for at, row in enumerate(rows[1])]
    counts = [each[2] for each in pieces]
    combinations = RecodedCombinations.of_pieces([*names, "disease"], *texts, rows[0], raised, counts)
    return cast(Record, SimpleNamespace(quasi=quasi, combinations=combinations))


def by_definition(record: Record) -> tuple[int, list[str]]:
    """How many cells do not cover what they stand for, and in which columns."""
    assert record.combinations is not None
    n = len(record.quasi)
    pieces = [each._replace(cells=each.cells[:n]) for each in record.combinations.pieces() if each.cells is not None]
    wrong, where = 0, []
    for at, column in enumerate(record.quasi):
        rows = {row[0]: row for row in column.rows}
        if column.form in _OF_A_CLASS:
            of: dict[tuple[str | None, ...], Counter[str | None]] = defaultdict(Counter)
            for each in pieces:
                of[each.cells or ()][each.values[at]] += each.records
            drawn = _OF_A_CLASS[column.form]
            found = sum(not _is_drawn(drawn, column, values, cells[at]) for cells, values in of.items())
        else:
            pairs = {(each.values[at], (each.cells or ())[at]) for each in pieces}
            found = sum(not covers(column, rows, *pair) for pair in pairs)
        wrong, where = wrong + found, where + [column.name] * bool(found)
    return wrong, where


@given(records())
def test_columns_of_numbers_are_checked_as_pieces_are(record: Record) -> None:
    wrong, where = by_definition(record)
    found = covers_check(record)
    assert found.holds is (wrong == 0)
    if wrong:
        assert found.detail == f"{count(wrong, 'cell')} do not cover the original value, in {listed(where)}"


@given(records(), st.data())
def test_the_cells_of_the_record_are_those_of_the_release(record: Record, data: st.DataObject) -> None:
    """However often a combination is listed, and whether its cells are or are not there."""
    assert record.combinations is not None
    names = [column.name for column in record.quasi]
    claimed: Counter[tuple[str | None, ...]] = Counter()
    for each in record.combinations.pieces():
        if each.cells is not None:
            claimed[each.cells[: len(names)]] += each.records
    rows = data.draw(st.permutations([*claimed.elements()]))
    further = st.sampled_from([*claimed] or [("x",) * len(names)])
    rows = rows[data.draw(st.integers(0, 2)) :] + data.draw(st.lists(further, max_size=1))
    found = Counter(rows)
    strange = sum(1 for cells in claimed.keys() | found.keys() if claimed[cells] != found[cells])
    told = cells_check(record, tally(Rows(tuple(names), lambda _: batches_of_rows(rows)), names))
    assert told.holds is (strange == 0)
    if strange:
        assert told.detail.startswith(f"{count(strange, 'combination')} of")


def test_a_median_that_is_not_among_the_values() -> None:
    """Not even a number: the check fails, and does not break off."""
    column = RecodedQuasi("age", None, (), (), "median")
    for cell, values in [("*", ["20", "25"]), ("20", ["20", "none"]), ("22", ["20", "25"])]:
        pieces = RecodedCombinations.of_pieces(["age"], [tuple(values)], [(cell,)], [[0], [1]], [[0], [0]], [1, 1])
        record = cast(Record, SimpleNamespace(quasi=(column,), combinations=pieces))
        assert covers_check(record).holds is False

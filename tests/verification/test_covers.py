"""Which cells cover a value, by the private record."""

import pytest

from incrowd.release import RecodedQuasi
from incrowd.verification._covers import covers
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

"""Level tables that are changed by hand stay level tables."""

import pytest

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies.editing import moved, renamed, with_values

ROWS = [("N", "cold", "*"), ("S", "warm", "*"), ("E", "warm", "*")]


def test_a_label_is_renamed_wherever_it_stands() -> None:
    assert renamed(ROWS, 1, "warm", "hot") == [("N", "cold", "*"), ("S", "hot", "*"), ("E", "hot", "*")]


def test_two_labels_of_one_name_become_one() -> None:
    merged = Hierarchy.from_rows(renamed(ROWS, 1, "warm", "cold"))
    assert merged.labels == (("N", "S", "E"), ("cold",), ("*",))


def test_a_value_moves_with_all_that_is_above_it() -> None:
    rows = [("N", "cold", "north", "*"), ("S", "warm", "south", "*")]
    assert moved(rows, 0, "N", "warm") == [("N", "warm", "south", "*"), ("S", "warm", "south", "*")]


def test_a_group_moves_with_all_that_it_holds() -> None:
    rows = [("N", "cold", "north", "*"), ("S", "warm", "south", "*"), ("E", "warm", "south", "*")]
    assert [row[2] for row in moved(rows, 1, "warm", "north")] == ["north", "north", "north"]


def test_values_that_were_lacking_are_groups_of_their_own() -> None:
    assert with_values(ROWS, ["W", "N"]) == [*ROWS, ("W", "W", "*")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: renamed(ROWS, 0, "N", "north"), "it occurs in the data"),
        (lambda: renamed(ROWS, 1, "warm", ""), "published as a missing value"),
        (lambda: renamed(ROWS, 1, "hot", "warm"), "no such label"),
        (lambda: renamed(ROWS, 7, "hot", "warm"), "no such label"),
        (lambda: moved(ROWS, 1, "warm", "*"), "nothing but the top"),
        (lambda: moved(ROWS, 0, "N", "hot"), "no such label"),
    ],
)
def test_what_makes_no_sense_is_refused(change: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        change()  # type: ignore[operator]


def test_a_table_that_is_no_tree_any_more_is_refused_when_it_is_read() -> None:
    torn = renamed([("N", "cold", "north", "*"), ("S", "warm", "south", "*")], 1, "warm", "cold")
    with pytest.raises(HierarchyError):
        Hierarchy.from_rows(torn)

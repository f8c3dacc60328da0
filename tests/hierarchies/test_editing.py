"""Level tables that are changed by hand stay level tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies.editing import History, grouped, moved, renamed, split, with_values

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


def test_values_are_grouped_and_a_level_is_added_for_them() -> None:
    flat = [("N", "*"), ("S", "*"), ("E", "*")]
    assert grouped(flat, 0, ["N", "S"], "pole") == [("N", "pole", "*"), ("S", "pole", "*"), ("E", "E", "*")]


def test_labels_join_a_group_of_that_name_with_all_that_is_above_it() -> None:
    rows = [("S", "warm", "south", "*"), ("N", "cold", "north", "*"), ("E", "E", "E", "*")]
    assert grouped(rows, 0, ["E", "S"], "cold")[::2] == [("S", "cold", "north", "*"), ("E", "cold", "north", "*")]
    assert grouped(rows, 0, ["N", "E"], "mild")[1:] == [("N", "mild", "north", "*"), ("E", "mild", "north", "*")]


def test_a_group_is_split_and_a_level_that_joins_nothing_goes() -> None:
    rows = [("N", "cold", "*"), ("S", "cold", "*"), ("E", "E", "*")]
    assert split(rows, 1, "cold") == [("N", "*"), ("S", "*"), ("E", "*")]
    assert split([*rows, ("W", "warm", "*"), (None, "cold", "*")], 1, "cold") == [
        ("N", "N", "*"),
        ("S", "S", "*"),
        ("E", "E", "*"),
        ("W", "warm", "*"),
        (None, "cold", "*"),
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: grouped(ROWS, 0, [], "pole"), "nothing is selected"),
        (lambda: grouped(ROWS, 0, ["N"], ""), "name it"),
        (lambda: grouped(ROWS, 0, ["X"], "pole"), "no such label"),
        (lambda: grouped(ROWS, 2, ["*"], "pole"), "joins everything already"),
        (lambda: split(ROWS, 0, "N"), "no group of a level"),
        (lambda: split(ROWS, 2, "*"), "no group of a level"),
        (lambda: split(ROWS, 1, "hot"), "no such label"),
        (lambda: split([("N", "cold", "*"), ("S", "N", "*")], 1, "cold"), "called like another group"),
    ],
)
def test_what_makes_no_group_is_refused(change: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        change()  # type: ignore[operator]


def test_an_undone_step_is_forgotten_once_another_is_taken() -> None:
    history = History("a")  # type: ignore[arg-type]  # any rows
    history.change("b")  # type: ignore[arg-type]
    history.undo()
    assert (history.rows, history.can_undo, history.can_redo) == ("a", False, True)
    history.undo()
    history.change("c")  # type: ignore[arg-type]
    history.redo()
    assert (history.rows, history.can_undo, history.can_redo) == ("c", True, False)


@given(st.data())
def test_whatever_is_done_by_hand_is_a_hierarchy_and_can_be_undone(data: st.DataObject) -> None:
    missing = [(None, "*")] if data.draw(st.booleans()) else []
    history = History([*((value, "*") for value in "abcdef"), *missing])
    seen = [history.rows]
    for _ in range(data.draw(st.integers(1, 8))):
        rows = history.rows
        level = data.draw(st.integers(0, len(rows[0]) - 2))
        labels = sorted({str(row[level]) for row in rows if row[0] is not None})
        chosen = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=3, unique=True))
        change = data.draw(st.sampled_from(("group", "split", "rename", "move")))
        name = data.draw(st.sampled_from(("x", "y", "z", *labels)))
        try:
            if change == "group":
                history.change(grouped(rows, level, chosen, name))
            elif change == "split":
                history.change(split(rows, level, chosen[0]))
            elif change == "rename":
                history.change(renamed(rows, level, chosen[0], f"{name}{len(seen)}"))
            else:
                history.change(moved(rows, level, chosen[0], name))
        except UsageError:
            continue
        seen.append(history.rows)
        built = Hierarchy.from_rows([tuple(row) for row in history.rows])
        assert sorted(built.values) == list("abcdef")
    for rows in reversed(seen):
        assert history.rows == rows
        history.undo()

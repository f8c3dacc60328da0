"""A set of columns and its neighbors."""

import polars

from incrowd import api

TABLE = polars.DataFrame({"a": [1, 1, 1, 1], "b": [1, 1, 2, 2], "c": [1, 2, 3, 4]})


def test_one_column_less_and_one_more() -> None:
    found = api.explore(TABLE, ["a", "b"])
    assert [(each.step, each.column, list(each.quasi), each.k, each.unique) for each in found.sets] == [
        ("chosen", None, ["a", "b"], 2, 0),
        ("less", "a", ["b"], 2, 0),
        ("less", "b", ["a"], 4, 0),
        ("more", "c", ["a", "b", "c"], 1, 4),
    ]


def test_below_a_single_column_there_is_nothing() -> None:
    assert [each.step for each in api.explore(TABLE, ["a"], ["a", "b"]).sets] == ["chosen", "more"]


def test_other_columns_of_the_same_table() -> None:
    diagnosis = api.diagnose(TABLE, ["a", "b"])
    for among in (["b", "a"], ["a", "c"]):
        assert diagnosis.within(among).ask().answer == api.diagnose(TABLE, among).ask().answer

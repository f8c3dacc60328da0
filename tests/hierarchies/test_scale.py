"""Scales, prefixes and grids: what they build, and what is refused."""

from typing import Any

import pyarrow as pa
import pytest

from hierarchies.shapes import assert_true_tree
from incrowd.errors import HierarchyError, UsageError
from incrowd.hierarchies import build, check

POINTS = ["never", "rarely", "sometimes", "often", "always"]


def rows(spec: Any, values: list[Any]) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in build(spec, pa.array(values), "x").rows}


def test_only_neighbors_are_joined() -> None:
    found = rows({"scale": {"order": POINTS, "sizes": [[2, 1, 2], [2, 3]]}}, [*POINTS, "don't know"])
    assert found == {
        "never": ("<= rarely", "<= rarely", "*"),
        "rarely": ("<= rarely", "<= rarely", "*"),
        "sometimes": ("sometimes", ">= sometimes", "*"),
        "often": (">= often", ">= sometimes", "*"),
        "always": (">= often", ">= sometimes", "*"),
        "don't know": ("don't know", "don't know", "*"),
    }


def test_pairs_if_no_sizes_are_given() -> None:
    found = rows({"scale": {"order": POINTS}}, POINTS)
    assert found["sometimes"] == ("sometimes to often", "<= often", "*")
    assert found["always"] == ("always", "always", "*")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"order": ["a", "a"]}, "it repeats a point"),
        ({"order": []}, "it repeats a point or has an empty one"),
        ({"order": POINTS, "sizes": [[2, 2]]}, "does not join all of the 5 points"),
        ({"order": POINTS, "sizes": [[2, 3], [1, 4]]}, "splits a group of the level below"),
        ({"order": POINTS, "sizes": [[-1, 6]]}, "does not join all"),
        ({"order": POINTS, "sizes": "pairs"}, "does not join all"),
    ],
    ids=str,
)
def test_no_scale(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        check({"scale": options}, "x")


def test_values_that_are_no_points() -> None:
    with pytest.raises(HierarchyError, match="1 of the 1 different values of column 'x' are not points of the scale"):
        build({"scale": {"order": POINTS}}, pa.array(["blue"]), "x")


def test_prefixes() -> None:
    values = ["SW1A 2AA", "SW1A 1AA", "SW2", "S*"]
    found = build({"prefix": {"keep": [4, 2]}}, pa.array(values), "x")
    assert_true_tree(found, values)
    assert found.rows == [
        ("S*", "S*", "S*", "*"),
        ("SW1A 1AA", "SW1A*", "SW*", "*"),
        ("SW1A 2AA", "SW1A*", "SW*", "*"),
        ("SW2", "SW2", "SW*", "*"),
    ]
    for keep in ([1, 2], [0], ["x"], [1.5], []):
        with pytest.raises(UsageError, match="prefix: keep"):
            check({"prefix": {"keep": keep}}, "x")


def test_grids() -> None:
    found = rows({"grid": {"sizes": [0.1, 1]}}, ["48.21, 16.37", "POINT(16.37 48.21)", "-0.05"])
    assert found["48.21, 16.37"] == ("[48.2, 48.3) x [16.3, 16.4)", "[48, 49) x [16, 17)", "*")
    assert found["POINT(16.37 48.21)"][0] == "[16.3, 16.4) x [48.2, 48.3)"
    assert found["-0.05"] == ("[-0.1, 0)", "[-1, 0)", "*")
    with pytest.raises(HierarchyError, match="1 of the 2 different values of column 'x' are not coordinates"):
        build({"grid": {"sizes": [1]}}, pa.array(["1.5", "north"]), "x")
    with pytest.raises(UsageError, match="is not a multiple"):
        check({"grid": {"sizes": [2, 3]}}, "x")

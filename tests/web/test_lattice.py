"""Lattices as pictures."""

import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from incrowd.text import percent
from incrowd.web.parts import lattice

HOSTILE = '<script>alert("x")</script>'


def every_set(names: list[str]) -> list[dict[str, Any]]:
    """Each set with k, the fewer the more columns it has."""
    found = [list(members) for size in range(1, len(names) + 1) for members in combinations(names, size)]
    return [{"quasi": members, "k": len(names) + 1 - len(members)} for members in found]


@pytest.mark.parametrize("columns", range(1, lattice.MOST + 1))
def test_every_set_is_a_part_of_the_picture(columns: int) -> None:
    names = [HOSTILE, *(f"column {at}" for at in range(1, columns))]
    sets = every_set(names)
    picture = ElementTree.fromstring(lattice.draw_sets(names, sets, names[:1], columns))
    parts = [each for each in picture.iter() if "data-at" in each.attrib]
    assert [int(each.attrib["data-at"]) for each in parts] == list(range(2**columns - 1))
    assert [each[0].text for each in parts] == [f"k = {each['k']}: {', '.join(each['quasi'])}" for each in sets]
    kinds = {1: "unique", columns: "safe"} if columns > 1 else {1: "safe"}
    for part, each in zip(parts, sets, strict=True):
        assert part.attrib["class"].split()[1] == kinds.get(each["k"], "low")
    assert [" here" in each.attrib["class"] for each in parts].index(True) == 0
    inside = [float(number) for number in re.findall(r'c?x="([0-9.-]+)"', lattice.draw_sets(names, sets, names[:1], 2))]
    assert all(0 <= number <= 1100 for number in inside)


def test_a_release_among_its_neighbours() -> None:
    here = {"levels": {HOSTILE: 1}, "column": None, "score": 0.25, "suppressed": 0, "feasible": True, "step": "chosen"}
    up = {**here, "levels": {HOSTILE: 2}, "column": HOSTILE, "score": 0.5, "step": "above"}
    down = {**up, "levels": {HOSTILE: 0}, "score": None, "suppressed": 7, "feasible": False, "step": "below"}
    picture = ElementTree.fromstring(lattice.draw_nodes([here, down, up], "loss", "this release"))
    assert [each.attrib["data-at"] for each in picture.iter() if "data-at" in each.attrib] == ["2", "1"]
    titles = [each.text for each in picture.iter() if each.tag.endswith("title")]
    assert titles == [
        f"{HOSTILE} 1 → 2: loss {percent(0.5)}",
        f"this release: loss {percent(0.25)}",
        f"{HOSTILE} 1 → 0: 7 suppressed",
    ]
    assert lattice.draw_nodes([here, *[up] * 10], "loss", "this release") == ""

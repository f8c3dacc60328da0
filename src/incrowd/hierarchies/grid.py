"""Grids: coordinates become cells whose sides are so many degrees long, or so many units of the coordinates."""

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.numbers import Number, exact
from incrowd.errors import HierarchyError
from incrowd.hierarchies._bounds import by_width, label, nested_widths
from incrowd.hierarchies._rungs import hierarchy_of
from incrowd.hierarchies._suggestions import Suggestion, useful
from incrowd.proposing.coordinates import is_named_coordinate
from incrowd.proposing.facts import Column

MEANING = "Coordinates, single or in pairs, become cells of grids that widen from level to level."
RANK = 6
LABELS = {"sizes": "Side of a cell per level"}
EXAMPLES = {"sizes": "0.01, 0.1, 1"}
SUGGESTED = {"sizes": (0.01, 0.1, 1)}

BY_RULE = True

_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?"
_PAIR = re.compile(rf"\(?({_NUMBER})\s*[,; ]\s*({_NUMBER})\)?", re.ASCII)
_POINT = re.compile(rf"POINT ?\(({_NUMBER}) ({_NUMBER})\)", re.ASCII)
_SIZES: tuple[tuple[int, tuple[float, ...]], ...] = ((360, (0.01, 0.1, 1, 10)), (10**9, (100, 1000, 10_000, 100_000)))
"""By how far coordinates reach at most: degrees, and meters."""


def build(values: pa.Array, *, name: str = "unnamed", sizes: Sequence[Number]) -> Hierarchy:
    """Return the ladder of a grid: each of the `sizes` is the side of a level's cells, which begin at multiples of it.

    A value is one coordinate, or a pair such as 48.21, 16.37 or POINT(16.37 48.21), whose cell is that of both.
    """
    sides = nested_widths("grid: sizes", sizes)
    found = {text_forms(value)[0]: coordinates(value) for value in plain(values)}
    strangers = [text for text, read in found.items() if not read]
    if strangers:
        raise HierarchyError.not_read(name, "coordinates", strangers, len(found))
    points = dict(sorted(found.items(), key=lambda item: (item[1], item[0])))
    return hierarchy_of(name, list(points), [[_cell(point, side) for point in points.values()] for side in sides])


def check(*, name: str = "unnamed", sizes: Sequence[Number]) -> None:
    """Refuse sizes of which one is not a multiple of the one before."""
    nested_widths("grid: sizes", sizes)


def suggest(column: Column) -> Suggestion | None:
    """Suggest a grid for pairs of coordinates, and for numbers whose column is called after one."""
    named = is_named_coordinate(column.name) and column.is_number
    if not named and not column.has_form(f"{_PAIR.pattern}|{_POINT.pattern}", 1.0):
        return None
    points: list[tuple[Number, ...]] = [coordinates(value) for value in plain(column.values)]
    if not points or not all(points):
        return None
    reach = max(abs(float(each)) for point in points for each in point)
    sizes: tuple[Any, ...] = next((of for most, of in _SIZES if reach <= most), ())
    sides = [each for each in map(exact, sizes) if each is not None]
    chosen = useful({side: [_cell(point, side) for point in points] for side in sides}, len(points))
    plain_sizes = [side if isinstance(side, int) else float(side) for side in chosen]
    return Suggestion({"sizes": plain_sizes}, "coordinates become cells of a grid", 0.93) if chosen else None


def coordinates(value: object) -> tuple[Number, ...]:
    """Return the coordinates that a value is or spells; none if it is neither one nor a pair."""
    if (single := exact(value)) is not None:
        return (single,)
    found = (_PAIR.fullmatch(text := str(value).strip())) or _POINT.fullmatch(text)
    read = () if found is None else tuple(exact(each.lstrip("+")) for each in found.groups())
    return tuple(each for each in read if each is not None)


def _cell(point: Sequence[Number], side: Number) -> str:
    """Return what a cell is called: the interval of each coordinate."""
    return " x ".join(label(by_width(each, side, 0), whole=False) for each in point)

"""Every search does, on each point of the grid that it declares, what the point is called for."""

from dataclasses import MISSING, fields
from typing import Any

import pytest

import incrowd
from anonymization.lecture import JOB, QUASI, is_anonymous, table
from incrowd.core.grid import Point, Suppress
from incrowd.jobs.families import SEARCHES
from incrowd.searches import CellsSearch, LocalSearch

ROWS = {Point.AG_TS: 2, Point.TS: "row"}
SHORT = {"genetic": {"population": 10, "generations": 5}, "annealing": {"steps": 100}}
"""Options of searches that go on for long, whatever the table."""

PAIRS = [
    (name, point, options)
    for name, kind in SEARCHES.known().items()
    for point, options in kind.points.items()
    # Groups are recoded cell by cell by their nature, and some of these searches need models of their own.
    if not issubclass(kind, LocalSearch)
    and not (issubclass(kind, CellsSearch) and kind.consistent)
    and not any(each.default is each.default_factory is MISSING for each in fields(kind))
]


def level(column: str, label: str, value: str) -> int:
    """How far up its hierarchy a cell is; -1 for the top, and -2 for parts of values, which are on no level."""
    years = {"DOB": [value, value[:5], value[:2]], "ZIP": [value, f"{value[:4]}*", f"{value[:3]}**"]}
    steps = years.get(column, [value])
    return -1 if label == "*" else steps.index(label) if label in steps else -2


def shape_is_right(point: Point, became: set[tuple[str, str, int]]) -> bool:
    """Whether what the values of a column became, each with its level, is what a point does."""
    levels = {level for _, _, level in became}
    match point:
        case Point.AG_TS | Point.AG:
            # A value becomes the same everywhere; searches over whole levels do the same with all values.
            return len(became) == len({value for value, _, _ in became})
        case Point.AG_CS:
            return len(levels - {-1}) <= 1
        case Point.TS:
            return levels <= {0}
        case Point.AS:
            return levels <= {0} or levels == {-1}
        case Point.CS:
            return levels <= {0, -1}
    return True


@pytest.mark.parametrize(("name", "point", "options"), PAIRS, ids=lambda each: str(each) if each else "")
def test_a_search_does_what_its_point_says(name: str, point: Point, options: Any) -> None:
    given = table().append_column("at", [[str(at) for at in range(9)]])
    search = {name: {**SHORT.get(name, {}), **options}}
    job = {**JOB, "columns": {**JOB["columns"], "at": {"role": "keep"}}, "search": search}
    made = incrowd.anonymize(
        given, {**job, "generalize": point.generalize, "suppress": ROWS.get(point, point.suppress)}
    )
    assert made.manifest.grid == point
    rows = made.frame.to_pylist()
    originals = table().to_pylist()
    assert len(rows) == 9 or point.suppress == Suppress.ROW
    assert is_anonymous([tuple(row[column] for column in QUASI) for row in rows])
    for column in QUASI:
        pairs = {(originals[int(row["at"])][column], row[column]) for row in rows}
        became = {(value, label, level(column, label, value)) for value, label in pairs}
        assert shape_is_right(point, became), (column, became)

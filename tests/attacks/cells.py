"""Cells written in every way, each with the values that it stands for, worked out without the code under test."""

import re
from collections.abc import Sequence

import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from incrowd.attacks._target import Target
from incrowd.comparison import Column
from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.schema import Role

AGES = tuple(map(str, range(20, 30)))
TOWNS = ("Graz", "Linz", "Wels", "Zürich")
REGION = {"Graz": "Styria", "Linz": "Upper Austria", "Wels": "Upper Austria", "Zürich": "Zürich region"}
CODES = ("8010", "8011", "8020", "4020")
DOMAINS = {"age": (*AGES, "unknown"), "town": TOWNS, "code": CODES}
"""Somebody wrote a word where a number belongs."""


def meaning(column: str, cell: str | None) -> frozenset[str]:
    """The values that a cell may stand for."""
    domain = DOMAINS[column]
    if cell is None or cell == "*":
        return frozenset(domain)
    if cell in REGION.values() and column == "town":
        return frozenset(town for town in TOWNS if REGION[town] == cell)
    if cell.startswith("{"):
        return frozenset(cell[1:-1].split(", "))
    if column == "age" and "-" in cell:
        low, high = map(int, cell.split("-"))
        return frozenset(age for age in AGES if low <= int(age) <= high)
    if cell.endswith(".0"):
        return frozenset({cell[:-2]})
    if "*" in cell:
        return frozenset(value for value in domain if re.fullmatch(cell.replace("*", "."), value))
    return frozenset({cell})


@st.composite
def ranges(draw: st.DrawFn) -> str:
    """A range of ages."""
    low = draw(st.integers(20, 28))
    return f"{low}-{draw(st.integers(low + 1, 29))}"


@st.composite
def sets(draw: st.DrawFn) -> str:
    """A set of towns."""
    return "{" + ", ".join(draw(st.lists(st.sampled_from(TOWNS), min_size=1, max_size=3, unique=True))) + "}"


PUBLISHED: dict[str, SearchStrategy[str | None]] = {
    "age": st.sampled_from([*AGES[:4], "21.0", "unknown", "*", None]) | ranges(),
    "town": st.sampled_from([*TOWNS, *REGION.values(), "*", None]) | sets(),
    "code": st.sampled_from([*CODES, "80**", "801*", "*", None]),
}
KNOWN: dict[str, SearchStrategy[str | None]] = {
    "age": st.sampled_from([*AGES[:4], "21.0", "unknown", None]) | ranges(),
    "town": st.sampled_from([*TOWNS, None, "Styria"]),
    "code": st.sampled_from([*CODES, None]),
}
"""What an attacker may know of a person; a missing cell is not known."""

# All values occur somewhere, so that both sides know the same ones.
EVERYBODY = [(AGES[at % 10], TOWNS[at % 4], CODES[at % 4]) for at in range(12)]

Row = tuple[str | None, ...]


def rows(cells: dict[str, SearchStrategy[str | None]], sensitive: int = 0, most: int = 7) -> SearchStrategy[list[Row]]:
    """Rows of a table, with sensitive columns of few values."""
    values = [st.sampled_from(["flu", "gout", None]) for _ in range(sensitive)]
    return st.lists(st.tuples(*cells.values(), *values), max_size=most)


def counted(names: Sequence[str], table: Sequence[Row]) -> FrequencySet:
    """A table as it is counted."""
    counting = Counting(names)
    counting.add([pa.array([row[at] for row in table], pa.string()) for at in range(len(names))])
    return counting.result()


def columns() -> dict[str, Column]:
    """Towns have a hierarchy, other columns none."""
    from incrowd.core.hierarchy import Hierarchy

    towns = Hierarchy.from_rows([(town, region, "*") for town, region in REGION.items()])
    return {"age": Column(Role.QUASI), "town": Column(Role.QUASI, towns), "code": Column(Role.QUASI)}


def target(table: Sequence[Row], sensitive: Sequence[str]) -> Target:
    """A release as an attacker sees it."""
    import numpy as np

    from incrowd.attacks import numbered

    names = [*DOMAINS, *sensitive]
    found = counted(names, table)
    cells, of = numbered(found, list(DOMAINS))
    group = np.arange(cells.combinations, dtype=np.int64)
    return Target("release", cells, group, found, of, columns(), tuple(sensitive))


def meanings(row: Row) -> list[frozenset[str]]:
    """What the cells of a row stand for, column by column."""
    return [meaning(name, cell) for name, cell in zip(DOMAINS, row, strict=False)]

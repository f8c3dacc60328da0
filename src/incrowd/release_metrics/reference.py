"""A release as the textbook sees it: record by record, in plain Python."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Value = Any
"""A number or a text; None for missing."""


class Base(NamedTuple):
    """The base values of a column."""

    values: tuple[Value, ...]
    """All of them in order, missing only where a hierarchy lists it."""
    numeric: bool = False
    ordered: bool = False
    paths: Mapping[Value, tuple[str, ...]] | None = None
    """For a column with a hierarchy, each base value's label on every level from 1 on."""


class Class(NamedTuple):
    """Records that are published alike."""

    cells: tuple[frozenset[Value], ...]
    """Per quasi-identifier all base values that its cell covers."""
    behind: tuple[tuple[Value, ...], ...]
    """Per record its original quasi-identifiers."""
    others: tuple[tuple[Value, ...], ...]
    """Per record its values in the other columns."""


class ReferenceRelease(NamedTuple):
    """Everything that a definition may use."""

    original: tuple[tuple[Value, ...], ...]
    """Every record of the table that was given."""
    classes: tuple[Class, ...]
    bases: tuple[Base, ...]
    """Per column, the quasi-identifiers first."""
    quasi: int
    """The number of quasi-identifiers."""
    sensitive: tuple[int, ...] = ()
    """Which columns are sensitive."""
    label: int | None = None
    """Which column a classifier is to predict."""
    k: int | None = None
    weights: tuple[float, ...] = ()
    ranges: Mapping[int, tuple[frozenset[Value], ...]] = {}
    """By sensitive column its sensitive ranges."""
    queries: tuple[Mapping[int, frozenset[Value]], ...] = ()
    """Per query the base values that it selects in each of its columns."""
    seed: int = 0

    @property
    def published(self) -> int:
        """Return the number of published records."""
        return sum(len(each.others) for each in self.classes)

    @property
    def suppressed(self) -> int:
        """Return the number of suppressed records."""
        return len(self.original) - self.published

    def values(self, group: Class, column: int) -> list[Value]:
        """Return the values of the records of a class in a column that is not a quasi-identifier."""
        return [record[column - self.quasi] for record in group.others]


def spread(cell: frozenset[Value], base: Base) -> float:
    """Return Q-diversity (Loukides 3.1.1 and 5.2.1) of what a cell covers."""
    there = [value for value in cell if value is not None]
    if base.paths is None and None in cell and there:
        # Nothing tells which of all values it was, or whether it was any.
        return 1.0
    if base.paths is None and (base.numeric or base.ordered):
        places = {value: value if base.numeric else at for at, value in enumerate(base.values)}
        domain = max(places.values(), default=0) - min(places.values(), default=0)
        lengths = [places[value] for value in there]
        return float(max(lengths) - min(lengths)) / domain if domain and lengths else 0.0
    if len(base.values) < 2:
        # Only the top covers both the value and missing cells: it leaves everything open.
        return 1.0 if None in cell and there else 0.0
    return (covered(cell, base) - 1) / (len(base.values) - 1)


def covered(cell: Iterable[Value], base: Base) -> int:
    """Return the number of base values that a cell covers; missing, if not a base value, covers itself."""
    return max(1, len(set(cell) & set(base.values)))


def under_one_node(values: Sequence[Value], base: Base) -> frozenset[Value]:
    """Return all base values below the closest common ancestor; without a hierarchy the values themselves."""
    if base.paths is None or len(set(values)) < 2:
        return frozenset(values)
    level = level_of(frozenset(values), base)
    label = next(base.paths[value][level - 1] for value in values if value in base.paths)
    # A missing cell that the hierarchy does not list joins the others at the top, and not below.
    unlisted = [None] if level == len(next(iter(base.paths.values()))) else []
    return frozenset([*unlisted, *(value for value, path in base.paths.items() if path[level - 1] == label)])


def level_of(covered: frozenset[Value], base: Base) -> int:
    """Return the level of the closest common ancestor of what a cell covers."""
    assert base.paths is not None
    if len(covered) == 1:
        return 0
    height = len(next(iter(base.paths.values())))
    for level in range(1, height):
        labels = {base.paths[value][level - 1] if value in base.paths else None for value in covered}
        if len(labels) == 1 and labels != {None}:
            return level
    return height

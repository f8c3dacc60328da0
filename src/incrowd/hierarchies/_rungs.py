"""From labels per level to a hierarchy that ends in one top."""

from collections.abc import Sequence

from incrowd.core.hierarchy import Hierarchy, Span

TOP = "*"
"""The label of the top level, as of a suppressed cell."""


def hierarchy_of(
    name: str, values: Sequence[str], levels: Sequence[Sequence[str]], spans: Sequence[Sequence[Span]] | None = None
) -> Hierarchy:
    """Return the hierarchy of base values, their labels on levels 1, 2, ..., and the top above them.

    A column without values gets the top as its only value, so that it can be published.
    """
    rows = list(zip(values, *levels, [TOP] * len(values), strict=True)) or [(TOP,) * (len(levels) + 2)]
    return Hierarchy.from_rows(rows, spans=spans if values else None, name=titled(name))


def titled(name: str) -> str:
    """Return what messages call the hierarchy of a column."""
    return f"the hierarchy of column {name!r}"

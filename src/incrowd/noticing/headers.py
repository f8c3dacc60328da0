"""Columns that a header does not name, or names twice."""

import re
from collections.abc import Iterator, Sequence

from incrowd.noticing.notice import Notice
from incrowd.proposing.facts import Column, Sureness

_REPEATED = re.compile(r"(.+) \(([0-9]+)\)", re.DOTALL)


def look(column: Column, steps: Sequence[str], names: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice on a name that comes from the column's place."""
    if column.name in names and column.name == f"column_{names.index(column.name) + 1}":
        yield Notice(column.name, "it has no name in the header", "it is named by its place", sureness=Sureness.SURE)
    repeated = _REPEATED.fullmatch(column.name)
    if repeated is not None and repeated[1] in names:
        yield Notice(column.name, "its name repeats in the header", "it is numbered", sureness=Sureness.SURE)

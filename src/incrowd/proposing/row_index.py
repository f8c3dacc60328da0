"""Judge the first column of a table that R or pandas wrote with the names or numbers of its rows."""

from itertools import pairwise

import pyarrow as pa

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.kinds import Kind

_NAMES = frozenset(
    ("column_1", "unnamed: 0", "unnamed: 0.1", "rownames", "row.names", "row_names", "rowname", "index", "...1", "x")
)
"""Names of such a column: none, as both write it, and what both call it when they read it again."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on the first column if it names or numbers the rows."""
    first = table.columns[0] if table.columns else None
    if first is None or first.name.casefold() not in _NAMES or first.unique < max(2, first.records):
        return {}
    if first.kind is Kind.INTEGER and _ascends(first):
        return {first.name: Opinion(Role.IDENTIFIER, "it numbers the records, as the index of a table does", 0.95)}
    if first.is_text and first.name.casefold() != "x":
        return {first.name: Opinion(Role.IDENTIFIER, "it names the records, as the index of a table does", 0.9)}
    return {}


def _ascends(column: Column) -> bool:
    """Return whether its whole numbers come in ascending order; values are in the order in which they come."""
    values = column.values.cast(pa.string()).to_pylist()
    numbers = [int(text) for text in values]
    return all(before < after for before, after in pairwise(numbers))

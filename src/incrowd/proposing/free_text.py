"""Judge long texts, which may contain anything about a person."""

import pyarrow.compute as pc

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each

_LONG = 40
"""The average number of characters of free text."""
_WORDS = r"\S+(\s+\S+){3,}"
"""Four words and more."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of free text."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if not column.is_text or len(column.texts) == 0 or column.is_category:
        return None
    length = float(pc.mean(pc.utf8_length(column.texts)).as_py())
    rare = 2 * column.distinct >= column.present
    if (length >= _LONG and rare) or (rare and length >= _LONG / 2 and column.has_form(_WORDS, 0.5)):
        return Opinion(Role.IDENTIFIER, "it is free text, which may contain anything about a person", 0.96)
    return None

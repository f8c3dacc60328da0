"""Judge families of columns that are the same in all records of a group no column names, such as a neighborhood.

They describe the group, and so tell it: whoever knows where a person lives knows them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from incrowd.core.keys import number_combinations
from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table

_FEWEST = 12
"""Columns of a family: half of them must tell the group."""
_VALUES = 3
"""Distinct values that a column must have to tell anything."""
_NEARLY_ALL = 0.99
"""The share of groups that half of the columns must tell apart."""
_SHARED = 2
"""Records of a group on average."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of such a family."""
    opinion = Opinion(Role.QUASI, "it describes a group of records, such as a neighborhood, and so identifies it", 0.93)
    return {column.name: opinion for family in _families(table) if _describes(table, family) for column in family}


def _families(table: Table) -> Iterable[list[Column]]:
    """Yield columns without a telling name that begin with the same letter."""
    by_letter: dict[str, list[Column]] = defaultdict(list)
    for column in table.columns:
        if column.distinct >= _VALUES and (column.meaning is None or not column.meaning.whole):
            by_letter[column.name[:1].lower()].append(column)
    return [family for family in by_letter.values() if len(family) >= _FEWEST]


def _describes(table: Table, family: Sequence[Column]) -> bool:
    """Return whether half of the columns tell what the others are, in groups of several records that no key names."""
    groups = _combinations(table, family)
    if groups * _SHARED > table.counted.records or groups < _FEWEST:
        return False
    if _combinations(table, family[::2]) < _NEARLY_ALL * groups:
        return False
    # The columns that stay with a person are the same beside the person's key.
    keys = [column for column in table.columns if column.distinct >= groups]
    return not any(table.determines(key.name, family[0].name) for key in keys)


def _combinations(table: Table, columns: Sequence[Column]) -> int:
    at = table.counted.indices([column.name for column in columns])
    _, found = number_combinations([table.counted.codes[c] for c in at], [table.counted.cardinalities[c] for c in at])
    return found

"""Judge columns whose values are keys of other records of the same table: of a relative, a sponsor or a superior."""

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table
from incrowd.proposing.kinds import Kind

_FEWEST = 10
"""Distinct keys that are not all those of other records by chance."""
_ALL = 0.95
"""The share of them that must be; the others are of records elsewhere."""
_GLANCE = 100
"""Keys that show that the others need not be looked up."""
_LONG = 10_000
"""Whole numbers from here on are neither counts nor ages, which keys from 1 on contain by chance."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column that refers to the key of the records."""
    keys = [column for column in table.columns if _is_key(column)]
    found: dict[str, Opinion] = {}
    for column in table.columns:
        of = next((key for key in keys if key is not column and _refers(column, key)), None)
        if of is not None:
            found[column.name] = Opinion(Role.IDENTIFIER, f"its values are those of {of.name!r} in other records", 0.94)
    return found


def _is_key(column: Column) -> bool:
    """Return whether every record has its own value, which is no number that counts or measures."""
    if column.present < _FEWEST or column.unique < column.present or 2 * column.present < column.records:
        return False
    return _may_be_keys(column)


def _may_be_keys(column: Column) -> bool:
    if column.is_whole:
        return bool(column.numbers[0] >= _LONG)
    return column.kind is Kind.TEXT and column.has_form(r"\S*[0-9]\S*")


def _refers(column: Column, key: Column) -> bool:
    if not _FEWEST <= column.distinct <= key.distinct or column.unique == column.records or not _may_be_keys(column):
        return False
    values, of = _as_written(column), _as_written(key)
    # A glance refutes nearly all pairs.
    return values.type == of.type and _are_among(values[:_GLANCE], of) and _are_among(values, of)


def _are_among(values: pa.Array, keys: pa.Array) -> bool:
    known = pc.sum(pc.is_in(keys, value_set=values)).as_py() or 0
    return bool(known >= _ALL * len(values))


def _as_written(column: Column) -> pa.Array:
    """Return the values; whole numbers that a missing one has made decimals of, such as 12.0, without what follows."""
    if not column.is_whole:
        return column.values
    if not pa.types.is_string(column.values.type):
        return column.values.cast(pa.float64(), safe=False)
    if column.kind is Kind.INTEGER:
        return column.values
    return pc.replace_substring_regex(column.values, r"^\s*([0-9]+)([.,]0*)?\s*$", r"\1")

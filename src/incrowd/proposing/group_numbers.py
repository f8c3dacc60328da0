"""Judge whole numbers that number groups, such as places or schools: how many records have a number says nothing of how
many have the next one. Those of an amount rise and fall from one to the next."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts
from incrowd.core.schema import Role
from incrowd.core.table import in_floats
from incrowd.proposing.facts import Column, Opinion, Table, of_each
from incrowd.proposing.kinds import Kind

_FEWEST, _MOST = 30, 20_000
"""Distinct numbers that show how records are spread over them."""
_SHARED = 8
"""Records of a number on average."""
_APART = (1, 2, 3, 4, 5, 10)
"""How far numbers are apart that amounts have alike; people round to 2, 5 or 10."""
_ALIKE = 0.3
"""The correlation of their records from which the numbers rather measure something."""
_UNEVEN = 2.0
"""How much more the records of the numbers differ than by chance."""


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column of such numbers whose name says nothing."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    if column.meaning is not None or column.kind is not Kind.INTEGER or not _FEWEST <= column.distinct <= _MOST:
        return None
    if column.present < _SHARED * column.distinct or not pa.types.is_integer(column.values.type):
        return None
    numbers = in_floats(column.values.cast(pa.float64()))
    if numbers.min() < 0:
        return None
    holders = column.holders[np.argsort(numbers)]
    uneven = float(holders.var()) >= _UNEVEN * float(holders.mean())
    if not uneven or max(_likeness(holders, apart) for apart in _APART) >= _ALIKE:
        return None
    return Opinion(Role.QUASI, "its numbers are spread like those of places or groups, not like an amount", 0.52)


def _likeness(holders: Counts, apart: int) -> float:
    """Return how the records of numbers that are so far apart correlate."""
    logarithms: NDArray[np.float64] = np.log(holders.astype(np.float64))
    one, other = logarithms[:-apart], logarithms[apart:]
    if one.std() == 0 or other.std() == 0:
        return 1.0
    return float(np.corrcoef(one, other)[0, 1])

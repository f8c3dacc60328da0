"""Small tables of our own making, for judges."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from incrowd.core.frequencies import FrequencySet
from incrowd.proposing import Proposal, propose
from incrowd.proposing.facts import Table


def table(**columns: Sequence[object]) -> Table:
    """A table of these columns, record by record."""
    return named(columns)


def named(columns: Mapping[str, Sequence[object]]) -> Table:
    """A table of these columns; None is missing."""
    encoded = [pa.array(list(cells)).dictionary_encode() for cells in columns.values()]
    codes = np.array([cells.indices.fill_null(-1).to_numpy(zero_copy_only=False) + 1 for cells in encoded], np.int32)
    rows = codes.shape[1]
    counted = FrequencySet(
        tuple(columns), tuple(cells.dictionary for cells in encoded), codes, np.ones(rows, dtype=np.int64)
    )
    return Table.of(counted.project(tuple(columns)))


def proposed(name: str, cells: Sequence[object]) -> Proposal:
    """What all judges together say of one column."""
    return propose(named({name: cells}))[name]


def several(form: str, n: int = 400) -> list[str]:
    """Different texts of one form, which has a place for a number."""
    return [form.format(number) for number in range(n)]


def shared(values: Sequence[object], records: int = 600) -> list[object]:
    """So many records that share these values evenly."""
    return [values[at % len(values)] for at in range(records)]

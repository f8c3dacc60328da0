"""Contributions of sensitive values to Range Diversity, in the whole units of the kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.kernels import Contributing
from incrowd.core.table import MISSING, Codes
from incrowd.errors import UsageError
from incrowd.models.contributions import Blocks, Contributions, Equal, Numeric, Tree
from incrowd.models.range_diversity import RangeDiversity
from incrowd.searches._clusters.ranges import contributions_of
from incrowd.searches._tradeoff.records import TradeoffRecords
from incrowd.searches._tradeoff.scales import (
    BY_PAIR,
    IN_SET,
    IN_TREE,
    ON_LINE,
    TOLERANCE,
    Numbers,
    packed,
    steps,
    tree_table,
)

MOST_PAIRED = 4096
"""A policy that lists ranges value by value is looked at for each two values, of which there may be so many."""

FINEST = 50
"""Bits of a contribution of 1, where no group is large."""


@dataclass(frozen=True, eq=False)
class Rated:
    """The columns whose Range Diversity is limited."""

    values: Any
    """As the kernels want them."""
    sensitive: Codes
    """Judged columns x positions."""
    limits: NDArray[np.float64]
    """Per column the Range Diversity allowed, in units."""
    finest: float
    """Units of group diversity in one unit of Range Diversity, divided among the columns."""
    largest: int
    """No group may have more records: sums over pairs would not fit."""

    @classmethod
    def of(cls, records: TradeoffRecords, models: Sequence[RangeDiversity], largest: int, units: int) -> "Rated":
        """Return the rated columns; groups have up to `largest` records, and group diversity is measured in `units`."""
        bits = min(FINEST, 61 - 2 * ceil(log2(max(2, largest))))
        columns = [_column(records, model, 2.0**bits) for model in models]
        begins = np.append(0, np.cumsum([len(column.blocks) for column in columns]))[:-1].astype(np.int64)
        scale = packed(
            [column.kind for column in columns],
            [len(column.blocks) for column in columns],
            [2.0**bits] * len(columns),
            [column.table for column in columns],
        )
        return cls(
            Contributing(scale, np.concatenate([column.blocks for column in columns]).astype(np.int32), begins),
            np.ascontiguousarray(np.array([column.ranks for column in columns], dtype=np.int32)),
            np.array([(model.p + TOLERANCE) * 2.0**bits for model in models]),
            units / 2.0**bits / len(models),
            largest,
        )


class _Column(NamedTuple):
    """One judged column. What two values span is rounded down, so that no group passes that the model refuses."""

    kind: int
    table: Numbers
    blocks: Codes
    """Per rank."""
    ranks: Codes
    """Per position."""


def _column(records: TradeoffRecords, model: RangeDiversity, units: float) -> _Column:
    contributions = contributions_of(records.problem, model)
    frequencies = records.problem.frequencies
    codes = frequencies.codes[frequencies.names.index(model.columns[0])][records.order]
    n = frequencies.cardinalities[frequencies.names.index(model.columns[0])]
    if not isinstance(contributions.ranges, Blocks):
        return _Column(BY_PAIR, _paired(contributions, model, n, units), np.zeros(n, dtype=np.int32), codes)
    near = contributions.nearness
    blocks = np.unique(contributions.ranges.of, return_inverse=True)[1].reshape(-1).astype(np.int32)
    if near.apart:
        blocks[MISSING] = n
    if isinstance(near, Tree):
        axis = Axis.of_tree(near.ladder)
        return _Column(IN_TREE, tree_table(axis, units), blocks[axis.code], axis.rank[codes])
    if isinstance(near, Numeric):
        return _Column(ON_LINE, steps(near.offsets, near.span, units), blocks, codes)
    assert isinstance(near, Equal)
    return _Column(IN_SET, np.array([0.0, 0.0, np.floor((1.0 - near.near) * units)]), blocks, codes)


def _paired(contributions: Contributions, model: RangeDiversity, n: int, units: float) -> Numbers:
    if n > MOST_PAIRED:
        raise UsageError.invalid(
            f"policy of range_diversity on column {model.columns[0]!r} with this search",
            f"the column has more than {MOST_PAIRED:,} different values",
            "give ranges or a level",
        )
    one, other = np.repeat(np.arange(n, dtype=np.int32), n), np.tile(np.arange(n, dtype=np.int32), n)
    return np.ceil((contributions.between(one, other) + contributions.between(other, one)) * units)

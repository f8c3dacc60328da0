"""What sensitive values contribute to Range Diversity, in whole units, as the kernels measure it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core._kernels import Contributing
from incrowd.core.axes import Axis
from incrowd.core.table import MISSING, Codes
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models._all import All
from incrowd.models._contributions import Blocks, Contributions, Equal, Numeric, Tree
from incrowd.models.range_diversity import RangeDiversity
from incrowd.searches._tradeoff.records import Records
from incrowd.searches._tradeoff.scales import BY_PAIR, IN_SET, IN_TREE, ON_LINE, TOLERANCE, Numbers, packed, tree_table

MOST_PAIRED = 4096
"""A policy that lists ranges value by value is looked at for each two values, of which there may be so many."""

FINEST = 40
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
    def of(cls, records: Records, models: Sequence[RangeDiversity], largest: int, units: int) -> "Rated":
        """Groups have up to `largest` records; group diversity is measured in so many units."""
        bits = min(FINEST, 61 - 2 * ceil(log2(max(2, largest))))
        tables, blocks, sensitive = [], [], []
        for model in models:
            table, block, rank = _column(records, model)
            tables.append(table)
            blocks.append(block)
            codes = records.problem.frequencies.codes[records.problem.frequencies.names.index(model.columns[0])]
            sensitive.append(rank[codes[records.order]])
        begins = np.append(0, np.cumsum([len(block) for block in blocks]))[:-1].astype(np.int64)
        scale = packed(tables, [1.0] * len(tables), 1 << bits)
        return cls(
            Contributing(scale, np.concatenate(blocks).astype(np.int32), begins),
            np.ascontiguousarray(np.array(sensitive, dtype=np.int32)),
            # Rounding must not let pass what the model itself refuses.
            np.array([(model.p + TOLERANCE) * 2.0**bits - 0.5 for model in models]),
            units / 2.0**bits / len(models),
            largest,
        )


def range_diversities(model: PrivacyModel) -> list[RangeDiversity]:
    """Those that are asked of every group."""
    parts = model.models if isinstance(model, All) else (model,)
    return [part for part in parts if isinstance(part, RangeDiversity)]


def contributions_of(records: Records, model: RangeDiversity) -> Contributions:
    """How the values of the judged column contribute, in the whole table."""
    everything = np.zeros(len(records.counts), dtype=np.int64)
    groups = records.groups(np.arange(len(records.counts)), records.counts, everything)
    classes = groups.classes(model.needs, records.problem.sensitive)
    return model.contributions(model.histogram(classes).domain)


def _column(records: Records, model: RangeDiversity) -> tuple[tuple[int, Numbers, int], Codes, Codes]:
    """The table of a judged column, per rank its block, and per code its rank."""
    contributions = contributions_of(records, model)
    n = len(records.problem.frequencies.values[records.problem.frequencies.names.index(model.columns[0])]) + 1
    rank = np.arange(n, dtype=np.int32)
    if not isinstance(contributions.ranges, Blocks):
        return _paired(contributions, model, n), np.zeros(n, dtype=np.int32), rank
    near = contributions.nearness
    blocks = np.unique(contributions.ranges.of, return_inverse=True)[1].reshape(-1).astype(np.int32)
    if near.apart:
        blocks[MISSING] = n
    if isinstance(near, Tree):
        axis = Axis.of_tree(near.ladder)
        by_rank = np.empty(n, dtype=np.int32)
        by_rank[axis.rank] = blocks
        return (IN_TREE, tree_table(axis), n), by_rank, axis.rank
    if isinstance(near, Numeric):
        return (ON_LINE, near.places, n), blocks, rank
    assert isinstance(near, Equal)
    return (IN_SET, np.array([0.0, 0.0, 1.0 - near.near]), n), blocks, rank


def _paired(contributions: Contributions, model: RangeDiversity, n: int) -> tuple[int, Numbers, int]:
    if n > MOST_PAIRED:
        raise UsageError.senseless(
            f"policy of range_diversity on column {model.columns[0]!r} with this search",
            f"the column has more than {MOST_PAIRED:,} different values",
            "give ranges or a level",
        )
    one, other = np.repeat(np.arange(n, dtype=np.int32), n), np.tile(np.arange(n, dtype=np.int32), n)
    return BY_PAIR, contributions.between(one, other) + contributions.between(other, one), n

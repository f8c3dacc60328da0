"""Apart: records publish their group, and a second table the sensitive values of each group. Bucketization."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from incrowd.core.axes import Axis
from incrowd.core.groups import Groups
from incrowd.core.table import MISSING
from incrowd.recodings import PublishedColumn, RecodingMap


@dataclass(frozen=True)
class ApartNames:
    """The names of the columns that link both tables."""

    group: str
    """In both."""
    count: str
    """In the second: how many records of a group have a value."""


def apart(groups: Groups, axis: Axis, names: ApartNames) -> tuple[RecodingMap, pa.Table]:
    """Return the recoding of each piece, and the second table; the axis is that of the groups' last column.

    Groups are numbered from 1, and the values of each come in the order of the axis.
    """
    labels = tuple(str(number) for number in range(1, groups.n + 1))
    codes = np.where(groups.kept, groups.group, 0).astype(np.int32)
    recoding = RecodingMap(
        groups.frequencies,
        groups.kept,
        (None,) * len(groups.frequencies.names),
        (groups.combination, groups.counts) if groups.splits else None,
        {names.group: PublishedColumn(codes, labels)},
    )
    group, ranks = groups.group[groups.kept].astype(np.int64), axis.rank[groups.published.codes[-1]]
    keys, of = np.unique(group * len(axis.rank) + ranks, return_inverse=True)
    counts = np.zeros(len(keys), dtype=np.int64)
    np.add.at(counts, of.reshape(-1), groups.counts[groups.kept])
    values = axis.code[keys % len(axis.rank)]
    cells = axis.values.take(pa.array(values - 1, mask=values == MISSING))
    owners = pa.array([labels[at] for at in (keys // len(axis.rank)).tolist()], pa.string())
    table = pa.table([owners, cells, pa.array(counts)], [names.group, axis.name, names.count])
    return recoding, table


def not_promised(group: str) -> str:
    """Return what such a release does not promise; `group` is the column that links both tables."""
    return (
        f"Classes are the groups of column {group}. Nothing is promised about quasi-identifiers, which are "
        "published as they are: whoever knows them sees who is in the table, and in which group."
    )

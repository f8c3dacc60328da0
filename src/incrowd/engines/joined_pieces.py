"""Publish equal records in different pieces: rows with places, joined in their engine with a table of pieces."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import pyarrow as pa

from incrowd.engines.joins import Drop, Upload, joined
from incrowd.engines.parting import HIGH, LOW, RUN, Shares, only_shares, with_runs
from incrowd.engines.publish import Publishing, recoded
from incrowd.recodings import RecodingMap


class Released(NamedTuple):
    """Rows of a release in their engine."""

    rows: nw.LazyFrame[Any]
    drop: Drop
    """Remove what they need there."""
    records: int


def join_pieces(
    source: str,
    rows: nw.LazyFrame[Any],
    links: Sequence[str],
    combinations: pa.Table,
    publishing: Publishing,
    recoding: RecodingMap,
    cells: Mapping[str, str],
    upload: Upload | None = None,
) -> Released:
    """Return the rows with the labels of their pieces.

    `combinations` are those of the engine: a column `c0`, `c1`, ... for each quasi-identifier, the links and `n`.
    `cells` are the published columns by the names that they get.
    """
    weights = np.asarray(combinations["n"].cast(pa.int64()))
    keys = {f"c{at}": name for at, name in enumerate(recoding.combinations.names)}
    shares = publishing.shares(combinations.select(list(keys)).rename_columns(list(keys.values())), weights)
    labels = {cell: name for cell, name in cells.items() if name in recoded(recoding)}
    table = _table(combinations, links, shares)
    for cell, name in labels.items():
        table = table.append_column(cell, publishing.labels(name, shares.piece))
    published = [cell for cell in cells if cell not in labels]
    placed = with_runs(rows, links, published, recoding, shares.length)
    found, drop = joined(source, placed, table, [*links, RUN], shares.joined, upload)
    return Released(only_shares(found), drop, shares.records)


def _table(combinations: pa.Table, links: Sequence[str], shares: Shares) -> pa.Table:
    """Return the shares with the links of their combinations and the run as `m0`, `m1`, ..."""
    at = pa.array(shares.combination)
    keys = [*(combinations[link].take(at) for link in links), pa.array(shares.run)]
    named = {f"m{number}": column for number, column in enumerate(keys)}
    return pa.table({**named, LOW: pa.array(shares.low), HIGH: pa.array(shares.high)})

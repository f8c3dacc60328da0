"""Rows whose values in a column are replaced by others in the engine that holds them."""

from collections.abc import Collection
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from incrowd.core.table import MISSING, Codes, Encoder
from incrowd.engines.joins import Upload, joined

KEY = "c0"
"""The column that is compared with the table of values."""


def replaced(
    source: str,
    rows: nw.LazyFrame[Any],
    link: str,
    found: pa.Table,
    values: pa.Array,
    became: Codes,
    cell: str,
    missing: Collection[str],
    upload: Upload | None,
) -> nw.LazyFrame[Any]:
    """Return rows that have a column KEY and its link, with the new value of that in place of `cell`.

    `found` has the values of KEY that there are, with their links and counts. `became` is by the code of a value among
    `values`, 0 for missing, the code of what it becomes.
    """
    cells = [name for name in rows.columns if name not in (KEY, link)]
    encoder = Encoder(KEY, missing)
    encoder.encode(values)
    local, lookup = encoder.encode(found[KEY].combine_chunks())
    codes = became[lookup[local]]
    new = values.take(pa.array(codes - 1, mask=codes == MISSING))
    table = pa.table({"m0": found[link], "v0": new})
    records = int(np.asarray(found["n"]).sum())
    # A temporary table of values ends with the connection.
    joined_rows: nw.LazyFrame[Any] = joined(source, rows, table, [link], records, upload)[0]
    return joined_rows.select(*[nw.col("v0").alias(cell) if each == cell else nw.col(each) for each in cells])

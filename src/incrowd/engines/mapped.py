"""Join rows with the small tables of their columns (`maps`), one after the other, in the engine that holds them."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import pyarrow as pa

from incrowd.engines.joins import Drop, Upload, check_found, joining
from incrowd.engines.maps import RANK, Maps
from incrowd.engines.parting import RUN, only_shares


def joined_by_maps(
    source: str,
    rows: nw.LazyFrame[Any],
    wanted: Maps,
    keys: Sequence[str],
    records: int,
    upload: Upload | None = None,
) -> tuple[nw.LazyFrame[Any], Drop]:
    """Return the rows that are published, with their labels and their rank, and a function that drops the tables.

    Raise SourceError if their number is not `records`.
    """
    send, join = joining(source, rows)
    drops: list[Drop] = []

    def sent(table: pa.Table, compared: Sequence[str]) -> Any:
        held, drop = send(rows.to_native(), table, compared, upload)
        drops.append(drop)
        return held

    def drop_all() -> None:
        for drop in drops:
            drop()

    try:
        numbers = [f"number{word}" for word in range(len(wanted.words))]
        # All before the first join: to an engine, a table is a query of its own.
        columns = {at: sent(table, [f"m{at}"]) for at, table in wanted.columns.items()}
        counted = wanted.combinations
        compared = [*numbers] if wanted.parted is None else [*numbers, RUN]
        combinations = None if counted is None else sent(counted, [f"n{at}" for at in range(len(compared))])
        native = rows.to_native()
        for at, table in columns.items():
            native = join(native, table, [(keys[at], f"m{at}")], "inner")
        found: nw.LazyFrame[Any] = nw.from_native(native)
        for name, parts in zip(numbers, wanted.words, strict=True):
            found = found.with_columns(_sum([f"k{at}" for at in parts]).alias(name))
        if wanted.parted is not None:
            found = wanted.parted.with_runs(found, numbers)
        if combinations is not None:
            pairs = [(name, f"n{at}") for at, name in enumerate(compared)]
            found = nw.from_native(join(found.to_native(), combinations, pairs, wanted.how))
        if wanted.parted is not None:
            found = only_shares(found)
        if RANK not in found.collect_schema().names():
            found = found.with_columns((nw.col(numbers[0]) if numbers else nw.lit(0)).alias(RANK))
        check_found(source, found, records)
    except BaseException:
        drop_all()
        raise
    return found, drop_all


def _sum(columns: Sequence[str]) -> nw.Expr:
    found = nw.col(columns[0])
    for column in columns[1:]:
        found = found + nw.col(column)
    return found

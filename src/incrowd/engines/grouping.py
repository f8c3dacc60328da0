"""Distinct combinations of columns, grouped and counted in the engine that holds the rows."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import pyarrow as pa

from incrowd.engines.cells import fetched


def grouped(rows: nw.LazyFrame[Any], links: Sequence[str]) -> nw.LazyFrame[Any]:
    """Return the distinct combinations of the links, with counts `n`."""
    return rows.group_by(*links, drop_null_keys=False).agg(nw.len().alias("n"))


def length(rows: nw.LazyFrame[Any]) -> int:
    """Return the number of rows, counted by their engine."""
    return int(rows.select(nw.len().alias("n")).collect(backend="pyarrow").item())


def counted(
    rows: nw.LazyFrame[Any],
    links: Sequence[str],
    keys: Sequence[str],
    wanted: Sequence[str],
    most: int | None = None,
) -> pa.Table:
    """Return the wanted columns of the distinct combinations of the keys, compared by the links, and counts `n`.

    If there are more than `most`, one more than that is returned, to show it.
    """
    kinds = rows.collect_schema()
    pairs = zip(keys, links, strict=True)
    # Bytes are the text itself, and one column is sooner grouped than two.
    texts = {key: link for key, link in pairs if key != link and isinstance(kinds[link], nw.Binary)}
    names = dict.fromkeys([*(key for key in keys if key not in texts), *links])
    found = grouped(rows, list(names)).select(*dict.fromkeys([texts.get(name, name) for name in wanted]), "n")
    arrow = fetched(found if most is None else found.head(most + 1))
    cells = [arrow[texts[name]].cast(pa.string()) if name in texts else arrow[name] for name in wanted]
    return pa.table([*cells, arrow["n"]], [*wanted, "n"])

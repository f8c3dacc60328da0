"""Pass 2 over a lazy frame: its rows, recoded in the engine that holds them.

The engine counts the combinations once more, so that records that came or went since are noticed. What is published of
each is looked up here. If all published columns were counted, their classes are the release (`repeated`); else its rows
are joined with the labels (`mapped`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import pyarrow as pa

from incrowd.core.frequencies import Counts
from incrowd.core.table import in_numpy
from incrowd.engines.cells import fetched, kept_kinds, shared
from incrowd.engines.frozen import Frozen
from incrowd.engines.grouping import counted
from incrowd.engines.joins import Upload, fetch_batches, link_keys, nothing
from incrowd.engines.mapped import joined_by_maps
from incrowd.engines.maps import RANK, Combinations, longs, maps
from incrowd.engines.parting import Parted
from incrowd.engines.publish import Declared, Published, Publishing, recoded
from incrowd.engines.repeated import REPEATING, repeated
from incrowd.errors import SourceError
from incrowd.recodings import RecodingMap
from incrowd.watch import Watch

_WHOLE = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64)
_SIMPLE = (nw.String, nw.Boolean, nw.Float32, nw.Float64, nw.Date, nw.Datetime, nw.Binary, *_WHOLE)
"""Types whose values come back from Arrow as they went."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where the rows are."""

    name: str
    """Of the source, in messages."""
    missing: Collection[str]
    upload: Upload | None
    reading: Callable[[Iterable[str]], AbstractContextManager[None]]
    """Replaces the engine's errors, which may quote a record, while columns are read."""
    declared: Declared
    """The types of published columns that their database has and Arrow lacks."""


def lazy_release(
    place: Place,
    rows: nw.LazyFrame[Any],
    names: Mapping[str, str],
    cells: Mapping[str, str],
    recoding: RecodingMap,
    watch: Watch,
) -> Published:
    """Return the published records.

    `names` has the columns of the rows to count, with their names: the quasi-identifiers come first. `cells` has the
    published columns; those that are published as they are are columns of the rows, too.
    """
    engine = rows.implementation.value
    rows, links = link_keys(rows, list(names))
    found = combinations(place.name, rows, list(names), links)
    given, counts, parted = _looked_up(place, found, names, links, recoding, cells)
    records = int(counts[given.kept].sum())
    classes = repeated(given, counts, list(cells)) if _is_counted(rows, given, cells) else None
    columns = list(cells.values())
    unchanged = {cell: name for cell, name in cells.items() if cell not in given.labels}

    def joined_rows() -> Frozen:
        release, drop = joined_by_maps(place.name, rows, maps(given, list(cells), parted), links, records, place.upload)
        others = [cell for cell in unchanged if cell not in given.of]
        return Frozen(release.select(*cells, RANK), drop, list(cells), [RANK, *others])

    @cache
    def frozen() -> Frozen:
        if classes is None or engine not in REPEATING:
            return joined_rows()
        native = REPEATING[engine](rows.to_native(), classes, list(unchanged))
        return Frozen(nw.from_native(native), nothing, list(cells))

    if classes is None:
        frozen()

    def batches() -> Iterator[pa.RecordBatch]:
        with place.reading(columns):
            found = _records(place, frozen().rows, cells) if classes is None else classes.batches()
            yield from (batch.rename_columns(columns) for batch in found)

    def schema() -> pa.Schema:
        with place.reading(columns):
            kinds = _kinds(frozen().rows, cells) if classes is None else _kinds(rows, unchanged)
            kinds |= {cell: of.type.value_type for cell, of in given.labels.items() if cell not in kinds}
            return pa.schema([(name, kinds[cell]) for cell, name in cells.items()])

    def frame(is_sorted: bool = False) -> Any:
        watch.tick(f"computing the release in {engine}")
        with place.reading(columns):
            held = frozen().freeze(is_sorted)
            return held.select(*[nw.col(cell).alias(name) for cell, name in cells.items()]).to_native()

    def discard() -> None:
        if frozen.cache_info().currsize:
            frozen().drop()

    in_order = classes is not None
    return Published(schema, batches, frame, lambda: frame(True), records, discard, place.declared, in_order=in_order)


def _records(place: Place, rows: nw.LazyFrame[Any], cells: Mapping[str, str]) -> Iterator[pa.RecordBatch]:
    return fetch_batches(place.name, shared(rows, cells))


def _kinds(rows: nw.LazyFrame[Any], cells: Mapping[str, str]) -> dict[str, pa.DataType]:
    """Return the types that columns have in Arrow."""
    if not cells:
        return {}
    shown = rows.select(*cells)
    schema = fetched(shared(shown, cells).head(0)).schema
    return {**dict(zip(schema.names, schema.types, strict=True)), **kept_kinds(shown)}


def _is_counted(rows: nw.LazyFrame[Any], given: Combinations, cells: Mapping[str, str]) -> bool:
    """Return whether the counts tell the whole release: all its columns were counted, in types that Arrow has.

    The rows of Polars have an order, which a release may keep.
    """
    if rows.implementation.is_polars() or any(cell not in given.labels and cell not in given.of for cell in cells):
        return False
    kinds = rows.collect_schema()
    # Ibis does not always know the digits of decimal numbers.
    simple = _SIMPLE if rows.implementation.is_ibis() else (*_SIMPLE, nw.Decimal)
    return all(cell in given.labels or isinstance(kinds[cell], simple) for cell in cells)


def combinations(source: str, rows: nw.LazyFrame[Any], keys: Sequence[str], links: Sequence[str]) -> pa.Table:
    """Return the distinct combinations of the keys and of the links that the engine compares, with their counts."""
    found = counted(rows, links, keys, list(dict.fromkeys([*keys, *links])))
    if any(key != link and _share(found[link], found[key]) for key, link in zip(keys, links, strict=True)):
        raise SourceError.of(
            source,
            f"{rows.implementation.value} converts different quasi-identifier values to the same text",
            "convert columns of unusual types to text first",
        )
    return found.combine_chunks()


def _share(links: pa.ChunkedArray, keys: pa.ChunkedArray) -> bool:
    """Return whether different values of a column have the same link."""
    if pa.types.is_binary(links.type):
        # The text itself.
        return False
    of_link, of_key = (each.combine_chunks().dictionary_encode(null_encoding="encode") for each in (links, keys))
    pairs = in_numpy(of_link.indices).astype(np.int64) * (len(of_key.dictionary) + 1) + in_numpy(of_key.indices)
    return len(np.unique(pairs)) > len(of_link.dictionary)


class _LookedUp(NamedTuple):
    given: Combinations
    """The combinations, or each share of a piece in one, with what is published for them."""
    counts: Counts
    parted: Parted | None
    """How equal records are numbered, if they are published differently."""


def _looked_up(
    place: Place,
    found: pa.Table,
    names: Mapping[str, str],
    links: Sequence[str],
    recoding: RecodingMap,
    cells: Mapping[str, str],
) -> _LookedUp:
    """Return what is published for the combinations that the engine found."""
    publishing = Publishing(place.name, recoding, place.missing)
    counts = np.asarray(found["n"].cast(pa.int64()))
    keys = {name: key for key, name in names.items()}
    quasi = recoding.combinations.names
    texts, at = recoded(recoding), list(keys)
    asked = found.select([keys[name] for name in quasi]).rename_columns(list(quasi))
    if recoding.pieces is None:
        every = [publishing.numbers(batch, counts) for batch in asked.to_batches()]
        numbers, parted = np.concatenate([np.empty(0, dtype=np.int32), *every]), None
        kept = publishing.kept(numbers)
    else:
        shares = publishing.shares(asked, counts)
        parted = Parted.of(shares, recoding, [cell for cell, name in cells.items() if name not in texts])
        found, numbers, counts = found.take(longs(shares.combination)), shares.piece, shares.counts
        kept = np.ones(len(numbers), dtype=np.bool_)
    given = Combinations(
        [found[key].combine_chunks() for key in names],
        [found[link].combine_chunks() for link in links],
        kept,
        {cell: publishing.coded(name, numbers) for cell, name in cells.items() if name in texts},
        {cell: at.index(name) for cell, name in cells.items() if name in keys},
    )
    return _LookedUp(given, counts, parted)

"""Ranges that a release has in two columns, read as one column of ranges."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from incrowd.core.axes import texts_of
from incrowd.core.numbers import exact, written
from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.release import Manifest
from incrowd.release.ends import ENDS, columns_of_ends


def joined_ends(source: Source, manifest: Manifest | None) -> Source:
    """Return the release with one column for both ends of a range, if its manifest says that some have two."""
    asked = [] if manifest is None else [column.name for column in manifest.quasi if column.form == ENDS]
    pairs = {name: columns_of_ends(name) for name in asked if set(columns_of_ends(name)) <= set(source.columns)}
    if not pairs:
        return source
    gone = {end for ends in pairs.values() for end in ends}

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        wanted = list(dict.fromkeys(part for name in columns for part in pairs.get(name, (name,))))
        for batch in source.cells(wanted):
            cells = dict(zip(wanted, batch.columns, strict=True))
            arrays = [
                _ranges(*(cells[end] for end in pairs[name])) if name in pairs else cells[name] for name in columns
            ]
            yield pa.RecordBatch.from_arrays(arrays, list(columns))

    kept = tuple(name for name in source.columns if name not in gone)
    missing = getattr(source, "missing", ())
    return StreamSource(source.name, (*kept, *pairs), batches, missing)


def _ranges(low: pa.Array, high: pa.Array) -> pa.Array:
    rows = list(zip(_texts(low), _texts(high), strict=True))
    label_of = {row: _range(*row) for row in set(rows)}
    return pa.array([label_of[row] for row in rows], pa.string())


def _texts(cells: pa.Array) -> list[str | None]:
    coded = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
    texts = texts_of(coded.dictionary)
    return [None if code is None else texts[code] for code in coded.indices.to_pylist()]


def _range(low: str | None, high: str | None) -> str | None:
    if low is None or high is None:
        return low or high or None
    one, other = (end if (number := exact(end)) is None else written(number) for end in (low, high))
    return one if one == other else f"{one} to {other}"

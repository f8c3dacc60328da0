"""Several sources read as one: their records one after the other."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from incrowd.core.frequencies import FrequencySet
from incrowd.core.prepare import Prepare
from incrowd.core.table import MISSING, Column, Table
from incrowd.engines.publish import Kinds, Published, cannot_split, common_schema
from incrowd.engines.repeating import repeating
from incrowd.engines.source import Source, Steps
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError, Unconfirmed, listed
from incrowd.recodings import RecodingMap
from incrowd.watch import Watch


def union(sources: Sequence[Source]) -> Source:
    """Return one source of all records; the sources must have the same columns, in any order."""
    first = sources[0]
    for source in sources[1:]:
        _same_columns(first, source)
    if len(sources) == 1:
        return first
    name = f"{first.name} and {len(sources) - 1} more"
    streams = [source for source in sources if isinstance(source, StreamSource)]
    if len(streams) == len(sources) and len({frozenset(stream.missing) for stream in streams}) == 1:
        return _chained(name, streams)
    return UnionSource(name, sources)


def _same_columns(first: Source, other: Source) -> None:
    lacks = [name for name in first.columns if name not in other.columns]
    besides = [name for name in other.columns if name not in first.columns]
    faults = [f"{words} {listed(names)}" for words, names in (("lacks", lacks), ("also has", besides)) if names]
    unconfirmed = any(isinstance(source.columns, Unconfirmed) for source in (first, other))
    if len(lacks) == len(first.columns) or (faults and unconfirmed):
        # One of them may have no header: then these are not names, but the cells of a record.
        common = len(first.columns) - len(lacks)
        raise SourceError.of(
            other.name,
            f"it has {common or 'none'} of the {len(first.columns)} columns of {first.name}, and {len(besides)} others",
            "sources read together must have the same columns; check that both have a header",
        )
    if faults:
        raise SourceError.of(
            other.name,
            f"its columns differ from those of {first.name}: it {' and '.join(faults)}",
            "sources read together must have the same columns",
        )


def _chained(name: str, streams: Sequence[StreamSource]) -> StreamSource:
    """Return the streams chained into one, with a single encoding and a single count."""

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for stream in streams:
            yield from stream.batches(columns)

    typed = all(stream.is_typed for stream in streams)
    return StreamSource(name, streams[0].columns, batches, streams[0].missing, _common_kinds(streams), typed)


def _common_kinds(streams: Sequence[StreamSource]) -> Kinds | None:
    """Return the cell types, if known for all streams."""
    known = [pa.schema(list(stream.kinds.items())) for stream in streams if stream.kinds is not None]
    if len(known) < len(streams):
        return None
    return {field.name: field.type for field in common_schema(known)}


class UnionSource:
    """Sources that are not all streams: each is counted in its own engine, and the counts are merged."""

    def __init__(self, name: str, parts: Sequence[Source]) -> None:
        self.name = name
        self.columns = parts[0].columns
        self._parts = parts

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """Return the distinct combinations of the columns with their counts."""
        [counted] = self.count_each([columns], watch)
        return counted

    def count_each(self, sets: Sequence[Sequence[str]], watch: Watch) -> list[FrequencySet]:
        """Return the counts of several sets of columns, each part counted in its own engine."""
        parts = [part.count_each(sets, watch) for part in self._parts]
        return [FrequencySet.merge(list(of_set)) for of_set in zip(*parts, strict=True)]

    def count_and_compare(
        self, sets: Sequence[Sequence[str]], columns: Sequence[str], watch: Watch
    ) -> tuple[list[FrequencySet], tuple[str, ...]]:
        """Return the same, and those of the other columns in which values repeat, in any of the parts."""
        return self.count_each(sets, watch), repeating(self.cells(columns), columns)

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """Return the columns in row order, source after source, encoded again."""
        batches = (_batch(part.table(columns, watch)) for part in self._parts)
        return Table.from_batches(columns, batches)

    def cells(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the cells of some columns, source after source."""
        for part in self._parts:
            yield from part.cells(columns)

    can_part = False

    def normalized(self, steps: Steps) -> "UnionSource":
        """Return the same records with some columns in their normal form."""
        return UnionSource(self.name, [part.normalized(steps) for part in self._parts])

    def prepared(self, prepare: Prepare) -> Source:
        """Raise SourceError: records of different kinds have no common order, and their cells no common types."""
        raise SourceError.of(
            self.name,
            "names, values, types and rows cannot be prepared where sources of different kinds are read as one",
            "prepare each by itself, or bring all into one format",
        )

    def publish(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> Published:
        """Return the records as the recoding publishes them, source after source."""
        if recoding.pieces is not None or recoding.added:
            raise cannot_split(self.name, "the records are in sources of different kinds")
        parts = [part.publish(recoding, columns, watch) for part in self._parts]

        def rows() -> Iterator[pa.RecordBatch]:
            for part in parts:
                yield from part.batches()

        return Published(lambda: common_schema(part.schema for part in parts), rows)


def _batch(table: Table) -> pa.RecordBatch:
    arrays = [_dictionary(column) for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, [column.name for column in table.columns])


def _dictionary(column: Column) -> pa.DictionaryArray:
    codes = pa.array(column.codes - 1, mask=column.codes == MISSING)
    return pa.DictionaryArray.from_arrays(codes, column.values)

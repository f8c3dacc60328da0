"""A release from the counts: the same bytes as from the records, which are not read again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.publishing import recoding_of
from engines.same_rows import KINDS
from engines.test_frames_properties import tables
from incrowd.core.frequencies import FrequencySet
from incrowd.engines.order import arranged
from incrowd.engines.publish import Published, publish
from incrowd.engines.streams import StreamSource
from incrowd.recodings import PublishedColumn, RecodingMap
from incrowd.watch import Watch
from strategies import splits


def stream(table: pa.Table, parts: Sequence[slice], reads: list[tuple[str, ...]]) -> StreamSource:
    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        reads.append(tuple(columns))
        for part in parts:
            yield from table.select(list(columns)).slice(part.start, part.stop - part.start).to_batches()

    kinds = {field.name: field.type for field in table.schema}
    return StreamSource("the stream", tuple(table.column_names), batches, ("b", "2"), kinds)


def both_ways(
    source: StreamSource, recoding: RecodingMap, columns: Sequence[str], wider: FrequencySet | None = None
) -> tuple[pa.Table, pa.Table]:
    """The release from the records, and from the counts."""
    published = publish(source, recoding, columns, Watch())
    assert published.from_counts(wider) is not None
    return all_of(arranged(replace(published, from_counts=lambda _: None), Watch())), all_of(
        arranged(published, Watch(), wider)
    )


def all_of(published: Published) -> pa.Table:
    return pa.Table.from_batches(published.batches(), published.schema)


def in_pieces(recoding: RecodingMap, random: np.random.Generator) -> RecodingMap:
    """The same combinations, each cut into pieces that are published differently."""
    counts = recoding.combinations.counts
    first = np.array([random.integers(1, count + 1) for count in counts], dtype=np.int64)
    every = np.repeat(np.arange(len(counts)), np.where(first < counts, 2, 1))
    sizes = np.concatenate([np.array([a, n - a])[: 1 + (a < n)] for a, n in zip(first, counts, strict=True)] or [first])
    columns = tuple(
        None
        if of is None
        else PublishedColumn(random.integers(0, len(of.labels), len(every)).astype(np.int32), of.labels)
        for of in recoding.columns
    )
    return RecodingMap(recoding.combinations, random.random(len(every)) < 0.7, columns, (every, sizes))


@settings(max_examples=60)
@given(tables("pyarrow"), st.data())
def test_any_table_in_any_batches(columns: dict[str, Any], data: st.DataObject) -> None:
    table = pa.table({name: column.arrow() for name, column in columns.items()})
    reads: list[tuple[str, ...]] = []
    source = stream(table, data.draw(splits(table.num_rows)), reads)
    names = list(columns)
    quasi = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    recoding = recoding_of(source.count(quasi, Watch()), data.draw(st.lists(st.sampled_from(quasi))))
    shown = data.draw(st.permutations(quasi))
    one, other = both_ways(source, recoding, shown)
    assert other.equals(one)
    assert other.schema == one.schema
    parted = in_pieces(recoding, np.random.default_rng(table.num_rows))
    one, other = both_ways(source, parted, shown)
    assert other.equals(one)
    wider = source.count(names, Watch())
    reads.clear()
    one, other = both_ways(source, recoding, data.draw(st.permutations(names)), wider)
    assert other.equals(one)
    assert len(reads) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_cell(kind: str) -> None:
    table = pa.table({kind: KINDS[kind].arrow(), "few": ["x", "y", None] * 3 + ["x", "x"]})
    source = stream(table, [slice(0, 4), slice(4, 11)], [])
    recoding = recoding_of(source.count(["few"], Watch()), share=1.0)
    one, other = both_ways(source, recoding, ["few", kind], source.count([kind, "few"], Watch()))
    assert other.equals(one)
    recoding = recoding_of(source.count([kind], Watch()), [kind], share=1.0)
    one, other = both_ways(source, recoding, [kind])
    assert other.equals(one)


def test_what_was_not_counted_is_read() -> None:
    table = pa.table({"town": list("aabbb"), "note": list("vwxyz")})
    reads: list[tuple[str, ...]] = []
    source = stream(table, [slice(0, 5)], reads)
    recoding = recoding_of(source.count(["town"], Watch()), ["town"], share=1.0)
    published = publish(source, recoding, ["town", "note"], Watch())
    others = [None, source.count(["note"], Watch()), stream(table, [slice(0, 4)], []).count(["town", "note"], Watch())]
    assert [published.from_counts(wider) for wider in others] == [None, None, None]
    reads.clear()
    found = all_of(arranged(published, Watch(), others[2]))
    assert found["note"].to_pylist() == list("xyzvw")
    assert len(reads) == 1


def test_records_of_a_piece_are_as_many_as_were_counted() -> None:
    """More than a batch of equal records, between others."""
    towns = ["a"] * 3 + ["b"] * 200_000 + ["c"] * 2
    source = stream(pa.table({"town": towns}), [slice(0, 70_000), slice(70_000, 200_005)], [])
    recoding = recoding_of(source.count(["town"], Watch()), ["town"], share=1.0)
    published = arranged(publish(source, recoding, ["town"], Watch()), Watch())
    assert all_of(published)["town"].to_pylist() == [None] * 200_000 + ["a"] * 3 + ["c"] * 2
    assert max(batch.num_rows for batch in published.batches()) <= 1 << 16

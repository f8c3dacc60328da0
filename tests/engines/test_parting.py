"""Equal records in different pieces, in every engine: each piece gets as many as it has, whichever they are."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.publishing import ROW, cells_of, numbered, published_as
from engines.same_rows import ENGINES, KINDS, Column, arrow_table, held_by
from incrowd.core.frequencies import FrequencySet
from incrowd.engines.frames import FrameSource
from incrowd.engines.parting import shares, surplus
from incrowd.engines.publish import publish
from incrowd.errors import SourceError
from incrowd.recodings import PublishedColumn, RecodingMap
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")


def parted(frequencies: FrequencySet, seed: int = 0, share: float = 0.8) -> RecodingMap:
    """A recoding with up to four pieces for each combination; the first column publishes which piece it is."""
    random = np.random.default_rng(seed)
    of, counts = [], []
    for combination, count in enumerate(frequencies.counts.tolist()):
        cuts = np.unique(random.integers(1, count + 1, 3)) if count > 1 else []
        sizes = np.diff([0, *[cut for cut in cuts if cut < count], count])
        of += [combination] * len(sizes)
        counts += sizes.tolist()
    labels = tuple(f"piece {at}" for at in range(len(of)))
    first = PublishedColumn(np.arange(len(of), dtype=np.int32), labels)
    rest = (None,) * (len(frequencies.names) - 1)
    pieces = np.array(of, dtype=np.int64), np.array(counts, dtype=np.int64)
    return RecodingMap(frequencies, random.random(len(of)) < share, (first, *rest), pieces)


def counts_of(recoding: RecodingMap) -> dict[str, int]:
    """How many records each piece publishes."""
    assert recoding.pieces is not None
    counts = enumerate(recoding.pieces[1].tolist())
    return {f"piece {at}": count for at, count in counts if recoding.kept[at]}


@st.composite
def counted_elsewhere(draw: st.DrawFn) -> tuple[RecodingMap, np.ndarray, np.ndarray]:
    """A recoding, and its combinations as an engine counts them: some of them more than once, in any order."""
    counts = draw(st.lists(st.integers(1, 40), min_size=1, max_size=8))
    values = (pa.array(range(len(counts))),)
    codes = np.arange(1, len(counts) + 1, dtype=np.int32)[None, :]
    frequencies = FrequencySet(("a",), values, codes, np.array(counts, dtype=np.int64))
    recoding = parted(frequencies, draw(st.integers(0, 99)), draw(st.sampled_from([0.0, 0.6, 1.0])))
    rows = []
    for combination, count in enumerate(counts):
        cut = draw(st.integers(1, count))
        rows += [(combination, part) for part in (cut, count - cut) if part]
    rows = draw(st.permutations(rows))
    combination, weights = (np.array(each, dtype=np.int64) for each in zip(*rows, strict=True))
    return recoding, combination.astype(np.int32), weights


@settings(max_examples=200)
@given(counted_elsewhere())
def test_every_place_goes_to_one_piece(given: tuple[RecodingMap, np.ndarray, np.ndarray]) -> None:
    """Place by place: what a join by runs and a filter by range leaves."""
    recoding, combination, weights = given
    found = shares(recoding, combination, weights)
    left: Counter[int] = Counter()
    taken: Counter[tuple[int, int]] = Counter()
    joined = 0
    for at, piece, run, low, high in zip(*found[:5], strict=True):
        places = range(run, min(run + found.length, weights[at]))
        joined += len(places)
        inside = [place for place in places if low <= place < high]
        assert inside
        assert recoding.pieces is not None
        assert recoding.pieces[0][piece] == combination[at]
        left[int(piece)] += len(inside)
        taken.update((int(at), place) for place in inside)
    assert set(taken.values()) <= {1}
    assert {f"piece {at}": count for at, count in left.items()} == counts_of(recoding)
    assert found.counts.sum() == sum(left.values()) == recoding.records
    # What makes it quick: neither the table nor what is joined is much longer than it must be.
    shared = len(set(zip(found.combination.tolist(), found.piece.tolist(), strict=True)))
    assert len(found.piece) <= 4 * shared
    assert joined <= 3 * recoding.records


def test_more_records_than_were_counted() -> None:
    frequencies = FrequencySet(("a",), (pa.array([1, 2]),), np.array([[1, 2]], dtype=np.int32), np.array([3, 4]))
    recoding = parted(frequencies)
    assert surplus(recoding, np.array([0, 1, 0], dtype=np.int32), np.array([2, 4, 1])) == 0
    assert surplus(recoding, np.array([0, 1, 0], dtype=np.int32), np.array([2, 4, 3])) == 2
    # Fewer of another do not make up for them.
    assert surplus(recoding, np.array([0, 1], dtype=np.int32), np.array([5, 1])) == 2


REPEATED = {
    "town": Column(pa.string(), ["Graz", None, "Wien", "Graz", "", "日本"] * 12),
    "age": Column(pa.int64(), [40, 41, 40, 40, None, -9] * 12),
    "weight": Column(pa.float64(), [1.5, float("nan"), 0.0, 1.5, -0.0, None] * 12),
    "note": Column(pa.string(), [f"n{at * 7 % 72}" for at in range(72)]),
}
QUASI = ["town", "age", "weight"]


@pytest.mark.core
@pytest.mark.parametrize("engine", ENGINES)
def test_each_piece_gets_its_records(build: Build, engine: str) -> None:
    columns = numbered(REPEATED)
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    assert source.can_part
    recoding = parted(source.count(QUASI, Watch()))
    assert recoding.pieces is not None
    published = published_as(source, recoding, ["town", "note"])
    made = published.frame()
    assert type(made) is type(frame)
    cells = cells_of(made)
    assert Counter(cells["town"]) == counts_of(recoding)
    assert published.records == recoding.records == len(set(cells[ROW]))
    # Every record is in a piece of its combination, and its other cells are its own.
    combinations = [[None, *values.to_pylist()] for values in recoding.combinations.values]
    for row, label, note in zip(cells[ROW], cells["town"], cells["note"], strict=True):
        codes = recoding.combinations.codes[:, recoding.pieces[0][int(label.removeprefix("piece "))]]
        for name, code, values in zip(QUASI, codes, combinations, strict=True):
            given = REPEATED[name].cells[row]
            assert values[code] == (None if given != given else given)
        assert note == REPEATED["note"].cells[row]
    batches = pa.Table.from_batches(list(published.batches()), published.schema)
    assert Counter(batches["town"].to_pylist()) == counts_of(recoding)


@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb", "ibis_sqlite", "ibis_postgres", "spark"])
def test_a_quasi_identifier_of_each_kind(build: Build, engine: str) -> None:
    """Engines number records by the same equality by which they group and join."""
    names = [name for name in held_by(engine) if name in KINDS]
    table = pa.concat_tables([arrow_table({name: held_by(engine)[name] for name in names})] * 3)
    source = FrameSource(build(engine, table.append_column(ROW, pa.array(range(table.num_rows)))))
    for name in names if engine != "spark" else names[:3]:
        recoding = parted(source.count([name], Watch()))
        assert Counter(cells_of(published_as(source, recoding, [name]).frame())[name]) == counts_of(recoding), name


@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb", "ibis_sqlite", "spark"])
def test_who_goes_where(build: Build, engine: str) -> None:
    """The same in every execution, whatever the order of the source, and not the order of what is published."""
    rows = 60
    table = pa.table({"town": ["Graz"] * rows, "income": [at * 37 % rows for at in range(rows)], ROW: range(rows)})
    turned = table.take(list(reversed(range(rows))))
    frequencies = FrameSource(table).count(["town"], Watch())
    pieces = np.zeros(2, dtype=np.int64), np.array([rows // 2, rows // 2])
    column = PublishedColumn(np.array([0, 1], dtype=np.int32), ("low", "high"))
    recoding = RecodingMap(frequencies, np.ones(2, dtype=np.bool_), (column,), pieces)

    def lows(given: pa.Table) -> list[int]:
        release = publish(FrameSource(build(engine, given)), recoding, ["town", "income"], Watch()).frame()
        cells = cells_of(release)
        return sorted(income for town, income in zip(cells["town"], cells["income"], strict=True) if town == "low")

    first = lows(table)
    assert first == lows(turned) == lows(table)
    assert len(first) == rows // 2
    middle = sum(income < rows // 2 for income in first)
    assert rows // 8 < middle < rows // 2 - rows // 8, (
        "neither the lower half nor the upper one goes to the first piece"
    )


@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb", "ibis_sqlite", "spark"])
def test_the_data_changed(build: Build, engine: str) -> None:
    """More records of a combination than were counted are no others' records."""
    columns = numbered(REPEATED)
    recoding = parted(FrameSource(arrow_table(columns)).count(QUASI, Watch()), share=1.0)
    more = pa.concat_tables([arrow_table(columns), arrow_table(columns).slice(0, 1)])
    with pytest.raises(SourceError, match=r"^the frame: 1 record has a combination .* that was not counted; "):
        publish(FrameSource(build(engine, more)), recoding, ["note"], Watch())
    fewer = arrow_table(columns).slice(1)
    with pytest.raises(SourceError, match=r"^the frame: 72 records were expected for the release, 71 were found; "):
        publish(FrameSource(build(engine, fewer)), recoding, ["note"], Watch())
    other = replace(recoding, kept=np.zeros(len(recoding.kept), dtype=np.bool_))
    assert publish(FrameSource(build(engine, arrow_table(columns))), other, ["note"], Watch()).records == 0

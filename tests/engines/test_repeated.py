"""A release of counted columns alone, in every engine: its classes, as often as they were counted."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from engines.publishing import cells_of, exact, recoding_for, row_by_row
from engines.same_rows import Column, Columns, arrow_table, held_by, plain
from engines.test_publish import same_types
from incrowd.engines import lazy_release, mapped
from incrowd.engines.frames import FrameSource
from incrowd.engines.publish import Published, publish
from incrowd.watch import Watch

Build = Callable[[str, pa.Table], Any]

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

LAZY = ("duckdb", "ibis_duckdb", "ibis_sqlite", "ibis_postgres", "spark")
REPEATED = ("duckdb", "spark")
"""Engines in which the frame is made of classes as well; of the others it is the batches alone."""
TIMES = 3


def often(columns: Columns) -> Columns:
    """The same rows several times, so that classes have records."""
    return {name: Column(column.kind, list(column.cells) * TIMES) for name, column in columns.items()}


def rows_of(frame: Any) -> Counter[tuple[Any, ...]]:
    """The rows of a frame, in any order."""
    return Counter(zip(*(map(exact, column) for column in cells_of(frame).values()), strict=True))


def expected_of(columns: Columns, given: Any, recoding: Any, names: list[str]) -> Counter[tuple[Any, ...]]:
    """What plain Python publishes, of the cells that the engine holds."""
    found = row_by_row(columns, recoding)
    before = cells_of(given)
    zero = {name: [cell + 0.0 if isinstance(cell, float) else cell for cell in cells] for name, cells in before.items()}
    return Counter(tuple(exact(labels.get(name, zero[name][row])) for name in names) for row, labels in found.items())


@pytest.fixture
def joins(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources whose rows were joined."""
    found: list[str] = []
    honest = mapped.joined_by_maps

    def noted(source: str, *given: Any, **more: Any) -> Any:
        found.append(source)
        return honest(source, *given, **more)

    monkeypatch.setattr(lazy_release, "joined_by_maps", noted)
    return found


def check(engine: str, build: Build, columns: Columns, unchanged: list[str], joins: list[str]) -> None:
    """Frame and batches have the very records, and no row was joined."""
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    names = list(columns)
    recoding = recoding_for(source, names, unchanged)
    published = publish(source, recoding, names, Watch())
    expected = expected_of(columns, frame, recoding, names)
    assert published.records
    assert expected.total() == published.records
    assert Counter(map(len, [batch.schema.names for batch in published.batches()])) == {len(names): 1}
    table = pa.Table.from_batches(published.batches(), published.schema)
    assert joins == []
    made = published.arranged() if published.arranged else None
    assert joins == ([] if engine in REPEATED else ["the frame"])
    assert type(made) is type(frame)
    assert rows_of(made) == expected
    assert same_types(engine, frame, made, unchanged)
    texts = [name for name in names if name not in unchanged]
    assert Counter(zip(*(plain(table[name]) for name in texts), strict=True)) == Counter(
        zip(*(cells_of(made)[name] for name in texts), strict=True)
    )
    published.discard()


@pytest.mark.parametrize("engine", LAZY)
def test_every_kind_of_column(build: Build, engine: str, joins: list[str]) -> None:
    # Types that Arrow or the engine has no equal of are joined.
    apart = ("category", "nothing", "one value", *(("decimal", "wide decimal") if engine.startswith("ibis") else ()))
    kinds = {kind: column for kind, column in held_by(engine).items() if kind not in apart}
    check(engine, build, often(kinds), list(kinds)[::2], joins)


@pytest.mark.parametrize("engine", LAZY)
def test_kept_columns_with_few_combinations(build: Build, engine: str, joins: list[str]) -> None:
    columns = often({"town": Column(pa.string(), ["Graz", "Wien", None]), "ill": Column(pa.string(), ["a", None, "b"])})
    frame = build(engine, arrow_table(columns))
    source = FrameSource(frame)
    recoding = recoding_for(source, ["town"], share=1.0)
    source.count(["ill", "town"], Watch())
    published = publish(source, recoding, ["town", "ill"], Watch())
    assert rows_of(published.frame()) == expected_of(columns, frame, recoding, ["town", "ill"])
    assert joins == ([] if engine in REPEATED else ["the frame"])
    # Nobody counted them, so they may be many.
    joins.clear()
    other = FrameSource(frame)
    assert rows_of(publish(other, recoding, ["town", "ill"], Watch()).frame()) == rows_of(published.frame())
    assert joins == ["the frame"]


def in_its_order(published: Published) -> list[tuple[Any, ...]]:
    """The rows of the sorted frame."""
    assert published.arranged is not None
    return list(zip(*cells_of(published.arranged()).values(), strict=True))


@pytest.mark.parametrize("kept", [[], ["note"]])
@pytest.mark.parametrize("engine", LAZY)
def test_the_order_is_that_of_the_cells(build: Build, engine: str, kept: list[str]) -> None:
    """Joined or repeated, whatever the order of the rows."""
    town: list[str | None] = [None, "b", "a", "b", None, "a", "c", "c"]
    age = [9, 10, 2, 2, 10, 9, 2, 2]
    note = ["z", "y", "x", "w", "v", "u", "t", "s"]
    found = []
    for step in (1, -1):
        columns = {
            "town": Column(pa.string(), town[::step]),
            "age": Column(pa.int64(), age[::step]),
            "note": Column(pa.string(), note[::step]),
        }
        source = FrameSource(build(engine, arrow_table(columns)))
        recoding = recoding_for(source, ["town", "age"], ["town", "age"], share=1.0)
        found.append(in_its_order(publish(source, recoding, ["town", "age", *kept], Watch())))
    assert found[0] == found[1]
    rows: list[tuple[Any, ...]] = list(zip(town, age, note, strict=True))
    shown = [row if kept else row[:2] for row in rows]
    assert found[0] == sorted(shown, key=lambda row: (row[0] is not None, row[0] or "", *row[1:]))

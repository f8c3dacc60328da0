"""Frames: anything narwhals supports. Frames in memory are counted and published here; for others queries run in
their engine.

Equality of cells has the same rules in every engine. NaN is missing, -0.0 is 0.0, a category is its value, and cells of
mixed type, or of a type that Arrow lacks, are compared as text. Texts are compared by their bytes, regardless of
collations.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.normal_form import is_text, read_kind, respelled
from incrowd.core.prepare import Prepare
from incrowd.core.table import Codes, Table
from incrowd.engines.cells import held, shared, with_one_zero, without_named
from incrowd.engines.grouping import counted, grouped, length
from incrowd.engines.joins import Upload, fetch_batches, link_keys
from incrowd.engines.lazy_release import Place, combinations, lazy_release
from incrowd.engines.leftovers import only_published
from incrowd.engines.native import known, text_labels
from incrowd.engines.order import order_of
from incrowd.engines.publish import Declared, Published, Publishing, recoded
from incrowd.engines.repeating import repeating
from incrowd.engines.representatives import KEY, replaced
from incrowd.engines.source import Steps, check_prepare
from incrowd.engines.streams import StreamSource
from incrowd.errors import IncrowdError, SourceError, TooManyCombinations, listed
from incrowd.recodings import RecodingMap
from incrowd.watch import Stopped, Watch

_ORDERED = ("pandas", "polars", "pyarrow", "modin", "cudf")
"""Engines whose frames have a row order; in the others a row has no number."""

_FEW = 2
"""How many times as many records as combinations there are where it costs less to repeat classes than to join rows."""

_BATCH = 1 << 20
"""Rows of a frame in memory to count at a time."""


class FrameSource:
    """A pandas, Polars, PyArrow, DuckDB, Ibis or PySpark frame, or any other that narwhals supports."""

    def __init__(
        self,
        frame: Any,
        name: str = "the frame",
        missing: Collection[str] = (),
        upload: Upload | None = None,
        declared: Declared | None = None,
        most: int | None = None,
    ) -> None:
        """Wrap a frame; `declared` has the types of columns that its database has and Arrow lacks.

        `most` is how many combinations of a lazy frame may be fetched.
        """
        self.name = name
        self._most = most
        self._declared = declared or {}
        self._missing = missing
        self._upload = upload
        self._frame = known(name, frame)
        self._engine = self._frame.implementation
        self.columns = text_labels(name, self._frame.columns)
        self._stream = StreamSource(name, self.columns, self._batches, missing)
        self._distinct: dict[frozenset[str], int] = {}
        """How many combinations sets of columns had when an engine counted them."""

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """Return the distinct combinations of the columns with their counts, by one GROUP BY if the frame is lazy."""
        [counted] = self.count_each([columns], watch)
        return counted

    def count_each(self, sets: Sequence[Sequence[str]], watch: Watch) -> list[FrequencySet]:
        """Return the counts of several sets of columns: in one pass, or by a GROUP BY per set if the frame is lazy."""
        with self._reading(dict.fromkeys(name for columns in sets for name in columns)):
            if isinstance(self._frame, nw.LazyFrame):
                return [self._group_by(columns, watch) for columns in sets]
            # Faster than a GROUP BY of pandas or Polars, whose result would need encoding as well.
            return self._stream.count_each(sets, watch)

    def count_and_compare(
        self, sets: Sequence[Sequence[str]], columns: Sequence[str], watch: Watch
    ) -> tuple[list[FrequencySet], tuple[str, ...]]:
        """Return the same, and those of the other columns in which values repeat; a lazy frame's engine hands them
        over."""
        if self.is_lazy and self._most is not None:
            return self.count_each(sets, watch), tuple(name for name in columns if self._repeats(name))
        if self.is_lazy:
            return self.count_each(sets, watch), repeating(self.cells(columns), columns)
        with self._reading(dict.fromkeys(name for of_set in (*sets, columns) for name in of_set)):
            return self._stream.count_and_compare(sets, columns, watch)

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """Return the columns in row order, encoded."""
        if self._engine.value not in _ORDERED:
            raise SourceError.of(
                self.name,
                f"tables in {self._engine.value} have no row order, so records have no row numbers",
                "collect it into pandas, Polars or PyArrow to get row numbers",
            )
        with self._reading(columns):
            return self._stream.table(columns, watch)

    def normalized(self, steps: Steps) -> "FrameSource | StreamSource":
        """Return the same records with some columns in their normal form.

        No SQL engine composes or folds texts as Unicode defines it, so rows of a lazy frame are fetched and normalized
        here, batch by batch.
        """
        if self.is_lazy:
            return StreamSource(self.name, self.columns, self._handed_over, self._missing).normalized(steps)
        with self._reading(steps):
            before = self._cells_of([name for name in self.columns if name in steps])
            read = {
                name: _typed(respelled(old, steps[name], self._missing), steps[name]) for name, old in before.items()
            }
            changed = {name: new for name, new in read.items() if is_text(new.type) or new is not before[name]}
            fresh = _cells_like(pa.table(changed), self._engine).iter_columns() if changed else ()
            frame = self._frame.with_columns(*fresh) if changed else self._frame
        return FrameSource(frame.to_native(), self.name, self._missing, self._upload)

    def prepared(self, prepare: Prepare) -> "FrameSource | StreamSource":
        """Return the table with other names, values, types or fewer records.

        The rows of a lazy frame are fetched batch by batch, as to normalize them; they have no order.
        """
        names = check_prepare(prepare, self.columns)
        if self.is_lazy:
            if prepare.rows.need_an_order:
                raise SourceError.of(
                    self.name,
                    "rows of a database or of a lazy frame have no order, so no sample and no first rows can be read",
                    "draw them with a query, collect the frame, or export the table to a file",
                )
            return StreamSource(self.name, self.columns, self._handed_over, self._missing).prepared(prepare)
        with self._reading(self.columns):
            old = dict(zip(names, self.columns, strict=True))
            needed = [name for name in names if name in prepare.named]
            before = self._cells_of([old[name] for name in needed]) if needed else {}
            missing = frozenset(self._missing)
            after = {name: prepare.cells(name, before[old[name]], missing) for name in needed}
            frame = self._frame
            changed = {old[name]: cells for name, cells in after.items() if cells is not before[old[name]]}
            if changed:
                frame = frame.with_columns(*_cells_like(pa.table(changed), self._engine).iter_columns())
            rows = prepare.kept().of(after, len(frame), missing)
            frame = frame if rows.all() else frame[np.flatnonzero(rows)]
            frame = frame.rename(dict(prepare.rename)) if prepare.rename else frame
        return FrameSource(frame.to_native(), self.name, self._missing, self._upload)

    def _cells_of(self, names: Sequence[str]) -> dict[str, pa.Array]:
        """Return some columns of a frame in memory."""
        cells = _in_arrow(self._frame.select(nw.nth(*[self.columns.index(name) for name in names])), names)
        return {name: cells[name].combine_chunks() for name in names}

    @property
    def is_lazy(self) -> bool:
        """Return whether the rows are outside this process's memory."""
        return isinstance(self._frame, nw.LazyFrame)

    @property
    def can_part(self) -> bool:
        """Return whether equal records can be published differently."""
        return True

    def cells(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the cells of some columns; a lazy frame's engine hands them over and counts nothing."""
        return self._handed_over(columns) if self.is_lazy else self._batches(columns)

    def _handed_over(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with self._reading(columns):
            rows = fetch_batches(self.name, self._shared(columns))
            yield from (batch.rename_columns(list(columns)) for batch in rows)

    def publish(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> Published:
        """Return the records as the recoding publishes them; those of a lazy frame stay in its engine."""
        with self._reading(dict.fromkeys([*recoding.combinations.names, *columns])):
            if isinstance(self._frame, nw.LazyFrame):
                return self._join(recoding, columns, watch)
            return self._recoded(recoding, columns, watch)

    @contextmanager
    def _reading(self, columns: Iterable[str]) -> Iterator[None]:
        """Replace errors of an engine by a SourceError: their messages may quote a record."""
        try:
            yield
        except (IncrowdError, Stopped):
            raise
        except Exception as error:
            raise SourceError.of(
                self.name,
                f"{self._engine.value} could not read the columns {listed(columns)} ({type(error).__name__})",
                "check that the table is still readable, and convert columns of unusual types to text",
            ) from None

    def _batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        if isinstance(self._frame, nw.LazyFrame):
            arrow = self._shared(columns).collect(backend="pyarrow").to_native()
        else:
            arrow = _in_arrow(self._frame, columns, coded=True)
        yield from arrow.to_batches(_BATCH)

    def _group_by(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        watch.tick(f"counting in {self._engine.value}")
        keys = self._shared(columns)
        names = keys.collect_schema().names()
        counting = Counting(columns, self._missing)
        batches = counted(*link_keys(keys, names), names, names, self._most)
        if self._most is not None and batches.num_rows > self._most:
            raise TooManyCombinations.of_columns(self.name, self._most, columns)
        for batch in batches.to_batches():
            *cells, weights = batch.columns
            counting.add(cells, np.asarray(weights.cast(pa.int64())))
        found = counting.result()
        self._distinct[frozenset(columns)] = found.combinations
        return found

    def distinct(self, columns: Sequence[str], watch: Watch) -> int:
        """Return how many combinations of the columns a lazy frame has; its engine counts them."""
        watch.tick(f"counting in {self._engine.value}")
        with self._reading(columns):
            keys = self._shared(columns)
            return length(grouped(*link_keys(keys, keys.collect_schema().names())))

    def _repeats(self, column: str) -> bool:
        """Return whether several records of a lazy frame have the same value in a column."""
        with self._reading([column]):
            there = self._shared([column])
            there = there.filter(~nw.col("c0").is_null())
            return length(there) > length(grouped(*link_keys(there, ["c0"])))

    def replaced(self, became: Mapping[str, tuple[pa.Array, Codes]]) -> "FrameSource":
        """Return a lazy frame with other values in some columns: by column its values, and the code of the value that
        each code, 0 for missing, becomes."""
        with self._reading(became):
            names = {f"p{at}": name for at, name in enumerate(self.columns)}
            rows = self._frame.select(*[self._column(name).alias(cell) for cell, name in names.items()])
            rows = without_named(rows, self._missing)
            for cell, name in names.items():
                if name not in became:
                    continue
                keyed = shared(rows.with_columns(nw.col(cell).alias(KEY)), {KEY: name})
                keyed, [link] = link_keys(keyed, [KEY])
                found = combinations(self.name, keyed, [KEY], [link])
                given = found, *became[name], cell, self._missing, self._upload
                rows = replaced(self.name, keyed, link, *given)
            rows = rows.select(*[nw.col(cell).alias(name) for cell, name in names.items()])
        return FrameSource(rows.to_native(), self.name, self._missing, self._upload, self._declared, self._most)

    def _shared(self, columns: Sequence[str]) -> Any:
        """Return the columns under plain names, with types that every engine can group by."""
        names = {f"c{at}": name for at, name in enumerate(columns)}
        return shared(self._frame.select(*[self._column(name).alias(key) for key, name in names.items()]), names)

    def _recoded(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> Published:
        """Return the published records of a frame in memory, without the labels of a pandas index."""
        publishing = Publishing(self.name, recoding, self._missing)
        found = [np.empty(0, dtype=np.int32)]
        for batch in self._batches(recoding.combinations.names):
            watch.tick(f"{sum(map(len, found)):,} records looked up")
            found.append(publishing.numbers(batch))
        numbers = np.concatenate(found)
        kept = np.flatnonzero(publishing.kept(numbers))
        rows = self._frame.select(nw.nth(*[self.columns.index(name) for name in columns]))[kept]
        rows = only_published(with_one_zero(without_named(rows, self._missing)))
        shown = (*columns, *recoding.further)
        labels = {name: publishing.labels(name, numbers[kept]) for name in shown if name in recoded(recoding)}
        if labels:
            rows = rows.with_columns(*_cells_like(pa.table(labels), self._engine).iter_columns())
        arrow = cache(lambda: _in_arrow(rows, shown))

        def arranged() -> Any:
            with self._reading(columns):
                return only_published(rows[order_of(arrow())]).to_native()

        def batches() -> Iterator[pa.RecordBatch]:
            return iter(arrow().to_batches(_BATCH))

        return Published(lambda: arrow().schema, batches, rows.to_native, arranged, len(kept))

    def _join(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> Published:
        """Return the published records of a lazy frame."""
        watch.tick(f"looking up the combinations in {self._engine.value}")
        texts = recoded(recoding)
        quasi = recoding.combinations.names
        unchanged = [name for name in columns if name not in texts and name not in quasi]
        # Within a combination, which records are in which piece must not follow from the order of wider ones.
        few = recoding.pieces is None and self._are_few({*quasi, *unchanged}, recoding.combinations.records)
        keys = {f"c{at}": name for at, name in enumerate((*quasi, *unchanged) if few else quasi)}
        cells = {f"l{at}" if name in texts else f"p{at}": name for at, name in enumerate((*columns, *recoding.further))}
        wanted = {**keys, **{cell: name for cell, name in cells.items() if name not in texts}}
        picked = self._frame.select(*[self._column(name).alias(cell) for cell, name in wanted.items()])
        rows = shared(with_one_zero(without_named(picked, self._missing)), keys)
        declared = {name: kind for name, kind in self._declared.items() if name in columns and name not in texts}
        place = Place(self.name, self._missing, self._upload, self._reading, declared)
        return lazy_release(place, rows, keys, cells, recoding, watch)

    def _are_few(self, columns: Collection[str], records: int) -> bool:
        """Return whether records with equal cells in these columns were counted as few combinations."""
        found = [n for counted, n in self._distinct.items() if counted.issuperset(columns)]
        return bool(found) and _FEW * min(found) <= records

    def _column(self, name: str) -> nw.Expr:
        twins = [other for other in self.columns if other.lower() == name.lower()]
        if len(twins) > 1 and self._engine.value not in _ORDERED:
            # Spark refuses; DuckDB returns the first of them, whichever is requested.
            raise SourceError.of(
                self.name,
                f"the columns {listed(twins)} differ only in case, which not every SQL engine distinguishes",
                "rename all but one of them",
            )
        if name == "*" and self._engine.is_duckdb():
            raise SourceError.of(self.name, "duckdb reads a column named '*' as all columns", "rename it")
        if self._engine.is_pyspark() or self._engine.is_pyspark_connect():
            # Spark takes a name for an expression, in which a dot is a path; narwhals hands names on as they are.
            return nw.col("`" + name.replace("`", "``") + "`")
        # By its position, because Polars takes some names for patterns.
        return nw.nth(self.columns.index(name))


def _cells_like(table: pa.Table, engine: Any) -> nw.DataFrame[Any]:
    """Return the table as a frame of narwhals; integers with missing values stay integers in pandas, too."""
    made = nw.from_arrow(table, backend=engine)
    whole = [field for field in table.schema if pa.types.is_integer(field.type) and table[field.name].null_count]
    if not whole or not engine.is_pandas():
        return made
    import pandas as pd

    kinds = {
        field.type: pd.api.types.pandas_dtype(str(field.type).replace("i", "I").replace("u", "U")) for field in whole
    }
    exact = table.select([field.name for field in whole]).to_pandas(types_mapper=kinds.get)
    return made.with_columns(*nw.from_native(exact, eager_only=True).iter_columns())


def _in_arrow(frame: nw.DataFrame[Any], columns: Sequence[str], coded: bool = False) -> pa.Table:
    return pa.table([held(frame.get_column(name), name, coded) for name in columns], names=list(columns))


def _typed(cells: pa.Array, steps: Sequence[str]) -> pa.Array:
    """Return cells that are read from a notation as the numbers or dates that they are, if all of them are."""
    values = cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells
    kind = read_kind(values, steps)
    return cells if kind is None else values.cast(kind)

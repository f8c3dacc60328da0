"""Files as a stream of Arrow record batches, counted and published batch by batch: a file may exceed memory."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import pyarrow as pa

from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.normal_form import NOTATIONS, is_text, read_kind, respelled
from incrowd.core.prepare import Prepare, prepared
from incrowd.core.schema import Notation
from incrowd.core.table import Encoder, Table
from incrowd.engines.counted import counted_rows
from incrowd.engines.publish import Kinds, Published, Publishing, common_schema, recoded, without
from incrowd.engines.repeating import repeating
from incrowd.engines.source import Steps, check_prepare, checked_columns
from incrowd.recodings import RecodingMap
from incrowd.watch import Watch

Batches = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True, repr=False)
class StreamSource(Brief):
    """Records that arrive as batches; `batches(columns)` starts again from the first record at each call."""

    name: str
    columns: tuple[str, ...]
    batches: Batches
    missing: Collection[str] = ()
    """Missing-value markers."""
    kinds: Kinds | None = None
    """The cell types of all columns, if known without reading."""
    is_typed: bool = True
    """False if all cells are texts, whatever they mean."""
    read: Steps = field(default_factory=dict)
    """How cells of columns are read already: what is then a number or a date is published as one."""

    can_part: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", checked_columns(self.name, self.columns))

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """Return the distinct combinations of the columns with their counts."""
        [counted] = self.count_each([columns], watch)
        return counted

    def count_each(self, sets: Sequence[Sequence[str]], watch: Watch) -> list[FrequencySet]:
        """Return the counts of several sets of columns, in one pass."""
        read = tuple(dict.fromkeys(name for columns in sets for name in columns))
        # Each column is encoded once for all sets.
        encoders = {name: Encoder(name, self.missing) for name in read}
        countings = [Counting(columns, encoders=encoders) for columns in sets]
        for batch in self._watched(read, watch):
            cells = {name: encoder.encode(batch.column(at)) for at, (name, encoder) in enumerate(encoders.items())}
            for counting in countings:
                counting.add_encoded([cells[name] for name in counting.names], batch.num_rows)
        return [counting.result() for counting in countings]

    def count_and_compare(
        self, sets: Sequence[Sequence[str]], columns: Sequence[str], watch: Watch
    ) -> tuple[list[FrequencySet], tuple[str, ...]]:
        """Return the same, and those of the other columns in which values repeat, in one pass."""
        held: list[pa.RecordBatch] = []

        def batches(wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
            for batch in self.batches(tuple(dict.fromkeys([*wanted, *columns]))):
                held.append(batch.select(list(columns)))
                yield batch.select(list(wanted))

        counted = replace(self, batches=batches).count_each(sets, watch)
        return counted, repeating(held, columns)

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """Return the columns in row order, encoded."""
        return Table.from_batches(columns, self._watched(columns, watch), self.missing)

    def cells(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the cells of some columns, as they are read."""
        return self.batches(columns)

    def normalized(self, steps: Steps) -> "StreamSource":
        """Return the same records with some columns in their normal form."""

        def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
            for batch in self.batches(columns):
                cells = [
                    respelled(column, steps[name], self.missing) if name in steps else column
                    for name, column in zip(columns, batch.columns, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(cells, list(columns))

        return replace(self, batches=batches, kinds=self._kinds_read(steps), read=steps)

    def prepared(self, prepare: Prepare) -> "StreamSource":
        """Return the table with other names, values, types or fewer records, batch by batch."""
        names = check_prepare(prepare, self.columns)
        before = dict(zip(names, self.columns, strict=True))
        missing = frozenset(self.missing)

        def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
            read = dict.fromkeys([*columns, *prepare.rows.where])
            return prepared(self.batches([before[name] for name in read]), prepare, columns, missing)

        kinds = self.kinds and {name: prepare.kind(name, self.kinds[old]) for name, old in before.items()}
        return replace(self, columns=names, batches=batches, kinds=kinds)

    def _kinds_read(self, steps: Steps) -> Kinds | None:
        """Return the cell types of cells that are read as steps say: serial numbers become the text of dates."""
        if self.kinds is None:
            return None
        dates = {name for name, of in steps.items() if Notation.EXCEL_DATE in of}
        return {name: pa.string() if name in dates else kind for name, kind in self.kinds.items()}

    def publish(self, recoding: RecodingMap, columns: Sequence[str], watch: Watch) -> Published:
        """Return the records as the recoding publishes them, batch by batch."""
        shown = (*columns, *recoding.further)
        wanted = tuple(dict.fromkeys([*recoding.combinations.names, *columns]))

        def rows() -> Iterator[pa.RecordBatch]:
            # A new one at each call: it remembers which records of split combinations came before.
            publishing = Publishing(self.name, recoding, self.missing)
            for batch in self.batches(wanted):
                yield publishing.batch(batch, shown)

        from_counts = partial(counted_rows, self.name, recoding, shown)
        return Published(lambda: self._schema(shown, recoded(recoding), watch), rows, from_counts=from_counts)

    def _schema(self, columns: Sequence[str], changed: Kinds, watch: Watch) -> pa.Schema:
        """Return the schema of the published columns, of which some have changed types."""
        unchanged = [name for name in columns if name not in changed]
        kinds = self._found_kinds(unchanged, watch) if self.kinds is None else self.kinds
        if self.is_typed:
            kinds = {**kinds, **self._typed([name for name in unchanged if is_text(kinds[name])], watch)}
        return common_schema([pa.schema([(name, changed.get(name) or kinds[name]) for name in columns])])

    def _found_kinds(self, columns: Sequence[str], watch: Watch) -> Kinds:
        """Return the cell types of columns, found by reading them."""
        schemas = {batch.schema for batch in self._watched(columns, watch)} if columns else set()
        found = common_schema(schemas or {pa.schema([(name, pa.null()) for name in columns])})
        return {field.name: field.type for field in found}

    def _typed(self, columns: Sequence[str], watch: Watch) -> Kinds:
        """Return the types of columns that are read from a notation, if all of their cells are numbers or dates; that
        shows when they are read."""
        names = [name for name in columns if NOTATIONS.intersection(self.read.get(name, ()))]
        if not names:
            return {}
        found: dict[str, pa.Array] = dict.fromkeys(names, pa.array([], pa.string()))
        for batch in self._watched(names, watch):
            for name, cells in zip(names, batch.columns, strict=True):
                plain = cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells
                shown = without(plain, frozenset(self.missing))
                shown = shown.dictionary_decode() if pa.types.is_dictionary(shown.type) else shown
                found[name] = pa.concat_arrays([found[name], shown.cast(pa.string()).unique()]).unique()
        kinds = {name: read_kind(values, self.read[name]) for name, values in found.items()}
        return {name: kind for name, kind in kinds.items() if kind is not None}

    def _watched(self, columns: Sequence[str], watch: Watch) -> Iterator[pa.RecordBatch]:
        rows = 0
        for batch in self.batches(columns):
            watch.tick(f"{rows:,} records read")
            rows += batch.num_rows
            yield batch

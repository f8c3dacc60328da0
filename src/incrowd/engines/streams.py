"""Files: a stream of Arrow record batches, counted batch by batch, so a file may be larger than memory."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from incrowd.core.frequencies import Counting, FrequencySet
from incrowd.core.table import Table
from incrowd.engines.source import checked_columns
from incrowd.watch import Watch

Batches = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True)
class StreamSource:
    """Records that arrive as batches; `batches(columns)` starts again from the first record at each call."""

    name: str
    columns: tuple[str, ...]
    batches: Batches
    missing: Collection[str] = ()
    """Texts that stand for missing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", checked_columns(self.name, self.columns))

    def count(self, columns: Sequence[str], watch: Watch) -> FrequencySet:
        """The distinct combinations of the columns with their counts."""
        counting = Counting(columns, self.missing)
        for batch in self._watched(columns, watch):
            counting.add(batch.columns)
        return counting.result()

    def table(self, columns: Sequence[str], watch: Watch) -> Table:
        """The columns in row order, encoded."""
        return Table.from_batches(columns, self._watched(columns, watch), self.missing)

    def _watched(self, columns: Sequence[str], watch: Watch) -> Iterator[pa.RecordBatch]:
        rows = 0
        for batch in self.batches(columns):
            watch.tick(f"{rows:,} records read")
            rows += batch.num_rows
            yield batch

"""Parquet files: text columns arrive as dictionary codes where values repeat, so that no cell is compared as text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

import pyarrow as pa

from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError
from incrowd.formats.options import ReadOptions, WriteOptions
from incrowd.threads import ahead

KIND = "a Parquet file"
OPTIONS = ("missing",)
SUFFIXES = (".parquet", ".pq")
WRITE_OPTIONS = ()
WRITTEN_SUFFIXES = SUFFIXES
RANK = 2
OUTPUTS = {".parquet": "Parquet"}

_REPEATING = 8
"""Bytes per cell: a text column that takes fewer in the file has few different values, as a dictionary suits them.
Measured on a million different texts: read as they are they take a third of the time."""

_MANY = 1 << 12
"""Cells: of fewer the size tells nothing, since every column takes some bytes more."""

_ROWS = 1 << 18
"""Records per batch; measured: fewer are slower, more take memory."""


def recognizes(head: bytes) -> bool:
    """Return whether it has the magic number of Parquet."""
    return head.startswith(b"PAR1")


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of a Parquet file."""
    from pyarrow.parquet import ParquetFile, read_metadata

    try:
        metadata = read_metadata(location)
        schema = metadata.schema.to_arrow_schema()
        # Names that are not valid text raise an error only when accessed.
        names = tuple(schema.names)
    except (pa.ArrowException, OSError, UnicodeError):
        raise SourceError.of(
            location, "not a Parquet file, or incomplete or unreadable", "check the file and write it again"
        ) from None
    sizes = _bytes_per_cell(metadata)
    texts = [field.name for field in schema if _is_text(field.type) and sizes.get(field.name, 0.0) < _REPEATING]

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        wanted = list(columns)
        coded = [name for name in wanted if name in texts]
        try:
            with ParquetFile(location, read_dictionary=coded, page_checksum_verification=True) as file:
                for batch in file.iter_batches(_ROWS, columns=wanted, use_threads=False):
                    # Else a code without a value, or invalid text, is found much later or never.
                    batch.validate(full=True)
                    yield batch.select(wanted)
        except (pa.ArrowException, OSError):
            raise SourceError.of(location, "its content is damaged", "write the file again") from None

    kinds = {field.name: field.type for field in schema}
    return StreamSource(location, names, lambda columns: ahead(batches(columns)), options.missing, kinds)


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """Write the records with their types."""
    from pyarrow.parquet import ParquetWriter

    try:
        with ParquetWriter(file, schema) as writer:
            for group in _groups(batches):
                writer.write_table(pa.Table.from_batches(group, schema))
    except pa.ArrowNotImplementedError:
        raise SourceError.of(location, "Parquet has no type for a column", "convert it to text first") from None


def _bytes_per_cell(metadata: Any) -> dict[str, float]:
    """Return how much a cell of each column takes in the file before compression; nothing if there are few."""
    found: dict[str, float] = {}
    if metadata.num_rows < _MANY:
        return found
    for group in range(metadata.num_row_groups):
        for at in range(metadata.num_columns):
            column = metadata.row_group(group).column(at)
            share = column.total_uncompressed_size / metadata.num_rows
            found[column.path_in_schema] = found.get(column.path_in_schema, 0.0) + share
    return found


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Yield batches in groups: each is written, and later read, at once; many small ones are slow to read."""
    group: list[pa.RecordBatch] = []
    for batch in batches:
        group.append(batch)
        if sum(part.num_rows for part in group) >= _ROWS:
            yield group
            group = []
    if group:
        yield group


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))

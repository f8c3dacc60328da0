"""Parquet files: text columns arrive as dictionary codes, so no cell is compared as text."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.errors import SourceError
from incrowd.formats.options import ReadOptions

KIND = "a Parquet file"
OPTIONS = ("missing",)
SUFFIXES = (".parquet", ".pq")

_ROWS = 1 << 18
"""Records a batch: measured; fewer cost more, more only cost memory."""


def recognises(head: bytes) -> bool:
    """By the magic number."""
    return head.startswith(b"PAR1")


def open(location: str, options: ReadOptions) -> Source:
    """The records of a Parquet file."""
    from pyarrow.parquet import ParquetFile, read_schema

    try:
        schema = read_schema(location)
    except (pa.ArrowException, OSError):
        raise SourceError.of(
            location, "it is no Parquet file, or not a whole or readable one", "check the file and write it anew"
        ) from None
    texts = [field.name for field in schema if _is_text(field.type)]

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        wanted = list(columns)
        try:
            with ParquetFile(location, read_dictionary=[name for name in wanted if name in texts]) as file:
                for batch in file.iter_batches(_ROWS, columns=wanted, use_threads=False):
                    yield batch.select(wanted)
        except (pa.ArrowException, OSError):
            raise SourceError.of(location, "its content is damaged", "write the file anew") from None

    return StreamSource(location, tuple(schema.names), batches, options.missing)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))

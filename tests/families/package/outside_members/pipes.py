"""Pipes: text lines whose cells are separated by |, with a header."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import pyarrow as pa

from incrowd.engines.source import Source
from incrowd.engines.streams import StreamSource
from incrowd.formats import ReadOptions, WriteOptions

KIND = "a file of pipes"
OPTIONS = ("missing",)
SUFFIXES = (".pipes",)
WRITE_OPTIONS = ()
WRITTEN_SUFFIXES = SUFFIXES
OUTPUTS = {".pipes": "Pipes"}
TYPED = False


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of a file."""
    header, *lines = Path(location).read_text("utf-8").splitlines()
    names = tuple(header.split("|"))

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        rows = [line.split("|") for line in lines]
        cells = [pa.array([row[names.index(name)] or None for row in rows], pa.string()) for name in columns]
        yield pa.RecordBatch.from_arrays(cells, list(columns))

    return StreamSource(location, names, batches, options.missing)


def write(
    file: IO[bytes], location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """Write records, a line each."""
    file.write(("|".join(schema.names) + "\n").encode())
    for batch in batches:
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            file.write(("|".join("" if cell is None else str(cell) for cell in row) + "\n").encode())


def verification_rows(location: str, table: str | None) -> tuple[list[str], Iterator[list[str | None]]]:
    """Read a release for verification, apart from what writes it."""
    content = Path(location).read_bytes().decode("utf-8").split("\n")
    records = ([cell if cell else None for cell in line.split("|")] for line in content[1:] if line)
    return content[0].split("|"), records

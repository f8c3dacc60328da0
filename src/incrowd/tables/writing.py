"""Writing a published table."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from incrowd.core.table import text_array
from incrowd.files.outputs import Named, check_outputs
from incrowd.files.whole import whole_file
from incrowd.formats.options import WriteOptions
from incrowd.formats.writing import check_writable, write
from incrowd.tables.result import PublishedTable


def check(location: str, replace: bool, read: Iterable[Named] = ()) -> None:
    """Refuse at once what could not be written, and what is read."""
    if not location.lower().endswith(".json"):
        check_writable(location, WriteOptions(replace=replace))
    check_outputs([("the table", location)], read, replace)


def save(table: PublishedTable, location: str, replace: bool) -> str:
    """Write the table: .json with its notes, or a row a cell in any other format; says where it is."""
    if location.lower().endswith(".json"):
        with whole_file(location, replace) as file:
            file.write((table.to_json() + "\n").encode())
        return location
    batch = _batch(table)
    return write([batch], batch.schema, location, WriteOptions(replace=replace)).location


def _batch(table: PublishedTable) -> pa.RecordBatch:
    """Return labels as text; numbers as text too if a cell is suppressed or has no number."""
    columns = list(zip(*table.rows(), strict=True))
    arrays = [text_array([str(label) for label in column]) for column in columns[:-1]]
    if any(isinstance(value, str) for value in columns[-1]):
        arrays.append(text_array([str(value) for value in columns[-1]]))
    else:
        arrays.append(
            pa.array(columns[-1], pa.float64() if any(isinstance(v, float) for v in columns[-1]) else pa.int64())
        )
    return pa.RecordBatch.from_arrays(arrays, list(table.columns))

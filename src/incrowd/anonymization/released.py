"""The release of a run as one table in memory, wherever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.anonymization.result import AnonymizationResult


def released_table(made: AnonymizationResult) -> pa.Table:
    """Return the published records: those of the frame, or those of the file."""
    return _of_file(made) if made.frame is None else _of_frame(made.frame)


def _of_frame(frame: Any) -> pa.Table:
    import narwhals as nw

    held: Any = nw.from_native(frame)
    return (held.collect("pyarrow") if isinstance(held, nw.LazyFrame) else held).to_arrow()


def _of_file(made: AnonymizationResult) -> pa.Table:
    from incrowd.formats import read

    if made.output is None or "://" in made.output:
        raise UsageError.invalid(
            "the release as a frame", "it is in a database", "read it from there, as made.output names it"
        )
    source = read(made.output)
    return pa.Table.from_batches(source.cells(source.columns))

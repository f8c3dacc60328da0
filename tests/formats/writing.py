"""What the tests of writing share."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pytest

from formats.reading import one_line
from incrowd.errors import IncrowdError
from incrowd.formats import WriteOptions, Written, write
from incrowd.watch import Watch

KINDS = pa.table(
    {
        "text": ["a,b", 'q"t', "", None, " two\nlines ", "日本"],
        "whole": pa.array([1, -1, 2**53 + 1, None, 2**63 - 1, 0]),
        "float": [0.1 + 0.2, float("nan"), None, -0.5, 1e300, 5e-324],
        "narrow": pa.array([0.5, None, 0.1, 1.0, -2.0, 3.25], pa.float32()),
        "truth": [True, False, None, True, True, False],
        "day": pa.array(
            [date(2020, 2, 29), None, date(1, 1, 1), date(9999, 12, 31), date(1900, 1, 1), date(1970, 1, 1)]
        ),
        "moment": pa.array(
            [
                *(datetime(2020, 2, 29, 1, 2, 3), None, datetime(1, 1, 1), datetime(2020, 1, 1, 0, 0, 0, 1)),
                *(datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(2020, 1, 1)),
            ],
            pa.timestamp("us"),
        ),
        "price": pa.array([Decimal("1.50"), None, Decimal("-0.01"), Decimal(0), Decimal("1e6"), Decimal("9.99")],
                          pa.decimal128(10, 2)),
    }
)  # fmt: skip
"""Six rows of every kind of column that all formats have."""


def written(records: pa.Table, location: Path | str, batch: int = 4, **options: Any) -> Written:
    """Write a table in batches of some rows."""
    return write(records.to_batches(batch), records.schema, location, WriteOptions(**options), Watch())


def refused(
    records: pa.Table, location: Path | str, batches: Iterable[pa.RecordBatch] | None = None, **options: Any
) -> str:
    """The one line that says why this is not written."""
    with pytest.raises(IncrowdError) as caught:
        write(records.to_batches(4) if batches is None else batches, records.schema, location, WriteOptions(**options))
    return one_line(caught.value)


def files(folder: Path) -> set[str]:
    """What is in a folder, hidden or not."""
    return {path.name for path in folder.iterdir()}


@contextmanager
def own_database(postgres_url: str) -> Iterator[str]:
    """The URL of a database of PostgreSQL that has nothing in it, and goes away afterwards."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE written")
    try:
        yield postgres_url.rpartition("/")[0] + "/written"
    finally:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("DROP DATABASE written WITH (FORCE)")

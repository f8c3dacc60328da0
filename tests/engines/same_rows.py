"""The same rows in every engine, and what plain Python counts in them.

A `Column` says how Arrow holds its cells; an engine's builder takes the Arrow table and gives a frame of that engine.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from math import inf, nan
from typing import Any

import pyarrow as pa

from incrowd.core.frequencies import FrequencySet
from incrowd.engines.frames import FrameSource
from incrowd.watch import Watch

Combinations = Counter[tuple[Any, ...]]
_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


@dataclass(frozen=True)
class Column:
    """Cells of one Arrow type; a moment is a number of nanoseconds since 1970."""

    kind: pa.DataType
    cells: Sequence[Any]

    def arrow(self) -> pa.Array:
        """The cells in Arrow."""
        if not pa.types.is_timestamp(self.kind):
            return pa.array(self.cells, self.kind)
        unit = _NANOSECONDS[self.kind.unit]
        return pa.array([None if cell is None else cell // unit for cell in self.cells], self.kind)


Columns = Mapping[str, Column]
Build = Callable[[pa.Table], Any]


def moment(*parts: int) -> int:
    """A moment of the calendar as nanoseconds."""
    return (datetime(*parts) - datetime(1970, 1, 1)) // timedelta(microseconds=1) * 1000


def arrow_table(columns: Columns) -> pa.Table:
    """The columns as an Arrow table, in two chunks where there are two rows."""
    table = pa.table({name: column.arrow() for name, column in columns.items()})
    half = table.num_rows // 2
    return pa.concat_tables([table.slice(0, half), table.slice(half)]) if half else table


def by_hand(columns: Columns, names: Sequence[str], missing: Sequence[str] = ()) -> Combinations:
    """How often each combination occurs, counted row by row."""
    rows = zip(*[columns[name].cells for name in names], strict=True)
    return Counter(tuple(None if _stands_for_missing(cell, missing) else cell for cell in row) for row in rows)


def _stands_for_missing(cell: Any, missing: Sequence[str]) -> bool:
    return cell is None or cell != cell or str(cell) in missing


def counted(frame: Any, names: Sequence[str], missing: Sequence[str] = ()) -> Combinations:
    """How often each combination occurs, counted by the engine."""
    return decoded(FrameSource(frame, missing=missing).count(names, Watch()))


def decoded(frequencies: FrequencySet) -> Combinations:
    """A frequency set with its values written out."""
    values = [[None, *plain(column)] for column in frequencies.values]
    combinations = [tuple(values[at][code] for at, code in enumerate(codes)) for codes in frequencies.codes.T.tolist()]
    assert len(set(combinations)) == len(combinations), "a combination is listed twice"
    return Counter(dict(zip(combinations, frequencies.counts.tolist(), strict=True)))


def plain(cells: pa.Array | pa.ChunkedArray) -> list[Any]:
    """Cells of Arrow as Python values; moments as nanoseconds, which Python's own type cannot hold."""
    if not pa.types.is_timestamp(cells.type):
        return list(cells.to_pylist())
    unit = _NANOSECONDS[cells.type.unit]
    return [None if cell is None else cell * unit for cell in cells.cast(pa.int64()).to_pylist()]


def pandas_numpy(table: pa.Table) -> Any:
    """pandas as it comes: NumPy types, and objects where NumPy has no type."""
    return table.to_pandas()


def pandas_objects(table: pa.Table) -> Any:
    """pandas with Python objects in every column."""
    import pandas as pd

    return pd.DataFrame({name: pd.Series(table[name].to_pylist(), dtype=object) for name in table.column_names})


def pandas_nullable(table: pa.Table) -> Any:
    """pandas with its own nullable types."""
    import pandas as pd

    types = {
        pa.int8(): pd.Int8Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.uint64(): pd.UInt64Dtype(),
        pa.float32(): pd.Float32Dtype(),
        pa.float64(): pd.Float64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
        pa.string(): pd.StringDtype("python"),
    }
    return table.to_pandas(types_mapper=types.get)


def pandas_pyarrow(table: pa.Table) -> Any:
    """pandas with columns of Arrow."""
    import pandas as pd

    return table.to_pandas(types_mapper=pd.ArrowDtype)


def polars_eager(table: pa.Table) -> Any:
    """A Polars DataFrame."""
    import polars as pl

    return pl.from_arrow(table)


def polars_lazy(table: pa.Table) -> Any:
    """A Polars LazyFrame."""
    return polars_eager(table).lazy()


def store_in_duckdb(connection: Any, name: str, table: pa.Table) -> None:
    """A table that DuckDB keeps itself."""
    connection.register("given", table)
    connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
    connection.unregister("given")


def store_in_sqlite(connection: sqlite3.Connection, name: str, table: pa.Table) -> None:
    """A table of SQLite, in which dates, moments and decimals are text under a declared type."""
    quoted = ['"' + column.replace('"', '""') + '"' for column in table.column_names]
    declared = [f"{column} {_sqlite_type(field.type)}" for column, field in zip(quoted, table.schema, strict=True)]
    connection.execute(f"CREATE TABLE {name} ({', '.join(declared)})")
    rows = zip(*[map(_sqlite_cell, column.to_pylist()) for column in table.columns], strict=True)
    connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(quoted))})", rows)


def _sqlite_type(kind: pa.DataType) -> str:
    if pa.types.is_decimal(kind):
        return f"DECIMAL({kind.precision}, {kind.scale})"
    types = {
        pa.int8(): "TINYINT",
        pa.int64(): "BIGINT",
        pa.float32(): "FLOAT",
        pa.float64(): "DOUBLE",
        pa.bool_(): "BOOLEAN",
        pa.date32(): "DATE",
        pa.timestamp("us"): "TIMESTAMP",
        pa.binary(): "BLOB",
    }
    return types.get(kind, "TEXT")


def _sqlite_cell(cell: Any) -> Any:
    return str(cell) if isinstance(cell, (date, Decimal)) else cell


def store_in_postgres(connection: Any, name: str, table: pa.Table) -> None:
    """A table of PostgreSQL."""
    from psycopg.sql import SQL, Identifier

    # A % in a name would be taken for the place of a value.
    quoted = [Identifier(column).as_string(connection) for column in table.column_names]
    declared = [f"{column} {_postgres_type(field.type)}" for column, field in zip(quoted, table.schema, strict=True)]
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(SQL(f"CREATE TABLE {name} ({', '.join(declared)})"))
        places = ", ".join(["%s"] * len(quoted))
        rows = zip(*[column.to_pylist() for column in table.columns], strict=True)
        cursor.executemany(f"INSERT INTO {name} VALUES ({places})", rows)


def _postgres_type(kind: pa.DataType) -> str:
    if pa.types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {kind.scale})"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMPTZ"
    types = {
        pa.int8(): "SMALLINT",
        pa.int64(): "BIGINT",
        pa.float32(): "REAL",
        pa.float64(): "DOUBLE PRECISION",
        pa.bool_(): "BOOLEAN",
        pa.date32(): "DATE",
        pa.binary(): "BYTEA",
    }
    return types.get(kind, "TEXT")


IN_MEMORY: dict[str, Build] = {
    "pandas_numpy": pandas_numpy,
    "pandas_objects": pandas_objects,
    "pandas_nullable": pandas_nullable,
    "pandas_pyarrow": pandas_pyarrow,
    "polars_eager": polars_eager,
    "polars_lazy": polars_lazy,
    "pyarrow": lambda table: table,
}
IN_PROCESS = (*IN_MEMORY, "duckdb", "ibis_duckdb", "ibis_sqlite")
ENGINES = (*IN_PROCESS, "ibis_postgres", "spark")

_TEXTS = ["é", "e\u0301", "", "NA", None, "a", "A", "a ", "日本", "😀", "a"]
KINDS: Columns = {
    "text": Column(pa.string(), _TEXTS),
    "category": Column(pa.dictionary(pa.int32(), pa.string()), _TEXTS),
    "small integer": Column(pa.int8(), [1, 2, 127, -128, 0, 1, -9, 5, 5, 5, 2]),
    "integer": Column(pa.int64(), [1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), -9, 1, 0, 5, 2**63 - 2, 5]),
    "integer or missing": Column(pa.int64(), [1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), None, -9, 1, 0, None, 5]),
    "unsigned integer": Column(pa.uint64(), [1, 2**53, 2**53 + 1, 2**64 - 1, 0, None, 9, 1, 2**63, None, 5]),
    "float": Column(pa.float64(), [0.0, -0.0, nan, inf, -inf, None, 0.1 + 0.2, 0.3, 1.0, 5e-324, 1.0]),
    "narrow float": Column(pa.float32(), [0.0, -0.0, nan, inf, -inf, None, 0.5, 0.25, 1.0, 1.0, nan]),
    "boolean": Column(pa.bool_(), [True, False, None, True, True, False, None, None, True, False, True]),
    "date": Column(
        pa.date32(), [date(2020, 2, 29), date(1, 1, 1), date(9999, 12, 31), None, date(1969, 12, 31)] * 2 + [None]
    ),
    "microseconds": Column(
        pa.timestamp("us"), [1000, 2000, moment(1900, 1, 1), moment(2262, 1, 1, 1, 2, 3, 999999), None] * 2 + [1000]
    ),
    "nanoseconds": Column(pa.timestamp("ns"), [1, 2, 1000, None, -1, 1, 2, 1000, None, -1, 2]),
    "moment in a zone": Column(
        pa.timestamp("us", "Europe/Vienna"),
        [moment(2020, 10, 25, 0, 30), moment(2020, 10, 25, 1, 30), None, 0, 1000] * 2 + [0],
    ),
    "decimal": Column(
        pa.decimal128(10, 2),
        [Decimal("1.50"), Decimal("1.5"), Decimal("-0.01"), None, Decimal("12345678.90")] * 2 + [Decimal(0)],
    ),
    "wide decimal": Column(
        pa.decimal128(38, 10),
        [Decimal("1.5"), Decimal("-1e-10"), None, Decimal("1234567890123456789012345678.0123456789")] * 2 + [None] * 3,
    ),
    "bytes": Column(pa.binary(), [b"a", b"\xff", b"", None, b"a", b"\0", b"a", b"\xff", b"", None, b"\0\0"]),
    "text, all missing": Column(pa.string(), [None] * 11),
    "nothing": Column(pa.null(), [None] * 11),
    "one value": Column(pa.string(), ["same"] * 11),
}
"""Eleven rows of every kind of column."""

CANNOT_HOLD: dict[tuple[str, str], str] = {
    ("pandas_numpy", "integer or missing"): "NumPy has no missing integer; pandas turns them into floats",
    ("pandas_numpy", "unsigned integer"): "NumPy has no missing integer; pandas turns them into floats",
    ("pandas_objects", "microseconds"): "Python's moments are compared as text",
    ("pandas_objects", "nanoseconds"): "Python's moments are compared as text",
    ("pandas_objects", "moment in a zone"): "Python's moments are compared as text",
    ("pandas_objects", "unsigned integer"): "Python's integers beyond 64 bits with a sign are compared as text",
    ("ibis_sqlite", "unsigned integer"): "SQLite's integers have a sign and 64 bits",
    ("ibis_sqlite", "nanoseconds"): "SQLite has no type for moments; ibis reads microseconds",
    ("ibis_sqlite", "moment in a zone"): "SQLite has no type for moments with a zone",
    ("ibis_sqlite", "wide decimal"): "SQLite keeps decimals as floats",
    ("ibis_postgres", "unsigned integer"): "PostgreSQL's integers have a sign",
    ("ibis_postgres", "nanoseconds"): "PostgreSQL's moments are of microseconds",
    ("spark", "unsigned integer"): "Spark's integers have a sign",
    ("spark", "nanoseconds"): "Spark's moments are of microseconds",
}
"""What cannot be put into an engine at all, so that there is nothing to count, and why."""


def held_by(engine: str) -> Columns:
    """The kinds of columns that an engine can hold."""
    return {kind: column for kind, column in KINDS.items() if (engine, kind) not in CANNOT_HOLD}

"""Tables of PostgreSQL that are written: in one transaction, so that others see the old one or the whole new one."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pyarrow as pa

from incrowd.errors import SourceError, UsageError
from incrowd.formats import _lines
from incrowd.formats._atomic import already_there
from incrowd.formats._declared import declared_type
from incrowd.formats.options import WriteOptions

_WAIT = "60s"
"""For which others may use a table that is to be replaced."""

_LONGEST_NAME = 63
_TYPES = {
    pa.bool_(): "BOOLEAN",
    pa.int8(): "SMALLINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.uint8(): "SMALLINT",
    pa.uint16(): "INTEGER",
    pa.uint32(): "BIGINT",
    pa.uint64(): "NUMERIC(20)",
    pa.float32(): "REAL",
    pa.float64(): "DOUBLE PRECISION",
    pa.date32(): "DATE",
    pa.binary(): "BYTEA",
    pa.large_binary(): "BYTEA",
}


def store(
    connection: Any, table: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    """A new table with the records; `connection` is one of psycopg."""
    from psycopg.sql import SQL, Identifier

    with _writing(connection) as cursor:
        place, name = _place(cursor, table)
        _refuse_long_names([name, *schema.names])
        old = Identifier(*place, name)
        if not options.replace and _exists(cursor, old):
            raise already_there(f"table {table!r}")
        fresh = Identifier(*place, f"incrowd_{uuid4().hex}")
        types = {field.name: _declared(cursor, field, options) for field in schema}
        columns = [SQL("{} {}").format(Identifier(name), SQL(kind)) for name, kind in types.items()]
        cursor.execute(SQL("CREATE TABLE {} ({})").format(fresh, SQL(", ").join(columns)))
        with cursor.copy(SQL("COPY {} FROM STDIN (FORMAT csv)").format(fresh)) as copy:
            for batch in batches:
                # A line of a backslash and a dot would end the records.
                copy.write(_lines.delimited(_writable(batch), ",", quoted=b"\\"))
        if options.replace:
            cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(old))
        cursor.execute(SQL("ALTER TABLE {} RENAME TO {}").format(fresh, Identifier(name)))


def exists(connection: Any, table: str) -> bool:
    """Whether there is such a table, or a view."""
    from psycopg.sql import Identifier

    with connection.cursor() as cursor:
        place, name = _place(cursor, table)
        return _exists(cursor, Identifier(*place, name))


def rename(connection: Any, table: str, name: str, replace: bool) -> None:
    """Give a table its final name, in one transaction with the end of what had it."""
    from psycopg.sql import SQL, Identifier

    with _writing(connection) as cursor:
        place, last = _place(cursor, name)
        old, fresh = Identifier(*place, last), Identifier(*place, _place(cursor, table)[1])
        if not replace and _exists(cursor, old):
            raise already_there(f"table {name!r}")
        if replace:
            cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(old))
        cursor.execute(SQL("ALTER TABLE {} RENAME TO {}").format(fresh, Identifier(last)))


def drop(connection: Any, table: str) -> None:
    """Remove a table, if it is there."""
    from psycopg.sql import SQL, Identifier

    with _writing(connection) as cursor:
        place, name = _place(cursor, table)
        cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(*place, name)))


@contextmanager
def _writing(connection: Any) -> Iterator[Any]:
    """A transaction that may write."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(f"SET TRANSACTION READ WRITE; SET LOCAL lock_timeout = '{_WAIT}'")
        yield cursor


def _refuse_long_names(names: Iterable[str]) -> None:
    if any(len(name.encode()) > _LONGEST_NAME for name in names):
        raise UsageError.senseless(
            "names for PostgreSQL", f"it cuts those of more than {_LONGEST_NAME} bytes", "choose shorter ones"
        )


def _place(cursor: Any, table: str) -> tuple[tuple[str, ...], str]:
    """The schema, if one is named that exists, and the name of a table."""
    schema, _, name = table.rpartition(".")
    cursor.execute("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = %s", [schema])
    return ((schema,), name) if schema and cursor.fetchone() else ((), table)


def _exists(cursor: Any, table: Any) -> bool:
    cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [table.as_string(cursor)])
    return bool(cursor.fetchone()[0])


def _declared(cursor: Any, field: pa.Field, options: WriteOptions) -> str:
    """The type that a column had where it is from, if this server has it, else the one that fits its cells."""

    def known(kind: str) -> bool:
        # Only what lies behind the name itself, in brackets, is not looked up.
        cursor.execute("SELECT to_regtype(%s) IS NOT NULL", [re.sub(r"\(.*?\)", "", kind)])
        return bool(cursor.fetchone()[0])

    return declared_type(options.declared, field.name, "postgres", known) or _type(field.type)


def _type(kind: pa.DataType) -> str:
    if pa.types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {max(kind.scale, 0)})"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMPTZ"
    return _TYPES.get(kind, "TIME" if pa.types.is_time(kind) else "TEXT")


def _writable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch without what PostgreSQL would cut, and with bytes as it writes them."""
    arrays = [_cells(name, column) for name, column in zip(batch.schema.names, batch.columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, batch.schema.names)


def _cells(name: str, column: pa.Array) -> pa.Array:
    kind = column.type
    if _type(kind) == "BYTEA":
        cells = column.to_pylist()
        return pa.array([None if cell is None else f"\\x{cell.hex()}" for cell in cells], pa.string())
    if (pa.types.is_timestamp(kind) or pa.types.is_time64(kind)) and kind.unit == "ns":
        whole = pa.timestamp("us", kind.tz) if pa.types.is_timestamp(kind) else pa.time64("us")
        try:
            return column.cast(whole)
        except pa.ArrowException:
            raise SourceError.of(
                f"column {name!r}", "it holds nanoseconds, which PostgreSQL lacks", "turn it into text first"
            ) from None
    return column

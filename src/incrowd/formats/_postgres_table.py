"""Write PostgreSQL tables in one transaction: readers see the old table or the complete new one."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from secrets import token_hex
from typing import Any
from uuid import uuid4

import pyarrow as pa

from incrowd.errors import SourceError, UsageError
from incrowd.formats import _lines
from incrowd.formats._declared import declared_type
from incrowd.formats.options import WriteOptions

_WAIT = "60s"
"""Longest wait for others who use a table to be replaced."""

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
    """Create a table with the records; `connection` is from psycopg."""
    from psycopg.sql import SQL, Identifier

    with _writing(connection) as cursor:
        place, name = _place(cursor, table)
        _refuse_long_names([name, *schema.names])
        old = Identifier(*place, name)
        if not options.replace and _exists(cursor, old):
            raise UsageError.exists(f"table {table!r}")
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
    """Return whether a table or view of this name exists."""
    from psycopg.sql import Identifier

    with connection.cursor() as cursor:
        place, name = _place(cursor, table)
        return _exists(cursor, Identifier(*place, name))


def rename(connection: Any, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
    """Rename a table to its final name, replacing the old one in one transaction; `before` is called last in it."""
    from psycopg.sql import SQL, Identifier

    with _writing(connection) as cursor:
        place, last = _place(cursor, name)
        old, fresh = Identifier(*place, last), Identifier(*place, _place(cursor, table)[1])
        if not replace and _exists(cursor, old):
            raise UsageError.exists(f"table {name!r}")
        # Held until the server ends this transaction, even if the connection is lost.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_key(_oid(cursor, fresh))])
        if replace:
            cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(old))
        cursor.execute(SQL("ALTER TABLE {} RENAME TO {}").format(fresh, Identifier(last)))
        before()


def mark(connection: Any, table: str) -> str:
    """Return an identifier of a table that does not depend on its later name: the server's number for it."""
    from psycopg.sql import Identifier

    with connection.cursor() as cursor:
        place, name = _place(cursor, table)
        return _oid(cursor, Identifier(*place, name))


def is_placed(connection: Any, name: str, mark: str) -> bool:
    """Return whether the table with this mark has its final name, once no transaction is changing that."""
    from psycopg.sql import Identifier

    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{_WAIT}'")
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_key(mark)])
        place, last = _place(cursor, name)
        return _oid(cursor, Identifier(*place, last)) == mark


@contextmanager
def passing(connection: Any, table: str) -> Iterator[str]:
    """Yield a name for a temporary table, valid while this connection is open; drop those of closed connections."""
    token = token_hex(8)
    schema, dot, _ = table.rpartition(".")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_key(token)])
    _sweep(connection)
    yield f"{schema}{dot}incrowd_{token}"


def _sweep(connection: Any) -> None:
    """Drop this user's temporary tables that belong to no open connection."""
    from psycopg.sql import SQL, Identifier

    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT schemaname, tablename FROM pg_catalog.pg_tables "
            "WHERE tablename ~ '^incrowd_[0-9a-f]{16}$' AND tableowner = current_user"
        )
        found = cursor.fetchall()
    for schema, name in found:
        with _writing(connection) as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_key(name.removeprefix("incrowd_"))])
            if cursor.fetchone()[0]:
                cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(schema, name)))


def drop(connection: Any, table: str) -> None:
    """Drop a table if it exists."""
    from psycopg.sql import SQL, Identifier

    with _writing(connection) as cursor:
        place, name = _place(cursor, table)
        cursor.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(*place, name)))


@contextmanager
def _writing(connection: Any) -> Iterator[Any]:
    """Open a transaction that may write."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(f"SET TRANSACTION READ WRITE; SET LOCAL lock_timeout = '{_WAIT}'")
        yield cursor


def _refuse_long_names(names: Iterable[str]) -> None:
    if any(len(name.encode()) > _LONGEST_NAME for name in names):
        raise UsageError.invalid(
            "names for PostgreSQL", f"it truncates names longer than {_LONGEST_NAME} bytes", "choose shorter ones"
        )


def _place(cursor: Any, table: str) -> tuple[tuple[str, ...], str]:
    """Return the schema, if an existing one is named, and the name of a table."""
    schema, _, name = table.rpartition(".")
    cursor.execute("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = %s", [schema])
    return ((schema,), name) if schema and cursor.fetchone() else ((), table)


def _exists(cursor: Any, table: Any) -> bool:
    cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [table.as_string(cursor)])
    return bool(cursor.fetchone()[0])


def _declared(cursor: Any, field: pa.Field, options: WriteOptions) -> str:
    """Return a column's type in its original database if this server has it, else the type that fits its cells."""

    def known(kind: str) -> bool:
        # Only what follows the name in parentheses is not looked up.
        cursor.execute("SELECT to_regtype(%s) IS NOT NULL", [re.sub(r"\(.*?\)", "", kind)])
        return bool(cursor.fetchone()[0])

    return declared_type(options.declared, field.name, "postgres", known) or _type(field.type)


def _oid(cursor: Any, table: Any) -> str:
    """Return the server's number for a table; empty if there is no such table."""
    cursor.execute("SELECT to_regclass(%s)::oid::text", [table.as_string(cursor)])
    return cursor.fetchone()[0] or ""


def _key(text: str) -> int:
    """Return the number of the lock for a text."""
    return int.from_bytes(sha256(f"incrowd {text}".encode()).digest()[:8], signed=True)


def _type(kind: pa.DataType) -> str:
    if pa.types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {max(kind.scale, 0)})"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMPTZ"
    return _TYPES.get(kind, "TIME" if pa.types.is_time(kind) else "TEXT")


def _writable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with bytes as PostgreSQL writes them; raise SourceError if it would truncate values."""
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
                f"column {name!r}", "it has nanoseconds, which PostgreSQL cannot store", "convert it to text first"
            ) from None
    return column

"""Write SQLite tables: records are collected in a temporary table, and one transaction copies them to the final one."""

from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from incrowd.errors import UsageError
from incrowd.formats import _lines
from incrowd.formats._declared import declared_type
from incrowd.formats.options import WriteOptions

if TYPE_CHECKING:
    from sqlite3 import Connection

_WAIT = 60
"""Seconds to wait while others lock the database."""

_WAITING = "temp.incrowd_waiting"


def store(path: Path, table: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
    """Create a table with the records; create the database if needed."""
    fresh = not path.exists()
    try:
        with closing(_connected(path)) as connection:
            _refuse_existing(connection, table, options.replace)
            types = {field.name: _declared(field, options) for field in schema}
            declared = ", ".join(f"{_quoted(name)} {kind}" for name, kind in types.items())
            # Outside the database, which can be read meanwhile: these records may even come from it.
            connection.execute(f"CREATE TABLE {_WAITING} ({declared})")
            places = ", ".join("?" * len(schema))
            for batch in batches:
                cells = [_cells(field.name, column) for field, column in zip(schema, batch.columns, strict=True)]
                connection.executemany(f"INSERT INTO {_WAITING} VALUES ({places})", zip(*cells, strict=True))
            _put_in_place(connection, table, declared, options.replace)
    except BaseException:
        # An empty file that this attempt created.
        with suppress(OSError):
            if fresh and path.stat().st_size == 0:
                path.unlink()
        raise


def exists(path: Path, table: str) -> bool:
    """Return whether the database has a table, or anything else, of this name."""
    if not path.is_file():
        return False
    with closing(_connected(path)) as connection:
        return _exists(connection, table)


def rename(path: Path, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
    """Rename a table to its final name, replacing the old one in one transaction; `before` is called last in it."""
    with closing(_connected(path)) as connection:
        # Else SQLite refuses if a view refers to the replaced table.
        connection.execute("PRAGMA legacy_alter_table = ON")
        connection.execute("BEGIN IMMEDIATE")
        _refuse_existing(connection, name, replace)
        connection.execute(f"DROP TABLE IF EXISTS main.{_quoted(name)}")
        connection.execute(f"ALTER TABLE main.{_quoted(table)} RENAME TO {_quoted(name)}")
        before()
        connection.execute("COMMIT")


def names(path: Path) -> list[str]:
    """Return the tables of the database."""
    if not path.is_file():
        return []
    with closing(_connected(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]


def drop(path: Path, table: str) -> None:
    """Drop a table if it exists."""
    with closing(_connected(path)) as connection:
        connection.execute(f"DROP TABLE IF EXISTS main.{_quoted(table)}")


def _connected(path: Path) -> "Connection":
    import sqlite3

    return sqlite3.connect(path, timeout=_WAIT, isolation_level=None)


def _put_in_place(connection: "Connection", table: str, declared: str, replace: bool) -> None:
    connection.execute("BEGIN IMMEDIATE")
    _refuse_existing(connection, table, replace)
    connection.execute(f"DROP TABLE IF EXISTS main.{_quoted(table)}")
    connection.execute(f"CREATE TABLE main.{_quoted(table)} ({declared})")
    connection.execute(f"INSERT INTO main.{_quoted(table)} SELECT * FROM {_WAITING}")
    connection.execute("COMMIT")


def _refuse_existing(connection: "Connection", table: str, replace: bool) -> None:
    if not replace and _exists(connection, table):
        raise UsageError.exists(f"table {table!r}")


def _exists(connection: "Connection", table: str) -> bool:
    query = "SELECT 1 FROM main.sqlite_master WHERE lower(name) = lower(?)"
    return connection.execute(query, [table]).fetchone() is not None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _declared(field: pa.Field, options: WriteOptions) -> str:
    """Return a column's type in its original SQLite database, else the type that fits its cells."""
    return declared_type(options.declared, field.name, "sqlite", lambda kind: True) or _type(field.type)


def _type(kind: pa.DataType) -> str:
    """Return a type that SQLite stores unchanged; TEXT for all others."""
    if pa.types.is_boolean(kind) or (pa.types.is_integer(kind) and kind != pa.uint64()):
        return "INTEGER"
    if pa.types.is_floating(kind):
        return "REAL"
    return "BLOB" if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) else "TEXT"


def _cells(name: str, column: pa.Array) -> list[object]:
    return list((_lines.texts(name, column) if _type(column.type) == "TEXT" else column).to_pylist())

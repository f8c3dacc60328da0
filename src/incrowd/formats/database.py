"""Databases by their URL, through Ibis: what is read stays where it is; written is only a table that is asked for."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from incrowd.engines.source import Source, checked_columns
from incrowd.engines.sqlite_texts import with_texts
from incrowd.errors import SourceError
from incrowd.formats import _postgres_table, _sqlite_table
from incrowd.formats._databases import (
    chosen_table,
    existing_file,
    file_of,
    in_our_words,
    named_table,
    needs_url,
    patience,
    source_of,
    without_secrets,
)
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a database"
OPTIONS = ("missing", "table", "query")
WRITE_OPTIONS = ("table",)
SCHEMES = (
    *("sqlite", "postgres", "postgresql", "mysql", "mssql", "oracle", "snowflake", "bigquery", "clickhouse"),
    *("databricks", "trino", "impala", "exasol", "druid", "risingwave", "singlestoredb"),
)


def recognises(head: bytes) -> bool:
    """An SQLite file, which `open` refuses with the URL to use."""
    return head.startswith(b"SQLite format 3\0")


def open(location: str, options: ReadOptions) -> Source:
    """The records of one table, or of a query's result."""
    if "://" not in location:
        raise needs_url(location, "an SQLite database", "sqlite")
    connection = _connected(location)
    return source_of(location, options, lambda: _frame(connection, location, options), connection.disconnect)


def _connected(url: str) -> Any:
    try:
        import ibis
    except ImportError:
        raise SourceError.needs_extra(without_secrets(url), "ibis-framework", "sql") from None
    scheme = url.partition("://")[0].lower()
    try:
        with in_our_words(url, "no connection", "check the URL, the password, and that the server runs"):
            if scheme == "sqlite":
                return ibis.sqlite.from_connection(_sqlite(existing_file(url)))
            connection = ibis.connect(url, **patience(url))
            if connection.name == "postgres":
                connection.raw_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY").close()
            return connection
    except ImportError:
        extra = "postgres" if scheme == "postgresql" else scheme
        raise SourceError.of(
            without_secrets(url), "its driver is missing", f"run: pip install 'ibis-framework[{extra}]'"
        ) from None


def _sqlite(path: Path) -> Any:
    import sqlite3

    # One thread at a time uses it; which one is the caller's choice.
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False)


def _frame(connection: Any, url: str, options: ReadOptions) -> Any:
    if options.query is not None:
        return _comparable(connection, _answer(connection, url, options.query))

    def tables(schema: str | None) -> Sequence[str]:
        return list(connection.list_tables(database=schema))

    schema, table = chosen_table(url, options.table, tables)
    return _comparable(connection, connection.table(table, database=schema))


def _answer(connection: Any, url: str, query: str) -> Any:
    """The result of a query, which runs once it is counted."""
    if connection.name != "postgres":
        return connection.sql(query)
    # Asked for a query's columns, Ibis would make a view, which only those may who may write.
    import ibis

    with connection.con.cursor() as cursor:
        cursor.execute(f"SELECT * FROM (\n{query.rstrip().rstrip(';')}\n) AS answer LIMIT 0")
        columns = checked_columns(without_secrets(url), [column.name for column in cursor.description])
        types = [column.type_code for column in cursor.description]
        cursor.execute("SELECT format_type(kind, NULL) FROM unnest(%s::oid[]) WITH ORDINALITY AS t(kind, n)", [types])
        kinds = [connection.compiler.type_mapper.from_string(kind) for (kind,) in cursor.fetchall()]
    return connection.sql(query, schema=ibis.schema(dict(zip(columns, kinds, strict=True))))


def _comparable(connection: Any, table: Any) -> Any:
    """SQLite keeps any value in any column, whatever was declared, so there all but bytes are compared as text."""
    if connection.name != "sqlite":
        return table
    return with_texts(table, [name for name, kind in table.schema().items() if not kind.is_binary()])


def store(location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
    """Write a table: whoever looks sees the old one or the whole new one."""
    table = named_table(location, options)
    with _tables(location) as (tables, place):
        tables.store(place, table, schema, batches, options.replace)


def exists(location: str, table: str) -> bool:
    """Whether there is such a table already."""
    with _tables(location) as (tables, place):
        found: bool = tables.exists(place, table)
        return found


def rename(location: str, table: str, name: str, replace: bool) -> None:
    """Give a table its final name, in one transaction with the end of what had it."""
    with _tables(location) as (tables, place):
        tables.rename(place, table, name, replace)


def drop(location: str, table: str) -> None:
    """Remove a table, if it is there."""
    with _tables(location) as (tables, place):
        tables.drop(place, table)


@contextmanager
def _tables(url: str) -> Iterator[tuple[Any, Any]]:
    """What writes tables there, and where: a file, or a connection that ends afterwards."""
    if url.partition("://")[0].lower() == "sqlite":
        with in_our_words(url, "it cannot be written", "check path, rights, and that nobody keeps it", writing=True):
            yield _sqlite_table, file_of(url)
        return
    connection = _connected(url)
    try:
        with in_our_words(url, "it cannot be written", "check rights, and that nobody uses it", writing=True):
            if connection.name != "postgres":
                raise SourceError.of(
                    without_secrets(url),
                    f"tables of {connection.name} are not written",
                    "write a file and load it there, or write to SQLite, DuckDB or PostgreSQL",
                )
            yield _postgres_table, connection.con
    finally:
        connection.disconnect()

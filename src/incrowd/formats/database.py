"""Databases by URL, through Ibis: data are queried in the database, and only the requested table is written."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from incrowd.engines.publish import Declared
from incrowd.engines.source import Source, checked_columns
from incrowd.engines.sqlite_texts import with_texts
from incrowd.errors import SourceError
from incrowd.files.journal import Table
from incrowd.formats import _declared, _postgres_table, _sqlite_table
from incrowd.formats._queries import refuse_unless_select
from incrowd.formats.connections import (
    chosen_table,
    existing_file,
    file_of,
    named_table,
    needs_url,
    passing_beside,
    source_of,
    timeout_option,
    translate_errors,
    without_secrets,
)
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a database"
OPTIONS = ("missing", "table", "query")
WRITE_OPTIONS = ("table", "declared")
SCHEMES = (
    *("sqlite", "postgres", "postgresql", "mysql", "mssql", "oracle", "snowflake", "bigquery", "clickhouse"),
    *("databricks", "trino", "impala", "exasol", "druid", "risingwave", "singlestoredb"),
)
_MEMORY = "64MB"
"""The memory of a query on a PostgreSQL server before it goes to disk, if the server's setting is not more."""
UPLOADS = (".sqlite", ".sqlite3", ".db")


def recognizes(head: bytes) -> bool:
    """Return whether it is an SQLite file; `open` refuses its path and names the URL to use."""
    return head.startswith(b"SQLite format 3\0")


def tables(path: str) -> list[str]:
    """Return the tables and views of an SQLite file; [] if it cannot be opened, since `open` reports why."""
    import sqlite3
    from contextlib import closing
    from urllib.parse import quote

    listed = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
    try:
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as connection:
            return [str(name) for (name,) in connection.execute(listed)]
    except sqlite3.Error:
        return []


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of one table or of a query's result."""
    if "://" not in location:
        raise needs_url(location, "an SQLite database", "sqlite")
    connection = _connected(location)
    declared: dict[str, tuple[str, str]] = {}

    def frame() -> Any:
        table, types = _comparable(connection, *_frame(connection, location, options))
        declared.update(types)
        return table

    return source_of(location, options, frame, connection.disconnect, declared=lambda: declared)


def _connected(url: str) -> Any:
    try:
        import ibis
    except ImportError:
        raise SourceError.needs_extra(without_secrets(url), "ibis-framework", "sql") from None
    scheme = url.partition("://")[0].lower()
    try:
        with translate_errors(url, "cannot connect", "check the URL, the password and the server"):
            if scheme == "sqlite":
                return ibis.sqlite.from_connection(_sqlite(existing_file(url)))
            connection = ibis.connect(url, **timeout_option(url))
            if connection.name == "postgres":
                _only_read(connection)
            return connection
    except ImportError:
        extra = "postgres" if scheme == "postgresql" else scheme
        raise SourceError.of(
            without_secrets(url), "its driver is missing", f"run: pip install 'ibis-framework[{extra}]'"
        ) from None


def _only_read(connection: Any) -> None:
    connection.raw_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY").close()
    # With the little memory that servers grant at first, combinations would be counted on disk.
    connection.raw_sql(
        f"SELECT set_config('work_mem', '{_MEMORY}', false)"
        f" WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('{_MEMORY}')"
    ).close()
    # A query can change the session's setting, but not that of a transaction.
    connection.con.read_only = True


def _sqlite(path: Path) -> Any:
    import sqlite3

    # One thread at a time uses it; the caller chooses which.
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    return connection


def _frame(connection: Any, url: str, options: ReadOptions) -> tuple[Any, str]:
    """Return the records, and the SQL after FROM that selects them."""
    if options.query is not None:
        return _answer(connection, url, options.query), f"(\n{options.query.rstrip().rstrip(';')}\n)"

    def tables(schema: str | None) -> Sequence[str]:
        return list(connection.list_tables(database=schema))

    schema, table = chosen_table(url, options.table, tables)
    names = [name for name in (schema, table) if name]
    return connection.table(table, database=schema), ".".join(map(_declared.quoted, names))


def _answer(connection: Any, url: str, query: str) -> Any:
    """Return the result of a query, which runs when it is counted."""
    refuse_unless_select(without_secrets(url), query, connection.dialect)
    if connection.name != "postgres":
        return connection.sql(query)
    # A prepared query is a single statement: the server enforces that, however it parses the text.
    connection.con.prepare_threshold = 0
    # To find a query's columns, Ibis would create a view, which needs permission to write.
    import ibis

    with connection.con.transaction(), connection.con.cursor() as cursor:
        cursor.execute(f"SELECT * FROM (\n{query.rstrip().rstrip(';')}\n) AS answer LIMIT 0")
        columns = checked_columns(without_secrets(url), [column.name for column in cursor.description])
        types = [column.type_code for column in cursor.description]
        cursor.execute("SELECT format_type(kind, NULL) FROM unnest(%s::oid[]) WITH ORDINALITY AS t(kind, n)", [types])
        kinds = [connection.compiler.type_mapper.from_string(kind) for (kind,) in cursor.fetchall()]
    return connection.sql(query, schema=ibis.schema(dict(zip(columns, kinds, strict=True))))


def _comparable(connection: Any, table: Any, given: str) -> tuple[Any, Declared]:
    """Return the table with comparable cells, and the declared types of its columns.

    SQLite stores any value in any column, regardless of its declared type, so there all but bytes are compared as text.
    """
    if connection.name == "postgres":
        return _declared.of_postgres(connection, table, given)
    if connection.name != "sqlite":
        return table, {}
    texts = with_texts(table, [name for name, kind in table.schema().items() if not kind.is_binary()])
    return texts, _declared.of_sqlite(connection, given)


def store(location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
    """Write a table; readers see the old one or the complete new one."""
    table = named_table(location, options)
    with _tables(location) as (tables, place):
        tables.store(place, table, schema, batches, options)


def exists(location: str, table: str) -> bool:
    """Return whether the table exists."""
    with _tables(location) as (tables, place):
        found: bool = tables.exists(place, table)
        return found


def rename(location: str, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
    """Rename a table to its final name, replacing the old one in one transaction; `before` is called last in it."""
    with _tables(location) as (tables, place):
        tables.rename(place, table, name, replace, before)


@contextmanager
def passing(location: str, table: str) -> Iterator[str]:
    """Yield a name for a temporary table, valid while this run is alive; drop those of killed runs."""
    if _is_file(location):
        with passing_beside(location, table, lambda url: _sqlite_table.names(file_of(url)), drop) as name:
            yield name
        return
    with ExitStack() as stack:
        tables, connection = stack.enter_context(_tables(location))
        name = stack.enter_context(tables.passing(connection, table))
        # Errors raised meanwhile are not of this connection, which is only kept open.
        closing = stack.pop_all()
    with closing:
        yield name


def mark(location: str, table: str) -> str:
    """Return an identifier of a table that does not depend on its later name."""
    if _is_file(location):
        return table
    with _tables(location) as (tables, place):
        return str(tables.mark(place, table))


def is_placed(location: str, table: Table) -> bool:
    """Return whether the table with this mark has its final name."""
    if _is_file(location):
        return exists(location, table.name) and not exists(location, table.mark)
    with _tables(location) as (tables, place):
        return bool(tables.is_placed(place, table.name, table.mark))


def drop(location: str, table: str) -> None:
    """Drop a table if it exists."""
    with _tables(location) as (tables, place):
        tables.drop(place, table)


def _is_file(url: str) -> bool:
    return url.partition("://")[0].lower() == "sqlite"


@contextmanager
def _tables(url: str) -> Iterator[tuple[Any, Any]]:
    """Yield the module that writes tables there, and the file or a connection that is closed afterwards."""
    if _is_file(url):
        with translate_errors(url, "cannot be written", "check path, permissions and locks", writing=True):
            yield _sqlite_table, file_of(url)
        return
    connection = _connected(url)
    try:
        with translate_errors(url, "cannot be written", "check permissions and locks", writing=True):
            if connection.name != "postgres":
                raise SourceError.of(
                    without_secrets(url),
                    f"writing tables in {connection.name} is not supported",
                    "write a file and load it there, or write to SQLite, DuckDB or PostgreSQL",
                )
            yield _postgres_table, connection.con
    finally:
        connection.disconnect()

"""DuckDB files by URL: DuckDB itself counts, and writes only the requested table."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any
from uuid import uuid4

import pyarrow as pa

from incrowd.engines.source import Source
from incrowd.errors import SourceError, UsageError
from incrowd.files.journal import Table
from incrowd.formats._declared import declared_type, of_duckdb
from incrowd.formats.connections import (
    chosen_table,
    existing_file,
    file_of,
    named_table,
    needs_url,
    passing_beside,
    source_of,
    translate_errors,
)
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a DuckDB file"
OPTIONS = ("missing", "table", "query")
WRITE_OPTIONS = ("table", "declared")
SCHEMES = ("duckdb",)
NO_UPLOAD = "DuckDB files are not accepted: a view in them may read other files; export the table as Parquet"

_SEALED: dict[str, Any] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    # Else a name that is not a table could mean a Python variable.
    "python_enable_replacements": False,
    "lock_configuration": True,
}
"""Settings that restrict reading to the file: a view in it may name other files and addresses."""

_TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = coalesce(?, current_schema()) ORDER BY 1"
)


def recognizes(head: bytes) -> bool:
    """Return whether it is a DuckDB file; `open` refuses its path and names the URL to use."""
    return head[8:12] == b"DUCK"


def open(location: str, options: ReadOptions) -> Source:
    """Open the records of one table or of a query's result."""
    if "://" not in location:
        raise needs_url(location, "a DuckDB database", "duckdb")
    connection = _connected(location, str(existing_file(location)), read_only=True)
    # Labels are uploaded through this connection, because a read-only relation cannot.
    return source_of(
        location,
        options,
        lambda: _relation(connection, location, options),
        connection.close,
        connection.from_arrow,
        lambda: of_duckdb(_relation(connection, location, options)),
    )


def _connected(url: str, path: str, read_only: bool) -> Any:
    try:
        import duckdb
    except ImportError:
        raise SourceError.needs_extra(url, "duckdb", "sql") from None
    with translate_errors(
        url,
        "cannot connect",
        "check path, permissions and locks; from Python, give a relation of your own connection",
    ):
        return duckdb.connect(path, read_only=read_only, config=_SEALED)


def store(location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
    """Write a table in one transaction; create the file if needed."""
    with _writing(location) as connection:
        _store(connection, named_table(location, options), schema, batches, options)


def exists(location: str, table: str) -> bool:
    """Return whether the file has the table."""
    path = file_of(location)
    if not path.is_file():
        return False
    with closing(_connected(location, str(path), read_only=True)) as connection:
        place, name = _place(connection, table)
        return name in _names(connection, *place)


def rename(location: str, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
    """Rename a table to its final name, replacing the old one in one transaction; `before` is called last in it."""
    with _writing(location) as connection:
        place, last = _place(connection, name)
        _, fresh = _place(connection, table)
        _take_over(connection, place, fresh, last, replace)
        before()


def passing(location: str, table: str) -> AbstractContextManager[str]:
    """Return a context with a name for a temporary table, valid while this run is alive; drop those of killed runs."""
    return passing_beside(location, table, _passing_tables, drop)


def mark(location: str, table: str) -> str:
    """Return an identifier of a table that does not depend on its later name: here its first name."""
    return table


def is_placed(location: str, table: Table) -> bool:
    """Return whether the table with this mark has its final name."""
    return exists(location, table.name) and not exists(location, table.mark)


def drop(location: str, table: str) -> None:
    """Drop a table if it exists."""
    with _writing(location) as connection:
        place, name = _place(connection, table)
        connection.execute(f"DROP TABLE IF EXISTS {_quoted(*place, name)}")


def _passing_tables(location: str) -> list[str]:
    """Return the tables of every schema."""
    if not file_of(location).is_file():
        return []
    with closing(_connected(location, str(file_of(location)), read_only=True)) as connection:
        found = connection.execute("SELECT schema_name, table_name, current_schema() FROM duckdb_tables()").fetchall()
        return [name if schema == usual else f"{schema}.{name}" for schema, name, usual in found]


@contextmanager
def _writing(location: str) -> Iterator[Any]:
    """Open a transaction; create the file if needed."""
    with (
        closing(_connected(location, str(file_of(location)), read_only=False)) as connection,
        translate_errors(location, "cannot be written", "check the file and your permissions", writing=True),
    ):
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")


def _store(
    connection: Any, table: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions
) -> None:
    place, name = _place(connection, table)
    if not options.replace and name in _names(connection, *place):
        raise UsageError.exists(f"table {table!r}")
    passing = f"incrowd_{uuid4().hex}"
    fresh = _quoted(*place, passing)
    connection.register("incrowd_records", schema.empty_table())
    connection.execute(f"CREATE TABLE {fresh} AS FROM incrowd_records")
    for column in schema.names:
        kind = declared_type(options.declared, column, "duckdb", lambda kind: True)
        if kind is not None:
            connection.execute(f"ALTER TABLE {fresh} ALTER {_quoted(column)} TYPE {kind}")
    for batch in batches:
        connection.register("incrowd_records", pa.Table.from_batches([batch]))
        connection.execute(f"INSERT INTO {fresh} FROM incrowd_records")
    connection.unregister("incrowd_records")
    _take_over(connection, place, passing, name, options.replace)


def _take_over(connection: Any, place: tuple[str, ...], table: str, name: str, replace: bool) -> None:
    if not replace and name in _names(connection, *place):
        raise UsageError.exists(f"table {name!r}")
    if replace:
        connection.execute(f"DROP TABLE IF EXISTS {_quoted(*place, name)}")
    connection.execute(f"ALTER TABLE {_quoted(*place, table)} RENAME TO {_quoted(name)}")


def _place(connection: Any, table: str) -> tuple[tuple[str, ...], str]:
    """Return the schema, if an existing one is named, and the name of a table."""
    schema, _, name = table.rpartition(".")
    schemas = connection.execute("SELECT schema_name FROM information_schema.schemata").fetchall()
    return ((schema,), name) if (schema,) in schemas else ((), table)


def _names(connection: Any, schema: str | None = None) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES, [schema]).fetchall()]


def _relation(connection: Any, url: str, options: ReadOptions) -> Any:
    if options.query is not None:
        return _answer(connection, url, options.query)

    def tables(schema: str | None) -> Sequence[str]:
        return _names(connection, schema)

    schema, table = chosen_table(url, options.table, tables)
    with _within_the_file(url, f"table {table!r}"):
        return connection.sql(f"FROM {_quoted(*(name for name in (schema, table) if name))}")


def _answer(connection: Any, url: str, query: str) -> Any:
    """Return the result of a query, which runs when it is counted; other statements, which run at once, are refused."""
    statements = connection.extract_statements(query)
    if [statement.type.name for statement in statements] != ["SELECT"]:
        raise SourceError.not_a_select(url)
    with _within_the_file(url, "the query"):
        return connection.sql(query)


@contextmanager
def _within_the_file(url: str, what: str) -> Iterator[None]:
    """Raise a clear error if a view or query reads more than the file; DuckDB refuses that when it resolves names."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if isinstance(error, duckdb.PermissionException) or re.search(r"(in|requires) the \S+ extension", str(error)):
            raise SourceError.reaches_out(url, what) from None
        raise


def _quoted(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)

"""DuckDB files by their URL: DuckDB itself counts, and only a table that is asked for is written."""

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
    in_our_words,
    named_table,
    needs_url,
    passing_beside,
    source_of,
)
from incrowd.formats.options import ReadOptions, WriteOptions

KIND = "a DuckDB file"
OPTIONS = ("missing", "table", "query")
WRITE_OPTIONS = ("table", "declared")
SCHEMES = ("duckdb",)

_SEALED: dict[str, Any] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    # Else a name that is no table could mean a variable of ours.
    "python_enable_replacements": False,
    "lock_configuration": True,
}
"""Nothing but the file is read: a view in it may name other files and addresses."""

_TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = coalesce(?, current_schema()) ORDER BY 1"
)


def recognises(head: bytes) -> bool:
    """A DuckDB file, which `open` refuses with the URL to use."""
    return head[8:12] == b"DUCK"


def open(location: str, options: ReadOptions) -> Source:
    """The records of one table, or of a query's result."""
    if "://" not in location:
        raise needs_url(location, "a DuckDB database", "duckdb")
    connection = _connected(location, str(existing_file(location)), read_only=True)
    # What is to be published is put beside the records here, because a relation cannot where it may only read.
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
    with in_our_words(
        url,
        "no connection",
        "check the file, and that nobody else uses it; from Python, give a relation of your own connection",
    ):
        return duckdb.connect(path, read_only=read_only, config=_SEALED)


def store(location: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], options: WriteOptions) -> None:
    """Write a table in one transaction; a file that is not there is made."""
    with _writing(location) as connection:
        _store(connection, named_table(location, options), schema, batches, options)


def exists(location: str, table: str) -> bool:
    """Whether the file has the table."""
    path = file_of(location)
    if not path.is_file():
        return False
    with closing(_connected(location, str(path), read_only=True)) as connection:
        place, name = _place(connection, table)
        return name in _names(connection, *place)


def rename(location: str, table: str, name: str, replace: bool, before: Callable[[], None]) -> None:
    """Give a table its final name, in one transaction with the end of what had it; `before` is its last act."""
    with _writing(location) as connection:
        place, last = _place(connection, name)
        _, fresh = _place(connection, table)
        _take_over(connection, place, fresh, last, replace)
        before()


def passing(location: str, table: str) -> AbstractContextManager[str]:
    """A name for a table that may not stay, while this run lives; those of runs that were killed are dropped."""
    return passing_beside(location, table, _passing_tables, drop)


def mark(location: str, table: str) -> str:
    """What recognizes a table, whatever its name will be: here it is its first name."""
    return table


def is_placed(location: str, table: Table) -> bool:
    """Whether the table that has this mark has its final name."""
    return exists(location, table.name) and not exists(location, table.mark)


def drop(location: str, table: str) -> None:
    """Remove a table, if it is there."""
    with _writing(location) as connection:
        place, name = _place(connection, table)
        connection.execute(f"DROP TABLE IF EXISTS {_quoted(*place, name)}")


def _passing_tables(location: str) -> list[str]:
    """Tables of every schema that have a passing name."""
    if not file_of(location).is_file():
        return []
    with closing(_connected(location, str(file_of(location)), read_only=True)) as connection:
        found = connection.execute("SELECT schema_name, table_name, current_schema() FROM duckdb_tables()").fetchall()
        return [name if schema == usual else f"{schema}.{name}" for schema, name, usual in found]


@contextmanager
def _writing(location: str) -> Iterator[Any]:
    """One transaction; a file that is not there is made."""
    with (
        closing(_connected(location, str(file_of(location)), read_only=False)) as connection,
        in_our_words(location, "it cannot be written", "check the file and your rights", writing=True),
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
    """The schema, if one is named that exists, and the name of a table."""
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
    """The result of a query, which runs once it is counted; a statement of another kind would run at once."""
    statements = connection.extract_statements(query)
    if [statement.type.name for statement in statements] != ["SELECT"]:
        raise SourceError.not_a_select(url)
    with _within_the_file(url, "the query"):
        return connection.sql(query)


@contextmanager
def _within_the_file(url: str, what: str) -> Iterator[None]:
    """Name what a view or a query asks for beyond the file; DuckDB refuses it when it reads the names in it."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if isinstance(error, duckdb.PermissionException) or re.search(r"(in|requires) the \S+ extension", str(error)):
            raise SourceError.reaches_out(url, what) from None
        raise


def _quoted(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)

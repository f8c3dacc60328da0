"""Databases by their URL, through Ibis: the records stay where they are, and nothing is ever written."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote_plus
from weakref import finalize

from incrowd.engines.frames import FrameSource
from incrowd.engines.source import Source, checked_columns
from incrowd.errors import IncrowdError, SourceError, UsageError, listed
from incrowd.formats.options import ReadOptions

KIND = "a database"
OPTIONS = ("missing", "table", "query")
SCHEMES = (
    *("sqlite", "duckdb", "postgres", "postgresql", "mysql", "mssql", "oracle", "snowflake", "bigquery", "clickhouse"),
    *("databricks", "trino", "impala", "exasol", "druid", "risingwave", "singlestoredb"),
)

_IN_A_FILE = {b"SQLite format 3\0": (0, "sqlite"), b"DUCK": (8, "duckdb")}
"""How a database in a file begins: the bytes, where they stand, and the scheme of its URL."""


def recognises(head: bytes) -> bool:
    """A database in a file, which `open` then refuses with its URL."""
    return _scheme_of(head) is not None


def open(location: str, options: ReadOptions) -> Source:
    """The records of one table, or of a query's result."""
    if "://" not in location:
        raise _needs_url(location)
    if options.table and options.query:
        raise UsageError.senseless("table and query together", "each names the records to read", "give one of them")
    name = _without_secrets(location)
    connection = _connected(location, name)
    try:
        with _in_our_words(location, name, "it refuses what was asked", "check the table or the query"):
            table = _table(connection, name, options)
            source = FrameSource(_comparable(connection, table), name, options.missing)
    except BaseException:
        connection.disconnect()
        raise
    # A source has no end of its own: the connection ends with it.
    finalize(source, connection.disconnect)
    return source


def _connected(url: str, name: str) -> Any:
    try:
        import ibis
    except ImportError:
        raise SourceError.needs_extra(name, "ibis-framework", "sql") from None
    scheme = url.partition("://")[0].lower()
    try:
        with _in_our_words(url, name, "no connection", "check the URL, the password, and that the server runs"):
            if scheme == "sqlite":
                return ibis.sqlite.from_connection(_sqlite(_existing_file(url, name)))
            if scheme == "duckdb":
                return ibis.duckdb.connect(_existing_file(url, name), read_only=True)
            connection = ibis.connect(url)
            if connection.name == "postgres":
                connection.raw_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY").close()
            return connection
    except ImportError:
        extra = "postgres" if scheme == "postgresql" else scheme
        raise SourceError.of(name, "its driver is missing", f"run: pip install 'ibis-framework[{extra}]'") from None


def _sqlite(path: Path) -> Any:
    import sqlite3

    # One thread at a time uses it; which one is the caller's choice.
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False)


def _existing_file(url: str, name: str) -> Path:
    """The file that a URL names: three slashes before a relative path, four before an absolute one."""
    path = Path(url.partition("://")[2].removeprefix("/"))
    if not path.is_file():
        raise SourceError.of(
            name,
            f"there is no file {str(path)!r}",
            "check the path; an absolute one takes four slashes",
        )
    return path


def _table(connection: Any, name: str, options: ReadOptions) -> Any:
    if options.query:
        return _answer(connection, name, options.query)
    tables = connection.list_tables()
    existing = f"its tables are {listed(tables)}" if tables else "it has no tables"
    if options.table is None:
        raise SourceError.of(name, "a database is many tables", f"{existing}; name one as table, or give a query")
    if options.table in tables:
        return connection.table(options.table)
    schema, _, table = options.table.rpartition(".")
    if schema and table in connection.list_tables(database=schema):
        return connection.table(table, database=schema)
    raise SourceError.of(name, f"it has no table {options.table!r}", existing)


def _answer(connection: Any, name: str, query: str) -> Any:
    """The result of a query, which runs once it is counted."""
    if connection.name != "postgres":
        return connection.sql(query)
    # Asked for a query's columns, Ibis would make a view, which only those may who may write.
    import ibis

    with connection.con.cursor() as cursor:
        cursor.execute(f"SELECT * FROM (\n{query.rstrip().rstrip(';')}\n) AS answer LIMIT 0")
        columns = checked_columns(name, [column.name for column in cursor.description])
        types = [column.type_code for column in cursor.description]
        cursor.execute("SELECT format_type(kind, NULL) FROM unnest(%s::oid[]) WITH ORDINALITY AS t(kind, n)", [types])
        kinds = [connection.compiler.type_mapper.from_string(kind) for (kind,) in cursor.fetchall()]
    return connection.sql(query, schema=ibis.schema(dict(zip(columns, kinds, strict=True))))


def _comparable(connection: Any, table: Any) -> Any:
    """SQLite keeps any value in any column, whatever was declared, so there all but bytes are compared as text."""
    if connection.name != "sqlite":
        return table
    return table.cast({name: "string" for name, kind in table.schema().items() if not kind.is_binary()})


@contextmanager
def _in_our_words(url: str, name: str, wrong: str, remedy: str) -> Iterator[None]:
    """A driver's failure in one line, without what it quotes."""
    try:
        yield
    except (IncrowdError, ImportError):
        raise
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        told = any(secret in first for secret in _secrets(url))
        reason = type(error).__name__ if told else re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`", "…", first)
        raise SourceError.of(name, f"{wrong} ({reason})", remedy) from None


def _without_secrets(url: str) -> str:
    """A URL without its password and its parameters."""
    scheme, _, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    return f"{scheme}://{login.partition(':')[0]}{at}{place.partition('?')[0]}"


def _secrets(url: str) -> set[str]:
    """The texts of a URL that no message may hold."""
    login, _, place = url.partition("://")[2].rpartition("@")
    password = login.partition(":")[2]
    parameters = [value for _, value in parse_qsl(place.partition("?")[2])]
    return {text for text in (password, unquote_plus(password), *parameters) if text}


def _scheme_of(head: bytes) -> str | None:
    return next((scheme for magic, (at, scheme) in _IN_A_FILE.items() if head[at:].startswith(magic)), None)


def _needs_url(location: str) -> SourceError:
    with Path(location).open("rb") as file:
        scheme = _scheme_of(file.read(16))
    return SourceError.of(location, f"it is a database ({scheme})", f"read {scheme}:///{location} and name a table")

"""Tables of a release in SQLite, DuckDB and PostgreSQL, read through their own drivers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from incrowd.errors import IncrowdError, SourceError
from incrowd.verification._rows import Batches, Rows, batches_of_rows, distinct_names

_ROWS = 1 << 16
"""Records at a time."""
_PATIENCE = 10
"""Seconds that a server has to answer at all, where its URL does not say it."""

_AS_TEXT = ("json", "jsonb", "interval", "timetz", "inet", "cidr")
"""Types of PostgreSQL whose values Python's driver would write in another way than the server."""

_SEALED: dict[str, Any] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "lock_configuration": True,
}
"""DuckDB reads the file alone. All connections of a process to one file must be configured alike."""

Query = Callable[[Any, str, Sequence[str] | None], Any]
"""From a connection, a table and columns (None for all) to a cursor."""


def knows(scheme: str) -> bool:
    """Return whether tables of such a database can be read here."""
    return scheme in _DRIVERS


def open_table(url: str, table: str | None) -> Rows:
    """Return the records of a table."""
    scheme, shown = url.partition("://")[0].lower(), shown_url(url)
    if table is None:
        raise SourceError.of(shown, "a database has several tables", "name the table of the release (--table NAME)")
    if scheme not in _DRIVERS:
        raise SourceError.of(
            shown, "cannot be verified in this database", "write the release to a file and verify that"
        )
    connect, query = _DRIVERS[scheme]
    name = table

    def batches(columns: Sequence[str]) -> Batches:
        with (
            _in_our_words(shown),
            closing(connect(url, shown)) as connection,
            closing(query(connection, name, columns)) as cursor,
        ):
            yield from batches_of_rows(_fetched(cursor))

    with (
        _in_our_words(shown),
        closing(connect(url, shown)) as connection,
        closing(query(connection, name, None)) as cursor,
    ):
        return Rows(distinct_names(shown, [column[0] for column in cursor.description]), batches)


def shown_url(url: str) -> str:
    """Return a URL without secrets."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def _fetched(cursor: Any) -> Iterator[Sequence[Any]]:
    while chunk := cursor.fetchmany(_ROWS):
        yield from chunk


@contextmanager
def _in_our_words(shown: str) -> Iterator[None]:
    """Raise SourceError without the driver's message, which may quote a cell or a password."""
    try:
        yield
    except (IncrowdError, ImportError):
        raise
    except Exception as error:
        if type(error).__name__ == "PermissionException":
            raise SourceError.reaches_out(shown, "the table") from None
        raise SourceError.of(
            shown, f"cannot be read ({type(error).__name__})", "check URL, table and permissions"
        ) from None


def _sqlite(url: str, shown: str) -> Any:
    import sqlite3

    return sqlite3.connect(f"file:{quote(str(_file(url, shown)))}?mode=ro", uri=True)


def _duckdb(url: str, shown: str) -> Any:
    try:
        import duckdb
    except ImportError:
        raise SourceError.needs_extra(shown, "duckdb", "sql") from None
    return duckdb.connect(str(_file(url, shown)), read_only=True, config=_SEALED)


def _postgres(url: str, shown: str) -> Any:
    try:
        import psycopg
    except ImportError:
        raise SourceError.needs_extra(shown, "psycopg", "sql") from None
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg.types.string import TextLoader

    connection = psycopg.connect(make_conninfo("", **{"connect_timeout": _PATIENCE, **conninfo_to_dict(url)}))
    for kind in _AS_TEXT:
        connection.adapters.register_loader(kind, TextLoader)
    return connection


def _file(url: str, shown: str) -> Path:
    path = Path(url.partition("://")[2].removeprefix("/"))
    if not path.is_file():
        raise SourceError.of(shown, "no such file", "check the path; an absolute path takes four slashes")
    return path


def _plain_query(connection: Any, table: str, columns: Sequence[str] | None) -> Any:
    """Return the query for the table name as written, or else as schema.table."""
    return _selected(connection, table, None if columns is None else list(map(_quoted, columns)))


def _selected(connection: Any, table: str, cells: Sequence[str] | None) -> Any:
    whole, split = _names(table)
    try:
        return connection.execute(_select(whole, cells))
    except Exception:
        if split is None:
            raise
        return connection.execute(_select(split, cells))


def _duckdb_query(connection: Any, table: str, columns: Sequence[str] | None) -> Any:
    """Return the same with zoned timestamps as text: DuckDB needs a further library to return them."""
    kinds = {name: str(kind) for name, kind, *_ in _selected(connection, table, None).description}
    texts = {name: f"CAST({_quoted(name)} AS VARCHAR) AS {_quoted(name)}" for name in kinds if "ZONE" in kinds[name]}
    return _selected(connection, table, [texts.get(name, _quoted(name)) for name in columns or kinds])


def _postgres_query(connection: Any, table: str, columns: Sequence[str] | None) -> Any:
    """Return the same without a failing query, which would end the transaction; a named cursor streams the records."""
    connection.execute("SET TRANSACTION READ ONLY")
    whole, split = _names(table)
    [(exists,)] = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [whole]).fetchall()
    cursor = connection.cursor("release")
    cells = None if columns is None else list(map(_quoted, columns))
    cursor.execute(_select(whole if exists or split is None else split, cells))
    return cursor


def _names(table: str) -> tuple[str, str | None]:
    schema, _, name = table.rpartition(".")
    return _quoted(table), f"{_quoted(schema)}.{_quoted(name)}" if schema else None


def _select(table: str, cells: Sequence[str] | None) -> str:
    return f"SELECT {'*' if cells is None else ', '.join(cells)} FROM {table}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


_DRIVERS: dict[str, tuple[Callable[[str, str], Any], Query]] = {
    "sqlite": (_sqlite, _plain_query),
    "duckdb": (_duckdb, _duckdb_query),
    "postgres": (_postgres, _postgres_query),
    "postgresql": (_postgres, _postgres_query),
}

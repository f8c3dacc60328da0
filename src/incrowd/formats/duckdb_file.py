"""DuckDB files by their URL: DuckDB itself counts, and nothing is ever written."""

from collections.abc import Sequence
from typing import Any

from incrowd.engines.source import Source
from incrowd.errors import SourceError
from incrowd.formats._databases import chosen_table, existing_file, in_our_words, needs_url, source_of
from incrowd.formats.options import ReadOptions

KIND = "a DuckDB file"
OPTIONS = ("missing", "table", "query")
SCHEMES = ("duckdb",)

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
    try:
        import duckdb
    except ImportError:
        raise SourceError.needs_extra(location, "duckdb", "sql") from None
    path = existing_file(location)
    with in_our_words(location, "no connection", "check the file, and that nobody writes to it"):
        connection = duckdb.connect(str(path), read_only=True)
    return source_of(location, options, lambda: _relation(connection, location, options), connection.close)


def _relation(connection: Any, url: str, options: ReadOptions) -> Any:
    if options.query is not None:
        return _answer(connection, url, options.query)

    def tables(schema: str | None) -> Sequence[str]:
        return [name for (name,) in connection.execute(_TABLES, [schema]).fetchall()]

    schema, table = chosen_table(url, options.table, tables)
    return connection.sql(f"FROM {'.'.join(_quoted(name) for name in (schema, table) if name)}")


def _answer(connection: Any, url: str, query: str) -> Any:
    """The result of a query, which runs once it is counted; a statement of another kind would run at once."""
    statements = connection.extract_statements(query)
    if [statement.type.name for statement in statements] != ["SELECT"]:
        raise SourceError.of(url, "it refuses what was asked", "a query is one SELECT statement")
    return connection.sql(query)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

"""Database types that Arrow lacks: their cells are transferred as text, and regain the type if the target has it."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from incrowd.engines.publish import Declared

_HELD = (
    *("boolean", "smallint", "integer", "bigint", "real", "double precision", "numeric", "date", "bytea", "text"),
    *("timestamp", "time without time zone", "time(", "character"),
)
"""Beginnings of PostgreSQL types whose values Ibis transfers unchanged; a time of day has no zone."""

_BUILT_IN = """
    SELECT format_type(kind, modifier), typnamespace = 'pg_catalog'::regnamespace
    FROM unnest(%s::oid[], %s::int[]) WITH ORDINALITY AS given(kind, modifier, n) JOIN pg_type ON oid = kind ORDER BY n
"""

_ALIKE: dict[tuple[str, str], dict[str, str]] = {
    ("postgres", "duckdb"): {"uuid": "UUID", "json": "JSON", "jsonb": "JSON"},
    ("duckdb", "postgres"): {"UUID": "UUID", "JSON": "JSONB"},
}
"""Types of one database and their names in another."""


def of_postgres(connection: Any, table: Any, given: str) -> tuple[Any, Declared]:
    """Return the table, selected from `given`, with text in place of types that Ibis lacks; and its declared types.

    User-defined types of the server are not included: they may list values.
    """
    with connection.con.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {given} AS given LIMIT 0")
        found, columns = cursor.pgresult, range(cursor.pgresult.nfields)
        asked = [[found.ftype(at) for at in columns], [found.fmod(at) for at in columns]]
        kinds = dict(zip(table.columns, cursor.execute(_BUILT_IN, asked).fetchall(), strict=True))
    declared = {name: ("postgres", kind) for name, (kind, built_in) in kinds.items() if built_in}
    texts = [name for name, (kind, _) in kinds.items() if _is_text_in_postgres(kind)]
    if not texts:
        return table, declared
    cells = ", ".join(quoted(name) + (f"::text AS {quoted(name)}" if name in texts else "") for name in table.columns)
    schema = {name: "string" if name in texts else kind for name, kind in table.schema().items()}
    return connection.sql(f"SELECT {cells} FROM {given} AS given", schema=schema), declared


def _is_text_in_postgres(kind: str) -> bool:
    zoned_time = kind.startswith("time(") and kind.endswith("with time zone")
    return zoned_time or not (kind.endswith("[]") or kind.startswith(_HELD))


def of_sqlite(connection: Any, given: str) -> Declared:
    """Return the declared types of table columns; they determine how SQLite stores a text that is a number."""
    view = quoted(f"incrowd_{uuid4().hex}")
    run = connection.con.execute
    run(f"CREATE TEMPORARY VIEW {view} AS SELECT * FROM {given} AS given")
    try:
        found = run(f"SELECT name, type FROM pragma_table_info({view})").fetchall()
    finally:
        run(f"DROP VIEW {view}")
    return {name: ("sqlite", kind) for name, kind in found if re.fullmatch(r"[A-Za-z ]+(\([\d, ]+\))?", kind)}


def of_duckdb(relation: Any) -> Declared:
    """Return the types of a relation that Arrow lacks, without nested types and types that list values."""
    types = zip(relation.columns, map(str, relation.types), strict=True)
    return {name: ("duckdb", kind) for name, kind in types if kind in ("UUID", "JSON", "HUGEINT", "UHUGEINT", "BIT")}


def declared_type(declared: Declared | None, column: str, database: str, known: Callable[[str], bool]) -> str | None:
    """Return the type of a column in a kind of database, if its original type is known there."""
    if declared is None or column not in declared:
        return None
    source, kind = declared[column]
    found = kind if source == database else _ALIKE.get((source, database), {}).get(kind)
    return found if found is not None and known(found) else None


def quoted(name: str) -> str:
    """Return a name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'

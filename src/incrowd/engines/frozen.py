"""Rows of a lazy frame, computed once and held in its engine: the release returned is the one that was verified.

A relation or a query is recomputed at each access. As a release it would change with its source: records added, removed
or changed there would be added, removed or changed in the verified release.
"""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import narwhals as nw

from incrowd.engines.cells import in_order
from incrowd.engines.joins import Drop, drop_in_postgres, nothing, writing_in_postgres
from incrowd.engines.leftovers import only_published_in_polars

Freeze = Callable[[Any], tuple[Any, Drop]]


class Frozen:
    """Rows of a lazy frame: recomputed at each access until frozen, the same from then on."""

    def __init__(
        self, rows: nw.LazyFrame[Any], drop: Drop, cells: Sequence[str] | None = None, order: Sequence[str] = ()
    ) -> None:
        """Hold the rows; `drop` removes what they need in their engine until they are frozen.

        Their published columns are `cells`, all if it is None. Sorted by the columns of `order` they are in the order
        of their cells; without any they already are.
        """
        self._rows = rows
        self._cells = list(rows.collect_schema().names() if cells is None else cells)
        self._order = order
        self._drop = drop
        self._frozen = False

    @property
    def rows(self) -> nw.LazyFrame[Any]:
        """The published cells."""
        return self._rows.select(*self._cells)

    def freeze(self, is_sorted: bool = False) -> nw.LazyFrame[Any]:
        """Freeze the rows as they are now and return them, sorted if that is wanted."""
        if not self._frozen:
            engine = self._rows.implementation.value
            # A database's table has no order of its own.
            unsorted = is_sorted and bool(self._order)
            later = unsorted and engine == "ibis"
            rows = in_order(self._rows, self._order) if unsorted and not later else self._rows
            held, drop = _ENGINES[engine]((rows if later else rows.select(*self._cells)).to_native())
            self._drop()
            self._rows, self._drop, self._frozen = nw.from_native(held), drop, True
            if later:
                self._rows = in_order(self._rows, self._order)
        return self.rows

    def drop(self) -> None:
        """Remove what the engine holds for the rows."""
        self._drop()


def _in_polars(rows: Any) -> tuple[Any, Drop]:
    return only_published_in_polars(rows.collect()).lazy(), nothing


def _in_spark(rows: Any) -> tuple[Any, Drop]:
    """Hold the rows as a checkpoint in the executors: lost parts of a cache would be recomputed."""
    for field in rows.schema.fields:
        if field.metadata:
            # Notes on a column, which may list all its values.
            rows = rows.withMetadata(field.name, {})
    return rows.localCheckpoint(eager=True), nothing


def _in_duckdb(rows: Any) -> tuple[Any, Drop]:
    """Hold the rows as a table in DuckDB; a relation does not expose its connection, but its queries run there."""
    view = f"incrowd_{uuid4().hex}"

    def run(query: str) -> Any:
        answer = rows.query(view, query.replace("incrowd_rows", view))
        # Before version 2, asking a relation leaves a view behind.
        rows.query(view, f"DROP VIEW IF EXISTS {view}")
        return answer

    name = _table_in_duckdb(run, "FROM incrowd_rows")
    return run(f"FROM {name}"), lambda: run(f"DROP TABLE IF EXISTS {name}")


def _table_in_duckdb(run: Callable[[str], Any], query: str) -> str:
    """Create a temporary table with a query's result, whose types list only values that occur; return its name."""
    name = f"incrowd_{uuid4().hex}"
    run(f"CREATE TEMPORARY TABLE {name} AS {query}")
    try:
        table = run(f"FROM {name}")
        for column, kind in zip(table.columns, table.types, strict=True):
            if "ENUM(" in str(kind):
                run(f"ALTER TABLE {name} ALTER {column} TYPE {_shown_in_duckdb(run, name, column, kind)}")
    except BaseException:
        run(f"DROP TABLE IF EXISTS {name}")
        raise
    return name


def _shown_in_duckdb(run: Callable[[str], Any], table: str, column: str, kind: Any) -> str:
    """Return an ENUM type of the values that occur in a column; text if there are none, or if they are nested."""
    if kind.id != "enum":
        return "VARCHAR"
    shown = {value for (value,) in run(f"SELECT DISTINCT {column}::VARCHAR FROM {table}").fetchall()}
    [(_, values)] = kind.children
    left = ["'" + value.replace("'", "''") + "'" for value in values if value in shown]
    return f"ENUM({', '.join(left)})" if left else "VARCHAR"


def _in_ibis(rows: Any) -> tuple[Any, Drop]:
    connection = rows.get_backend()
    if connection.name not in _TABLES_IN_IBIS:
        name = f"incrowd_{uuid4().hex}"
        return connection.create_table(name, rows, temp=True), lambda: connection.drop_table(name)
    # Puts tables of this process where a query finds them.
    rows.head(0).to_pyarrow()
    return _TABLES_IN_IBIS[connection.name](connection, rows)


def _in_ibis_on_duckdb(connection: Any, rows: Any) -> tuple[Any, Drop]:
    run = connection.con.sql
    name = _table_in_duckdb(lambda query: run(query), connection.compile(rows))
    for column, kind in rows.schema().items():
        if kind.is_json():
            # Ibis asks for its text.
            run(f"ALTER TABLE {name} ALTER {column} TYPE JSON")
    return connection.table(name, database="temp.main"), lambda: run(f"DROP TABLE IF EXISTS {name}")


def _in_ibis_on_sqlite(connection: Any, rows: Any) -> tuple[Any, Drop]:
    """Hold the rows as SQLite stores them, which changes no value; column types it loses are taken from the rows."""
    name = f"temp.incrowd_{uuid4().hex}"
    run = connection.con.execute
    run(f"CREATE TABLE {name} AS {connection.compile(rows)}").close()
    held = connection.sql(f"SELECT * FROM {name}", schema=rows.schema())
    return held, lambda: run(f"DROP TABLE IF EXISTS {name}").close()


def _in_ibis_on_postgres(connection: Any, rows: Any) -> tuple[Any, Drop]:
    """Hold the rows as PostgreSQL stores them, since Ibis lacks some types; types that list values become text."""
    name = f"incrowd_{uuid4().hex}"
    listing = """
        SELECT quote_ident(attname) FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
        WHERE attrelid = %s::regclass AND attnum > 0 AND typtype = 'e'
    """

    with writing_in_postgres(connection) as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE {name} AS {connection.compile(rows)}")
        for (column,) in cursor.execute(listing, [name]).fetchall():
            cursor.execute(f"ALTER TABLE {name} ALTER {column} TYPE text")
        for column, kind in rows.schema().items():
            if kind.is_json():
                # Ibis asks for its text.
                declared = "jsonb" if getattr(kind, "binary", False) else "json"
                cursor.execute(f"ALTER TABLE {name} ALTER {column} TYPE {declared} USING {column}::{declared}")
        cursor.execute(f"ANALYZE {name}")
    return connection.table(name), lambda: drop_in_postgres(connection, name)


_ENGINES: dict[str, Freeze] = {
    "polars": _in_polars,
    "duckdb": _in_duckdb,
    "ibis": _in_ibis,
    "pyspark": _in_spark,
    "pyspark[connect]": _in_spark,
}
_TABLES_IN_IBIS: dict[str, Callable[[Any, Any], tuple[Any, Drop]]] = {
    "duckdb": _in_ibis_on_duckdb,
    "sqlite": _in_ibis_on_sqlite,
    "postgres": _in_ibis_on_postgres,
}

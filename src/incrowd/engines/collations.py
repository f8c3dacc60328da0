"""Comparison of texts by their bytes in every engine, regardless of collations.

A collation may treat texts as equal that differ in case, accents, trailing blanks or Unicode form. Classes counted with
it would be larger than those of the published cells. Not every engine reports a column's collation, so every text is
compared in a form that collations do not affect: its bytes, their hexadecimal digits, or a cryptographic hash.
"""

from collections.abc import Callable, Mapping
from typing import Any

import narwhals as nw

from incrowd.errors import SourceError

Named = Mapping[str, str]


def has_collations(rows: nw.LazyFrame[Any]) -> bool:
    """Return whether the engine may compare texts by anything but their bytes."""
    return rows.implementation.value in _ADDED


def with_bytes(rows: nw.LazyFrame[Any], columns: Named, texts: Named | None = None) -> nw.LazyFrame[Any]:
    """Add columns by their new names: the comparable form of a text column, or of a given text in every row."""
    texts = texts or {}
    if has_collations(rows):
        added: nw.LazyFrame[Any] = nw.from_native(_ADDED[rows.implementation.value](rows.to_native(), columns, texts))
        return added
    unchanged = [nw.col(column).alias(name) for name, column in columns.items()]
    return rows.with_columns(*unchanged, *(nw.lit(text).alias(name) for name, text in texts.items()))


def _added_in_duckdb(rows: Any, columns: Named, texts: Named) -> Any:
    literals = {name: "'" + text.replace("'", "''") + "'" for name, text in texts.items()}
    forms = [f"encode({cell}) AS {name}" for name, cell in {**columns, **literals}.items()]
    return rows.project(", ".join(["*", *forms]))


def _added_in_spark(rows: Any, columns: Named, texts: Named) -> Any:
    from pyspark.sql import functions

    cells = {name: rows[column] for name, column in columns.items()}
    cells |= {name: functions.lit(text) for name, text in texts.items()}
    return rows.withColumns({name: cell.cast("binary") for name, cell in cells.items()})


def _added_in_ibis(rows: Any, columns: Named, texts: Named) -> Any:
    import ibis

    back_end = rows.get_backend().name
    if back_end not in _IBIS:
        raise SourceError.of(
            f"a table in {back_end}",
            "it may treat texts as equal that differ in case or blanks",
            "read it into pandas, Polars or PyArrow first",
        )
    form = _IBIS[back_end]
    cells = {name: rows[column] for name, column in columns.items()}
    cells |= {name: ibis.literal(text) for name, text in texts.items()}
    return rows.mutate(**{name: form(cell) for name, cell in cells.items()})


def _call(function: str, gives: str, *given: Any) -> Any:
    """Return a call of a database function with one or two arguments."""
    import ibis

    named = (lambda one: None) if len(given) == 1 else (lambda one, other: None)
    kinds = tuple(cell.type() for cell in given)
    return ibis.udf.scalar.builtin(named, name=function, signature=(kinds, gives))(*given)


def _in_digits(function: str) -> Callable[[Any], Any]:
    """Return an expression for the bytes of a text in hexadecimal digits, by a function of the database."""
    return lambda cell: _call(function, "string", cell)


def _in_postgres(cell: Any) -> Any:
    import ibis

    # Concatenation converts to text what Ibis only treats as text, such as an enumeration.
    return _call("convert_to", "binary", cell + "", ibis.literal("UTF8"))


_IBIS: dict[str, Callable[[Any], Any]] = {
    "duckdb": lambda cell: _call("encode", "binary", cell),
    # A column keeps its collation through a cast, but not through a concatenation.
    "sqlite": lambda cell: cell + "",
    "postgres": _in_postgres,
    "mysql": _in_digits("hex"),
    "singlestoredb": _in_digits("hex"),
    "clickhouse": _in_digits("hex"),
    "databricks": _in_digits("hex"),
    "impala": _in_digits("hex"),
    "pyspark": _in_digits("hex"),
    "snowflake": _in_digits("hex_encode"),
    "oracle": _in_digits("rawtohex"),
    "trino": lambda cell: _call("to_hex", "string", _call("to_utf8", "binary", cell)),
    "bigquery": lambda cell: _call("to_hex", "string", cell.cast("binary")),
    # SQL Server ignores trailing blanks in texts, even in a binary collation, and trailing zeros in bytes.
    "mssql": lambda cell: cell.hexdigest("sha256"),
    "exasol": lambda cell: cell.hexdigest("sha256"),
    # They have no collations.
    "druid": lambda cell: cell,
    "risingwave": lambda cell: cell,
}
"""By back end of Ibis."""

_ADDED: dict[str, Callable[[Any, Named, Named], Any]] = {
    "duckdb": _added_in_duckdb,
    "ibis": _added_in_ibis,
    "pyspark": _added_in_spark,
    "pyspark[connect]": _added_in_spark,
}
"""By engine; all others have no collations."""

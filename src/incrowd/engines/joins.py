"""Join rows with their published labels in the engine that holds the rows, and fetch the result.

Cells that are missing on both sides are equal, and so are NaN and NaN, and 0.0 and -0.0.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from inspect import signature
from typing import Any
from uuid import uuid4

import narwhals as nw
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.engines.cells import exact, retyped
from incrowd.engines.collations import has_collations, with_bytes
from incrowd.errors import SourceError

_ROWS = 1 << 16
"""Records to fetch from an engine at a time."""

_BROADCAST = 1 << 25
"""Bytes of a table that Spark sends whole to every executor; its own limit applies to tables whose size it knows."""

Upload = Callable[[pa.Table], Any]
"""Uploads a table to the engine that holds the rows; given by the owner of the connection."""

Drop = Callable[[], object]
"""Removes temporary tables from an engine."""

Pairs = Sequence[tuple[str, str]]
"""Columns of the rows and those of a table that must be equal."""

Send = Callable[[Any, pa.Table, Sequence[str], Upload | None], tuple[Any, Drop]]
"""From rows, a table and those of its columns that are compared to the same table in the engine of the rows."""

Join = Callable[[Any, Any, Pairs, str], Any]
"""From rows, a table in their engine, the columns to compare, and inner, semi or anti, to the joined rows."""


def link_keys(rows: nw.LazyFrame[Any], keys: Sequence[str]) -> tuple[nw.LazyFrame[Any], list[str]]:
    """Return the rows with a comparable column (link) for each key, and the names of the links."""
    kinds = rows.collect_schema()
    texts = [key for key in keys if isinstance(kinds[key], nw.String) and has_collations(rows)]
    others = [key for key in keys if key not in texts and not _is_comparable(rows, kinds[key])]
    if texts:
        rows = with_bytes(rows, {f"{key}_link": key for key in texts})
    if others:
        rows = rows.with_columns(*[nw.col(key).cast(nw.String).alias(f"{key}_link") for key in others])
    return rows, [f"{key}_link" if key in (*texts, *others) else key for key in keys]


def _is_comparable(rows: nw.LazyFrame[Any], kind: nw.dtypes.DType) -> bool:
    """Return whether equal values stay equal after a round trip from the engine."""
    if not rows.implementation.is_ibis():
        return True
    back_end = rows.to_native().get_backend().name
    # Texts of other values are equal exactly when the values are; but SQLite writes a float with 15 digits only, and
    # bytes as they are.
    return back_end == "duckdb" or (back_end == "sqlite" and isinstance(kind, nw.Float32 | nw.Float64 | nw.Binary))


def joined(
    source: str,
    rows: nw.LazyFrame[Any],
    table: pa.Table,
    keys: Sequence[str],
    records: int,
    upload: Upload | None = None,
) -> tuple[nw.LazyFrame[Any], Drop]:
    """Return the rows whose keys are in the table as m0, m1, ..., with its other columns, and a function that drops it.

    Raise SourceError if their number is not `records`.
    """
    send, join = joining(source, rows)
    names = [f"m{at}" for at in range(len(keys))]
    labels, drop = send(rows.to_native(), table, names, upload)
    found: nw.LazyFrame[Any] = nw.from_native(
        join(rows.to_native(), labels, list(zip(keys, names, strict=True)), "inner")
    )
    check_found(source, found, records)
    return found, drop


def joining(source: str, rows: nw.LazyFrame[Any]) -> tuple[Send, Join]:
    """Return how a table is sent to the engine of the rows, and how they are joined with it there."""
    found: tuple[Send, Join] = _of_engine(source, rows, _JOINS)
    return found


def check_found(source: str, rows: nw.LazyFrame[Any], records: int) -> None:
    """Raise SourceError if the join in an engine that no test knows does not find every record."""
    if _is_tried(rows):
        return
    # One more query is better than records silently lost because a database compares differently.
    found = int(rows.select(nw.len().alias("n")).collect(backend="pyarrow").item())
    if found != records:
        raise SourceError.of(
            source,
            f"joining by quasi-identifiers in its database found {found:,} of {records:,} records",
            "read it into pandas, Polars or PyArrow first",
        )


def _is_tried(rows: nw.LazyFrame[Any]) -> bool:
    """Return whether the join is tested to find every record; not all back ends of Ibis are."""
    return not rows.implementation.is_ibis() or rows.to_native().get_backend().name in ("duckdb", "sqlite", "postgres")


def fetch_batches(source: str, rows: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
    """Yield the rows in Arrow, in the smallest batches that the engine supports."""
    sent, types = exact(rows)
    for batch in _of_engine(source, rows, _HAND_OVERS)(sent.to_native()):
        yield retyped(batch, types)


def _of_engine(source: str, rows: nw.LazyFrame[Any], known: Mapping[str, Any]) -> Any:
    engine = rows.implementation.value
    if engine not in known:
        raise SourceError.of(
            source,
            f"publishing is not supported in {engine}",
            f"collect it into pandas, Polars or PyArrow, or use one of {', '.join(known)}",
        )
    return known[engine]


def _sent_to_polars(rows: Any, table: pa.Table, compared: Sequence[str], upload: Upload | None) -> tuple[Any, Drop]:
    import polars as pl

    return pl.LazyFrame(table), nothing


def _join_in_polars(rows: Any, table: Any, pairs: Pairs, how: str) -> Any:
    kinds = rows.collect_schema()
    labels = table.cast({there: kinds[here] for here, there in pairs})
    on = {"left_on": [here for here, _ in pairs], "right_on": [there for _, there in pairs]}
    # Polars before 1.24 has another name for it.
    null_safe = "nulls_equal" if "nulls_equal" in signature(rows.join).parameters else "join_nulls"
    return rows.join(labels, how=how, **on, **{null_safe: True}, maintain_order="left")


def _sent_to_duckdb(rows: Any, table: pa.Table, compared: Sequence[str], upload: Upload | None) -> tuple[Any, Drop]:
    return (_labels_in_duckdb(rows, table) if upload is None else upload(table)), nothing


def _join_in_duckdb(rows: Any, table: Any, pairs: Pairs, how: str) -> Any:
    equal = " AND ".join(f"rows.{here} IS NOT DISTINCT FROM labels.{there}" for here, there in pairs)
    return rows.set_alias("rows").join(table.set_alias("labels"), equal, how)


def _labels_in_duckdb(rows: Any, table: pa.Table) -> Any:
    """Return the labels as a relation on the rows' connection, where queries run; DuckDB finds the local variable."""
    incrowd_labels = table  # noqa: F841
    view = f"incrowd_{uuid4().hex}"
    labels = rows.query(view, "FROM incrowd_labels")
    # Before version 2, asking a relation leaves a view behind.
    rows.query(view, f"DROP VIEW IF EXISTS {view}")
    return labels


def _sent_to_spark(rows: Any, table: pa.Table, compared: Sequence[str], upload: Upload | None) -> tuple[Any, Drop]:
    from pyspark.sql import functions

    labels = rows.sparkSession.createDataFrame(table)
    # Spark does not know how small it is, and would sort both sides.
    return (functions.broadcast(labels) if table.nbytes <= _BROADCAST else labels), nothing


def _join_in_spark(rows: Any, table: Any, pairs: Pairs, how: str) -> Any:
    kind = {"inner": "inner", "semi": "left_semi", "anti": "left_anti"}[how]
    return rows.join(table, [rows[here].eqNullSafe(table[there]) for here, there in pairs], kind)


def _sent_to_ibis(rows: Any, table: pa.Table, compared: Sequence[str], upload: Upload | None) -> tuple[Any, Drop]:
    connection = rows.get_backend()
    if connection.name in _NULL_SAFE:
        return _labels_in_ibis(connection, table)
    # Databases join fast only by equality, where NULL equals nothing.
    for name in compared:
        if name in table.column_names and not pa.types.is_integer(table.schema.field(name).type):
            table = table.set_column(table.column_names.index(name), name, _marked(table[name]))
    return _labels_in_ibis(connection, table)


def _marked(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts or bytes with a mark that tells a missing one from all others."""
    if pa.types.is_string(cells.type):
        return pc.binary_join_element_wise("=", cells, "").fill_null("-")
    return cells.fill_null(_NO_TEXT)


def _join_in_ibis(rows: Any, table: Any, pairs: Pairs, how: str) -> Any:
    import ibis

    if rows.get_backend().name in _NULL_SAFE:
        return rows.join(table, [rows[here].identical_to(table[there]) for here, there in pairs], how=how)
    kinds = {here: rows[here].type() for here, _ in pairs}
    texts = {here: (ibis.literal("=") + rows[here]).fill_null("-") for here, kind in kinds.items() if kind.is_string()}
    bytes_ = {here: rows[here].fill_null(ibis.literal(_NO_TEXT)) for here, kind in kinds.items() if kind.is_binary()}
    rows = rows.mutate(**texts, **bytes_)
    return rows.join(table, [rows[here] == table[there] for here, there in pairs], how=how)


def _labels_in_ibis(connection: Any, table: pa.Table) -> tuple[Any, Drop]:
    import ibis

    if connection.name == "duckdb":
        return ibis.memtable(table), nothing
    if connection.name == "sqlite":
        return _labels_in_sqlite(table), nothing
    if connection.name != "postgres":
        # Some back ends read missing values as floats.
        missing = f"missing {uuid4().hex}"
        holes = [name for name in table.column_names if table[name].null_count and table[name].type == pa.string()]
        columns = [table[name].fill_null(missing) if name in holes else table[name] for name in table.column_names]
        labels = ibis.memtable(pa.table(columns, table.column_names))
        return labels.mutate(**{name: labels[name].nullif(missing) for name in holes}), nothing
    # Ibis would insert row by row, and in a session that may only read it could not.
    name = f"incrowd_{uuid4().hex}"
    declared = ", ".join(f"{field.name} {_type_in_postgres(field.type)}" for field in table.schema)
    with writing_in_postgres(connection) as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE {name} ({declared})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for batch in table.to_batches(_ROWS):
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    copy.write_row(row)
        cursor.execute(f"ANALYZE {name}")
    return connection.table(name), lambda: drop_in_postgres(connection, name)


def _labels_in_sqlite(table: pa.Table) -> Any:
    """Return the labels; Ibis cannot store missing timestamps in SQLite, so an extra column marks them."""
    import ibis

    kinds = {field.name: field.type for field in table.schema}
    holes = [name for name, kind in kinds.items() if pa.types.is_timestamp(kind) and table[name].null_count]
    for name in holes:
        cells = table[name]
        table = table.append_column(f"{name}_there", cells.is_valid())
        table = table.set_column(table.column_names.index(name), name, cells.fill_null(cells.drop_null()[0]))
    labels = ibis.memtable(table)
    whole = {name: ibis.ifelse(labels[f"{name}_there"], labels[name], ibis.null("timestamp")) for name in holes}
    return labels.mutate(**whole).drop(*[f"{name}_there" for name in holes]) if holes else labels


def _type_in_postgres(kind: pa.DataType) -> str:
    """Return the PostgreSQL type of a key, which is text, or of a published cell."""
    if pa.types.is_floating(kind):
        return "DOUBLE PRECISION"
    if pa.types.is_date(kind):
        return "DATE"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMPTZ"
    if pa.types.is_boolean(kind):
        return "BOOLEAN"
    if pa.types.is_binary(kind):
        return "BYTEA"
    if kind == pa.int64():
        # Parts of numbers, and labels that are numbers.
        return "BIGINT"
    return "NUMERIC" if pa.types.is_integer(kind) or pa.types.is_decimal(kind) else "TEXT"


@contextmanager
def writing_in_postgres(connection: Any) -> Iterator[Any]:
    """Open a transaction that may create temporary tables, even in a read-only session."""
    with connection.con.transaction(), connection.con.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ WRITE")
        yield cursor


def drop_in_postgres(connection: Any, table: str) -> None:
    """Remove a temporary table, if it is still there."""
    with writing_in_postgres(connection) as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {table}")


def nothing() -> None:
    """Drop nothing: what an engine has in memory needs no cleanup."""


def _handed_over_by_polars(rows: Any) -> Iterator[pa.RecordBatch]:
    # Polars before 1.33 has no batches.
    parts = rows.collect_batches(chunk_size=_ROWS) if hasattr(rows, "collect_batches") else [rows.collect()]
    for part in parts:
        yield from part.to_arrow().to_batches(_ROWS)


def _handed_over_by_duckdb(rows: Any) -> Iterator[pa.RecordBatch]:
    # Older versions call it fetch_arrow_reader.
    yield from (rows.to_arrow_reader if hasattr(rows, "to_arrow_reader") else rows.fetch_arrow_reader)(_ROWS)


def _handed_over_by_ibis(rows: Any) -> Iterator[pa.RecordBatch]:
    connection = rows.get_backend()
    plain = all(kind.is_string() or kind.is_binary() for kind in rows.schema().types)
    if connection.name != "duckdb" and not (connection.name == "sqlite" and plain):
        yield from rows.to_pyarrow_batches(chunk_size=_ROWS)
        return
    # Ibis 12 cannot ask DuckDB 2 for batches, and asks SQLite for all rows at once. So it only writes the query here,
    # after it has put tables of this process where the query finds them.
    rows.head(0).to_pyarrow()
    query = connection.compile(rows)
    if connection.name == "duckdb":
        yield from _handed_over_by_duckdb(connection.con.sql(query))
    else:
        yield from _handed_over_by_sqlite(connection.con, query, rows.schema().to_pyarrow())


def _handed_over_by_sqlite(connection: Any, query: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield rows of texts and bytes, which need no conversion."""
    with closing(connection.execute(query)) as cursor:
        while rows := cursor.fetchmany(_ROWS):
            cells = zip(*rows, strict=True)
            arrays = [pa.array(column, field.type) for column, field in zip(cells, schema, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _handed_over_by_spark(rows: Any) -> Iterator[pa.RecordBatch]:
    """Yield partition by partition, packed by the workers: Spark's own rows change timestamps to the local zone."""

    def packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # A nested function is sent to the workers itself: they need only PyArrow.
        import pyarrow

        for batch in batches:
            sink = pyarrow.BufferOutputStream()
            with pyarrow.ipc.new_stream(sink, batch.schema) as stream:
                stream.write_batch(batch)
            yield pyarrow.record_batch([pyarrow.array([sink.getvalue().to_pybytes()])], names=["packed"])

    for row in rows.mapInArrow(packed, "packed binary").toLocalIterator():
        with pa.ipc.open_stream(row[0]) as stream:
            yield from stream


_NO_TEXT = b"\xff"
"""Bytes that are not those of a text in UTF-8."""
_NULL_SAFE = ("duckdb", "sqlite")
"""Back ends of Ibis that join as fast where missing equals missing."""
_JOINS: dict[str, tuple[Send, Join]] = {
    "polars": (_sent_to_polars, _join_in_polars),
    "duckdb": (_sent_to_duckdb, _join_in_duckdb),
    "ibis": (_sent_to_ibis, _join_in_ibis),
    "pyspark": (_sent_to_spark, _join_in_spark),
    "pyspark[connect]": (_sent_to_spark, _join_in_spark),
}
_HAND_OVERS: dict[str, Callable[[Any], Iterator[pa.RecordBatch]]] = {
    "polars": _handed_over_by_polars,
    "duckdb": _handed_over_by_duckdb,
    "ibis": _handed_over_by_ibis,
    "pyspark": _handed_over_by_spark,
    "pyspark[connect]": _handed_over_by_spark,
}

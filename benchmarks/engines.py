"""A release made in the engine that holds the table, beside the same work as plain SQL in the same engine.

The plain SQL is what somebody would write by hand who knew already which recoding is best: one GROUP BY of the nine
columns, then the rows joined with a small table of labels for each column, without the classes that are left out,
written as a table of the engine. It verifies nothing and hides no order. CPU time is that of the engine too, wherever
its processes are.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import tables
from harness import Figures, measure

import incrowd
from incrowd.release import Record

HIERARCHIES = tables.ADULT.parent / "hierarchies"
K = 5
SUPPRESS = 0.02
KEPT = "salary-class"
"""The column that is published as it is, where one is: then a release is more than its classes."""
PLAN = tables.DATA / "releases"
"""What the plain SQL does: the labels of each value and the classes that are left out, found once."""


def _job(kept: str | None = None, **more: object) -> dict[str, object]:
    quasi = {
        name: {"role": "quasi", "hierarchy": str(HIERARCHIES / f"{name}.csv")} for name in tables.NINE if name != kept
    }
    columns = quasi if kept is None else {**quasi, kept: {"role": "keep"}}
    return {"columns": columns, "models": [f"k_anonymity:k={K}"], "suppress": SUPPRESS, "search": "optimal", **more}


def _million() -> Path:
    return tables.parquet("one-million-nine", tables.NINE, 1_000_000)


def _ten_million() -> Path:
    return tables.parquet("ten-million", tables.NINE, 10_000_000)


def _quoted(names: Any) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _found(path: Path, kept: str | None = None) -> dict[str, Any]:
    """The labels of each value, by column, in the best recoding."""
    file = PLAN / f"{path.stem}-{kept or 'all'}.json"
    if not file.exists():
        PLAN.mkdir(parents=True, exist_ok=True)
        out = PLAN / f"{path.stem}-{kept or 'all'}.parquet"
        made = incrowd.anonymize(str(path), _job(kept, output={"to": str(out), "replace": True}))
        file.write_text(json.dumps(_plan(path, made.record)), encoding="utf-8")
    return dict(json.loads(file.read_text("utf-8")))


def _plan(path: Path, record: Record) -> dict[str, Any]:
    import csv

    import pyarrow.parquet as pq

    labels = {}
    for column in record.quasi:
        values = [str(value) for value in pq.read_table(path, columns=[column.name]).column(0).unique().to_pylist()]
        with (HIERARCHIES / f"{column.name}.csv").open(encoding="utf-8", newline="") as rows:
            ladder = {row[0]: row[column.level or 0] for row in csv.reader(rows, delimiter=";")}
        labels[column.name] = {value: ladder[value] for value in values}
    return labels


def _labels(path: Path, kept: str | None) -> dict[str, pa.Table]:
    import pyarrow.parquet as pq

    schema = pq.read_schema(path)
    return {
        name: pa.table(
            {
                f"v{at}": pa.array(list(pairs), pa.string()).cast(schema.field(name).type),
                f"l{at}": pa.array(list(pairs.values()), pa.string()),
            }
        )
        for at, (name, pairs) in enumerate(_found(path, kept).items())
    }


def _by_hand(path: Path, kept: str | None, run: Callable[[str], Any], temporary: str = "TEMPORARY TABLE") -> int:
    """The classes that are too small, and the rows of all others under their labels; there are `rows`, `m0`, ..."""
    quasi = list(_found(path, kept))
    run(f"CREATE {temporary} counted AS SELECT {_quoted(quasi)}, count(*) AS n FROM rows GROUP BY {_quoted(quasi)}")
    labels = ", ".join(f"l{at}" for at in range(len(quasi)))
    joins = " ".join(f'JOIN m{at} ON "{name}" = v{at}' for at, name in enumerate(quasi))
    small = f"SELECT {labels} FROM counted {joins} GROUP BY {labels} HAVING sum(n) < {K}"
    run(f"CREATE {temporary} small AS {small}")
    same = " AND ".join(f"small.l{at} = m{at}.l{at}" for at in range(len(quasi)))
    shown = ", ".join([*(f"m{at}.l{at}" for at in range(len(quasi))), *([f'"{kept}"'] if kept else [])])
    large = f"NOT EXISTS (SELECT 1 FROM small WHERE {same})"
    run(f"CREATE {temporary} released AS SELECT {shown} FROM rows {joins} WHERE {large}")
    return int(run("SELECT count(*) FROM released").fetchall()[0][0])


# DuckDB: a relation in, a relation out.


def _duckdb_frame(path: Path, kept: str | None = None, **more: object) -> Figures:
    import duckdb

    relation = duckdb.connect().sql(f"FROM '{path}'")
    return measure(lambda: incrowd.anonymize(relation, _job(kept, **more)).verdict.records)


def _duckdb_by_hand(path: Path, kept: str | None = None) -> Figures:
    import duckdb

    labels = _labels(path, kept)

    def work() -> int:
        connection = duckdb.connect()
        connection.execute(f"CREATE VIEW rows AS FROM '{path}'")
        for at, table in enumerate(labels.values()):
            connection.register(f"m{at}", table)
        return _by_hand(path, kept, connection.execute)

    return measure(work)


def duckdb_ten_million() -> Figures:
    return _duckdb_frame(_ten_million())


def duckdb_ten_million_by_hand() -> Figures:
    return _duckdb_by_hand(_ten_million())


def duckdb_ten_million_kept() -> Figures:
    return _duckdb_frame(_ten_million(), KEPT)


def duckdb_ten_million_kept_by_hand() -> Figures:
    return _duckdb_by_hand(_ten_million(), KEPT)


def duckdb_million_mondrian() -> Figures:
    """Every combination has labels of its own."""
    return _duckdb_frame(_million(), search="mondrian", suppress=0)


def duckdb_million_layered() -> Figures:
    return _duckdb_frame(_million(), search="layered")


# Spark: a frame in, a frame out; one Java process and its Python workers.


@contextmanager
def _spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("benchmark").config("spark.driver.memory", "4g")
    for name, value in {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "8",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()


def _with_processes(work: Callable[[], object], top: int) -> Figures:
    """As `measure`, with the CPU time of the processes below another one."""
    before, own, wall = _seconds(top), time.process_time(), time.perf_counter()
    found = work()
    spent = _seconds(top) - before + time.process_time() - own
    return {
        "cpu": spent,
        "wall": time.perf_counter() - wall,
        "memory": measure(int)["memory"],
        "result": found if isinstance(found, int | str) else 0,
    }


def _seconds(top: int) -> float:
    """The CPU time of a process and all below it, those that ended included."""
    stats = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(folder.name)] = int(words[1]), sum(map(int, words[11:15]))
    below = {top}
    while more := {pid for pid, (parent, _) in stats.items() if parent in below} - below:
        below |= more
    return sum(stats[pid][1] for pid in below if pid in stats) / os.sysconf("SC_CLK_TCK")


def _spark_frame(path: Path, kept: str | None = None, **more: object) -> Figures:
    with _spark() as session:
        java = session.sparkContext._gateway.proc.pid
        # The first query loads half of Spark.
        frame = session.read.parquet(str(path))
        frame.limit(10).groupBy(tables.NINE[0]).count().collect()
        return _with_processes(lambda: incrowd.anonymize(frame, _job(kept, **more)).verdict.records, java)


def _spark_by_hand(path: Path, kept: str | None = None) -> Figures:
    labels = _labels(path, kept)
    with _spark() as session:
        java = session.sparkContext._gateway.proc.pid
        session.read.parquet(str(path)).limit(10).groupBy(tables.NINE[0]).count().collect()
        quasi = list(labels)

        def work() -> int:
            from pyspark.sql import functions as made

            rows = session.read.parquet(str(path))
            counted = rows.groupBy(*[made.col(f"`{name}`") for name in quasi]).count().localCheckpoint()

            def under_labels(frame: Any) -> Any:
                for at, (name, table) in enumerate(labels.items()):
                    one = session.createDataFrame(table)
                    frame = frame.join(made.broadcast(one), frame[f"`{name}`"] == one[f"v{at}"])
                return frame

            shown = [f"l{at}" for at in range(len(quasi))]
            small = under_labels(counted).groupBy(*shown).agg(made.sum("count").alias("n")).where(f"n < {K}")
            released = under_labels(rows).join(small.select(*shown), shown, "left_anti")
            released = released.select(*shown, *([f"`{kept}`"] if kept else []))
            return int(released.localCheckpoint().count())

        return _with_processes(work, java)


def spark_ten_million() -> Figures:
    return _spark_frame(_ten_million())


def spark_ten_million_by_hand() -> Figures:
    return _spark_by_hand(_ten_million())


def spark_million_kept() -> Figures:
    return _spark_frame(_million(), KEPT)


def spark_million_kept_by_hand() -> Figures:
    return _spark_by_hand(_million(), KEPT)


# PostgreSQL: a table in, another table out; a server of its own.


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    """A server that holds the table `people`, and its process."""
    import pyarrow.parquet as pq

    sys.path.insert(0, str(tables.HERE.parent / "tests"))
    import psycopg

    from postgres_server import postgres_programs, running

    programs = postgres_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed: scripts/debian-packages")
    with running(programs) as url:
        with psycopg.connect(url) as connection, connection.cursor() as cursor:
            [(data,)] = cursor.execute("SHOW data_directory").fetchall()
            kinds = [f'"{name}" {"BIGINT" if name == "age" else "TEXT"}' for name in tables.NINE]
            cursor.execute(f"CREATE TABLE people ({', '.join(kinds)})")
            with cursor.copy("COPY people FROM STDIN") as copy:
                for batch in pq.ParquetFile(_million()).iter_batches():
                    for row in zip(*[column.to_pylist() for column in batch.columns], strict=True):
                        copy.write_row(row)
            cursor.execute("ANALYZE people")
        yield url, int((Path(data) / "postmaster.pid").read_text().split()[0])


def postgres_million() -> Figures:
    with _server() as (url, process):
        job = _job(data={"source": url, "table": "people"}, output={"to": url, "table": "released", "replace": True})
        return _with_processes(lambda: incrowd.anonymize(job=job).verdict.records, process)


def postgres_million_by_hand() -> Figures:
    """The same in SQL, and the released table read once, as whoever looks at it must."""
    import psycopg

    labels = _labels(_million(), None)
    with _server() as (url, process), psycopg.connect(url) as connection:

        def work() -> int:
            connection.execute("CREATE TEMPORARY VIEW rows AS SELECT * FROM people")
            for at, (name, table) in enumerate(labels.items()):
                kind = "BIGINT" if name == "age" else "TEXT"
                connection.execute(f"CREATE TEMPORARY TABLE m{at} (v{at} {kind}, l{at} TEXT)")
                with connection.cursor() as cursor, cursor.copy(f"COPY m{at} FROM STDIN") as copy:
                    for row in zip(*[column.to_pylist() for column in table.columns], strict=True):
                        copy.write_row(row)
                connection.execute(f"ANALYZE m{at}")
            found = _by_hand(_million(), None, connection.execute, "TABLE")
            with connection.cursor("all") as cursor:
                cursor.itersize = 1 << 16
                seen = sum(1 for _ in cursor.execute("SELECT * FROM released"))
            assert seen == found
            return found

        return _with_processes(work, process)


def prepare() -> None:
    """The tables, and the recodings that are done by hand."""
    for path, kept in ((_million(), None), (_million(), KEPT), (_ten_million(), None), (_ten_million(), KEPT)):
        _found(path, kept)

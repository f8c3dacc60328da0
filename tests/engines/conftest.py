"""The same table in any engine; connections and the Spark session live as long as the test run."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any

import pyarrow as pa
import pytest

from effort import effort
from engines import same_rows
from engines.same_rows import Build

FOREIGN_WARNINGS = (
    # ibis 12.0 calls DuckDB 2.0 by an old name.
    "ignore:fetch_arrow_table:DeprecationWarning",
    # ibis 12.0 asks pandas 3 for an option that is going away.
    "ignore:.*infer_string:DeprecationWarning",
    # PySpark 4.0 leaves it to the garbage collector to close its sockets.
    "ignore:unclosed <socket:ResourceWarning",
)

# Java's second compiler, and the check of classes that Spark brings along, take longer than a few small queries.
JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        # Thousands of tests: their paths are compared as texts.
        if str(item.path).startswith(here):
            for warning in FOREIGN_WARNINGS:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(scope="session")
def build(request: pytest.FixtureRequest) -> Callable[[str, pa.Table], Any]:
    """A function that puts an Arrow table into the engine of a name."""
    in_memory = same_rows.IN_MEMORY

    def frame(engine: str, table: pa.Table) -> Any:
        builder: Build = in_memory[engine] if engine in in_memory else request.getfixturevalue(engine)
        return builder(table)

    return frame


@pytest.fixture(scope="session")
def duckdb() -> Iterator[Build]:
    import duckdb

    names = map("t{}".format, count())
    with duckdb.connect() as connection:

        def builder(table: pa.Table) -> Any:
            name = next(names)
            same_rows.store_in_duckdb(connection, name, table)
            return connection.table(name)

        yield builder


@pytest.fixture
def duckdb_connection() -> Iterator[Any]:
    import duckdb

    with duckdb.connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def ibis_duckdb() -> Iterator[Build]:
    import ibis

    names = map("t{}".format, count())
    connection = ibis.duckdb.connect()

    def builder(table: pa.Table) -> Any:
        name = next(names)
        same_rows.store_in_duckdb(connection.con, name, table)
        return connection.table(name)

    yield builder
    connection.disconnect()


@pytest.fixture(scope="session")
def ibis_sqlite() -> Iterator[Build]:
    import ibis

    names = map("t{}".format, count())
    connection = ibis.sqlite.connect()

    def builder(table: pa.Table) -> Any:
        name = next(names)
        same_rows.store_in_sqlite(connection.con, name, table)
        return connection.table(name)

    yield builder
    connection.disconnect()


@pytest.fixture(scope="session")
def ibis_postgres(postgres_url: str) -> Iterator[Build]:
    import ibis

    # The server may have tables of another builder already.
    names = map(f"t{token_hex(4)}_{{}}".format, count())
    connection = ibis.connect(postgres_url)

    def builder(table: pa.Table) -> Any:
        name = next(names)
        same_rows.store_in_postgres(connection.con, name, table)
        return connection.table(name)

    yield builder
    connection.disconnect()


@pytest.fixture(scope="session")
def spark_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, and there is none")
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.extraJavaOptions": JAVA,
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.adaptive.enabled": effort("false", "true"),
        # Queries over a few rows take longer to compile than to interpret.
        "spark.sql.codegen.wholeStage": effort("false", "true"),
        "spark.sql.codegen.factoryMode": effort("NO_CODEGEN", "FALLBACK"),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[1]").appName("incrowd")
    for name, value in settings.items():
        builder = builder.config(name, value)
    # Else Spark's workers run on whatever Python is first in the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def spark(spark_session: Any) -> Build:
    return lambda table: spark_session.createDataFrame(table)

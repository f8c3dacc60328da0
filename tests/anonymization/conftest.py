"""The engines of tests/engines, for whole runs."""

from engines.conftest import (
    FOREIGN_WARNINGS,
    build,
    duckdb,
    ibis_duckdb,
    ibis_postgres,
    ibis_sqlite,
    spark,
    spark_session,
)

__all__ = [
    "FOREIGN_WARNINGS",
    "build",
    "duckdb",
    "ibis_duckdb",
    "ibis_postgres",
    "ibis_sqlite",
    "spark",
    "spark_session",
]

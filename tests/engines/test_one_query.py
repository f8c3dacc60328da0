"""An engine is asked once: one GROUP BY of the quasi-identifiers, the sensitive column and the person."""

from typing import Any

import narwhals as nw
import pyarrow as pa
import pytest

from incrowd.api import diagnose, read, risk
from incrowd.watch import Watch

TABLE = pa.table(
    {
        "town": ["a", "a", "a", "b", "b", None],
        "ill": ["flu", "flu", "gout", "flu", "flu", "flu"],
        "who": ["p", "p", "q", "q", "r", None],
    }
)
ENGINES = ("duckdb", "ibis_duckdb", "ibis_sqlite", "ibis_postgres", "spark")


def query_of(frame: Any) -> str:
    """What the engine is asked, in its own words."""
    if type(frame).__module__.startswith("ibis"):
        import ibis

        return str(ibis.to_sql(frame))
    if type(frame).__module__.startswith("pyspark"):
        return str(frame._jdf.queryExecution().optimizedPlan().toString())
    return str(frame.sql_query())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries whose rows are fetched."""
    found: list[str] = []
    collect = nw.LazyFrame.collect

    def noted(frame: Any, *args: Any, **options: Any) -> Any:
        found.append(query_of(frame.to_native()))
        return collect(frame, *args, **options)

    monkeypatch.setattr(nw.LazyFrame, "collect", noted)
    return found


def grouped(query: str, engine: str) -> int:
    """How often it groups."""
    return query.count("\nAggregate") + query.startswith("Aggregate") if engine == "spark" else query.count("GROUP BY")


@pytest.mark.parametrize("engine", ENGINES)
def test_people_are_counted_by_one_query(build: Any, engine: str, asked: list[str]) -> None:
    frame = build(engine, TABLE)
    counted = read(frame).count(["town", "ill", "who"], Watch())
    # Two equal records come as one.
    assert (counted.combinations, int(counted.counts.sum())) == (5, 6)
    assert [grouped(query, engine) for query in asked] == [1]
    for run in (
        lambda: risk(frame, ["town"], sensitive=["ill"], person=["who"]),
        lambda: diagnose(frame, among=["town"], person=["who"]).ask(quasi=["town"], k=2),
    ):
        asked.clear()
        assert run().people == 4
        assert [grouped(query, engine) for query in asked] == [1]

"""The search auto on data of every engine: it takes what the engine can publish, and says in a line what it cannot."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from engines.same_rows import ENGINES
from incrowd.anonymization import AnonymizationResult
from incrowd.engines.frames import FrameSource

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

ROWS = 57
TABLE = pa.table(
    {
        # Few combinations, of which some have more than k records: k_members parts these.
        "age": [20 + at * at % 11 for at in range(ROWS)],
        "town": [("Graz", "Linz", "Wels")[at % 7 % 3] for at in range(ROWS)],
        "illness": [("flu", "cold", "gout")[at % 3] for at in range(ROWS)],
    }
)
JOB: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [2, 4, 8]}}},
        "town": "quasi",
        "illness": "sensitive",
    },
    "models": ["k_anonymity:k=4"],
    "suppress": 0.05,
}


def check(made: AnonymizationResult, can_part: bool) -> None:
    """Each search has the score that it has on an Arrow table, or a line that says why not; the best is taken."""
    here = {each["search"]: each for each in incrowd.anonymize(TABLE, JOB).details["tried"]}
    assert made.verdict.holds
    assert [each["search"] for each in made.details["tried"]] == list(here)
    scores = {}
    for each in made.details["tried"]:
        if each["score"] is None:
            assert not can_part
            assert each["why"] == "it puts equal records into different classes, which the engine of the data cannot"
            assert f"no release  {each['cells']} ({each['why']})" in str(
                made
            ) or f"{each['search']}: no release, " in str(made)
        else:
            assert each["score"] == pytest.approx(here[each["search"]]["score"], abs=1e-12)
            scores[each["search"]] = each["score"]
    assert "mondrian" in scores
    taken = made.figures.search.name
    assert scores[taken] <= 1.2 * min(scores.values())
    assert made.previews is not None
    assert set(made.previews.by_search) == set(scores)


@pytest.mark.parametrize("engine", ENGINES)
def test_frames(build: Callable[[str, pa.Table], Any], engine: str) -> None:
    given = build(engine, TABLE)
    made = incrowd.anonymize(given, JOB)
    assert FrameSource(given).can_part
    check(made, can_part=True)
    # It parts equal records.
    assert made.figures.search.name == "k_members"


def test_some_search_cannot_run_across_sources_of_different_kinds(tmp_path: Path) -> None:
    """Nobody numbers equal records of several sources: a line says so."""
    polars = pytest.importorskip("polars")
    both = incrowd.read(polars.from_arrow(TABLE).lazy().head(30), TABLE.slice(30))
    made = incrowd.anonymize(both, {**JOB, "output": str(tmp_path / "out.csv")})
    check(made, can_part=False)
    assert any(each["score"] is None for each in made.details["tried"])


def test_a_table_of_sqlite_by_its_url(tmp_path: Path) -> None:
    file = tmp_path / "people.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE people (age INTEGER, town TEXT, illness TEXT)")
        rows = zip(*(TABLE[name].to_pylist() for name in TABLE.column_names), strict=True)
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    connection.close()
    data = {"source": f"sqlite:///{file}", "table": "people"}
    made = incrowd.anonymize(job={**JOB, "data": data, "output": str(tmp_path / "out.csv")})
    check(made, can_part=True)
    assert made.figures.search.name == "k_members"


def test_a_table_of_postgres_by_its_url_ibis_postgres(tmp_path: Path, postgres_url: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres_url) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS auto_people")
        cursor.execute("CREATE TABLE auto_people (age INTEGER, town TEXT, illness TEXT)")
        with cursor.copy("COPY auto_people FROM STDIN") as copy:
            for row in zip(*(TABLE[name].to_pylist() for name in TABLE.column_names), strict=True):
                copy.write_row(row)
    data = {"source": postgres_url, "table": "auto_people"}
    made = incrowd.anonymize(job={**JOB, "data": data, "output": str(tmp_path / "out.csv")})
    check(made, can_part=True)
    assert made.figures.search.name == "k_members"

"""Searches that part equal records, where engines hold the rows: the classes are those of a frame in memory."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from engines.publishing import cells_of
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import IncrowdError
from incrowd.jobs.families import SEARCHES as SEARCH_FAMILY

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

Build = Callable[[str, pa.Table], Any]

ROWS = 120
TABLE = pa.table(
    {
        # Few combinations with many records each, some with missing cells.
        "age": [None if at % 23 == 0 else 20 + at * at % 11 for at in range(ROWS)],
        "town": [("Graz", "Linz", "Wels")[at % 7 % 3] for at in range(ROWS)],
        "illness": [("flu", "cold", "gout", "none")[at * 5 % 9 % 4] for at in range(ROWS)],
        "note": [f"n{at % 40}" for at in range(ROWS)],
    }
)
QUASI = ("age", "town")
COLUMNS = {"age": "quasi", "town": "quasi", "illness": "sensitive", "note": "keep"}
MODELS = ["k_anonymity:k=4", "distinct_l:l=2,column=illness"]
SEARCHES = {
    "k_members": MODELS,
    "microaggregation": MODELS,
    "mondrian:cuts=relaxed": MODELS,
    "tradeoff": ["k_anonymity:k=4"],
    "anatomy": ["distinct_l:l=2,column=illness"],
}
SHORT = {"genetic": "genetic:population=10,generations=3", "annealing": "annealing:steps=100"}
"""Searches that take long, with fewer steps."""
LAZY = ("polars_lazy", "duckdb", "ibis_duckdb", "ibis_sqlite", "ibis_postgres", "spark")


def of(made: AnonymizationResult, *left_out: str) -> "Counter[tuple[Any, ...]]":
    cells = cells_of(made.frame)
    columns = [column for name, column in cells.items() if name not in left_out]
    return Counter(tuple(map(str, row)) for row in zip(*columns, strict=True))


@pytest.fixture(scope="module")
def here() -> dict[str, AnonymizationResult]:
    polars = pytest.importorskip("polars")
    return {
        search: incrowd.anonymize(polars.from_arrow(TABLE), {"columns": COLUMNS, "models": models, "search": search})
        for search, models in SEARCHES.items()
    }


@pytest.mark.parametrize("search", SEARCHES)
def test_equal_records_part(here: dict[str, AnonymizationResult], search: str) -> None:
    """Else the tests below would show nothing."""
    made = here[search]
    assert made.record.combinations is not None
    pieces = list(zip(*[codes.tolist() for codes in made.record.combinations.original], strict=True))
    assert len(pieces) > len(set(pieces))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("engine", LAZY)
def test_the_classes_of_a_frame(build: Build, here: dict[str, AnonymizationResult], engine: str, search: str) -> None:
    """Each class has the records, and for each the values that a model looks at, that it has of a frame in memory."""
    given = build(engine, TABLE)
    made = incrowd.anonymize(given, {"columns": COLUMNS, "models": SEARCHES[search], "search": search})
    assert made.verdict.word == "verified"
    assert type(made.frame) is type(given)
    unlooked = ("note",) if any("illness" in model for model in SEARCHES[search]) else ("note", "illness")
    assert of(made, *unlooked) == of(here[search], *unlooked)
    # What no model looks at comes along with its record.
    assert of(made, *QUASI, "group") == of(here[search], *QUASI, "group")
    assert made.figures.scores == pytest.approx(here[search].figures.scores, abs=1e-12)
    if search == "anatomy":
        assert type(made.sensitive_frame) is type(given)
        assert cells_of(made.sensitive_frame) == cells_of(here[search].sensitive_frame)


@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb", "ibis_sqlite", "spark"])
def test_equal_jobs_give_equal_releases(build: Build, engine: str) -> None:
    job = {"columns": COLUMNS, "models": MODELS, "search": "k_members"}
    turned = TABLE.take(list(reversed(range(ROWS))))
    one, other = incrowd.anonymize(build(engine, TABLE), job), incrowd.anonymize(build(engine, TABLE), job)
    assert cells_of(one.frame) == cells_of(other.frame)
    assert sum(of(incrowd.anonymize(build(engine, turned), job)).values()) == ROWS


def tried(given: Any, job: dict[str, Any]) -> AnonymizationResult | str:
    try:
        return incrowd.anonymize(given, job)
    except IncrowdError as error:
        return str(error)


@pytest.mark.parametrize("search", sorted(SEARCH_FAMILY.modules()))
@pytest.mark.parametrize("engine", ["polars_lazy", "duckdb"])
def test_every_search_runs_where_rows_are_elsewhere(build: Build, engine: str, search: str) -> None:
    """What runs on a frame in memory runs there, and what is refused is refused alike: the table of docs/sources.md."""
    columns = {**COLUMNS, "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10]}}}}
    models = SEARCHES.get(search, ["k_anonymity:k=4"])
    job = {"columns": columns, "models": models, "search": SHORT.get(search, search), "suppress": 0.1}
    expected, made = tried(TABLE, job), tried(build(engine, TABLE), job)
    if isinstance(expected, str) or isinstance(made, str):
        assert made == expected
        return
    assert made.verdict.word == expected.verdict.word == "verified"
    assert made.figures.scores == pytest.approx(expected.figures.scores, abs=1e-9)

"""All spellings of a value are one where the job says so: in every engine that can, in files and databases, again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from engines.publishing import cells_of
from engines.same_rows import ENGINES
from incrowd.engines.frames import FrameSource
from incrowd.errors import IncrowdError, UsageError

pytestmark = [pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS]

TABLE = pa.table(
    {
        "age": [30 + at % 4 for at in range(48)],
        "town": [("Graz", "GRAZ", "graz ", "Linz")[at % 4] for at in range(48)],
        "ill": [("flu", "Flu", " flu", "fl\u200bu", "asthma", "NA")[at % 6] for at in range(48)],
    }
)
STEPS = ["blanks", "case", "unicode"]


def described(**more: Any) -> dict[str, Any]:
    """A job over the table."""
    return {
        "columns": {
            "age": {"role": "quasi", "hierarchy": "intervals:widths=2/4,domain=30/33"},
            "town": {"role": "quasi", "normalize": STEPS[:2]},
            "ill": {"role": "sensitive", "normalize": STEPS},
        },
        "models": ["k_anonymity:k=3", "distinct_l:l=2,column=ill"],
        **more,
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_merged_where_the_rows_are_here_and_refused_elsewhere(
    build: Callable[[str, pa.Table], Any], engine: str
) -> None:
    given = build(engine, TABLE)
    if FrameSource(given).is_lazy:
        with pytest.raises(UsageError, match="collect it into pandas, Polars or PyArrow first"):
            incrowd.anonymize(given, described())
        return
    made = incrowd.anonymize(given, described())
    cells = cells_of(made.frame)
    assert type(made.frame) is type(given)
    assert (set(cells["town"]), set(cells["ill"])) == ({"graz", "linz"}, {"flu", "asthma", "na"})
    assert made.verdict.holds


@pytest.mark.parametrize("kind", ["csv", "parquet", "duckdb", "sqlite"])
@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_files_and_databases(tmp_path: Path, kind: str, search: str) -> None:
    """What stands for missing is missing, however a cell of it is spelled otherwise."""
    rows, location, table = polars.DataFrame(TABLE), str(tmp_path / f"people.{kind}"), None
    if kind == "csv":
        rows.write_csv(location)
    elif kind == "parquet":
        rows.write_parquet(location)
    elif kind == "duckdb":
        with duckdb.connect(location) as connection:
            connection.execute("CREATE TABLE people AS FROM rows")
    else:
        _sqlite(location)
    if kind in ("duckdb", "sqlite"):
        location, table = f"{kind}:///{location}", "people"
    data = {"source": location, "missing": ["NA"], **({"table": table} if table else {})}
    output = tmp_path / "out.csv"
    job = described(data=data, output=str(output), search=search)
    if search == "mondrian":
        del job["columns"]["age"]["hierarchy"]
    made = incrowd.anonymize(job=job)
    found = polars.read_csv(output)
    assert set(found["ill"]) == {"flu", "asthma", None}
    assert made.manifest.normalized == {"town": ("blanks", "case"), "ill": tuple(STEPS)}
    assert incrowd.verify(output).holds
    assert incrowd.verify(output, record=made.record_file).holds


def _sqlite(location: str) -> None:
    import sqlite3

    with sqlite3.connect(location) as connection:
        connection.execute("CREATE TABLE people (age INTEGER, town TEXT, ill TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", polars.DataFrame(TABLE).rows())


def test_values_of_a_hierarchy_file_are_spelled_alike(tmp_path: Path) -> None:
    file = tmp_path / "town.csv"
    file.write_text("Graz,Styria,*\nGRAZ,Styria,*\nLinz,Upper Austria,*\n")
    job = described()
    job["columns"]["town"] |= {"hierarchy": str(file), "minimum": 1}
    made = incrowd.anonymize(TABLE, job)
    assert set(cells_of(made.frame)["town"]) == {"Styria", "Upper Austria"}
    file.write_text("Graz,Styria,*\nGRAZ,Carinthia,*\nLinz,Upper Austria,*\n")
    with pytest.raises(IncrowdError):
        incrowd.anonymize(TABLE, job)


def test_the_population_is_spelled_alike_and_new_data_too(tmp_path: Path) -> None:
    rows = polars.DataFrame(TABLE)
    rows.write_csv(tmp_path / "people.csv")
    rows.write_csv(tmp_path / "all.csv")
    job = described(models=["k_map:k=3"], population=str(tmp_path / "all.csv"), output=str(tmp_path / "out.csv"))
    made = incrowd.anonymize(str(tmp_path / "people.csv"), job)
    assert made.verdict.holds
    assert incrowd.verify(tmp_path / "out.csv", record=made.record_file, population=tmp_path / "all.csv").holds
    plain = described(output=str(tmp_path / "first.csv"))
    first = incrowd.anonymize(str(tmp_path / "people.csv"), plain)
    later = incrowd.apply(first.record_file, str(tmp_path / "people.csv"), output=str(tmp_path / "later.csv"))
    assert (tmp_path / "later.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()
    assert later.manifest.normalized == first.manifest.normalized
    assert incrowd.measure(tmp_path / "people.csv", tmp_path / "first.csv", metrics=["loss"]).to_dict()


def test_only_what_is_counted_has_it() -> None:
    job = described()
    job["columns"]["ill"] = {"role": "keep", "normalize": "case"}
    job["models"] = ["k_anonymity:k=3"]
    with pytest.raises(IncrowdError, match="only a quasi or sensitive column may have it"):
        incrowd.anonymize(TABLE, job)

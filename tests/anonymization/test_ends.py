"""Ends of ranges in two columns: in every engine and format, verified, attacked and measured as ranges."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from engines.publishing import cells_of
from engines.same_rows import ENGINES
from incrowd.errors import Infeasible, JobError
from incrowd.verification import Verdict

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

ROWS = 40
TABLE = pa.table(
    {
        "age": [20 + at * 7 % 40 for at in range(ROWS)],
        "pay": [900.5 + at * at % 37 for at in range(ROWS)],
        "town": [("Graz", "Linz")[at % 2] for at in range(ROWS)],
        "ill": [("flu", "cold", "gout")[at % 3] for at in range(ROWS)],
    }
)


def described(form: str = "ends", **more: Any) -> dict[str, Any]:
    columns = {
        "age": {"role": "quasi", "form": form},
        "pay": {"role": "quasi", "form": form},
        "town": {"role": "quasi"},
        "ill": {"role": "sensitive"},
    }
    return {"columns": columns, "models": ["k_anonymity:k=4"], "search": "mondrian", **more}


def of_ranges(cells: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    """Each record of a release with ranges, with both ends of each."""
    rows = []
    for age, pay, town, ill in zip(*(cells[name] for name in ("age", "pay", "town", "ill")), strict=True):
        rows.append((*_ends(str(age)), *_ends(str(pay)), town, ill))
    return sorted(rows)


def _ends(cell: str) -> tuple[float, float]:
    low, _, high = cell.partition(" to ") if " to " in cell else cell.partition("-")
    return float(low), float(high or low)


def of_ends(cells: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    names = ("age_low", "age_high", "pay_low", "pay_high")
    numbers = [[float(cell) for cell in cells[name]] for name in names]
    return sorted(zip(*numbers, cells["town"], cells["ill"], strict=True))


EXPECTED = of_ranges(cells_of(incrowd.anonymize(TABLE, described("range")).frame))


@pytest.mark.parametrize("engine", ENGINES)
def test_frames(build: Callable[[str, pa.Table], Any], engine: str) -> None:
    made = incrowd.anonymize(build(engine, TABLE), described())
    assert made.verdict.holds
    cells = cells_of(made.frame)
    assert list(cells) == ["town", "ill", "age_low", "age_high", "pay_low", "pay_high"]
    assert of_ends(cells) == EXPECTED
    assert made.record.quasi[0].form == "ends"
    assert incrowd.verify(made.frame, made.manifest, record=made.record).holds


def test_their_loss_and_classes_are_those_of_ranges() -> None:
    made, ranged = (incrowd.anonymize(TABLE, described(form)) for form in ("ends", "range"))
    assert made.figures.scores == ranged.figures.scores
    assert (made.manifest.classes, made.manifest.smallest) == (ranged.manifest.classes, ranged.manifest.smallest)
    schema = made.frame.schema
    assert (schema.field("age_low").type, schema.field("pay_high").type) == (pa.int64(), pa.float64())


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "xlsx", "xml", "sqlite", "duckdb"])
def test_formats(tmp_path: Path, kind: str) -> None:
    source = tmp_path / "people.csv"
    polars.DataFrame(TABLE).write_csv(source)
    url = kind in ("sqlite", "duckdb")
    to: Any = {"to": f"{kind}:///{tmp_path}/out.{kind}", "table": "out"} if url else str(tmp_path / f"out.{kind}")
    made = incrowd.anonymize(job=described(data=str(source), output=to))
    assert made.verdict.holds
    place = to["to"] if url else to
    more = {"table": "out"} if url else {}
    found = incrowd.verify(place, record=made.record_file, **more)
    assert found.holds
    if kind == "parquet":
        schema = pyarrow.parquet.read_schema(place)
        assert (schema.field("age_low").type, schema.field("pay_low").type) == (pa.int64(), pa.float64())


def released(tmp_path: Path, **more: Any) -> Any:
    return incrowd.anonymize(TABLE, described(output={"to": str(tmp_path / "out.csv"), "replace": True}, **more))


def failed(verdict: Verdict) -> set[str]:
    return {check.name for check in verdict.checks if check.holds is False}


def test_verification_reads_both_columns(tmp_path: Path) -> None:
    made = released(tmp_path)
    text = polars.read_csv(tmp_path / "out.csv")
    assert incrowd.verify(tmp_path / "out.csv", record=made.record_file).holds
    # One end of one record is another: a class of one.
    text[0, "age_high"] = int(text["age_high"][0]) + 1
    text.write_csv(tmp_path / "out.csv")
    assert "k_anonymity" in " ".join(failed(incrowd.verify(tmp_path / "out.csv")))
    # The private record says what the ends were.
    assert not incrowd.verify(tmp_path / "out.csv", record=made.record_file).holds
    text.drop("age_high").write_csv(tmp_path / "out.csv")
    assert "columns" in failed(incrowd.verify(tmp_path / "out.csv"))


def test_the_private_record_shows_ends_that_do_not_cover(tmp_path: Path) -> None:
    made = released(tmp_path)
    assert "covers" in {check.name for check in incrowd.verify(tmp_path / "out.csv", record=made.record_file).checks}
    plain = made.record.to_dict()
    assert incrowd.verify(tmp_path / "out.csv", record=plain).holds


def test_attacks_measures_and_reports_read_them_as_ranges(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    polars.DataFrame(TABLE).write_csv(source)
    found = {}
    for form in ("ends", "range"):
        place = tmp_path / f"{form}.csv"
        incrowd.anonymize(TABLE, described(form, output=str(place)))
        [measured] = incrowd.measure(str(source), str(place), metrics=["loss", "query_error"]).to_dict()["releases"]
        attacked = incrowd.attack(str(place), attacks=["linkage", "homogeneity"], outside=str(source)).to_dict()
        found[form] = (
            {name: of["value"] for name, of in measured["readings"].items()},
            (attacked["exposures"], attacked["classes"]),
        )
        report = tmp_path / f"{form}.md"
        incrowd.report(str(place), original=str(source)).write(str(report))
        assert "age" in report.read_text(encoding="utf-8")
    assert found["ends"] == found["range"]


def test_missing_cells() -> None:
    """A group in which some cells are missing publishes no ends; one of missing cells alone publishes the same then."""
    ages = [None if at % 5 == 0 else 20 + at % 10 for at in range(30)]
    table = pa.table({"age": pa.array(ages, pa.int64()), "ill": ["flu", "cold"] * 15})
    job = {"columns": {"age": {"role": "quasi", "form": "ends"}, "ill": "sensitive"}, "models": ["k_anonymity:k=4"]}
    for search in ("mondrian", "k_members"):
        made = incrowd.anonymize(table, {**job, "search": search})
        assert made.verdict.holds
        low, high = made.frame["age_low"].to_pylist(), made.frame["age_high"].to_pylist()
        assert [cell is None for cell in low] == [cell is None for cell in high]
        assert all(one is None or one <= other for one, other in zip(low, high, strict=True))


def test_texts_of_one_number_are_one_end(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    source.write_text("x,ill\n" + "".join(f"{x},flu\n" for x in ["07.50", "7.5", "8", "8.0"] * 4), encoding="utf-8")
    columns = {"x": {"role": "quasi", "form": "ends"}, "ill": "sensitive"}
    job = {"columns": columns, "models": ["k_anonymity:k=4"], "search": "mondrian"}
    made = incrowd.anonymize(str(source), {**job, "output": str(tmp_path / "out.parquet")})
    assert made.verdict.holds
    assert incrowd.verify(tmp_path / "out.parquet", record=made.record_file).holds
    found = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert set(found["x_low"].to_pylist()) <= {7.5, 8.0}


def test_days(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    rows = [f"2021-0{1 + at % 9}-1{at % 7},flu" for at in range(30)]
    source.write_text("\n".join(["day,ill", *rows, ""]), encoding="utf-8")
    columns = {"day": {"role": "quasi", "form": "ends"}, "ill": "sensitive"}
    job = {"columns": columns, "models": ["k_anonymity:k=4"], "search": "mondrian"}
    made = incrowd.anonymize(str(source), {**job, "output": str(tmp_path / "out.parquet")})
    assert made.verdict.holds
    assert pyarrow.parquet.read_schema(tmp_path / "out.parquet").field("day_low").type == pa.date32()


def test_bounds_are_kept() -> None:
    job = described()
    job["columns"]["age"] |= {"bounds": 10}
    made = incrowd.anonymize(TABLE, job)
    assert made.verdict.holds
    assert {end % 10 for end in made.frame["age_low"].to_pylist()} == {0}


def test_a_guaranteed_span_is_checked_from_the_ends() -> None:
    models = ["k_anonymity:k=4", "range_diversity:p=0.9,column=ill"]
    made = incrowd.anonymize(TABLE, described(search="guaranteed:utility=0.9", suppress=0.5, models=models))
    assert made.verdict.holds
    assert made.manifest.utility is not None
    again = incrowd.verify(made.frame, made.manifest, record=made.record)
    assert again.holds


def test_what_has_no_ends_is_refused() -> None:
    job = described()
    job["columns"]["town"] = {"role": "quasi", "form": "ends"}
    with pytest.raises(JobError, match="not all values are numbers or dates"):
        incrowd.anonymize(TABLE, job)
    with pytest.raises(JobError, match="'age_low' already"):
        incrowd.anonymize(TABLE.append_column("age_low", TABLE["age"]), described())
    with pytest.raises((JobError, Infeasible)):
        incrowd.anonymize(TABLE, described(search="optimal"))

"""A quasi-identifier named alone has the hierarchy that the whole table proposes, in every door and engine."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from cli.command import Command
from engines.publishing import cells_of
from engines.same_rows import ENGINES

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

ROWS = 240
COAST, INLAND = ("Bari", "Genoa", "Naples", "Trieste"), ("Bergamo", "Padua", "Turin", "Verona")
TABLE = pa.table(
    {
        "town": [(*COAST, *INLAND)[at % 8] for at in range(ROWS)],
        "age": [20 + at * 7 % 50 for at in range(ROWS)],
        "trade": [("fish", "ship")[at // 8 % 2] if at % 8 < 4 else ("silk", "wool")[at // 8 % 2] for at in range(ROWS)],
    }
)
QUASI = ["town", "age", "trade"]


def levels(made: Any) -> dict[str, list[tuple[str | None, ...]]]:
    return {column.name: sorted(column.rows) for column in made.record.quasi}


def as_drafted() -> Any:
    """The release of the job that init drafts, with all columns as quasi-identifiers."""
    columns = incrowd.init(TABLE, k=3).job.to_dict()["columns"]
    return incrowd.anonymize(TABLE, {"columns": columns, "models": ["k_anonymity:k=3"], "search": "optimal"})


def test_no_text_goes_straight_to_the_top() -> None:
    made = incrowd.anonymize(TABLE, quasi=QUASI, k=3, search="optimal")
    assert made.verdict.holds
    town = {row[0]: row[1:] for row in levels(made)["town"]}
    assert len(town["Bari"]) > 1
    assert {town[name][0] for name in COAST}.isdisjoint({town[name][0] for name in INLAND})
    assert "Hierarchies proposed from the table" in str(made)
    assert "town: " in str(made)
    assert set(made.details["proposed"]) == set(QUASI)
    # The levels follow from original values, so the manifest does not tell how many there are.
    assert all(column.height is None for column in made.manifest.quasi)


def test_it_is_what_a_first_job_has() -> None:
    drafted = as_drafted()
    assert set(drafted.job_notes) == set()
    made = incrowd.anonymize(TABLE, quasi=QUASI, k=3, search="optimal")
    assert levels(made) == levels(drafted)
    assert made.frame.equals(drafted.frame)


def test_a_job_that_lists_a_column_without_a_hierarchy_keeps_its_release() -> None:
    columns = {name: {"role": "quasi"} for name in QUASI}
    models = ["k_anonymity:k=3"]
    made = incrowd.anonymize(TABLE, {"columns": columns, "models": models, "search": "optimal"})
    assert {len(row) for row in levels(made)["town"]} == {2}
    assert "proposed" not in made.details
    alone = incrowd.anonymize(TABLE, quasi=dict.fromkeys(QUASI, "none"), k=3, search="optimal")
    assert alone.frame.equals(made.frame)
    asked = {name: {"role": "quasi", "hierarchy": "proposed"} for name in QUASI}
    again = incrowd.anonymize(TABLE, {"columns": asked, "models": models, "search": "optimal"})
    assert again.frame.equals(incrowd.anonymize(TABLE, quasi=QUASI, k=3, search="optimal").frame)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_proposes_the_same(build: Callable[[str, pa.Table], Any], engine: str) -> None:
    made = incrowd.anonymize(build(engine, TABLE), quasi=QUASI, k=3, search="mondrian")
    expected = incrowd.anonymize(TABLE, quasi=QUASI, k=3, search="mondrian")
    assert made.verdict.holds
    assert made.details["proposed"] == expected.details["proposed"]
    assert levels(made) == levels(expected)
    assert {name: sorted(map(str, cells)) for name, cells in cells_of(made.frame).items()} == {
        name: sorted(map(str, cells)) for name, cells in cells_of(expected.frame).items()
    }


def test_the_command_and_the_job_that_it_shows_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Command(monkeypatch, capsys)
    polars.DataFrame(TABLE).write_csv("people.csv")
    line = ["anonymize", "people.csv", "-q", "town,age", "--keep", "trade", "-k", "3", "-o", "out.csv"]
    done = run(*line)
    assert done.code == 0, done.error
    assert "Hierarchies proposed from the table" in done.out
    first = Path("out.csv").read_bytes()
    for form, suffix in (("yaml", "yaml"), ("json", "json"), ("xml", "xml")):
        shown = run(*line, "--show", form).out
        Path(f"job.{suffix}").write_text(shown, encoding="utf-8")
        assert "proposed" in shown
        assert run("anonymize", f"job.{suffix}", "--replace").code == 0
        assert Path("out.csv").read_bytes() == first

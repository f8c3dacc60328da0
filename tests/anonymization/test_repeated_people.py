"""Records are counted and an identifier repeats: a warning says how many classes have fewer than k people."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.runs import job, rows_of, write_csv
from anonymization.visits import COLUMNS, ROLES, Visit, in_arrow, people_by_class, tables_of_visits, visits
from cli.command import Command
from engines.same_rows import ENGINES
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import Infeasible
from incrowd.release import Manifest, Record

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

IDENTIFIED = ROLES | {"patient": {"role": "identifier"}}
VISITS = visits(40)
K = [{"k_anonymity": {"k": 4}}]


def released(rows: list[Visit], k: int, search: str = "optimal", **settings: Any) -> AnonymizationResult:
    """A release that counts records; half of them may go."""
    models = [{"k_anonymity": {"k": k}}]
    return incrowd.anonymize(
        in_arrow(rows), job(IDENTIFIED, *models, **{"suppress": 0.5, "search": search, **settings})
    )


def repeats(rows: list[Visit]) -> bool:
    told = [row["patient"] for row in rows if row["patient"] is not None]
    return len(set(told)) < len(told)


@pytest.mark.parametrize("search", ["optimal", "datafly", "mondrian", "k_members", "microaggregation"])
@given(rows=tables_of_visits, k=st.integers(2, 4))
def test_as_many_classes_as_there_are(search: str, rows: list[Visit], k: int) -> None:
    try:
        made = released(rows, k, search)
    except Infeasible:
        return
    sizes = people_by_class(rows, rows_of(made))
    short = sum(size < k for size in sizes)
    found = made.record.repeated
    if found is None:
        assert not short or not repeats(rows) or search not in ("optimal", "datafly")
        assert made.manifest.warnings == ()
        assert made.manifest.format == 2
        return
    assert repeats(rows)
    assert (found["classes"], found["k"], found["person"]) == (len(sizes), k, ["patient"])
    if found["exact"]:
        assert found["short"] == short
    else:
        assert 0 < found["short"] <= short
    assert search not in ("optimal", "datafly") or found["exact"]


@pytest.mark.parametrize("library", ENGINES)
def test_every_engine_counts_the_same(library: str, build: Callable[[str, pa.Table], Any]) -> None:
    made = incrowd.anonymize(build(library, in_arrow(VISITS)), job(IDENTIFIED, *K, suppress=0.1))
    expected = released(VISITS, 4, suppress=0.1)
    assert made.record.repeated == expected.record.repeated
    assert made.record.repeated is not None


def test_one_record_each_says_nothing() -> None:
    rows = [{**row, "patient": f"p{at}"} for at, row in enumerate(VISITS)]
    made = released(rows, 4)
    assert (made.record.repeated, made.manifest.warnings, made.manifest.format) == (None, (), 2)
    assert made.record.format == 2
    assert "people" not in str(made)


def test_with_a_person_nothing_is_warned_of() -> None:
    made = incrowd.anonymize(in_arrow(VISITS), job(ROLES, *K, suppress=0.5))
    assert made.record.repeated is None
    assert made.manifest.warnings == ()


def test_an_identifier_that_differs_in_every_record_decides(tmp_path: Path) -> None:
    rows = [{**row, "ssn": f"s{at}"} for at, row in enumerate(VISITS)]
    table = in_arrow(rows).append_column("ssn", [[row["ssn"] for row in rows]])
    made = incrowd.anonymize(table, job(IDENTIFIED | {"ssn": {"role": "identifier"}}, *K, suppress=0.5))
    assert made.record.repeated is None


def test_missing_cells_that_match_everything_have_no_classes() -> None:
    made = released(VISITS, 4, nulls="maybe", suppress=0)
    assert made.record.repeated is not None
    assert made.record.repeated["short"] is None
    assert made.manifest.warnings[0].startswith("records repeat people, and the models count records")


def test_every_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    run = Command(monkeypatch, capsys)
    write_csv(tmp_path / "visits.csv", VISITS, COLUMNS)
    asked = ["visits.csv", "--identifier", "patient", "-q", "age=intervals:widths=5/10/20/40", "-q", "zip=mask"]
    asked += ["-q", "sex", "-k", "4", "--suppress", "0.1", "-o", "out.csv", "--replace"]
    said = run("anonymize", *asked).out
    manifest, record = Manifest.read(Path("out.csv.manifest.json")), Record.read(Path("out.csv.record.json"))
    assert (manifest.format, record.format) == (3, 4)
    assert record.repeated is not None
    assert record.repeated["short"] > 0
    [public] = manifest.warnings
    assert public.startswith(f"records repeat people: {record.repeated['short']} of {manifest.classes} classes hold")
    assert "patient" not in public
    assert f"Warning: {public} By patient, {len(VISITS)} records are about 40 people; to count people" in said
    assert "--person patient" in said
    assert said.count("records repeat people") == 1
    assert not any(word in said.lower() for word in ("everybody", "everyone"))
    plain = json.loads(run("anonymize", *asked, "--json").out)
    assert [each for each in plain["warnings"] if each.startswith(public)]
    assert plain["repeated"] == record.repeated
    assert public in run("verify", "out.csv").out
    for file in ("report.html", "report.md", "report.json"):
        for audience, private in ((), True), (("--external",), False):
            run("report", "out.csv", "-o", file, "--replace", *audience)
            text = Path(file).read_text("utf-8")
            assert text.count("records repeat people") == 1
            assert ("--person patient" in text) is private


def test_the_private_record_brings_it_back() -> None:
    made = released(VISITS, 4, suppress=0.1)
    again = Record.from_dict(json.loads(json.dumps(made.record.to_dict())))
    assert again.repeated == made.record.repeated
    assert Manifest.from_dict(json.loads(json.dumps(made.manifest.to_dict()))).warnings == made.manifest.warnings

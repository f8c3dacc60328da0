"""A job that says who a record is about: classes, promises and words count people."""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from anonymization.conftest import FOREIGN_WARNINGS
from anonymization.runs import job, refused, rows_of, write_csv
from anonymization.visits import (
    COLUMNS,
    ROLES,
    Visit,
    classes_of,
    in_arrow,
    people_by_class,
    person_of,
    tables_of_visits,
    visits,
)
from engines.same_rows import ENGINES
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import Infeasible, UsageError
from incrowd.release import Manifest

pytestmark = [
    *(pytest.mark.filterwarnings(warning) for warning in FOREIGN_WARNINGS),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

LEVELS = ("optimal", "incognito", "samarati", "exhaustive", "datafly")
LOCAL = ("mondrian", "k_members", "microaggregation")
VISITS = visits(40)


def released(rows: list[Visit], *models: Any, **settings: Any) -> AnonymizationResult:
    """A release of visits; half of the records may go."""
    return incrowd.anonymize(in_arrow(rows), job(ROLES, *models, **{"suppress": 0.5, **settings}))


@pytest.mark.parametrize("search", [*LEVELS, *LOCAL])
@given(rows=tables_of_visits, k=st.integers(2, 4))
def test_every_class_has_k_people(search: str, rows: list[Visit], k: int) -> None:
    try:
        made = released(rows, {"k_anonymity": {"k": k}}, search=search)
    except Infeasible:
        assert len({person_of(row) for row in rows}) < k or search in LEVELS
        return
    sizes = people_by_class(rows, rows_of(made))
    assert min(sizes, default=k) >= k
    assert made.manifest.people is not None
    assert made.manifest.people.smallest == min(sizes, default=0)


@pytest.mark.parametrize("search", ["optimal", "mondrian"])
@given(rows=tables_of_visits)
def test_a_person_has_a_value_once(search: str, rows: list[Visit]) -> None:
    """Half of the people of a class at most have one disease, however often each of them has it."""
    try:
        made = released(rows, {"alpha_k": {"alpha": 0.5, "k": 3, "column": "disease"}}, search=search)
    except Infeasible:
        return
    for behind in classes_of(rows, rows_of(made)).values():
        people = {person_of(row) for row in behind}
        having = Counter(disease for _, disease in {(person_of(row), row["disease"]) for row in behind})
        assert len(people) >= 3
        assert 2 * max(having.values()) <= len(people)


@given(rows=tables_of_visits, search=st.sampled_from(["optimal", "mondrian"]))
def test_the_people_of_the_manifest(rows: list[Visit], search: str) -> None:
    try:
        made = released(rows, {"k_anonymity": {"k": 3}}, search=search)
    except Infeasible:
        return
    before = Counter(map(person_of, rows))
    after = Counter(person_of(rows[int(row["row"])]) for row in rows_of(made))
    people = made.manifest.people
    assert people is not None
    assert people.input == len(before)
    assert people.published == len(after)
    assert people.fewer == sum(1 for person, records in after.items() if records < before[person])
    assert people.unknown == sum(1 for row in rows if row["patient"] is None)


def test_records_alone_would_not_do() -> None:
    """The same job by records leaves classes of fewer than k people: what this file is about."""
    plain = {**ROLES, "patient": {"role": "identifier"}}
    made = incrowd.anonymize(in_arrow(VISITS), job(plain, "k_anonymity:k=4", search="mondrian"))
    assert min(people_by_class(VISITS, rows_of(made))) < 4
    assert min(people_by_class(VISITS, rows_of(released(VISITS, "k_anonymity:k=4", search="mondrian")))) >= 4


def test_several_columns_tell_a_person_and_one_may_be_a_quasi_identifier() -> None:
    """Of two people of one name, the age tells who it is."""
    rows = [{**row, "patient": "one name"} for row in visits(40, most=2)]
    roles = {**ROLES, "age": {**ROLES["age"], "person": True}}
    made = incrowd.anonymize(in_arrow(rows), job(roles, "k_anonymity:k=3", suppress=0.5))
    ages = len({row["age"] for row in rows})
    assert made.manifest.people is not None
    assert made.manifest.people.input == ages < len(rows)
    assert made.record.person == ("patient", "age")


def test_missing_values_that_match_everything_are_refused() -> None:
    words = refused(UsageError, lambda: released(VISITS, "k_anonymity:k=2", nulls="maybe"))
    assert "nulls: maybe with a person" in words


def test_the_words() -> None:
    rows = visits(40, unknown=0.1)
    text = str(released(rows, "k_anonymity:k=4", suppress=0.1))
    people = len({person_of(row) for row in rows})
    unknown = sum(1 for row in rows if row["patient"] is None)
    assert "smallest class: 4 people." in text
    assert f"of {people} people suppressed" in text
    assert f"{unknown} records tell no person; each counts as a person of its own." in text
    promise = "Every record shares its quasi-identifiers with records of at least 3 other people."
    assert promise in released(rows, "k_anonymity:k=4").manifest.promises


def test_without_a_person_nothing_is_said() -> None:
    plain = {**ROLES, "patient": {"role": "drop"}}
    made = incrowd.anonymize(in_arrow(VISITS), job(plain, "k_anonymity:k=4", suppress=0.1))
    assert "people" not in str(made)
    assert "people" not in made.to_dict()
    assert "people" not in made.manifest.to_dict()
    assert made.manifest.format == 2


def test_plain_data() -> None:
    made = released(VISITS, "k_anonymity:k=4")
    assert made.manifest.people is not None
    assert made.to_dict()["people"] == asdict(made.manifest.people)
    assert Manifest.from_dict(made.manifest.to_dict()) == made.manifest
    assert made.manifest.format == made.record.format == 3


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_every_engine_counts_the_same_people(build: Callable[[str, pa.Table], Any], engine: str, search: str) -> None:
    expected = released(VISITS, "k_anonymity:k=4", search=search)
    frame = build(engine, in_arrow(VISITS))
    made = incrowd.anonymize(frame, job(ROLES, "k_anonymity:k=4", search=search, suppress=0.5))
    assert made.verdict.holds
    assert made.manifest.people is not None
    assert made.manifest.people.smallest >= 4
    if search == "optimal":
        assert made.manifest.people == expected.manifest.people


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "xlsx"])
def test_files(suffix: str, tmp_path: Path) -> None:
    source = write_csv(tmp_path / "visits.csv", VISITS, COLUMNS)
    made = incrowd.anonymize(source, job(ROLES, "k_anonymity:k=4", suppress=0.5, output=str(tmp_path / f"r.{suffix}")))
    assert made.verdict.holds
    assert made.manifest.people == released(VISITS, "k_anonymity:k=4").manifest.people
    again = incrowd.verify(tmp_path / f"r.{suffix}", record=made.record_file, original=source)
    assert again.holds, again


def test_the_frontier_counts_people() -> None:
    described = job(ROLES, "k_anonymity:k=2", suppress=0.2)
    found = incrowd.frontier(in_arrow(VISITS), described, k=[2, 4], searches=["optimal", "mondrian"])
    assert "k and risk count people" in str(found)
    for run in found.runs:
        assert run.release is not None
        made = incrowd.anonymize(in_arrow(VISITS), run.job)
        sizes = people_by_class(VISITS, rows_of(made))
        assert run.release.smallest == min(sizes) >= run.k
        assert run.release.highest_risk == pytest.approx(1 / min(sizes))
        assert run.release.average_risk == pytest.approx(len(sizes) / sum(sizes))


def test_the_neighbors_count_people() -> None:
    described = job(ROLES, "k_anonymity:k=4", suppress=0.2)
    made = incrowd.anonymize(in_arrow(VISITS), described)
    assert made.manifest.people is not None
    [chosen] = [each for each in incrowd.neighbors(in_arrow(VISITS), described, made.levels) if each.step == "chosen"]
    assert chosen.node.smallest == made.manifest.people.smallest


def test_what_would_help_counts_people() -> None:
    """Where no release is found, the k that opens one is a number of people."""
    few = visits(3, most=6)
    words = refused(Infeasible, lambda: released(few, "k_anonymity:k=4", suppress=0))
    assert "k of k_anonymity = 3" in words


def test_the_recoding_of_a_release_counts_people_on_new_data() -> None:
    made = released(VISITS, "k_anonymity:k=4")
    applied = incrowd.apply(made.record, in_arrow(visits(60, seed=8)))
    assert applied.manifest.people is not None
    assert applied.manifest.people.smallest >= 4
    assert applied.verdict.holds

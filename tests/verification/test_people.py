"""People are counted again from the original: releases that promise people and have only records are noticed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.runs import job, refused, write_csv
from anonymization.test_families import MODELS
from anonymization.visits import COLUMNS, ROLES, in_arrow, visits
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import Infeasible, UsageError
from incrowd.release import Manifest, People, Record
from incrowd.verification import Verdict

VISITS = visits(40)
BY_RECORDS = {**ROLES, "patient": {"role": "identifier"}}
K = 4


def released(roles: dict[str, Any] = ROLES, search: str = "optimal", **settings: Any) -> AnonymizationResult:
    return incrowd.anonymize(
        in_arrow(VISITS), job(roles, f"k_anonymity:k={K}", **{"suppress": 0.1, "search": search, **settings})
    )


def forged(made: AnonymizationResult, people: People) -> tuple[Manifest, Record]:
    """The manifest and record of a release by records that promise people."""
    manifest = replace(made.manifest, people=people, format=3)
    return manifest, replace(made.record, release=manifest.fingerprint, person=("patient",), format=3)


def check(verdict: Verdict, name: str) -> bool | None:
    [found] = [each for each in verdict.checks if each.name == name]
    return found.holds


@pytest.mark.parametrize("search", ["optimal", "mondrian", "k_members"])
def test_with_the_original_everything_is_checked(search: str) -> None:
    made = released(search=search)
    verdict = incrowd.verify(made.frame, made.manifest, made.record, original=in_arrow(VISITS))
    assert verdict.holds, verdict
    assert check(verdict, "people")


def test_without_the_original_people_are_not_checked() -> None:
    made = released()
    for record in (None, made.record):
        verdict = incrowd.verify(made.frame, made.manifest, record)
        assert verdict.value == "not proven"
        assert check(verdict, "people") is None
        assert check(verdict, f"k_anonymity:k={K}") is None
        assert "--original FILE --record FILE" in str(verdict)


def test_a_class_of_k_records_and_fewer_people_fails() -> None:
    """A release by records, whose manifest is made to promise people."""
    made = released(BY_RECORDS, search="mondrian")
    people = released(search="mondrian").manifest.people
    assert people is not None
    manifest, record = forged(made, replace(people, smallest=smallest_by_hand(made)))
    verdict = incrowd.verify(made.frame, manifest, record, original=in_arrow(VISITS))
    assert check(verdict, "people"), "the numbers of people are as claimed"
    assert check(verdict, f"k_anonymity:k={K}") is False
    assert verdict.value == "does not hold"
    assert verdict.failing
    assert all(each.unit == "person" and each.size < K for each in verdict.failing)


def smallest_by_hand(made: AnonymizationResult) -> int:
    people: dict[tuple[Any, ...], set[Any]] = {}
    for row in made.frame.to_pylist():
        people.setdefault((row["age"], row["zip"], row["sex"]), set()).add(VISITS[row["row"]]["patient"])
    return min(map(len, people.values()))


def test_fewer_than_k_records_fail_without_the_original_too() -> None:
    made = incrowd.anonymize(in_arrow(VISITS), job(BY_RECORDS, "k_anonymity:k=2", search="mondrian"))
    people = released().manifest.people
    assert people is not None
    manifest, _ = forged(replace_model(made), people)
    verdict = incrowd.verify(made.frame, manifest)
    assert check(verdict, f"k_anonymity:k={K}") is False


def replace_model(made: AnonymizationResult) -> AnonymizationResult:
    return replace(made, manifest=replace(made.manifest, models=({"k_anonymity": {"k": K}},)))


@pytest.mark.parametrize("key", ["input", "published", "fewer", "unknown", "smallest"])
def test_wrong_numbers_of_people_fail(key: str) -> None:
    made = released()
    people = made.manifest.people
    assert people is not None
    manifest, record = forged(made, replace(people, **{key: getattr(people, key) + 1}))
    verdict = incrowd.verify(made.frame, manifest, record, original=in_arrow(VISITS))
    assert check(verdict, "people") is False


@pytest.mark.parametrize("column", ["patient", "age", "disease"])
@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_another_original_fails(column: str, search: str) -> None:
    """All records of one person, another age or another disease: nothing of it passes for the original."""
    made = incrowd.anonymize(
        in_arrow(VISITS),
        job(ROLES, f"k_anonymity:k={K}", "distinct_l:l=2,column=disease", suppress=0.3, search=search),
    )
    other = {"patient": "p0", "age": 58, "disease": "flu"}[column]
    others = in_arrow([{**row, column: other} if row["row"] % 2 else row for row in VISITS])
    verdict = incrowd.verify(made.frame, made.manifest, made.record, original=others)
    assert check(verdict, "people") is False


def test_an_original_that_lacks_the_person_is_refused() -> None:
    made = released()
    words = refused(
        UsageError,
        lambda: incrowd.verify(made.frame, made.manifest, made.record, original=in_arrow(VISITS).drop(["patient"])),
    )
    assert "patient" in words


def test_an_original_without_need_or_record_is_refused() -> None:
    made, by_records = released(), released(BY_RECORDS)
    words = refused(UsageError, lambda: incrowd.verify(made.frame, made.manifest, original=in_arrow(VISITS)))
    assert "--record FILE" in words
    words = refused(
        UsageError,
        lambda: incrowd.verify(by_records.frame, by_records.manifest, by_records.record, original=in_arrow(VISITS)),
    )
    assert "counts records, not people" in words


OF_DISEASE = {
    name: models
    for name, models in MODELS.items()
    if all({"disease"} >= {of.get("column", "disease")} and "notion" not in of for [of] in map(dict.values, models))
}


@pytest.mark.parametrize("name", OF_DISEASE)
@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_every_model_is_judged_by_people(name: str, search: str) -> None:
    """A run verifies itself; verified again with the original it holds, and on the original of others it does not."""
    kinds = {"tree": {"groups": {"short": ["flu", "cold"], "long": ["gout", "cancer"]}}}
    roles = {**ROLES, "disease": {"role": "sensitive", "hierarchy": kinds}}
    try:
        made = incrowd.anonymize(in_arrow(VISITS), job(roles, *OF_DISEASE[name], search=search, suppress=0.9))
    except Infeasible:
        assert search == "mondrian", "with every record suppressed but a few, a level is always found"
        return
    assert made.verdict.holds
    assert incrowd.verify(made.frame, made.manifest, made.record, original=in_arrow(VISITS)).holds


def test_files_that_the_private_record_names_are_read(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "visits.csv", VISITS, COLUMNS)
    described = {**job(ROLES, f"k_anonymity:k={K}", suppress=0.1), "data": str(source)}
    made = incrowd.anonymize(None, {**described, "output": str(tmp_path / "release.csv")})
    assert incrowd.verify(tmp_path / "release.csv", record=made.record_file).holds
    moved = source.rename(tmp_path / "moved.csv")
    assert incrowd.verify(tmp_path / "release.csv", record=made.record_file).value == "not proven"
    assert incrowd.verify(tmp_path / "release.csv", record=made.record_file, original=moved).holds


def test_the_original_is_read_as_the_run_read_it(tmp_path: Path) -> None:
    """With its delimiter, its missing-value markers and the normal form of its columns."""
    rows = [{**row, "sex": row["sex"].upper() if row["row"] % 3 else row["sex"]} for row in VISITS]
    rows = [{**row, "zip": "?" if row["row"] % 11 == 0 else row["zip"]} for row in rows]
    text = "\n".join(";".join(str(row[name]) for name in COLUMNS) for row in rows)
    source = tmp_path / "visits.txt"
    source.write_text(";".join(COLUMNS) + "\n" + text + "\n", encoding="utf-8")
    roles = {**ROLES, "sex": {"role": "quasi", "normalize": ["case"]}}
    described = {**job(roles, f"k_anonymity:k={K}", suppress=0.1), "data": {"source": str(source), "missing": ["?"]}}
    for nulls in ("extended", "basic"):
        output = tmp_path / f"{nulls}.csv"
        made = incrowd.anonymize(None, {**described, "nulls": nulls, "output": str(output)})
        assert made.verdict.holds
        assert incrowd.verify(output, record=made.record_file, original=source).holds


def test_typed_person_columns() -> None:
    """Numbers, dates and texts tell people apart alike."""
    table = in_arrow(VISITS)
    numbers = [int(str(row["patient"])[1:]) for row in VISITS]
    for cells in (pa.array(numbers, pa.int64()), pa.array(numbers, pa.float64()), pa.array(numbers, pa.date32())):
        made = incrowd.anonymize(table.set_column(0, "patient", cells), job(ROLES, f"k_anonymity:k={K}", suppress=0.1))
        assert made.manifest.people == released().manifest.people

"""Keys of several columns: the same release as with one key that tells the same people apart."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.errors import JobError, SourceError
from linked_sets import Frames, job_of, small_set

NAMES = {"clinic_number": "id", "house_patient": "id", "clinic_stay": "visit", "house_stay": "visit"}
"""What a published key of two columns is called if there is one column."""


def divided(frames: Frames) -> Frames:
    """The set, each id as a clinic and a number that comes in several clinics; a visit is told apart in a clinic."""
    found = {}
    for name, frame in frames.items():
        people, house = ("number", "clinic") if name == "people" else ("patient", "house")
        parts: dict[str, Any] = {}
        if "id" in frame:
            parts |= {house: "c" + (frame["id"] % 3).astype(str), people: frame["id"] // 3}
        if "visit" in frame:
            stay = "house" if name == "visits" else "clinic"
            # Visits have the clinic of the person, and a number of their own within it.
            parts |= {stay: parts.get(stay, "c" + _clinic_of(frames, frame)), "stay": frame["visit"]}
        found[name] = pd.DataFrame({**parts, **frame.drop(columns=["id", "visit"], errors="ignore")})
    return found


def _clinic_of(frames: Frames, frame: pd.DataFrame) -> Any:
    whose = frames["visits"].set_index("visit")["id"]
    return (frame["visit"].map(whose) % 3).astype(int).astype(str)


def divided_job(frames: Frames, **changed: Any) -> dict[str, Any]:
    job = job_of(frames, **changed)
    tables = job["tables"]
    people = {name: of for name, of in tables["people"]["columns"].items() if name != "id"}
    tables["people"]["columns"] = {"clinic": "person", "number": "person", **people}
    for name in ("visits", "tests"):
        tables[name]["on"] = {"house": "clinic", "patient": "number"}
    if "drugs" in tables:
        tables["drugs"]["on"] = {"clinic": "house", "stay": "stay"}
    return job


def single(frames: Frames) -> Frames:
    return {name: frame.rename(columns=NAMES) for name, frame in frames.items()}


def rows(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """The records of a table, whatever the order of its columns."""
    return [tuple(row) for row in frame[sorted(frame.columns)].itertuples(index=False)]


@settings(deadline=None)
@given(seed=st.integers(0, 300), knows=st.sampled_from(["record", 2, "history"]))
def test_the_release_is_that_of_a_single_key(seed: int, knows: Any) -> None:
    """Fresh keys follow from what is published, so how people were told apart before makes no difference."""
    frames = small_set(seed, people=12)
    one = incrowd.anonymize(frames, job_of(frames, knows=knows))
    several = divided(frames)
    job = divided_job(several, knows=knows)
    other = incrowd.anonymize(several, job)
    assert other.levels == one.levels
    assert [each.people for each in other.manifest.tables] == [each.people for each in one.manifest.tables]
    made = single(other.frames)
    for name, frame in one.frames.items():
        assert sorted(rows(made[name])) == sorted(rows(frame))
    verdict = incrowd.verify(other.frames, other.manifest, other.record, original=several)
    assert verdict.holds
    assert "original" in {check.name for check in verdict.checks}
    sets = [
        incrowd.diagnose(incrowd.LinkedJob.from_dict(of).reading(tables)).ask(k=2).sets
        for of, tables in ((job_of(frames, knows=knows), frames), (job, several))
    ]
    assert sets[0] == sets[1]


@pytest.fixture(scope="module")
def tables() -> Frames:
    return divided(small_set(1, people=60))


@pytest.fixture(scope="module")
def made(tables: Frames) -> Any:
    return incrowd.anonymize(tables, divided_job(tables, models=["k_anonymity:k=3"], suppress=0.6))


def failed(made: Any, frames: Frames, original: Any = None) -> set[str]:
    counted = tuple(replace(of, data=replace(of.data, records=len(frames[of.name]))) for of in made.manifest.tables)
    verdict = incrowd.verify(
        frames, replace(made.manifest, tables=counted), None if original is None else made.record, original=original
    )
    return {check.name for check in verdict.checks if check.holds is False}


def test_only_fresh_numbers_are_published(made: Any, tables: Frames) -> None:
    """No column of a key is, which would group people by their clinic."""
    assert list(made.frames["people"]) == ["clinic_number", "age", "sex"]
    assert set(made.frames["visits"]) == {"house_stay", "house_patient", "ward", "illness"}
    assert set(made.frames["drugs"]) == {"clinic_stay", "drug"}
    assert sorted(made.frames["people"]["clinic_number"]) == list(range(1, made.manifest.people + 1))
    assert set(made.record.not_published) == set()


def test_planted_faults_are_found(made: Any, tables: Frames) -> None:
    """A key that leads nowhere, one that comes twice, a person who is left out of one table alone."""
    own = made.frames
    dangling = own["drugs"].assign(clinic_stay=lambda of: of["clinic_stay"].mask(of.index == 0, 10**6))
    assert "keys" in failed(made, {**own, "drugs": dangling})
    twice = own["people"].assign(clinic_number=lambda of: of["clinic_number"].mask(of["clinic_number"] == 1, 2))
    assert "keys" in failed(made, {**own, "people": twice})
    who = own["tests"]["house_patient"].iloc[0]
    assert "people" in failed(made, {**own, "tests": own["tests"][own["tests"]["house_patient"] != who]})


def test_a_record_of_another_person_is_found_with_the_original(made: Any, tables: Frames) -> None:
    """Its key was (clinic, number); both parts count."""
    assert failed(made, made.frames, tables) == set()
    moved = tables["visits"].copy()
    moved["house"] = moved["house"].map({"c0": "c1", "c1": "c0", "c2": "c2"})
    both = pd.merge(moved, tables["people"], left_on=["house", "patient"], right_on=["clinic", "number"])
    assert len(both) < len(moved), "some of these keys lead nowhere"
    # The originals are read first, so that their keys are looked at too.
    found = incrowd.verify(made.frames, made.manifest, made.record, original={**tables, "visits": moved})
    assert not found.holds


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda of: of["visits"].assign(house="c9"),
            r"records have a key \(house, patient\) that table 'people' lacks",
        ),
        (lambda of: of["tests"].assign(house=None), r"\(\d+ have none\)"),
        (lambda of: pd.concat([of["visits"], of["visits"]]), "repeat the house and stay of another"),
    ],
)
def test_bad_keys_of_the_data_are_refused(tables: Frames, change: Any, words: str) -> None:
    """In one line, with the columns of the key."""
    changed = change(tables)
    given = {**tables, "visits" if "ward" in changed else "tests": changed}
    with pytest.raises(SourceError, match=words):
        incrowd.anonymize(given, divided_job(tables))


def test_a_person_without_a_part_of_the_key_is_refused(tables: Frames) -> None:
    """Both parts are needed."""
    people = tables["people"].assign(clinic=lambda of: of["clinic"].mask(of.index == 0))
    with pytest.raises(SourceError, match="1 record without a clinic and number"):
        incrowd.anonymize({**tables, "people": people}, divided_job(tables))


@pytest.mark.parametrize(
    ("on", "words"),
    [
        ({"house": "clinic"}, "name a column here for each"),
        (["clinic"], "name a column here for each"),
        ({"house": "clinic", "patient": "clinic"}, "a column of the key is named twice"),
        ({}, "name the columns that both tables have"),
        ([], "name the columns that both tables have"),
        ({"house": 3}, "name the columns that both tables have"),
    ],
)
def test_faults_of_keys_are_named(tables: Frames, on: Any, words: str) -> None:
    """With their place."""
    job = divided_job(tables)
    job["tables"]["visits"]["on"] = on
    with pytest.raises(JobError, match=words) as refused:
        incrowd.LinkedJob.from_dict(job)
    assert "tables.visits.on" in str(refused.value)


def test_a_published_key_needs_a_name_of_its_own(tables: Frames) -> None:
    """Another column would be lost."""
    job = divided_job(tables)
    job["tables"]["people"]["columns"]["clinic_number"] = "keep"
    with pytest.raises(JobError, match="its key is published as clinic_number"):
        incrowd.LinkedJob.from_dict(job)


def test_a_list_names_columns_that_both_tables_have(tmp_path: Path) -> None:
    """In files, with a report, an attack, a measure and an apply."""
    frames = small_set(5, people=30, nested=False)
    tables = {
        name: frame.assign(clinic=frame["id"] % 4, number=frame["id"] // 4).drop(columns="id")
        for name, frame in frames.items()
        if name != "tests"
    }
    (tmp_path / "set").mkdir()
    for name, frame in tables.items():
        frame.to_csv(tmp_path / "set" / f"{name}.csv", index=False)
    job = divided_job(frames)
    del job["tables"]["tests"]
    job["tables"]["visits"]["on"] = ["clinic", "number"]
    for name, table in job["tables"].items():
        table["data"] = str(tmp_path / "set" / f"{name}.csv")
    made = incrowd.anonymize(job=incrowd.LinkedJob.from_dict({**job, "output": str(tmp_path / "release")}))
    assert incrowd.attack(tmp_path / "release").linkage[0].exposed == 0
    assert incrowd.report(tmp_path / "release").to_dict()["risk_before"][0]["people"] == 30
    measured = incrowd.measure(tmp_path / "set", tmp_path / "release", metrics=["loss"])
    assert measured.to_dict()["original"]["people"] == 30
    again = incrowd.apply(tmp_path / "release.record.json", tmp_path / "set", tmp_path / "again")
    assert again.manifest.people == made.manifest.people
    assert incrowd.verify(tmp_path / "again", record=tmp_path / "again.record.json").holds

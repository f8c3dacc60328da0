"""Planted faults in the release of several tables, each of which the verifier must find."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

import incrowd
from incrowd.errors import UsageError
from incrowd.release.tables import LinkedManifest
from linked_sets import job_of, small_set

Frames = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def made() -> Any:
    """A release with people, visits, tests and drugs."""
    frames = small_set(1, people=60)
    found = incrowd.anonymize(frames, job_of(frames, knows="record", models=["k_anonymity:k=3"], suppress=0.6))
    assert found.manifest.people > 10
    return found


def failed(frames: Frames, manifest: LinkedManifest, record: Any = None) -> set[str]:
    verdict = incrowd.verify(frames, manifest, record)
    return {check.name for check in verdict.checks if check.holds is False}


def claiming(manifest: LinkedManifest, frames: Frames) -> LinkedManifest:
    """The manifest of a publisher who counted the faulty records."""
    tables = tuple(
        replace(table, data=replace(table.data, records=len(frames[table.name]))) for table in manifest.tables
    )
    return replace(manifest, tables=tables)


def test_an_untouched_release_holds(made: Any) -> None:
    """With and without the private record."""
    assert incrowd.verify(dict(made.frames), made.manifest).value == "holds"
    assert incrowd.verify(dict(made.frames), made.manifest, made.record).value == "holds"


def test_a_dangling_key_is_found(made: Any) -> None:
    """One visit of nobody."""
    frames = dict(made.frames)
    frames["visits"] = frames["visits"].assign(id=lambda of: of["id"].mask(of.index == 0, 10**6))
    assert "keys" in failed(frames, made.manifest)


def test_a_key_that_comes_twice_is_found(made: Any) -> None:
    """Two people with one number."""
    frames = dict(made.frames)
    frames["people"] = frames["people"].assign(id=lambda of: of["id"].mask(of["id"] == 1, 2))
    assert "keys" in failed(frames, made.manifest)


def test_a_person_left_out_of_the_first_table_alone_is_found(made: Any) -> None:
    """The records in the other tables lead nowhere then."""
    frames = dict(made.frames)
    who = frames["visits"]["id"].iloc[0]
    frames["people"] = frames["people"][frames["people"]["id"] != who]
    assert "keys" in failed(frames, claiming(made.manifest, frames))


@pytest.mark.parametrize("table", ["visits", "tests"])
def test_a_person_left_out_of_one_child_table_alone_is_found(made: Any, table: str) -> None:
    """Also if the manifest claims the number of records that are there."""
    frames = dict(made.frames)
    who = frames[table]["id"].iloc[0]
    frames[table] = frames[table][frames[table]["id"] != who]
    if table == "visits":
        frames["drugs"] = frames["drugs"][frames["drugs"]["visit"].isin(frames["visits"]["visit"])]
    assert "people" in failed(frames, claiming(made.manifest, frames))


def test_a_view_of_k_records_and_fewer_people_is_found() -> None:
    """Three visits to ward b are of two people."""
    people = pd.DataFrame({"id": range(6), "sex": ["f"] * 6})
    visits = pd.DataFrame({"id": range(6), "ward": ["a"] * 6})
    job = {
        "tables": {
            "people": {"columns": {"id": "person", "sex": "quasi"}},
            "visits": {"of": "people", "on": "id", "columns": {"ward": "quasi"}},
        },
        "models": ["k_anonymity:k=3"],
    }
    made = incrowd.anonymize({"people": people, "visits": visits}, job)
    more = pd.DataFrame({"id": [1, 1, 2], "ward": ["b"] * 3})
    frames = {"people": made.frames["people"], "visits": pd.concat([made.frames["visits"], more])}
    assert {"views", "k_anonymity:k=3"} <= failed(frames, claiming(made.manifest, frames))


def test_a_history_that_only_its_structure_tells_apart_is_found() -> None:
    """Equal visits and equal drugs, but one person has both drugs in one visit."""
    people = pd.DataFrame({"id": range(4), "sex": ["f"] * 4})
    visits = pd.DataFrame({"id": [0, 0, 1, 1, 2, 2, 3, 3], "visit": range(8), "ward": ["a"] * 8})
    drugs = pd.DataFrame({"visit": [0, 1, 2, 3, 4, 5, 6, 7], "drug": ["x"] * 8})
    job = {
        "tables": {
            "people": {"columns": {"id": "person", "sex": "quasi"}},
            "visits": {"of": "people", "on": "id", "columns": {"ward": "quasi"}},
            "drugs": {"of": "visits", "on": "visit", "columns": {"drug": "quasi"}},
        },
        "models": ["k_anonymity:k=4"],
        "knows": "history",
    }
    made = incrowd.anonymize({"people": people, "visits": visits, "drugs": drugs}, job)
    frames = dict(made.frames)
    first, second, *_ = frames["visits"][frames["visits"]["id"] == 1]["visit"]
    frames["drugs"] = frames["drugs"].assign(visit=lambda of: of["visit"].mask(of["visit"] == first, second))
    assert {"views", "k_anonymity:k=4"} <= failed(frames, made.manifest)


def test_another_cell_than_the_record_says_is_found(made: Any) -> None:
    """A label that no value has on the level of its column."""
    column = next(name for name, level in made.levels.items() if level)
    table, name = column.split(".")
    frames = dict(made.frames)
    frames[table] = frames[table].assign(**{name: "something else"})
    assert "cells" in failed(frames, made.manifest, made.record)


def change_people(claims: LinkedManifest) -> LinkedManifest:
    """One person more than there are."""
    return replace(claims, input_people=claims.input_people + 1)


def change_smallest(claims: LinkedManifest) -> LinkedManifest:
    """A larger number of people."""
    return replace(claims, smallest=claims.smallest + 1)


@pytest.mark.parametrize(("change", "check"), [(change_people, "people"), (change_smallest, "views")])
def test_claims_that_are_not_true_are_found(
    made: Any, change: Callable[[LinkedManifest], LinkedManifest], check: str
) -> None:
    """Of people and of views."""
    assert check in failed(dict(made.frames), change(made.manifest))


def test_the_record_of_another_release_is_refused(made: Any) -> None:
    """The fingerprint tells."""
    other = replace(made.record, release="0" * 64)
    assert failed(dict(made.frames), made.manifest, other) == {"record"}


def test_what_only_one_table_is_verified_with_is_refused(made: Any) -> None:
    """Rather than ignored."""
    with pytest.raises(UsageError, match="verify of several tables with population"):
        incrowd.verify(dict(made.frames), made.manifest, population=pd.DataFrame())

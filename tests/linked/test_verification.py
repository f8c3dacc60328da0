"""Planted faults in the release of several tables, each of which the verifier must find."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
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


def published_again(frames: Frames, made: Any) -> tuple[LinkedManifest, Any]:
    """Manifest and private record of a publisher who counted what the faulty tables have."""
    claims = claiming(made.manifest, frames)
    people = {
        "people": frames["people"]["id"],
        "visits": frames["visits"]["id"],
        "tests": frames["tests"]["id"],
        "drugs": frames["drugs"].merge(frames["visits"], on="visit")["id"],
    }
    tables = tuple(replace(table, people=people[table.name].nunique()) for table in claims.tables)
    claims = replace(claims, tables=tables)
    for _ in range(2):
        # What verification finds to be the smallest view is what this publisher claims.
        claims = replace(claims, smallest=incrowd.verify(frames, claims).smallest)
    return claims, replace(made.record, release=claims.fingerprint)


@pytest.fixture(scope="module")
def originals() -> Frames:
    """The tables that the release was made from."""
    return small_set(1, people=60)


def test_a_release_is_the_recoded_original(made: Any, originals: Frames) -> None:
    """Compared with the original tables, whatever the order of their records."""
    shuffled = {name: frame.sample(frac=1, random_state=7) for name, frame in originals.items()}
    verdict = incrowd.verify(dict(made.frames), made.manifest, made.record, original=shuffled)
    [check] = [check for check in verdict.checks if check.name == "original"]
    assert verdict.value == "holds"
    assert f"{made.manifest.people} of 60 people" in check.detail


def change_a_cell(frames: Frames) -> None:
    """A sensitive cell of one visit."""
    other = {"flu": "cold", "cold": "gout", "gout": "flu"}
    frames["visits"] = frames["visits"].assign(
        illness=lambda of: of["illness"].mask(of.index == 0, of["illness"].map(other))
    )


def move_a_record(frames: Frames) -> None:
    """One test to a person who has another number of them."""
    tests = frames["tests"]
    having = tests["id"].value_counts()
    giver, taker = having.index[0], having.index[-1]
    assert having[giver] > having[taker] or len(having) > 1
    at = tests.index[tests["id"] == giver][0]
    other = next(who for who in frames["people"]["id"] if who not in set(having.index))
    frames["tests"] = tests.assign(id=tests["id"].mask(tests.index == at, other))


def move_a_drug(frames: Frames) -> None:
    """One drug to another visit of somebody else."""
    drugs = frames["drugs"]
    other = next(visit for visit in frames["visits"]["visit"] if visit not in set(drugs["visit"]))
    frames["drugs"] = drugs.assign(visit=drugs["visit"].mask(drugs.index == 0, other))


def forget_a_person(frames: Frames) -> None:
    """In the tests alone."""
    who = frames["tests"]["id"].iloc[0]
    frames["tests"] = frames["tests"][frames["tests"]["id"] != who]


def repeat_a_record(frames: Frames) -> None:
    """A test twice."""
    frames["tests"] = pd.concat([frames["tests"], frames["tests"].iloc[:1]], ignore_index=True)


@pytest.mark.parametrize("fault", [change_a_cell, move_a_record, move_a_drug, forget_a_person, repeat_a_record])
def test_faults_that_no_claim_tells_are_found_in_the_original(
    made: Any, originals: Frames, fault: Callable[[Frames], None]
) -> None:
    """Manifest and private record claim what the faulty tables have; only the original says otherwise."""
    frames = dict(made.frames)
    fault(frames)
    claims, record = published_again(frames, made)
    without = failed(frames, claims, record)
    assert "original" not in without
    assert not without & {"people", "views", "keys", "record"}
    verdict = incrowd.verify(frames, claims, record, original=originals)
    assert "original" in {check.name for check in verdict.checks if check.holds is False}


def test_kept_cells_are_compared_with_the_original() -> None:
    """Though no model covers them."""
    frames = small_set(1, people=40)
    frames["tests"] = frames["tests"].assign(result=range(len(frames["tests"])))
    job = job_of(frames, suppress=0.9)
    job["tables"]["tests"]["columns"]["result"] = "keep"
    made = incrowd.anonymize(frames, job)
    assert incrowd.verify(dict(made.frames), made.manifest, made.record, original=frames).value == "holds"
    other = dict(made.frames) | {"tests": made.frames["tests"].assign(result=made.frames["tests"]["result"] + 1)}
    verdict = incrowd.verify(other, made.manifest, made.record, original=frames)
    assert [check.detail for check in verdict.checks if check.holds is False] == [
        "records of 'tests' differ from the recoded original tables of the people who are published"
    ]


@pytest.mark.parametrize("numbers", [{"input_people": 61, "suppressed": 1}, {"input_people": 100, "suppressed": 40}])
def test_forged_numbers_of_people_are_found_in_the_original(
    made: Any, originals: Frames, numbers: dict[str, int]
) -> None:
    """As many are published as claimed, but not out of so many."""
    more = numbers["input_people"] - made.manifest.input_people
    claims = replace(
        made.manifest,
        input_people=numbers["input_people"],
        suppressed=made.manifest.suppressed + more,
        suppress_limit=100,
    )
    record = replace(made.record, release=claims.fingerprint)
    assert failed(dict(made.frames), claims, record) == set()
    verdict = incrowd.verify(dict(made.frames), claims, record, original=originals)
    assert {check.name for check in verdict.checks if check.holds is False} == {"original"}


def test_other_originals_are_found(made: Any) -> None:
    """Tables of other people."""
    verdict = incrowd.verify(dict(made.frames), made.manifest, made.record, original=small_set(2, people=60))
    assert {check.name for check in verdict.checks if check.holds is False} == {"original"}


def test_the_original_needs_the_private_record(made: Any, originals: Frames) -> None:
    """Nothing else says how it was recoded."""
    with pytest.raises(UsageError, match="the private record is not given"):
        incrowd.verify(dict(made.frames), made.manifest, original=originals)


def everything(frames: Frames) -> "Counter[Any]":
    """Of each person all cells that are published, as a tree; by definition, with nothing but loops."""

    def rows(name: str, key: str, value: Any) -> list[dict[str, Any]]:
        found = [{column: str(cell) for column, cell in row.items()} for row in frames[name].to_dict("records")]
        return [row for row in found if row[key] == value]

    people: Counter[Any] = Counter()
    for person in rows("people", "sex", "f") + rows("people", "sex", "m") + rows("people", "sex", "*"):
        visits = [
            (row["ward"], row["illness"], tuple(sorted(drug["drug"] for drug in rows("drugs", "visit", row["visit"]))))
            for row in rows("visits", "id", person["id"])
        ]
        tests = [row["kind"] for row in rows("tests", "id", person["id"])]
        people[person["age"], person["sex"], tuple(sorted(visits)), tuple(sorted(tests))] += 1
    return people


def recoded(frames: Frames, made: Any) -> Frames:
    """The original tables on the levels of a release."""
    found = {name: frame.copy() for name, frame in frames.items()}
    for column in made.record.quasi:
        table, name = column.name.split(".")
        shown = {row[0]: row[column.level] for row in column.rows}
        found[table][name] = [shown[str(cell)] for cell in found[table][name]]
    return found


def known_of(tree: Any) -> Any:
    """The same without the sensitive cells."""
    age, sex, visits, tests = tree
    return age, sex, tuple(sorted((ward, drugs) for ward, _, drugs in visits)), tests


@pytest.mark.parametrize("knows", ["record", "history"])
@pytest.mark.parametrize("seed", range(5))
def test_the_comparison_agrees_with_its_definition(seed: int, knows: str) -> None:
    """One random cell or key of a release is changed, and sometimes nothing."""
    rng = np.random.default_rng(seed)
    frames = small_set(seed, people=20)
    made = incrowd.anonymize(frames, job_of(frames, knows=knows))
    if not made.manifest.people:
        return
    before = everything(recoded(frames, made))
    for _ in range(4):
        other = {name: frame.copy() for name, frame in made.frames.items()}
        table = ["people", "visits", "tests", "drugs"][rng.integers(4)]
        column = rng.choice(
            [name for name in other[table].columns if (table, name) not in (("people", "id"), ("visits", "visit"))]
        )
        values = made.frames["people" if column == "id" else "visits" if column == "visit" else table][column]
        if len(other[table]):
            at = rng.integers(len(other[table]))
            other[table].loc[other[table].index[at], column] = values.iloc[rng.integers(len(values))]
        after = everything(other)
        seen = {known_of(tree) for tree in after}
        expected = after == Counter({tree: number for tree, number in before.items() if known_of(tree) in seen})
        verdict = incrowd.verify(other, made.manifest, made.record, original=frames)
        [check] = [check for check in verdict.checks if check.name == "original"]
        assert check.holds == (expected and after.total() == made.manifest.people)

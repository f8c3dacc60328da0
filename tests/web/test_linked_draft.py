"""The draft of several tables: names, keys and the job that follows from it, without a browser."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.core.schema import Role
from incrowd.errors import NotThere
from incrowd.jobs.linked import LinkedJob
from incrowd.service import StoredFile, Workspace
from incrowd.web.pages import releases
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.imports import purpose_of, tables_of_manifest
from incrowd.web.parts.key_columns import Seen, suggestions
from incrowd.web.parts.linked_draft import Child, LinkedDraft, table_name
from linked_sets import job_of, small_set

ROLES = {
    "patients": {"id": "person", "name": "identifier", "sex": "quasi", "birth": "person"},
    "visits": {"visit": "identifier", "patient": "person", "ward": "quasi", "illness": "sensitive"},
    "tests": {"visit": "keep", "kind": "quasi"},
}


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path / "space")


def stored(space: Workspace) -> dict[str, StoredFile]:
    """The tables as files, with their roles chosen."""
    found = {}
    for name, roles in ROLES.items():
        found[name] = space.add_file(f"{name}.csv", io.BytesIO((",".join(roles) + "\n").encode()))
        draft = Draft.load(space, "", found[name].id)
        draft.roles, draft.also_person = dict(roles), {"sex": True} if "sex" in roles else {}
        draft.keep(space, "")
    return found


def set_of(space: Workspace, files: dict[str, StoredFile]) -> LinkedDraft:
    made = LinkedDraft.load(space, "", files["patients"])
    made.key = "id"
    made.children = [
        Child(files["visits"].id, "visits", "patients", "patient", "id"),
        Child(files["tests"].id, "tests", "visits", "visit", "visit"),
    ]
    made.keep(space, "")
    return LinkedDraft.load(space, "", files["patients"])


def drafts_of(space: Workspace, made: LinkedDraft) -> dict[str, Draft]:
    return {name: Draft.load(space, "", file) for name, file in made.files.items()}


def test_the_job_of_the_tables(space: Workspace) -> None:
    files = stored(space)
    made = set_of(space, files)
    plain = made.job(drafts_of(space, made))
    job = LinkedJob.from_dict(plain)
    assert list(job.tables) == ["patients", "visits", "tests"]
    assert job.key_of("patients") == ("id",)
    assert job.tables["visits"].on == (("patient", "id"),)
    roles = {name: {of: column.role for of, column in part.columns.items()} for name, part in job.tables.items()}
    assert roles == {
        "patients": {"id": Role.PERSON, "name": Role.IDENTIFIER, "sex": Role.QUASI, "birth": Role.IDENTIFIER},
        "visits": {"ward": Role.QUASI, "illness": Role.SENSITIVE},
        "tests": {"kind": Role.QUASI},
    }
    assert plain["models"][1] == {"distinct_l": {"l": 2, "column": "visits.illness"}}
    # The service takes it as it is.
    space.submit("anonymize", {"job": plain})
    assert space.runs()[0].uses == tuple(files[name].id for name in ROLES)


def test_a_table_goes_with_those_that_belong_to_it(space: Workspace) -> None:
    files = stored(space)
    made = set_of(space, files)
    assert made.names == ["patients", "visits", "tests"]
    made.remove("visits")
    assert made.names == ["patients"]
    set_of(space, files)
    space.delete_file(files["visits"].id)
    assert LinkedDraft.load(space, "", files["patients"]).names == ["patients"]


def test_the_set_is_deleted_with_its_first_table(space: Workspace) -> None:
    files = stored(space)
    set_of(space, files)
    assert [name for name in space.notes().names() if name.endswith("-linked")]
    releases.delete_all(space, "", files["patients"].id)
    assert not [name for name in space.notes().names() if name.endswith("-linked")]


def test_the_tables_of_a_manifest_are_found_by_their_names(space: Workspace) -> None:
    frames = small_set(3)
    made = incrowd.anonymize(frames, job_of(frames))
    plain = made.manifest.to_dict()
    for table in plain["tables"]:
        table["data"]["file"] = f"{table['name']}.csv"
    manifest = space.add_file("manifest.json", io.BytesIO(json.dumps(plain).encode()), "ann", "manifest")
    with pytest.raises(NotThere, match=r"people\.csv, visits\.csv, tests\.csv, drugs\.csv"):
        tables_of_manifest(space, "ann", manifest.id)
    files = {name: space.add_file(f"{name}.csv", io.BytesIO(b"a\n1\n"), "ann").id for name in frames}
    assert tables_of_manifest(space, "ann", manifest.id) == files
    assert tables_of_manifest(space, "bob", manifest.id) == {}
    assert purpose_of("manifest.json") == "manifest"


@pytest.mark.parametrize(
    ("name", "table", "told"),
    [
        ("visits.csv", None, "visits"),
        ("my visits (2).csv.gz", None, "my_visits_2"),
        ("2024.csv", None, "t_2024"),
        ("ä.csv", None, "table"),
        ("postgresql://host/data", "visit_occurrence", "visit_occurrence"),
        ("patients.csv", None, "patients_2"),
    ],
)
def test_a_table_is_named_after_its_file(name: str, table: str | None, told: str) -> None:
    assert table_name(StoredFile("f1", name, "delimited", 1, 0.0, "", table), ["patients"]) == told


def seen(rows: list[tuple[str | None, ...]], *columns: str, records: int | None = None) -> Seen:
    """A table as inspect and head show it."""
    cells = {name: [row[at] for row in rows] for at, name in enumerate(columns)}
    told: list[dict[str, Any]] = [
        {"name": name, "distinct": len(set(of) - {None}), "missing": of.count(None)} for name, of in cells.items()
    ]
    if records is not None:
        told = [{**each, "distinct": records} for each in told]
    inspection = {"records": len(rows) if records is None else records, "columns": told}
    return Seen(inspection, {"columns": list(columns), "rows": [list(row) for row in rows]})


def test_keys_are_suggested_by_names_and_values() -> None:
    parent = seen([("p1", "1", "f"), ("p2", "2", "f"), ("p3", "3", "m")], "patient_id", "number", "sex")
    child = seen([("p1", "2"), ("p1", "1"), ("p3", "3")], "patient", "floor")
    found = suggestions(child, parent)
    assert [(each.here, each.there) for each in found] == [("patient", "patient_id"), ("floor", "number")]
    assert found[0].share == 1.0
    # All of the parent was seen: a key that leads nowhere shows that the columns do not go together.
    assert not suggestions(seen([("p1", "2"), ("p9", "7")], "patient_id", "floor"), parent)
    # Of a long table only the beginning was seen: a name alone may do.
    long = seen([("p1",), ("p2",)], "patient_id", records=5000)
    later = seen([("p4711",), (None,)], "Patient ID")
    assert [(each.same_name, each.share) for each in suggestions(later, long)] == [(True, 0.0)]
    assert not suggestions(seen([(None,)], "patient_id"), parent)

"""Verification judges every kind of release with code of its own: what runs while it does is recorded call by call."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import incrowd
from anonymization.hospital import PATIENTS, ROLES, Person, in_arrow, in_folder
from anonymization.runs import job, write_ladder
from anonymization.test_families import MODELS
from anonymization.visits import ROLES as VISIT_ROLES
from anonymization.visits import in_arrow as visits_in_arrow
from anonymization.visits import visits
from incrowd.families import members
from incrowd.verification import Original, Verdict, verify, verify_frame

ALLOWED = ("verification", "models", "errors", "families", "spelling", "parameters", "release", "text", "threads")
"""The definitions with what finds them, what is claimed, and the words; nothing that makes releases."""

PARAMETERS = ("incrowd.models._ranges", "incrowd.release.manifest", "incrowd.release.record", "incrowd.release.stored")
"""They read what a job or a manifest says: the bounds of a model, the fields of a file."""

PARTED = ("k_optimize", "set_partitioning")
SEARCHES: dict[str, dict[str, Any]] = {
    **{name: {} for name in members("searches", "SEARCH")},
    "annealing": {"search": {"annealing": {"steps": 50}}},
    "consistent": {"models": ["consistent_k:k=3,notion=global_one_k"]},
    "genetic": {"search": {"genetic": {"population": 6, "generations": 4}}},
    "guaranteed": {"search": "guaranteed:utility=0.8", "models": ["range_diversity:p=0.9,column=disease"]},
    "anatomy": {"models": ["frequency_l:l=2,column=disease"]},
    "personalized": {"models": ["personal_breach:p=0.6,column=disease,guard=note"]},
    "top_down_specialization": {"search": "top_down_specialization:label=disease"},
}
"""What each search needs beside its name."""

KINDS = {"flu": ("short", "*"), "cold": ("short", "*"), "gout": ("long", "*"), "cancer": ("long", "*")}


def described(name: str, folder: Path, further: dict[str, Any]) -> dict[str, Any]:
    columns = {**ROLES, "ward": {"role": "drop"}}
    if name == "personalized":
        columns["disease"] = {"role": "sensitive", "hierarchy": str(write_ladder(folder / "kinds.csv", KINDS))}
        columns["note"] = {"role": "drop"}
    if name in PARTED:
        columns["zip"] = {"role": "quasi"}
    return {**job(columns, "k_anonymity:k=3", search=name, suppress=6), **further}


def patients(name: str) -> list[Person]:
    """With a note that guards something, where that is asked for."""
    return [{**person, "note": "short" if name == "personalized" else None} for person in PATIENTS]


def module_of(frame: FrameType | None) -> str:
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))


def asked_by(frame: FrameType) -> str:
    """The module that called into the module of a function."""
    outer = frame.f_back
    while outer is not None and module_of(outer) == module_of(frame):
        outer = outer.f_back
    return module_of(outer)


def called(work: Callable[[], Verdict]) -> set[str]:
    """The modules of the package whose functions run meanwhile."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        module = module_of(frame)
        if event == "call" and module.startswith("incrowd.") and asked_by(frame) not in PARAMETERS:
            found.add(module)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        verdict = work()
    finally:
        sys.setprofile(before)
    assert verdict.holds, verdict
    assert "incrowd.verification._verify" in found
    return {module for module in found if module.split(".")[1] not in ALLOWED}


@pytest.mark.parametrize("name", SEARCHES)
def test_nothing_that_makes_releases_runs_while_one_is_judged(name: str, tmp_path: Path) -> None:
    source = in_folder(tmp_path, patients(name))
    output = tmp_path / "release.csv"
    made = incrowd.anonymize(str(source), {**described(name, tmp_path, SEARCHES[name]), "output": str(output)})
    assert called(lambda: verify(output, record=made.record_file)) == set()


@pytest.mark.parametrize("name", SEARCHES)
def test_nor_while_a_frame_is(name: str, tmp_path: Path) -> None:
    made = incrowd.anonymize(in_arrow(patients(name)), described(name, tmp_path, SEARCHES[name]))
    assert called(lambda: verify_frame(made.frame, made.manifest, made.record, apart=made.sensitive_frame)) == set()


@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_nor_while_people_are_counted(search: str) -> None:
    table, rows = visits_in_arrow(visits(40)), job(VISIT_ROLES, "k_anonymity:k=4", search=search, suppress=0.3)
    made = incrowd.anonymize(table, rows)
    original = Original(tuple(table.column_names), lambda columns: iter(table.select(columns).to_batches()))
    assert called(lambda: verify_frame(made.frame, made.manifest, made.record, original=original)) == set()


RANGES = {"range_diversity": {"p": 0.9, "column": "visits", "ranges": [[1, 4], [5, 9]], "domain": [0, 10]}}


@pytest.mark.parametrize("name", [*MODELS, "ranges"])
def test_nor_for_any_model(name: str, tmp_path: Path) -> None:
    columns = dict(ROLES)
    if name in ("ordered", "ranges"):
        columns["visits"] = {"role": "sensitive"}
    if name == "hierarchical":
        columns["disease"] = {"role": "sensitive", "hierarchy": str(write_ladder(tmp_path / "kinds.csv", KINDS))}
    output = tmp_path / "release.csv"
    made = incrowd.anonymize(in_arrow(), job(columns, *MODELS.get(name, [RANGES]), suppress=0.2, output=str(output)))
    assert called(lambda: verify(output, record=made.record_file)) == set()

"""Everything that is wrong with a job is told at once, with its line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from incrowd.errors import Fault, JobError
from incrowd.jobs import Column, Job
from jobs.faulty import faults_of, told

WRONG = """\
data: {source: people.csv, misssing: "?"}
output: people.csv
nulls: none
columns:
  age: {role: quasi, hierarchy: {interval: {widths: [5]}}, priority: 0, limit: 1, minimum: 2}
  sex: {role: quazi}
  zip: {role: quasi, hierarchy: {mask: {from: up}}}
  visits: {role: keep, priority: 3, hierarchy: mask}
  place: {hierarchy: {mask: {frm: right}}}
  height: {role: quasi, losses: [0, 2, 1], limit: high}
  weight: {role: quasi, losses: [0, 0.5, 1], limit: 3}
  size: 5
models:
  - {k_anonymity: {k: 0}}
  - {distinct_l: {l: 3, column: agee}}
  - {distinct_l: {l: 3, column: visits}}
  - {k_map: {k: 3}}
  - {k_anonimity: {k: 2}}
  - 7
suppress: 1.5
search: optimall
metric: {loss: {weight: 3}}
seed: -1
time: soon
colums: 3
"""


def test_all_at_once(tmp_path: Path) -> None:
    assert told(tmp_path, WRONG) == [
        (1, "data.misssing", "there is no such key"),
        (2, "output", "already used by another input or output"),
        (3, "nulls", "it must be 'extended'"),
        (5, "columns.age.priority", "it must be greater than 0"),
        (5, "columns.age.hierarchy", "the hierarchy of column 'age' is 'interval'"),
        (5, "columns.age.limit", "it is below minimum"),
        (6, "columns.sex.role", "it must be 'identifier'"),
        (7, "columns.zip.hierarchy", "column 'zip': mask: from is 'up'"),
        (8, "columns.visits.priority", "only a quasi column may have it"),
        (8, "columns.visits.hierarchy", "only a quasi or sensitive column may have one"),
        (9, "columns.place", "'role' is missing"),
        (9, "columns.place.hierarchy", "mask"),
        (10, "columns.height.limit", "it must be a whole number"),
        (10, "columns.height.losses", "they must be 0 or more and must not decrease from level to level"),
        (11, "columns.weight.limit", "the column has losses for levels 0 to 2 only"),
        (12, "columns.size", "it must be a mapping: role"),
        (14, "models[1]", "k of k_anonymity is 0"),
        (15, "models[2]", "it judges column 'agee'"),
        (16, "models[3]", "it judges column 'visits'"),
        (17, "models[4]", "it compares with the population"),
        (18, "models[5]", "there is no model 'k_anonimity'"),
        (19, "models[6]", "a model is one name"),
        (20, "suppress", "it must be a share of the records"),
        (21, "search", "there is no search 'optimall'"),
        (22, "metric", "loss has no option 'weight'"),
        (23, "seed", "it must be 0 or more"),
        (24, "time", "it must be a number"),
        (25, "colums", "there is no such key"),
    ]


def test_hints(tmp_path: Path) -> None:
    whats = [fault.what for fault in faults_of(tmp_path, WRONG)]
    for meant in ("missing", "age", "k_anonymity", "optimal", "columns"):
        assert any(what.endswith(f"did you mean {meant!r}?") for what in whats), meant


def test_the_same_without_lines_from_python(tmp_path: Path) -> None:
    in_file = faults_of(tmp_path, "columns: {age: {role: quasi, priority: 0}}\nmodels: []\nsed: 3")
    plain = {"columns": {"age": {"role": "quasi", "priority": 0}}, "models": [], "sed": 3}
    for build in (Job.from_dict, lambda given: Job(**given)):
        with pytest.raises(JobError, match="the job has 3 errors:") as caught:
            build(plain)
        assert {fault._replace(line=None) for fault in in_file} == set(caught.value.faults)


@pytest.mark.parametrize(
    ("changed", "where", "what"),
    [
        ({"columns": {}}, "columns", "no column is a quasi-identifier; give at least one the role quasi"),
        (
            {"columns": {"a": {"role": "keep"}}},
            "columns",
            "no column is a quasi-identifier; give at least one the role quasi",
        ),
        ({"columns": None}, "columns", "it must be a mapping: columns, each with its role"),
        ({"columns": {"": {"role": "quasi"}}}, "columns.''", "a column has no name"),
        ({"models": []}, "models", "there is no privacy model; add one, such as k_anonymity:k=5"),
        ({"models": {"k_anonymity": {"k": 5}}}, "models", "it must be a list"),
        ({"models": [{"k_anonymity": {"k": 2}, "k_map": {"k": 2}}]}, "models[1]", None),
        ({"models": [{"distinct_l": {"l": 2, "column": 5}}]}, "models[1]", None),
        ({"models": [{"k_anonymity": {"k": True}}]}, "models[1]", None),
        ({"data": {"source": []}}, "data.source", "it is empty; give a value"),
        ({"data": {"source": ""}}, "data.source[1]", "it is empty; give a value or omit it"),
        ({"data": {"missing": ["?"]}}, "data", "'source' is missing"),
        (
            {"data": 5},
            "data",
            "it must be a mapping: source, table, query, missing, delimiter, encoding, header, names, widths, prepare",
        ),
        ({"data": {"source": "a.csv", "table": 5}}, "data.table", "it must be text; put it in quotes"),
        ({"output": {"to": "a.csv", "replace": "yes"}}, "output.replace", "it must be true or false"),
        ({"output": {"to": "a.csv", "record": "a.csv"}}, "output.record", None),
        ({"search": {"optimal": {}, "samarati": {}}}, "search", None),
        ({"search": {"optimal": [1]}}, "search", None),
        ({"search": {"optimal": {"x": object()}}}, "search", None),
        ({"search": "samarati:prefer"}, "search", None),
        ({"metric": 5}, "metric", None),
        ({"seed": 1.5}, "seed", "it must be a whole number"),
        ({"seed": True}, "seed", "it must be a whole number"),
        ({"time": float("inf")}, "time", "it must be a finite number"),
        ({"time": -1}, "time", "it must be 0 or more"),
        *(
            ({"suppress": wrong}, "suppress", None)
            for wrong in (-1, -0.1, 1.5, 2.5, "2.0", "x", "nan", True, None, [1])
        ),
    ],
)
def test_single_faults(changed: dict[str, Any], where: str, what: str | None) -> None:
    good = {"columns": {"age": {"role": "quasi"}}, "models": [{"k_anonymity": {"k": 2}}]}
    with pytest.raises(JobError) as caught:
        Job.from_dict({**good, **changed})
    [fault] = caught.value.faults
    assert fault.where == where
    assert what is None or fault.what == what


@pytest.mark.parametrize(
    ("column", "key"),
    [
        ({"hierarchy": 5}, "hierarchy"),
        ({"hierarchy": {}}, "hierarchy"),
        ({"hierarchy": {"mask": {}, "intervals": {}}}, "hierarchy"),
        ({"hierarchy": {"mask": [1]}}, "hierarchy"),
        ({"hierarchy": "nothing"}, "hierarchy"),
        ({"hierarchy": "intervals:widths"}, "hierarchy"),
        ({"hierarchy": {"intervals": {"widths": [5, 7]}}}, "hierarchy"),
        ({"hierarchy": {"intervals": {"widths": [5, 10], "losses": [0, 1, 2, 3]}}}, "hierarchy"),
        ({"hierarchy": {"tree": {"groups": {"a": ["x"], "b": ["x"]}}}}, "hierarchy"),
        ({"losses": []}, "losses"),
        ({"losses": [0]}, "losses"),
        ({"losses": [-1, 0]}, "losses"),
        ({"losses": 3}, "losses"),
        ({"minimum": -1}, "minimum"),
        ({"minimum": 2, "losses": [0, 1]}, "minimum"),
        ({"limit": 1.0}, "limit"),
        ({"limit": True}, "limit"),
        ({"priority": "2"}, "priority"),
        ({"priority": float("nan")}, "priority"),
    ],
)
def test_faults_of_columns(column: dict[str, Any], key: str) -> None:
    with pytest.raises(JobError) as caught:
        Job.from_dict({"columns": {"age": {"role": "quasi", **column}}, "models": [{"k_anonymity": {"k": 2}}]})
    [fault] = caught.value.faults
    assert fault.where == f"columns.age.{key}"


def test_no_job_at_all(tmp_path: Path) -> None:
    for text in ("", "# nothing", "[]", "5", "people.csv"):
        [fault] = faults_of(tmp_path, text)
        assert fault.what.startswith("it must be a mapping: data, output, "), text


def test_nothing_given() -> None:
    with pytest.raises(JobError) as caught:
        Job()  # type: ignore[call-arg]
    assert caught.value.faults == (Fault(None, "", "'columns' is missing"), Fault(None, "", "'models' is missing"))


def test_values_are_never_quoted(tmp_path: Path) -> None:
    """Trees and orders of values hold what records hold."""
    text = """
    columns:
      age: {role: quasi, hierarchy: {tree: {groups: {young: [Secret], old: [Secret]}}}}
      pay: {role: quasi, hierarchy: {tree: {groups: [[Secret]]}}}
      disease: {role: sensitive}
    models: [{t_closeness: {t: 0.1, column: disease, distance: ordered, order: [Secret, Secret]}}]
    """
    found = faults_of(tmp_path, text)
    assert [fault.where for fault in found] == ["columns.age.hierarchy", "columns.pay.hierarchy", "models[1]"]
    assert "Secret" not in str(found)


def test_parts_that_are_built_already_are_checked_too() -> None:
    columns: Mapping[str, Column] = {"age": Column(role="quasi", limit=1, minimum=2)}  # type: ignore[arg-type]
    with pytest.raises(JobError, match=r"columns\.age\.limit: it is below minimum"):
        Job(columns=columns, models=({"k_anonymity": {"k": 2}},))  # type: ignore[arg-type]

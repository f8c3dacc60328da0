"""A job is the same in every form."""

import copy
import json
import pickle
import shlex
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from lxml import etree

import incrowd
from incrowd.core.schema import Role
from incrowd.jobs import Job, job_from_options
from incrowd.jobs.schema import schema
from incrowd.metrics.queries import Queries
from jobs.command_line import options_of
from jobs.random_jobs import ODD, jobs


def from_text(text: str, suffix: str) -> Job:
    """The job in a file of that text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"job{suffix}"
        path.write_text(text, encoding="utf-8")
        return Job.from_file(path)


def from_command(line: str) -> Job:
    """The job that a shell's line describes."""
    program, verb, *words = shlex.split(line)
    assert (program, verb) == ("incrowd", "anonymize")
    return job_from_options(options_of(words))


def from_script(script: str) -> Job:
    """The job that a script runs."""
    run: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incrowd, "Job", Job, raising=False)
        patch.setattr(incrowd, "anonymize", lambda *, job: run.append(job), raising=False)
        exec(script, {})
    [job] = run
    return job


@given(jobs)
def test_data(job: Job) -> None:
    assert Job.from_dict(job.to_dict()) == job


@given(jobs)
def test_yaml(job: Job) -> None:
    assert from_text(job.to_yaml(), ".yaml") == job


@given(jobs)
def test_json(job: Job) -> None:
    assert from_text(job.to_json(), ".json") == job


@given(jobs)
def test_json_with_escapes_only(job: Job) -> None:
    assert from_text(json.dumps(job.to_dict()), ".json") == job


@given(jobs)
def test_xml(job: Job) -> None:
    assert from_text(job.to_xml(), ".xml") == job


@given(jobs)
def test_command(job: Job) -> None:
    assert from_command(job.to_command()) == job


@given(jobs)
def test_script(job: Job) -> None:
    assert from_script(job.to_script()) == job


@given(jobs)
def test_copies(job: Job) -> None:
    assert copy.deepcopy(job) == job
    assert pickle.loads(pickle.dumps(job)) == job


@cache
def xml_schema() -> etree.XMLSchema:
    """The schema that is shipped."""
    return etree.XMLSchema(etree.parse(Path(incrowd.__file__).parent / "jobs" / "anon.xsd"))


@given(jobs)
def test_xml_keeps_to_its_schema(job: Job) -> None:
    xml_schema().assertValid(etree.fromstring(job.to_xml().encode()))


@cache
def json_schema() -> Draft202012Validator:
    """The schema that is shipped, which is held up to date elsewhere."""
    return Draft202012Validator(schema())


@given(jobs)
def test_data_keep_to_their_schema(job: Job) -> None:
    json_schema().validate(job.to_dict())


def test_odd_names_survive_together() -> None:
    """All names that are hard to write down, in one job; as sensitive columns they are named in models as well."""
    columns: dict[str, Any] = {name: {"role": "sensitive"} for name in ODD}
    models = [{"distinct_l": {"l": 2, "column": [name]}} for name in ODD]
    columns["quasi"] = {"role": "quasi", "hierarchy": {"tree": {"groups": {"all": list(ODD)}}}}
    job = Job.from_dict({"data": list(ODD), "columns": columns, "models": models})
    assert list(job.columns) == [*ODD, "quasi"]
    for again in (
        from_text(job.to_yaml(), ".yaml"),
        from_text(job.to_json(), ".json"),
        from_text(job.to_xml(), ".xml"),
        from_command(job.to_command()),
        from_script(job.to_script()),
    ):
        assert again == job


def test_the_order_of_columns_with_a_role_survives() -> None:
    columns = {f"{role}-{name}": {"role": role} for name in "bca" for role in ("keep", "quasi")}
    job = Job.from_dict({"data": "t.csv", "columns": columns, "models": [{"k_anonymity": {"k": 2}}]})
    for again in (from_text(job.to_xml(), ".xml"), from_command(job.to_command()), from_script(job.to_script())):
        assert again.having(Role.QUASI) == ("quasi-b", "quasi-c", "quasi-a")


def test_paths_are_seen_from_the_present_folder(tmp_path: Path) -> None:
    """A command and a script are run where one is, a job file refers to its own folder."""
    path = tmp_path / "job.yaml"
    path.write_text(
        """
data: [people.csv, "sqlite:///people.db", /else/where.csv, "postgresql://me@host/base"]
output: {to: release.csv, record: private/record.json}
population: everybody.csv
columns:
  age: {role: quasi, hierarchy: age.csv}
  zip: {role: quasi, hierarchy: mask}
  land: {role: quasi, hierarchy: {tree: {path: land.yaml}}}
models: [{k_map: {k: 5}}]
metric: {queries: {workload: own/queries.csv}}
"""
    )
    job = Job.from_file(path)
    for seen in (from_command(job.to_command()), from_script(job.to_script())):
        assert seen.base == Path()
        assert seen.data is not None
        assert seen.output is not None
        assert seen.population is not None
        assert seen.metric == Queries(f"{tmp_path}/own/queries.csv")
        assert seen.data.source == (
            f"{tmp_path}/people.csv",
            f"sqlite:///{tmp_path}/people.db",
            "/else/where.csv",
            "postgresql://me@host/base",
        )
        assert (seen.output.to, seen.output.record) == (f"{tmp_path}/release.csv", f"{tmp_path}/private/record.json")
        assert seen.population.source == (f"{tmp_path}/everybody.csv",)
        assert seen.columns["age"].hierarchy == {"levels": {"path": f"{tmp_path}/age.csv"}}
        assert seen.columns["zip"].hierarchy == "mask"
        assert seen.columns["land"].hierarchy == {"tree": {"path": f"{tmp_path}/land.yaml"}}
    assert from_text(job.to_yaml(), ".yaml") == job

"""Several tables over /v1: released, diagnosed, verified, fetched and deleted as one; every table is its owner's."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.client import Client, File, RunStatus, ServiceError
from incrowd.errors import IncrowdError
from incrowd.rest.access import Access, hashed
from incrowd.service import Workspace
from incrowd.service.path_sandbox import confined_tables
from incrowd.service.references import References
from linked_sets import job_of, small_set
from service.servers import serving

KEYS = {hashed("key of ann"): "ann", hashed("key of bob"): "bob"}
FRAMES = small_set(3, people=20)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("space") / "space", Access(keys=KEYS), workers=1) as address:
        yield address


@pytest.fixture(scope="module")
def ann(address: str) -> Iterator[Client]:
    with Client(address, "key of ann") as client:
        yield client


@pytest.fixture(scope="module")
def files(ann: Client) -> dict[str, File]:
    return {name: ann.upload(frame.to_csv(index=False).encode(), f"{name}.csv") for name, frame in FRAMES.items()}


def job_over(files: Mapping[str, File | str], **changed: Any) -> dict[str, Any]:
    """The job of the set, its tables named by their ids."""
    job = job_of(FRAMES, **changed)
    for name, table in job["tables"].items():
        table["data"] = getattr(files[name], "id", files[name])
    return job


@pytest.fixture(scope="module")
def made(ann: Client, files: dict[str, File]) -> RunStatus:
    return ann.wait(ann.anonymize(job_over(files)))


def test_the_release_is_the_one_that_python_makes(ann: Client, made: RunStatus) -> None:
    here = incrowd.anonymize(FRAMES, job_of(FRAMES))
    assert made.result is not None
    assert made.result["verdict"] == "holds"
    assert made.result["levels"] == here.levels
    assert made.result["people"] == here.manifest.people
    for name, frame in here.frames.items():
        assert ann.fetch(made, f"release/{name}.csv").decode() == frame.to_csv(index=False)


def test_all_that_a_run_made_is_fetched_as_one_or_one_by_one(ann: Client, made: RunStatus, tmp_path: Path) -> None:
    kinds = {each.name: each.kind for each in made.artifacts}
    assert kinds == {
        "job.yaml": "job",
        "release.record.json": "record",
        "release.zip": "release",
        "release/manifest.json": "manifest",
        **{f"report-{whom}.{form}": "report" for whom in ("internal", "external") for form in ("html", "md", "json")},
        **{f"release/{name}.csv": "table" for name in FRAMES},
    }
    archive = zipfile.ZipFile(io.BytesIO(ann.fetch(made, "release")))
    assert sorted(archive.namelist()) == sorted(name for name in kinds if name.startswith("release/"))
    assert archive.read("release/manifest.json") == ann.fetch(made, "manifest")
    archive.extractall(tmp_path)
    assert incrowd.verify(tmp_path / "release", record=json.loads(ann.fetch(made, "record"))).holds
    saved = ann.download(made, "release/visits.csv", tmp_path / "visits.csv")
    assert saved.read_bytes() == archive.read("release/visits.csv")
    for name in ("release/%2e%2e/%2e%2e/%2e%2e/workspace.sqlite", "release/nothing.csv", "release.csv", "release/."):
        with pytest.raises(ServiceError) as refused:
            ann.fetch(made, name)
        assert refused.value.status == 404


def test_its_job_does_the_same_without_the_service(ann: Client, made: RunStatus, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_bytes(ann.fetch(made, "job"))
    for name, frame in FRAMES.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    again = incrowd.anonymize(job=tmp_path / "job.yaml")
    assert again.manifest.to_dict() == json.loads(ann.fetch(made, "manifest"))


def test_a_release_is_verified_by_its_run_or_by_its_files(ann: Client, made: RunStatus) -> None:
    by_run = ann.wait(ann.verify(made)).result
    assert by_run is not None
    assert by_run["holds"] is True
    assert made.result is not None
    assert by_run["people"] == made.result["people"]
    names = {check["name"] for check in by_run["checks"]}
    # The workspace has its private record and its tables.
    assert {"record", "original"} <= names
    given = {name: ann.upload(ann.fetch(made, f"release/{name}.csv"), f"my {name}.csv") for name in FRAMES}
    further = {
        "manifest": ann.upload(ann.fetch(made, "manifest"), "m.json", "manifest").id,
        "record": ann.upload(ann.fetch(made, "record"), "r.json", "record").id,
    }
    by_files = ann.wait(ann.verify(given, **further)).result  # type: ignore[arg-type]
    assert by_files is not None
    assert by_files["holds"] is True
    assert "the private record belongs to this release" in by_files["text"]
    swapped = {**given, "visits": given["tests"]}
    assert ann.wait(ann.verify(swapped, manifest=further["manifest"])).result["holds"] is False  # type: ignore[index]
    with pytest.raises(ServiceError, match="give people, visits, tests, drugs"):
        ann.wait(ann.verify({"people": given["people"]}, manifest=further["manifest"]))
    with pytest.raises(ServiceError, match="no manifest is given"):
        ann.verify(given)
    with pytest.raises(ServiceError, match="it needs a file or tables"):
        ann._json("POST", "verify", json={"manifest": further["manifest"]})
    with pytest.raises(ServiceError, match="verify of several tables with original"):
        ann.verify(made, original=given["people"].id)


def test_a_release_is_verified_without_tables_that_are_gone(ann: Client) -> None:
    stored = {name: ann.upload(frame.to_csv(index=False).encode(), f"{name}.csv") for name, frame in FRAMES.items()}
    run = ann.wait(ann.anonymize(job_over(stored)))
    ann.delete_file(stored["tests"])
    verdict = ann.wait(ann.verify(run)).result
    assert verdict is not None
    assert verdict["holds"] is True
    assert "original" not in {check["name"] for check in verdict["checks"]}


def test_a_changed_table_is_recognized(ann: Client, made: RunStatus) -> None:
    given = {name: ann.upload(ann.fetch(made, f"release/{name}.csv"), f"{name}.csv") for name in FRAMES}
    lines = ann.fetch(made, "release/visits.csv").splitlines(keepends=True)
    given["visits"] = ann.upload(b"".join(lines[:-1]), "visits.csv")
    manifest = ann.upload(ann.fetch(made, "manifest"), "m.json", "manifest")
    verdict = ann.wait(ann.verify(given, manifest=manifest.id)).result
    assert verdict is not None
    assert verdict["holds"] is False


def test_the_tables_are_diagnosed_together(ann: Client, files: dict[str, File]) -> None:
    job = job_over(files, knows="history")
    found = ann.wait(ann.diagnose(job, k=3, max_size=2)).result
    here = incrowd.LinkedJob.from_dict(job_of(FRAMES, knows="history")).reading(FRAMES)
    assert found is not None
    assert found["sets"] == incrowd.diagnose(here).ask(k=3, max_size=2).to_dict()["sets"]
    assert found["knows"] == "history"
    assert found["text"].startswith("An attacker knows")
    with pytest.raises(ServiceError, match="it takes k, max_size, time"):
        ann.diagnose(job, quasi=["age"])
    with pytest.raises(ServiceError, match="no table is given"):
        ann._json("POST", "diagnose", json={"k": 2})


def test_a_text_of_yaml_names_the_line_of_a_fault(ann: Client, files: dict[str, File]) -> None:
    job = job_over(files)
    job["tables"]["visits"]["of"] = "poeple"
    text = yaml.safe_dump(job, sort_keys=False)
    line = 1 + text.splitlines().index("    of: poeple")
    with pytest.raises(ServiceError, match=f"line {line}: tables.visits.of: there is no such table") as refused:
        ann.anonymize(text)
    assert refused.value.code == "bad_job"
    assert ann.wait(ann.anonymize(yaml.safe_dump(job_over(files)))).state == "done"


def test_the_format_of_the_output_counts_and_nothing_else_of_it(ann: Client, files: dict[str, File]) -> None:
    run = ann.wait(ann.anonymize(job_over(files, output={"to": "mine", "format": "jsonl", "record": "x.json"})))
    assert {each.name for each in run.artifacts if each.kind == "table"} == {f"release/{name}.jsonl" for name in FRAMES}
    for output, told in (
        ({"to": "elsewhere/x"}, "a name without folders is enough"),
        ({"to": "x", "format": "../csv/x"}, "there is no such format to write"),
        ({"to": "x", "format": "exe"}, "there is no such format to write"),
    ):
        with pytest.raises(ServiceError, match=told):
            ann.anonymize(job_over(files, output=output))


def test_every_table_must_be_the_users_own(ann: Client, address: str, files: dict[str, File], made: RunStatus) -> None:
    with Client(address, "key of bob") as bob:
        own = {name: bob.upload(frame.to_csv(index=False).encode(), f"{name}.csv") for name, frame in FRAMES.items()}
        for name in FRAMES:
            stolen = job_over({**own, name: files[name]})
            for ask in (bob.anonymize, bob.diagnose):
                with pytest.raises(ServiceError, match=rf"tables\.{name}\.data: there is no such file"):
                    ask(stolen)
        manifest = bob.upload(ann.fetch(made, "manifest"), "m.json", "manifest")
        with pytest.raises(ServiceError, match=r"no such table .visits."):
            bob.verify({**own, "visits": files["visits"]}, manifest=manifest.id)
        for ask in (bob.verify, bob.run, bob.delete_run):
            with pytest.raises(ServiceError) as refused:
                ask(made)
            assert refused.value.status == 404
        with pytest.raises(ServiceError) as refused:
            bob.fetch(made, "release/people.csv")
        assert refused.value.status == 404
    for location in ("/etc/passwd", "sqlite:///people.db", {"source": {"url": "postgresql://h/d"}}):
        job = job_over(files)
        job["tables"]["tests"]["data"] = location
        with pytest.raises(ServiceError, match=r"tables\.tests\.data"):
            ann.anonymize(job)


def test_what_takes_one_table_refuses_several(ann: Client, files: dict[str, File], made: RunStatus) -> None:
    for ask in (lambda: ann.inspect(made), lambda: ann.measure(made, [files["people"]]), lambda: ann.apply(made, made)):
        with pytest.raises(ServiceError, match="it is a release of several tables"):
            ask()
    for job in (lambda: ann.frontier(job_over(files)), lambda: ann.neighbors(job_over(files), {})):
        with pytest.raises(ServiceError, match="a job of several tables is run by anonymize"):
            job()


def test_tables_of_one_database_file(ann: Client, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "set.sqlite") as connection:
        for name, frame in FRAMES.items():
            frame.to_sql(name, connection, index=False)
    connection.close()
    stored = ann.upload(tmp_path / "set.sqlite")
    job = job_of(FRAMES)
    for name, table in job["tables"].items():
        table["data"] = {"source": stored.id, "table": name}
    run = ann.wait(ann.anonymize(job))
    assert run.result is not None
    assert run.result["levels"] == incrowd.anonymize(FRAMES, job_of(FRAMES)).levels


def test_a_deleted_run_leaves_nothing_and_is_listed_until_then(
    ann: Client, files: dict[str, File], address: str
) -> None:
    run = ann.wait(ann.anonymize(job_over(files)))
    assert run.id in [each.id for each in ann.runs()]
    ann.delete_run(run)
    assert run.id not in [each.id for each in ann.runs()]
    with pytest.raises(ServiceError, match="no such run"):
        ann.fetch(run, "release/people.csv")


def test_a_table_of_a_run_that_waits_is_not_deleted(tmp_path: Path) -> None:
    with serving(tmp_path / "space", workers=0) as address, Client(address) as client:
        stored = {
            name: client.upload(frame.to_csv(index=False).encode(), f"{name}.csv") for name, frame in FRAMES.items()
        }
        client.anonymize(job_over(stored))
        for file in stored.values():
            with pytest.raises(ServiceError, match="a run that is not over needs the file"):
                client.delete_file(file)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    changed=st.dictionaries(st.sampled_from(["tables", "output", "models", "knows", "metric"]), PLAIN, min_size=1),
    table=st.dictionaries(st.sampled_from(["data", "columns", "of", "on"]), PLAIN),
)
def test_any_job_of_several_tables_is_taken_or_refused(changed: dict[str, Any], table: dict[str, Any]) -> None:
    job = {**job_over(dict.fromkeys(FRAMES, "nothing")), **changed}
    if isinstance(job["tables"], dict):
        job["tables"]["visits"] = table
    with pytest.raises(IncrowdError) as refused:
        confined_tables(job, References(lambda text: None))
    assert refused.value.args


@pytest.mark.parametrize("file", ["../people.csv", "/etc/passwd", ".hidden", "a\\b.csv"])
def test_a_manifest_that_names_files_elsewhere_is_refused(tmp_path: Path, file: str) -> None:
    space = Workspace.open(tmp_path / "space")
    plain = incrowd.anonymize(FRAMES, job_of(FRAMES)).manifest.to_dict()
    for name in ("visits.csv", file):
        plain["tables"][1]["data"]["file"] = name
        body = io.BytesIO(json.dumps(plain).encode())
        if name == file:
            with pytest.raises(IncrowdError, match="it names files elsewhere"):
                space.add_file("m.json", body, purpose="manifest")
        else:
            assert space.add_file("m.json", body, purpose="manifest").kind == "manifest"
    space.close()


def test_an_uploaded_record_is_stored_without_the_places_that_it_names(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    plain = incrowd.anonymize(FRAMES, job_of(FRAMES)).record.to_dict()
    plain["job"]["output"] = "/elsewhere/release"
    plain["job"]["tables"]["people"]["data"] = {"source": "/elsewhere/people.csv", "missing": ["?"]}
    plain["job"]["tables"]["people"]["columns"]["sex"] = {"role": "quasi", "hierarchy": "/elsewhere/sex.csv"}
    stored = space.add_file("r.json", io.BytesIO(json.dumps(plain).encode()), purpose="record")
    held = space.held(stored.id, "")
    assert held is not None
    kept = json.loads(held.path.read_text())
    assert "/elsewhere" not in held.path.read_text()
    assert kept["job"]["tables"]["people"]["data"]["missing"] == ["?"]
    plain["job"]["models"] = ["range_disclosure:policy=/etc/passwd", {"k_anonymity": {"k": 2, "policy": "x.csv"}}]
    with pytest.raises(IncrowdError, match="it names files elsewhere"):
        space.add_file("r.json", io.BytesIO(json.dumps(plain).encode()), purpose="record")
    space.close()

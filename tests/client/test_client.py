"""The client against the real application over a real socket: every method, and what the service declares."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from incrowd.client import Artefact, Artifact, Client, RunStatus, ServiceError
from incrowd.jobs import Job
from incrowd.rest.access import Access, hashed
from incrowd.service import Limits
from incrowd.service.ledger import Ledger
from service.servers import serving
from service.spaces import K_OF_WIDE, PEOPLE, job_for, wide_table

KEYS = {hashed("key of ann"): "ann", hashed("key of bob"): "bob"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("space") / "space", Access(keys=KEYS)) as address:
        yield address


@pytest.fixture
def ann(address: str) -> Iterator[Client]:
    with Client(address, "key of ann") as client:
        yield client


def test_from_a_file_to_a_verified_release(ann: Client, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    people = ann.upload(path)
    assert ann.file(people.id) == people
    assert people in ann.files()
    seen: list[str] = []
    run = ann.wait(ann.anonymize(job_for(people.id)), show=lambda now: seen.append(now.state))
    assert seen[-1] == "done"
    assert run.result is not None
    assert run.result["verdict"] == "holds"
    release = ann.download(run, "release", tmp_path / "release.csv")
    assert release.read_text().startswith("age,sex,zip,disease\n")
    manifest, record = ann.fetch(run, "manifest"), ann.fetch(run, "release.csv.record.json")
    assert json.loads(manifest)["suppressed"] == run.result["suppressed"]
    assert ann.wait(ann.verify(run)).result == ann.wait(ann.verify(run.id)).result
    given = ann.upload(release), ann.upload(manifest, "m.json", "manifest"), ann.upload(record, "r.json", "record")
    verdict = ann.wait(ann.verify(given[0], manifest=given[1].id, record=given[2].id)).result
    assert verdict is not None
    assert verdict["holds"] is True
    assert run.id in [each.id for each in ann.runs()]
    ann.delete_run(run)
    ann.delete_file(people)
    with pytest.raises(ServiceError, match="no such run"):
        ann.run(run.id)


def test_every_question_has_an_answer(ann: Client) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    made = ann.wait(ann.anonymize(job_for(people.id)))
    asked = [
        ann.inspect(people, missing=["?"]),
        ann.diagnose(people, k=5, at_most=True),
        ann.diagnose(people, sensitive="disease", l=2, suppress=0.1),
        ann.diagnose(people, sensitive="disease", t=0.5, at_least=True, among=["sex", "zip"]),
        ann.diagnose(
            people,
            sensitive="disease",
            measure="t_closeness:distance=hierarchical",
            hierarchy={"tree": {"groups": {"one": ["a", "b"], "two": ["c"]}}},
        ),
        ann.risk(people, ["age", "sex"], threshold=0.1, rows=True),
        ann.hierarchy(people, "age", spec={"intervals": {"widths": [5, 10]}}, show_values=True),
        ann.frontier(job_for(people.id), k=[2, 3], searches=["optimal"]),
        ann.frontier(job_for(people.id), grid=True),
        ann.measure(people, [made], metrics=["loss"]),
        ann.measure(people, [made], yardsticks=["loss"]),
        ann.attack(made, outside=people.id, attacks=["linkage:k=3", "wildcards"]),
        ann.apply(made, people, "parquet"),
        ann.report(people, audience="external", form="md"),
        ann.report(made, original=people.id),
        ann.head(people, rows=3),
        ann.explore(people, ["age", "sex"], lattice=["age", "zip"]),
        ann.neighbors(job_for(people.id), {"age": 1, "sex": 0, "zip": 1}),
        ann.neighbours(job_for(people.id), {"age": 1, "sex": 0, "zip": 1}),
        ann.init(people, k=3),
        ann.attack(made, outside=people.id, knows=["disease!=a"]),
        ann.table(people, ["sex", "disease"], rules=[{"threshold": {"n": 3}}], details=True),
    ]
    assert {ann.wait(run).state for run in asked} == {"done"}


def test_the_earlier_spelling_of_artifacts(ann: Client) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    made = ann.wait(ann.anonymize(job_for(people.id)))
    assert Artefact is Artifact
    assert made.artefacts == made.artifacts
    assert {each.kind for each in made.artifacts} >= {"release", "manifest"}


def test_records_as_each_search_would_publish_them_are_for_the_owner_alone(ann: Client, address: str) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    made = ann.wait(ann.anonymize(job_for(people.id, search="auto")))
    assert ("previews.json", "previews") in [(each.name, each.kind) for each in made.artifacts]
    previews = json.loads(ann.fetch(made, "previews"))
    assert "not verified" in previews["note"]
    assert previews["columns"] == ["age", "sex", "zip"]
    assert len(previews["alternatives"]) >= 2
    shown = json.dumps(previews["originals"][0])
    for public in ("manifest", "report"):
        assert shown not in ann.fetch(made, public).decode()
    assert "originals" not in json.dumps(made.result)
    with Client(address, "key of bob") as bob, pytest.raises(ServiceError) as refused:
        bob.fetch(made, "previews")
    assert refused.value.status == 404
    named = ann.wait(ann.anonymize(job_for(people.id, search="optimal")))
    assert "previews" not in [each.kind for each in named.artifacts]


def test_a_drafted_job_can_be_run(ann: Client) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    drafted = ann.wait(ann.init(people, k=2, suppress=0.5))
    assert drafted.result is not None
    assert drafted.result["job"]["data"] == people.id
    assert drafted.result["job"]["models"] == [{"k_anonymity": {"k": 2}}]
    assert ann.fetch(drafted, "job").decode() == drafted.result["yaml"]
    for job in (drafted.result["job"], drafted.result["yaml"]):
        made = ann.wait(ann.anonymize(job))
        assert made.result is not None
        assert made.result["verdict"] == "holds"


def test_a_name_from_before_is_the_same_kind(ann: Client, address: str) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    body = {"job": job_for(people.id), "levels": {"age": 1, "sex": 0, "zip": 1}}
    answers = [
        httpx.post(f"{address}/v1/{kind}?wait=60", json=body, headers={"X-API-Key": "key of ann"}).json()
        for kind in ("neighbors", "neighbours")
    ]
    assert answers[0]["result"] == answers[1]["result"]
    assert answers[0]["result"]["nodes"]
    assert "neighbours" not in ann.about()["kinds"]


@pytest.mark.parametrize("form", ["json", "yaml", "xml"])
def test_a_job_may_be_json_yaml_or_xml(ann: Client, form: str) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    job = Job.from_dict(job_for(people.id, output="release.csv"))
    text = {"json": job.to_json, "yaml": job.to_yaml, "xml": job.to_xml}[form]()
    run = ann.wait(ann.anonymize(text, form))  # type: ignore[arg-type]
    assert run.result is not None
    assert run.result["verdict"] == "holds"


def test_a_run_can_be_cancelled(ann: Client) -> None:
    run = ann.diagnose(ann.upload(wide_table().encode(), "wide.csv"), k=K_OF_WIDE)
    now = ann.cancel(run)
    assert now.is_over or now.cancelling
    assert ann.run(run.id, wait=60).state in ("done", "cancelled")


@pytest.mark.parametrize("shown", [True, False])
def test_who_waits_for_a_run_does_not_have_its_request_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: bool
) -> None:
    asked: list[str] = []
    real = Ledger.row

    def noted(ledger: Ledger, statement: str, *values: Any) -> Any:
        if "FROM runs WHERE id" in statement:
            asked.append(statement)
            if len(asked) == 6:
                ledger.change("UPDATE runs SET state = 'done', result = '{}'")
        return real(ledger, statement, *values)

    def show(now: RunStatus) -> None:
        assert (now.request, now.result) == ({}, None)

    with serving(tmp_path / "space", workers=0) as address, Client(address) as client:
        run = client.inspect(client.upload(PEOPLE.encode(), "people.csv"))
        monkeypatch.setattr(Ledger, "row", noted)
        over = client.wait(run, show=show if shown else None)
    assert (over.request, over.result) == (run.request, {})
    assert len(asked) > 6
    assert [each for each in asked if "*" in each or "request" in each or "result" in each] == asked[-1:]


def test_what_is_wrong_is_told(ann: Client, address: str) -> None:
    with pytest.raises(ServiceError) as bad:
        ann.upload(b"\x7fELF\x00\x01", "people.csv")
    assert (bad.value.code, bad.value.status) == ("bad_source", 422)
    with pytest.raises(ServiceError) as nothing:
        ann.inspect("nothing")
    assert (nothing.value.code, nothing.value.status) == ("not_there", 404)
    with pytest.raises(ServiceError) as job:
        ann.anonymize("columns: 7\n", "yaml")
    assert (job.value.code, job.value.status) == ("bad_job", 422)
    with pytest.raises(ServiceError) as late:
        ann.wait(ann.diagnose(ann.upload(wide_table().encode(), "wide.csv"), k=K_OF_WIDE, time=1), seconds=0)
    assert late.value.code == "waiting"
    with Client(address, "no key") as nobody, pytest.raises(ServiceError) as unknown:
        nobody.files()
    assert unknown.value.status == 401


def test_nobody_sees_what_is_anothers(ann: Client, address: str) -> None:
    people = ann.upload(PEOPLE.encode(), "people.csv")
    run = ann.inspect(people)
    with Client(address, "key of bob") as bob:
        assert bob.files() == bob.runs() == []
        for ask in (
            lambda: bob.file(people.id),
            lambda: bob.inspect(people),
            lambda: bob.inspect("people.csv"),
            lambda: bob.delete_file(people),
            lambda: bob.run(run),
            lambda: bob.run(run, wait=60),
            lambda: bob.progress(run),
            lambda: bob.progress(run, wait=60),
            lambda: bob.cancel(run),
            lambda: bob.delete_run(run),
            lambda: bob.verify(run),
            lambda: bob.fetch(run, "release"),
        ):
            with pytest.raises(ServiceError) as refused:
                ask()
            assert refused.value.status == 404


def test_a_full_queue_says_when_to_ask_again(tmp_path: Path) -> None:
    with serving(tmp_path / "space", limits=Limits(waiting=1), workers=0) as address:
        with Client(address, patience=0) as client:
            people = client.upload(PEOPLE.encode(), "people.csv")
            client.inspect(people)
            with pytest.raises(ServiceError) as full:
                client.inspect(people)
        assert (full.value.status, full.value.code) == (429, "queue_full")
        assert full.value.retry_after
        answer = httpx.post(f"{address}/v1/inspect", json={"file": people.id})
        assert answer.headers["Retry-After"].isdecimal()


def test_the_client_knows_all_that_the_service_declares(address: str) -> None:
    declared = httpx.get(f"{address}/v1/openapi.json", headers={"X-API-Key": "key of ann"}).json()
    kinds = {
        path.removeprefix("/v1/")
        for path, of in declared["paths"].items()
        if "202" in of.get("post", {}).get("responses", {})
    }
    methods = {name for name, _ in inspect.getmembers(Client, inspect.isfunction)}
    assert kinds - methods == set()
    schemas = declared["components"]["schemas"]
    for kind in kinds - {"anonymize"}:
        body = declared["paths"][f"/v1/{kind}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        said = set(schemas[body["$ref"].split("/")[-1]]["properties"])
        parameters = inspect.signature(getattr(Client, kind)).parameters
        known = {name for name in parameters if name not in ("self", "options")}
        if "options" in parameters:
            known |= set(
                inspect.get_annotations(getattr(Client, kind), eval_str=True)["options"].__args__[0].__annotations__
            )
            known |= set(
                _inherited(inspect.get_annotations(getattr(Client, kind), eval_str=True)["options"].__args__[0])
            )
        # A job or tables are given in the place of the file.
        assert said <= known | {"file", "job", "tables"}, kind


def _inherited(options: type) -> list[str]:
    return list(options.__required_keys__ | options.__optional_keys__)  # type: ignore[attr-defined]


def test_a_table_is_prepared_as_it_is_read(ann: Client) -> None:
    """A request says so for its answer, a job for its release; what measures that is told too."""
    people = ann.upload(PEOPLE.encode(), "people.csv")
    prepare: dict[str, Any] = {"rename": {"zip": "town"}, "rows": {"where": {"age": {"to": 29}}}}
    found = ann.wait(ann.inspect(people, prepare=prepare)).result
    assert found is not None
    assert (found["records"], [each["name"] for each in found["columns"]]) == (50, ["age", "sex", "town", "disease"])
    job = {
        "data": {"source": people.id, "prepare": prepare},
        "columns": {"sex": "quasi", "age": "quasi"},
        "models": ["k_anonymity:k=2"],
    }
    made = ann.wait(ann.anonymize(job))
    measured = ann.wait(ann.measure(people, [made], prepare=prepare, metrics=["loss"]))
    assert measured.state == "done"
    with pytest.raises(ServiceError, match="prepare"):
        ann.wait(ann.inspect(people, prepare={"rows": {"first": 0}}))

"""/v1 as it declares itself: answers fit their schemas whatever is sent, and nothing makes the server fail."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from incrowd.errors import IncrowdError, JobError
from incrowd.jobs import Job
from incrowd.rest.app import make_app
from incrowd.rest.bodies import job_of
from incrowd.service import Limits, Workspace
from incrowd.service.path_sandbox import confined
from incrowd.service.references import References
from service.spaces import job_for

LOCAL = "http://127.0.0.1"
FAST = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    space = Workspace.open(tmp_path_factory.mktemp("space") / "space", Limits(upload=1 << 20, waiting=20))
    yield space
    space.close()


def test_every_answer_is_as_declared(space: Workspace) -> None:
    # Every worker imports this module, and these take most of a second.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    api = schemathesis.openapi.from_asgi("/v1/openapi.json", make_app(space))
    asked = 0
    for found in api.get_all_operations():
        operation = found.ok()

        @settings(max_examples=10, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True)
        @given(case=operation.as_strategy())
        def ask(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=checks, base_url=LOCAL)

        ask()
        asked += 1
    assert asked >= 20


@pytest.fixture(scope="module")
def client(space: Workspace) -> TestClient:
    return TestClient(make_app(space), LOCAL)


def test_the_declaration_is_complete(space: Workspace) -> None:
    declared = make_app(space).openapi()
    assert declared["openapi"].startswith("3.1")
    operations = [(path, of) for path, methods in declared["paths"].items() for of in methods.values()]
    assert [path for path, of in operations if not of.get("summary")] == []
    assert [path for path, of in operations if path != "/v1/health" and "422" not in of["responses"]] == []
    assert set(declared["paths"]["/v1/anonymize"]["post"]["requestBody"]["content"]) == {
        "application/json",
        "application/yaml",
        "application/xml",
    }


@FAST
@given(content=st.binary(max_size=300) | st.text(max_size=200).map(str.encode), data=st.data())
def test_any_upload_is_taken_or_refused(
    space: Workspace, client: TestClient, content: bytes, data: st.DataObject
) -> None:
    endings = ["", ".csv", ".tsv", ".json", ".xml", ".parquet", ".xlsx", ".csv.gz", ".sqlite", ".yaml"]
    heads = [b"", b"PAR1", b"PK\x03\x04", b"\x1f\x8b\x08", b"SQLite format 3\0", b"<r>", b"[{", b"a,b\n"]
    name = "x" + data.draw(st.sampled_from(endings))
    body = data.draw(st.sampled_from(heads)) + content
    purpose = data.draw(st.sampled_from(["data", "hierarchy", "manifest", "record"]))
    answer = client.post("/v1/files", files={"file": (name, body)}, data={"purpose": purpose})
    assert answer.status_code in (201, 413, 422), answer.text
    if answer.status_code == 201:
        client.delete(f"/v1/files/{answer.json()['id']}")
    assert len(list((space.folder / "files").iterdir())) == len(space.files())


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = ("data", "output", "population", "columns", "models", "suppress", "search", "metric", "time", "seed", "nulls")


@FAST
@given(changed=st.dictionaries(st.sampled_from(KEYS), PLAIN, min_size=1, max_size=3))
def test_any_job_is_taken_or_refused(changed: dict[str, object]) -> None:
    found = References(lambda text: None)
    with pytest.raises(IncrowdError) as refused:
        confined({**job_for("people.csv"), **changed}, found)
    assert refused.value.args


@FAST
@given(text=st.text(max_size=200) | PLAIN.map(json.dumps), kind=st.sampled_from(["json", "yaml", "xml"]))
def test_any_text_of_a_job_is_read_or_refused(text: str, kind: str) -> None:
    # Anything but an error of ours fails the test.
    with suppress(IncrowdError):
        assert isinstance(job_of(text.encode(errors="replace"), f"application/{kind}").plain, dict)


FAULTY = """
data: {source: people.csv, delimitr: ";"}
data: people.csv
columns:
  age: {role: quasy, hierarchy: {interval: {widths: [10]}}, priority: -1}
  sex: {role: quasi, hierarchy: elsewhere.csv, weight: 1}
models: [{k_anonimity: {k: 5}}, {k_anonymity: {k: 0}}]
suppress: 7.5
metric: los
search: optimall
output: {to: below/release.csv, formt: csv}
population: nowhere.csv
seed: -1
time: -3
nulls: never
further: 1
"""


def test_a_job_has_the_same_faults_as_on_the_command_line(space: Workspace, tmp_path: Path) -> None:
    client = TestClient(make_app(space), LOCAL)
    client.post("/v1/files", files={"file": ("people.csv", b"age,sex\n1,2\n")})
    (tmp_path / "job.yaml").write_text(FAULTY)
    with pytest.raises(JobError) as caught:
        Job.from_file(tmp_path / "job.yaml")
    known = {str(fault) for fault in caught.value.faults}
    answer = client.post("/v1/anonymize", content=FAULTY, headers={"Content-Type": "application/yaml"})
    assert answer.status_code == 422
    told = set(answer.json()["error"]["message"].splitlines()[1:])
    assert known <= told
    # What only the service refuses is told beside them.
    assert {line.split(":")[1].strip() for line in told - known} == {"columns.sex.hierarchy", "output.to", "population"}
    assert all(line.startswith("line ") for line in told)

"""Members of another package, from reading to the verified release: Python, command line, REST and web."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import incrowd
from cli.command import Command
from families.outside import MEMBERS
from incrowd.client import Client, ServiceError
from incrowd.errors import UsageError
from incrowd.families import FORMATS
from service.servers import serving

JOB: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi"},
        "name": {"role": "quasi", "hierarchy": {"initials": {"letters": 1}}},
        "disease": {"role": "sensitive"},
    },
    "models": ["k_anonymity:k=2", "varied:n=2,column=disease"],
    "search": "thorough:effort=2",
    "metric": "steps:factor=2",
    "suppress": 0.1,
}
SCORED = {**JOB, "search": {"scored": {"score": {"first_column": {"weight": 2}}}}}
SCORED.pop("metric")


def checked(release: Path) -> None:
    """A release whose model of another package was judged by its definition."""
    verdict = incrowd.verify(release)
    assert verdict.holds
    assert [check.name for check in verdict.checks if check.name.startswith("varied")] == ["varied:n=2,column=disease"]


def test_python(outside: Path, people: Path) -> None:
    release = people.with_name("release.pipes")
    made = incrowd.anonymize(people, {**JOB, "output": str(release)})
    assert made.verdict is not None
    assert made.verdict.holds
    assert release.read_text().startswith("age|name|disease\n")
    checked(release)
    scored = incrowd.anonymize(people, {**SCORED, "output": str(people.with_name("scored.pipes"))})
    assert scored.verdict is not None
    assert scored.verdict.holds
    measured = incrowd.measure(people, release, metrics=["kept"])
    assert measured.releases[0].readings["kept"].value == 1
    attacked = incrowd.attack(
        release, {"age": "quasi", "name": "quasi", "disease": "sensitive"}, ["same_value:values=2"]
    )
    assert [exposure.attack for exposure in attacked.exposures] == ["same_value:values=2"]
    table = incrowd.table(people, ["age", "disease"], rules="few:n=4", protect="hiding")
    assert "fewer than 4" in str(table) or table.rows()
    strengths = incrowd.risk(people, ["age"], sensitive=["disease"]).strengths
    assert "varied" in {strength.model for strength in strengths}


def test_what_was_changed_is_not_verified(outside: Path, people: Path) -> None:
    release = people.with_name("release.pipes")
    incrowd.anonymize(people, {**JOB, "output": str(release)})
    lines = release.read_text().splitlines(keepends=True)
    release.write_text("".join(lines[:-1]))
    assert not incrowd.verify(release).holds


def test_a_format_that_cannot_be_verified_is_refused_before_the_search(
    outside: Path, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(FORMATS.module("pipes"), "verification_rows")
    asked: list[object] = []

    def run(self: object, problem: object, watch: object) -> None:
        asked.append(problem)

    monkeypatch.setattr("outside_members.thorough.Thorough.run", run)
    with pytest.raises(
        UsageError, match=r"release\.pipes: files of the format pipes cannot be verified, so no release"
    ):
        incrowd.anonymize(people, {**JOB, "output": str(people.with_name("release.pipes"))})
    assert asked == []


def test_command_line(
    outside: Path, people: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    incrowd = Command(monkeypatch, capsys)
    release, table = people.with_name("release.pipes"), people.with_name("table.pipes")
    words = ["anonymize", people, "-q", "age", "-q", "name=initials:letters=1", "-s", "disease"]
    words += ["--model", "k_anonymity:k=2", "--model", "varied:n=2,column=disease"]
    words += ["--search", "thorough:effort=2", "--metric", "steps:factor=2", "--suppress", "0.1", "-o", release]
    # A process of its own finds the package too; the other commands are spared one.
    done = subprocess.run([sys.executable, "-m", "incrowd", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    checked(release)
    assert incrowd("verify", release).code == 0
    measured = incrowd("measure", people, release, "--only", "kept", "--json")
    assert json.loads(measured.out)["yardsticks"].keys() == {"kept"}, measured.error
    attacked = incrowd("attack", release, "-q", "age,name", "-s", "disease", "--only", "same_value", "--json")
    assert [each["attack"] for each in json.loads(attacked.out)["exposures"]] == ["same_value"], attacked.error
    tabled = incrowd("table", people, "--by", "age,disease", "--rule", "few:n=4", "--protect", "hiding", "-o", table)
    assert tabled.code == 0, tabled.error
    assert table.read_text().startswith("age|disease|")
    first = incrowd("init", people, "--yes", "-o", people.with_name("job.yaml"))
    assert first.code == 0, first.error
    assert "people-release.pipes" in people.with_name("job.yaml").read_text()


@pytest.fixture
def service(outside: Path, tmp_path: Path) -> Iterator[httpx.Client]:
    with serving(tmp_path / "space") as address, httpx.Client(base_url=address, timeout=300) as client:
        yield client


def run(client: httpx.Client, kind: str, request: dict[str, Any]) -> dict[str, Any]:
    """Ask for a run and wait until it is done."""
    answer = client.post(f"/v1/{kind}", json=request)
    assert answer.status_code in (200, 201, 202), answer.text
    made: dict[str, Any] = answer.json()
    while made["state"] in ("queued", "running"):
        made = client.get(f"/v1/runs/{made['id']}", params={"wait": 10}).json()
    assert made["state"] == "done", made["error"]
    return made


def test_rest(service: httpx.Client, people: Path) -> None:
    with people.open("rb") as content:
        file = service.post("/v1/files", files={"file": (people.name, content)}, data={"purpose": "data"}).json()
    assert file["kind"] == MEMBERS["formats"]
    made = run(service, "anonymize", {**JOB, "data": file["id"], "output": "release.pipes"})
    names = [each["name"] for each in made["artefacts"]]
    [data] = [name for name in names if name.endswith(".pipes")]
    for name in names:
        people.with_name(name).write_bytes(service.get(f"/v1/runs/{made['id']}/artefacts/{name}").content)
    checked(people.with_name(data))
    attacked = run(service, "attack", {"release": made["id"], "attacks": ["same_value"]})
    assert [each["attack"] for each in attacked["result"]["exposures"]] == ["same_value"]
    measured = run(service, "measure", {"original": file["id"], "releases": [made["id"]], "yardsticks": ["kept"]})
    assert "kept" in measured["result"]["yardsticks"]
    tabled = run(
        service,
        "table",
        {"file": file["id"], "by": ["age", "disease"], "rules": ["few"], "protect": "hiding", "output": "pipes"},
    )
    assert tabled["result"]["cells"]
    with Client(str(service.base_url)) as client:
        assert "tally" in client.about()["kinds"]
        stored = client.file(file["id"])
        tallied = client.wait(client.start("tally", file=stored, by=["age", "disease"]))
        assert tallied.result == {"records": 40, "combinations": 8}
        with pytest.raises(ServiceError) as refused:
            client.start("tallies", file=stored)
        assert refused.value.status == 404

"""What is done with a release of several tables over REST: attack, report, measure and apply, of a run or of files."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import incrowd
from incrowd.client import Client, File, RunStatus, ServiceError
from incrowd.rest.access import Access, hashed
from linked_sets import job_of, small_set
from service.servers import serving

KEYS = {hashed("key of ann"): "ann", hashed("key of bob"): "bob"}
FRAMES = small_set(3, people=20)
LATER = small_set(4, people=20)
METRICS = ["loss", "discernibility", "suppressed"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("space") / "space", Access(keys=KEYS), workers=1) as address:
        yield address


@pytest.fixture(scope="module")
def ann(address: str) -> Iterator[Client]:
    with Client(address, "key of ann") as client:
        yield client


def uploaded(client: Client, frames: Mapping[str, Any]) -> dict[str, File]:
    return {name: client.upload(frame.to_csv(index=False).encode(), f"{name}.csv") for name, frame in frames.items()}


@pytest.fixture(scope="module")
def files(ann: Client) -> dict[str, File]:
    return uploaded(ann, FRAMES)


def job_over(files: Mapping[str, File], **changed: Any) -> dict[str, Any]:
    job = job_of(FRAMES, **changed)
    for name, table in job["tables"].items():
        table["data"] = files[name].id
    return job


@pytest.fixture(scope="module")
def made(ann: Client, files: dict[str, File]) -> RunStatus:
    return ann.wait(ann.anonymize(job_over(files)))


@pytest.fixture(scope="module")
def here() -> Any:
    """The same release, made in Python."""
    return incrowd.anonymize(FRAMES, job_of(FRAMES))


@pytest.fixture(scope="module")
def released(ann: Client, made: RunStatus) -> dict[str, Any]:
    """The release of the run as uploaded files."""
    return {
        "tables": {name: ann.upload(ann.fetch(made, f"release/{name}.csv"), f"my {name}.csv") for name in FRAMES},
        "manifest": ann.upload(ann.fetch(made, "manifest"), "m.json", "manifest").id,
        "record": ann.upload(ann.fetch(made, "record"), "r.json", "record").id,
    }


def plain(found: Any) -> Any:
    """Plain data without the names of places, and without the last digits of sums."""
    told = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 9))
    for key in ("release", "name", "text", "notes"):
        told.pop(key, None)
    return told


def test_the_release_is_attacked_as_in_python(
    ann: Client, made: RunStatus, released: dict[str, Any], here: Any
) -> None:
    expected = plain(incrowd.attack(here).to_dict())
    by_run = ann.wait(ann.attack(made)).result
    assert by_run is not None
    assert plain(by_run) == expected
    assert "linkage, history" in by_run["text"]
    files = ann.wait(ann.attack(released["tables"], manifest=released["manifest"])).result
    assert plain(files) == expected
    asked = ann.wait(ann.attack(made, knows=["2"], attacks=["linkage:k=3"])).result
    assert plain(asked) == plain(incrowd.attack(here, knows="2", attacks=["linkage:k=3"]).to_dict())


def test_the_release_is_reported_on(ann: Client, made: RunStatus, released: dict[str, Any], files: Any) -> None:
    of_run = ann.wait(ann.report(made, form="md"))
    assert of_run.result is not None
    internal, external = of_run.result["internal"], of_run.result["external"]
    assert internal["risk_before"][0]["people"] == 20
    assert internal["verdict"] == external["verdict"] == "holds"
    assert external["risk_before"] == []
    assert external["job"] is None
    assert "Several tables about the same people" in ann.fetch(of_run, "report-internal.md").decode()
    of_files = ann.wait(
        ann.report(
            released["tables"],
            manifest=released["manifest"],
            record=released["record"],
            original={name: file.id for name, file in files.items()},
        )
    )
    assert of_files.result is not None
    assert of_files.result["internal"]["tables"] == internal["tables"]
    assert of_files.result["internal"]["risk_before"] == internal["risk_before"]
    without = ann.wait(ann.report(released["tables"], manifest=released["manifest"], audience="internal")).result
    assert without is not None
    assert without["internal"]["risk_before"] == []
    assert any("private record was not given" in note for note in without["internal"]["notes"])


def test_a_run_keeps_its_reports(ann: Client, made: RunStatus) -> None:
    internal = json.loads(ann.fetch(made, "report-internal.json"))
    external = ann.fetch(made, "report-external.json").decode()
    assert internal["facts"]["risk_before"] if "facts" in internal else internal["risk_before"]
    assert "people.csv" not in external


def test_the_release_is_measured_as_in_python(
    ann: Client, made: RunStatus, released: dict[str, Any], here: Any, files: Any
) -> None:
    expected = incrowd.measure(FRAMES, here, metrics=METRICS).to_dict()
    own = ann.wait(ann.measure(None, [made], metrics=METRICS)).result
    named = ann.wait(ann.measure(files, [released], metrics=METRICS)).result
    assert own is not None
    assert named is not None
    for found in (own, named):
        assert found["original"]["tables"] == expected["original"]["tables"]
        assert [each["tables"] for each in found["releases"]] == [expected["releases"][0]["tables"]]
        for name, of in expected["tables"].items():
            assert [each["readings"] for each in found["tables"][name]["releases"]] == [
                each["readings"] for each in of["releases"]
            ]
    both = ann.wait(ann.measure(None, [made, released], metrics=["loss"])).result
    assert both is not None
    assert [each["name"] for each in both["releases"]] == [made.id, released["manifest"]]


def test_the_recoding_is_applied_to_later_tables(
    ann: Client, made: RunStatus, released: dict[str, Any], here: Any
) -> None:
    later = uploaded(ann, LATER)
    expected = incrowd.apply(here.record, LATER)
    for record in (made, released["record"]):
        again = ann.wait(ann.apply(record, later, output="parquet"))
        assert again.result is not None
        assert again.result["verdict"] == "holds"
        assert again.result["levels"] == expected.levels
        assert again.result["people"] == expected.manifest.people
        assert {each.name for each in again.artifacts if each.kind == "table"} == {
            f"release/{name}.parquet" for name in FRAMES
        }
    # What was applied is a release like any other, and its tables are known.
    verdict = ann.wait(ann.verify(again)).result
    assert verdict is not None
    assert verdict["holds"] is True
    assert "original" in {check["name"] for check in verdict["checks"]}
    assert plain(ann.wait(ann.attack(again)).result) == plain(incrowd.attack(expected).to_dict())


def test_originals_are_named_to_verify(ann: Client, made: RunStatus, released: dict[str, Any], files: Any) -> None:
    original = {name: file.id for name, file in files.items()}
    found = ann.wait(
        ann.verify(released["tables"], manifest=released["manifest"], record=released["record"], original=original)
    ).result
    assert found is not None
    assert "original" in {check["name"] for check in found["checks"]}
    others = {name: file.id for name, file in uploaded(ann, LATER).items()}
    assert ann.wait(ann.verify(made, original=others)).result["holds"] is False  # type: ignore[index]


def test_what_describes_one_table_is_refused(
    ann: Client, made: RunStatus, released: dict[str, Any], files: Any
) -> None:
    tables, manifest = released["tables"], released["manifest"]
    one = files["people"].id
    for told, ask in (
        ("attack of several tables with outside", lambda: ann.attack(made, outside=one)),
        ("attack of several tables with other", lambda: ann.attack(tables, manifest=manifest, other=one)),
        ("no manifest is given", lambda: ann.attack(tables)),
        ("no manifest is given", lambda: ann.report(tables)),
        ("needs a release or tables", lambda: ann._json("POST", "attack", json={})),
        ("needs a file or tables", lambda: ann._json("POST", "report", json={})),
        ("report of several tables with among", lambda: ann.report(made, among=["age"])),
        ("one table is given for several", lambda: ann.report(made, original=one)),
        ("measure of several tables with label", lambda: ann.measure(None, [made], label="age")),
        ("one table is given for several", lambda: ann.measure(one, [made])),
        ("it is of one table, and others of several", lambda: ann.measure(None, [made, one])),
        ("no table is given", lambda: ann.measure(None, [one])),
        ("apply of several tables with spreadsheet_safe", lambda: ann.apply(made, files, spreadsheet_safe=True)),
        ("its ending tells no format", lambda: ann.apply(made, files, output="exe")),
        ("needs a file or tables", lambda: ann._json("POST", "apply", json={"record": made.id})),
        ("several tables are given for one", lambda: ann.verify(one, original={"people": one})),
    ):
        with pytest.raises(ServiceError, match=told):
            ask()
    lacking = {"people": files["people"]}
    with pytest.raises(ServiceError, match="'visits', 'tests', 'drugs' not given"):
        ann.wait(ann.apply(made, lacking))


def test_every_table_must_be_the_users_own(
    ann: Client, address: str, files: dict[str, File], made: RunStatus, released: dict[str, Any]
) -> None:
    with Client(address, "key of bob") as bob:
        own = uploaded(bob, FRAMES)
        manifest = bob.upload(ann.fetch(made, "manifest"), "m.json", "manifest").id
        record = bob.upload(ann.fetch(made, "record"), "r.json", "record").id
        stolen = {**own, "visits": files["visits"]}
        ids = {name: file.id for name, file in stolen.items()}
        for ask in (
            lambda: bob.attack(made),
            lambda: bob.report(made),
            lambda: bob.measure(None, [made]),
            lambda: bob.apply(made, own),
            lambda: bob.attack(stolen, manifest=manifest),
            lambda: bob.attack(own, manifest=released["manifest"]),
            lambda: bob.report(own, manifest=manifest, record=released["record"]),
            lambda: bob.report(own, manifest=manifest, record=record, original=ids),
            lambda: bob.measure(stolen, [{"tables": own, "manifest": manifest}]),
            lambda: bob.measure(own, [{"tables": stolen, "manifest": manifest}]),
            lambda: bob.measure(own, [released]),
            lambda: bob.apply(record, stolen),
            lambda: bob.verify(own, manifest=manifest, record=record, original=ids),
        ):
            with pytest.raises(ServiceError, match="there is no such") as refused:
                ask()
            assert refused.value.status == 404
        for place in ("/etc/passwd", "../../files", "sqlite:///x.db"):
            with pytest.raises(ServiceError, match="there is no such"):
                bob.apply(record, {**own, "visits": place})
            with pytest.raises(ServiceError, match="there is no such"):
                bob.attack({**own, "visits": place}, manifest=manifest)


def test_no_report_names_places_of_the_service(ann: Client, made: RunStatus, tmp_path: Path) -> None:
    for run in (made, ann.wait(ann.report(made, form="json"))):
        for each in run.artifacts:
            if each.kind == "report":
                assert "/runs/" not in ann.fetch(run, each.name).decode()


def test_the_risk_is_that_of_python(
    ann: Client, made: RunStatus, files: dict[str, File], released: dict[str, Any], here: Any
) -> None:
    job = incrowd.LinkedJob.from_dict(job_of(FRAMES)).reading(FRAMES)
    named = {name: file.id for name, file in files.items()}
    asked = {"knows": "history", "threshold": "1/3"}
    found = ann.wait(ann.risk(job_over(files), ["people.age"], population=named, **asked)).result  # type: ignore[arg-type]
    expected = incrowd.risk(job, ["people.age"], "1/3", FRAMES, knows="history")
    assert plain(found) == plain(expected.to_dict())
    assert "Journalist risk" in found["text"]  # type: ignore[index]
    of_release = plain(incrowd.risk(here).to_dict())
    assert plain(ann.wait(ann.risk(made)).result) == of_release
    tables, manifest = released["tables"], released["manifest"]
    assert plain(ann.wait(ann.risk(tables, manifest=manifest)).result) == of_release
    ids = {name: file.id for name, file in tables.items()}
    for told, ask in (
        ("risk of several tables with sensitive", lambda: ann.risk(made, sensitive=["visits.illness"])),
        ("it is not of several tables", lambda: ann.risk(job_over(files), population=1000)),
        ("it needs one table", lambda: ann._json("POST", "risk", json={})),
        ("it has file and job", lambda: ann._json("POST", "risk", json={"file": made.id, "job": job_over(files)})),
        ("no manifest is given", lambda: ann._json("POST", "risk", json={"tables": ids})),
        ("only tables that were uploaded need it", lambda: ann.risk(made, manifest=manifest)),
        ("only several tables need it", lambda: ann.risk(files["people"], ["age"], manifest=manifest)),
        ("risk of several tables with rows", lambda: ann.risk(tables, manifest=manifest, rows=True)),
    ):
        with pytest.raises(ServiceError, match=told):
            ask()

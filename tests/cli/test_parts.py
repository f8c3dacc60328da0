"""A release by parts from the command line, and everything that is done with one."""

import json
from pathlib import Path

import pytest

from anonymization.hospital import PATIENTS, in_folder
from cli.command import Command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


ASKED = ("-q", "age", "-q", "zip=mask", "-q", "sex", "-s", "disease", "-m", "k_anonymity:k=4", "--suppress", "3")


@pytest.fixture(params=["k_optimize", "k_optimize:label=disease", "set_partitioning"])
def search(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command) -> str:
    """A release in the present folder, by this search."""
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    done = run("anonymize", "patients.csv", *ASKED, "--search", request.param, "-o", "release.csv")
    assert (done.code, done.error) == (0, "")
    assert "read again and checked: verified." in done.out
    name: str = request.param
    return name


def test_what_is_done_with_a_release(run: Command, search: str) -> None:
    for record in ([], ["--record", "release.csv.record.json"]):
        assert run("verify", "release.csv", *record).code == 0
    again = run("apply", "release.csv.record.json", "patients.csv", "-o", "again.csv")
    assert (again.code, again.error) == (0, "")
    assert Path("again.csv").read_bytes() == Path("release.csv").read_bytes()
    measured = json.loads(run("measure", "patients.csv", "release.csv", "--json").out)
    [release] = measured["releases"]
    claimed = json.loads(Path("release.csv.manifest.json").read_text())["scores"]
    assert release["readings"]["discernibility"]["value"] == claimed["discernibility"]
    assert run("report", "release.csv", "-o", "report.html").code == 0
    assert "k_anonymity" in Path("report.html").read_text()


def test_a_changed_cell_is_seen(run: Command, search: str) -> None:
    text = Path("release.csv").read_text().splitlines()
    Path("release.csv").write_text("\n".join([text[0], text[-1], *text[2:], ""]))
    assert run("verify", "release.csv").code != 0
    assert run("verify", "release.csv", "--record", "release.csv.record.json").code != 0


def test_values_that_no_part_has_are_refused(run: Command, search: str, tmp_path: Path) -> None:
    in_folder(tmp_path, [{**person, "age": person["age"] + 1} for person in PATIENTS], "new.csv")
    done = run("apply", "release.csv.record.json", "new.csv", "-o", "again.csv")
    assert done.code == 2
    assert "lacks" in done.error


def test_in_a_frontier(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    described = {
        "data": "patients.csv",
        "columns": {"age": {"role": "quasi", "limit": 2}, "sex": {"role": "quasi"}},
        "models": ["k_anonymity:k=2"],
        "metric": "entropy",
    }
    Path("job.json").write_text(json.dumps(described))
    searches = ("--search", "k_optimize", "--search", "set_partitioning", "--search", "optimal")
    done = run("frontier", "job.json", "--k", "2,5", *searches, "--json")
    assert (done.code, done.error) == (0, "")
    runs = json.loads(done.out)["runs"]
    assert [(each["search"], each["k"]) for each in runs if each["reason"] is None] == [
        (search, k) for search in ("k_optimize", "set_partitioning", "optimal") for k in (2, 5)
    ]
    assert runs[0]["left_out"] == runs[2]["left_out"] == ["columns.age.limit", "metric"]

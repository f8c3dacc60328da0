"""incrowd apply"""

import json
from pathlib import Path

import pytest

from anonymization.hospital import PATIENTS, in_folder, tight_job
from anonymization.runs import beside, files, mode
from cli.command import Command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command) -> Path:
    """An earlier release and new data."""
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    (tmp_path / "job.json").write_text(json.dumps(tight_job(data="patients.csv", output="first.csv")))
    assert run("anonymize", "job.json").code == 0
    in_folder(tmp_path, PATIENTS[::-1], "new.csv")
    return tmp_path


RECORD = "first.csv.record.json"


def test_applied(run: Command, folder: Path) -> None:
    done = run("apply", RECORD, "new.csv", "-o", "second.csv")
    assert (done.code, done.error) == (0, "")
    assert "Search applied: 1 of 1 nodes counted." in done.out
    assert "Written to second.csv, read again and checked: verified." in done.out
    assert beside("second.csv") <= files(folder)
    assert mode("second.csv.record.json") == 0o600
    first, second = (sorted((folder / name).read_text().splitlines()) for name in ("first.csv", "second.csv"))
    assert first == second


def test_json(run: Command) -> None:
    plain = json.loads(run("apply", RECORD, "new.csv", "-o", "second.csv", "--json").out)
    assert (plain["search"], plain["guarantee"], plain["verdict"]) == ("applied", "heuristic", "holds")
    assert plain["output"] == "second.csv"


@pytest.fixture(autouse=True)
def _in_its_folder(folder: Path) -> None:
    """Every test begins with the earlier release."""


def test_a_value_that_it_does_not_know(run: Command, folder: Path) -> None:
    in_folder(folder, [*PATIENTS, {**PATIENTS[0], "sex": "Zaphod-8c1f"}], "new.csv")
    done = run("apply", RECORD, "new.csv", "-o", "second.csv")
    assert (done.code, done.out) == (2, "")
    assert "the hierarchy of column 'sex' lacks 1 of its 3 different values" in done.error
    assert "Zaphod" not in done.error
    assert "second.csv" not in files(folder)


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_too_many_to_suppress(run: Command, folder: Path, more: list[str]) -> None:
    in_folder(folder, PATIENTS[:20], "new.csv")
    done = run("apply", RECORD, "new.csv", "-o", "second.csv", *more)
    assert done.code == 3
    assert done.error.startswith("incrowd: the recoding does not fit the new data: it would suppress ")
    if more:
        assert json.loads(done.out)["verdict"] == "infeasible"
    else:
        assert done.out == ""
    assert "second.csv" not in files(folder)


def test_what_is_there_stays(run: Command, folder: Path) -> None:
    (folder / "second.csv").write_text("old")
    done = run("apply", RECORD, "new.csv", "-o", "second.csv")
    assert done.code == 2
    assert "it already exists" in done.error
    assert run("apply", RECORD, "new.csv", "-o", "second.csv", "--replace").code == 0


def test_into_a_table(run: Command, folder: Path) -> None:
    url = "sqlite:///second.db"
    assert run("apply", RECORD, "new.csv", "-o", url, "--output-table", "released").code == 0
    assert run("verify", url, "--table", "released").code == 0


def test_several_files(run: Command, folder: Path) -> None:
    for at in range(2):
        in_folder(folder, PATIENTS[at::2], f"{at}.csv")
    done = run("apply", RECORD, "0.csv", "1.csv", "-o", "second.csv", "--json")
    assert json.loads(done.out)["input_records"] == 60


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["first.csv.manifest.json", "new.csv", "-o", "x.csv"], "first.csv.manifest.json"),
        (["nowhere.json", "new.csv", "-o", "x.csv"], "nowhere.json: no such file"),
        ([RECORD, "nowhere.csv", "-o", "x.csv"], "nowhere.csv: there is no such file"),
        ([RECORD, "new.csv"], "--output"),
        ([RECORD, "-o", "x.csv"], "no new data is given"),
    ],
)
def test_misuse(run: Command, words: list[str], told: str) -> None:
    done = run("apply", *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.error

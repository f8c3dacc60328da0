"""incrowd records"""

import json
from pathlib import Path

import pytest

import incrowd
from cli.command import Command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("name,age\nAnn,31\nBob,31\nCat,31\nDan,55\n")
    columns = {"name": "identifier", "age": {"role": "quasi", "limit": 0}}
    job = {"data": str(path), "output": str(tmp_path / "r.csv"), "columns": columns, "models": ["k_anonymity:k=3"]}
    incrowd.anonymize(job={**job, "suppress": 0.25})
    return tmp_path / "r.csv"


def test_records_beside_what_is_published(run: Command, release: Path) -> None:
    code, out, err = run("records", release)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "All 4 records, smallest classes first (in records); 1 is suppressed."
    assert [line.split() for line in out.splitlines()[4:]] == [
        ["3", "33.3%", "Ann", "31", "31"],
        ["3", "33.3%", "Bob", "31", "31"],
        ["3", "33.3%", "Cat", "31", "31"],
        ["suppressed", "Dan", "55", "-"],
    ]


def test_as_json_it_is_what_python_has(run: Command, release: Path) -> None:
    plain = json.loads(run("records", release, "--json", "-n", "2").out)
    assert {**plain, "version": None} == {**incrowd.records(release, rows=2).to_dict(), "version": None}
    assert [row["original"]["name"] for row in plain["rows"]] == ["Ann", "Bob"]


def test_the_original_may_be_elsewhere(run: Command, release: Path) -> None:
    moved = (release.parent / "table.csv").rename(release.parent / "moved.csv")
    assert "original table" in run("records", release).error
    assert run("records", release, "--original", moved).code == 0


def test_what_is_no_release_of_one_table_is_refused(run: Command, release: Path) -> None:
    assert run("records", release, "--rows", "0").code == 2
    with pytest.raises(incrowd.UsageError, match="at least one"):
        incrowd.records(release, rows=0)
    assert run("records", release.parent / "table.csv").error.count("\n") == 1

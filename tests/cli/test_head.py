"""incrowd head"""

import json
from pathlib import Path

import pytest

import incrowd
from cli.command import Command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("name,age\nAnn,31\nBob,?\nCat,33\n")
    return path


def test_the_first_records(run: Command, table: Path) -> None:
    done = run("head", table, "-n", "2", "--missing", "?")
    assert done == (0, "name  age\n----  ---\nAnn   31\nBob   -\n", "")


def test_as_json_it_is_what_python_has(run: Command, table: Path) -> None:
    plain = json.loads(run("head", table, "--json").out)
    assert {**plain, "version": None} == {**incrowd.head(table).to_dict(), "version": None}
    assert plain["rows"] == [["Ann", "31"], ["Bob", "?"], ["Cat", "33"]]


def test_no_record_is_in_its_repr(table: Path) -> None:
    assert "Ann" not in repr(incrowd.head(table))


def test_fewer_than_one_is_refused(run: Command, table: Path) -> None:
    assert run("head", table, "--rows", "0").code == 2
    with pytest.raises(incrowd.UsageError, match="1 or more"):
        incrowd.head(table, 0)


def test_no_time_at_all(run: Command, table: Path) -> None:
    with pytest.raises(incrowd.Interrupted, match="there is no result yet"):
        incrowd.head(table, time=0)
    assert run("head", table, "--time", "0").code == 130

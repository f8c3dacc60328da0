"""incrowd inspect"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from incrowd.api import inspect as inspect_source
from incrowd.api import read
from incrowd.cli.inspect import inspect

app = typer.Typer()
app.command()(inspect)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("sex;age;income\nf;30;?\nm;31;2\nm;?;3\n")
    return path


def run(*arguments: object) -> str:
    """What the command prints."""
    done = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_text(table: Path) -> None:
    assert f"{table}: 3 records, 3 columns." in run(table)


def test_json(table: Path) -> None:
    plain = json.loads(run(table, "--json", "--missing", "?", "--among", "age,income"))
    assert [(column["name"], column["missing"]) for column in plain["columns"]] == [("age", 1), ("income", 1)]


def test_the_commands_read_in_the_same_way(table: Path) -> None:
    shown = run(table, table, "--missing", "?", "--missing", "n/a", "--delimiter", ";")
    assert (
        f"incrowd diagnose {table} {table} --missing '?' --missing n/a --delimiter ';' --quasi sex,age --k 5" in shown
    )


def test_the_commands_hold_no_password(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database is called by its URL without the password."""
    source = replace(read(table), name="postgres://me@host/base")
    monkeypatch.setattr("incrowd.api.read", lambda *_, **__: source)
    shown = run("postgres://me:hidden@host/base", "--table", "people")
    assert "incrowd diagnose postgres://me@host/base --table people --quasi" in shown
    assert "hidden" not in shown


def test_interrupted(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is shown, and the exit code tells."""
    found = replace(inspect_source(table), stopped="interrupted")
    monkeypatch.setattr("incrowd.api.inspect", lambda *_, **__: found)
    done = CliRunner().invoke(app, [str(table)])
    assert done.exit_code == 130
    assert "not counted: interrupted." in done.stdout

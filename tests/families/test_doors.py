"""A new verb is one file for each door: Python, the command line, REST and a page. No list names it."""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import typer.main

import incrowd
import test_verbs
from cli.command import Command
from families.outside import DOORS, PACKAGE, VERB, describe
from incrowd.cli import app
from incrowd.errors import UsageError
from incrowd.families import found
from incrowd.rest.app import make_app
from incrowd.service import Workspace
from incrowd.service.kinds import KINDS, kind
from incrowd.web.pages import tools

COLUMNS = ["age", "disease"]


@pytest.fixture
def in_the_tree(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The four files are in the folders of the package itself, and nothing else is changed."""
    packages = {door: import_module(f"incrowd.{door}") for door in DOORS}
    for door, folder in DOORS.items():
        monkeypatch.setattr(packages[door], "__path__", [*packages[door].__path__, str(PACKAGE / folder)])
    found.cache_clear()
    yield
    for door in DOORS:
        sys.modules.pop(f"incrowd.{door}.{VERB}", None)
        vars(packages[door]).pop(VERB, None)
    found.cache_clear()


@pytest.fixture(params=["in_the_tree", "outside"])
def tally(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The verb is there, and the command line is made anew, as in a new process."""
    request.getfixturevalue(request.param)
    app.asked_for.cache_clear()
    yield
    app.asked_for.cache_clear()
    vars(incrowd).pop(VERB, None)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,disease\n30,flu\n30,flu\n40,cold\n")
    return path


FOUND = {"records": 3, "combinations": 2}


def test_python(tally: None, table: Path) -> None:
    assert incrowd.tally(table, COLUMNS) == FOUND
    assert VERB in incrowd.__all__
    assert VERB in dir(incrowd)
    everything: dict[str, object] = {}
    exec("from incrowd import *", everything)
    assert everything[VERB] is incrowd.tally
    assert len(incrowd.__all__) == len(set(incrowd.__all__))


def test_command_line(
    tally: None, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    incrowd = Command(monkeypatch, capsys)
    assert f"  {VERB} " in incrowd("--help").out
    words = ["tally", table, "--by", "age", "--by", "disease"]
    assert incrowd(*words).out == "3 records, 2 combinations\n"
    assert FOUND.items() <= json.loads(incrowd(*words, "--json").out).items()
    assert incrowd(*words, "--quiet").out == ""
    assert incrowd("tally", table, "--by", "agee").code == 2


def test_rest(tally: None, table: Path, tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space")
    try:
        paths = make_app(space).openapi()["paths"]
    finally:
        space.close()
    assert paths["/v1/tally"]["post"]["operationId"] == VERB
    read = {"source": str(table), "missing": []}
    assert kind(VERB).run({"data": read, "by": COLUMNS}, lambda _: None) == FOUND


def test_page(tally: None) -> None:
    assert list(tools())[-1] == VERB


def test_its_doors_agree(tally: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_verbs, "COMMANDS", typer.main.get_command(app.make_app()).commands)
    test_verbs.test_every_door_has_the_same_parameters(VERB)
    test_verbs.test_every_door_has_the_same_defaults(VERB)


def test_it_is_gone_with_its_files() -> None:
    assert VERB not in incrowd.__all__
    assert not hasattr(incrowd, VERB)
    assert VERB not in tools()
    with pytest.raises(UsageError, match="there is no kind of run 'tally'"):
        kind(VERB)


def test_an_incomplete_verb_is_refused_and_the_others_work(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hollow.py").write_text('__all__ = ["hollow"]\nORDER = 1\nREQUEST = object\nTOOL = (1, "Hollow")\n')
    describe(tmp_path, "incomplete", {door: {"hollow": "hollow"} for door in DOORS})
    monkeypatch.syspath_prepend(str(tmp_path))
    found.cache_clear()
    try:
        app.asked_for.cache_clear()
        line = Command(monkeypatch, capsys)
        refused = line("hollow", "people.csv", "--option", "value")
        assert refused.code == 2
        assert refused.error == (
            "incrowd: command hollow: it is refused: it has no function that is named as the module; update or remove "
            "the package that offers it\n"
        )
        assert "hollow" not in line("--help").out
        assert line("head", table).code == 0
        assert not hasattr(incrowd, "hollow")
        assert "hollow" not in tools()
        with pytest.raises(UsageError, match="kind of run hollow: it is refused: it lacks prepare and run; its "):
            KINDS.module("hollow")
    finally:
        sys.modules.pop("hollow", None)
        found.cache_clear()
        app.asked_for.cache_clear()

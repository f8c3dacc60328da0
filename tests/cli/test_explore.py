"""incrowd explore"""

import json
from pathlib import Path

import pytest

import incrowd
from cli.command import Command

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_one_column_less_and_one_more(run: Command) -> None:
    done = run("explore", HOSPITAL, "--quasi", "sex,postcode", "--among", "sex,postcode,nationality")
    assert done.code == 0
    steps = [line.split("  ")[0] for line in done.out.splitlines()[2:]]
    assert steps == ["chosen", "one column less", "one column less", "one column more"]
    k = incrowd.diagnose(HOSPITAL).k(["sex", "postcode"])
    assert done.out.splitlines()[2].split()[-2] == str(k)


def test_as_json_it_is_what_python_has(run: Command) -> None:
    words = ["--quasi", "sex", "--among", "sex,postcode", "--lattice", "sex,postcode"]
    plain = json.loads(run("explore", HOSPITAL, *words, "--json").out)
    found = incrowd.explore(HOSPITAL, ["sex"], ["sex", "postcode"], ["sex", "postcode"])
    assert {**plain, "version": None} == {**json.loads(json.dumps(found.to_dict())), "version": None}
    assert plain["lattice"]


def test_a_column_that_is_not_there(run: Command) -> None:
    done = run("explore", HOSPITAL, "--quasi", "six")
    assert done.code == 2
    assert "six" in done.error

"""incrowd risk, from the command line to what it prints."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from incrowd.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Four classes, of which three hold one record."""
    path = tmp_path / "table.csv"
    path.write_text("a,b,c\nx,p,u\ny,q,v\ny,p,w\nz,q,?\nz,q,?\n", encoding="utf-8")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; gives back its exit code, output and complaints."""

    def command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["incrowd", "risk", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        return int(left.value.code or 0), printed.out, printed.err

    return command


def test_text(run: Run, table: Path) -> None:
    code, out, err = run(table, "--quasi", "a,b,c", "--missing", "?", "--threshold", "1/2", "--rows")
    assert (code, err) == (1, "")
    assert "re-identifies that person with certainty in 3 of 5 records (60.0%)." in out
    assert "The risk exceeds 0.5 for 3 of 5 records (60.0%): their classes have fewer than 2 records." in out
    assert out.endswith("counted from 0:\n0 (score 4)\n1 (score 3)\n2 (score 3)\n")


def test_json(run: Run, table: Path) -> None:
    code, out, _ = run(table, "--quasi", "c", "--quasi", "a", "--population", 10, "--json", "--rows", "--max-size", 1)
    plain = json.loads(out)
    assert (code, plain["quasi"], plain["population"], plain["estimated"]) == (0, ["c", "a"], 10, True)
    assert plain["rows"] == [{"row": 0, "score": 2.0}, {"row": 1, "score": 1.0}, {"row": 2, "score": 1.0}]


def test_population_file(run: Run, table: Path) -> None:
    _, out, _ = run(table, "--quasi", "a,b", "--population", table, "--json")
    plain = json.loads(out)
    assert (plain["population"], plain["estimated"]) == (5, False)
    assert plain["journalist"] == plain["prosecutor"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--quasi", "a,d"], "no column 'd'"),
        (["--quasi", "a", "--threshold", "7"], "a risk is a probability"),
        (["--quasi", "a", "--population", "4"], "the table has 5 records"),
        (["--quasi", "a", "--population", "nowhere.csv"], "there is no such file"),
        (["--quasi", "a", "--max-size", "0"], "max_size is 0"),
    ],
)
def test_misuse(run: Run, table: Path, arguments: list[str], words: str) -> None:
    code, out, err = run(table, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1

"""incrowd diagnose --sensitive: questions about l-diversity and t-closeness by options."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from incrowd.api import diagnose
from incrowd.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
TEN = EXAMPLES / "ten.csv"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `incrowd diagnose` on the ten; exit code, standard output and standard error."""

    def ended(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["incrowd", "diagnose", *map(str, (TEN, *words))])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), *capsys.readouterr()

    return ended


def test_a_no_leaves_with_1(ask: Run) -> None:
    code, out, error = ask("--quasi", "town", "--sensitive", "illness", "--l", 2)
    assert (code, error) == (1, "")
    assert out.startswith("No: 2 records (20.0%) are in classes of {town} that have fewer than 2")
    assert ask("--quasi", "town", "--sensitive", "illness", "--t", 0.8)[0] == 0


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--l", "2"], {"l": 2}),
        (["--l", "2", "--at-most"], {"l": 2, "at_most": True}),
        (["--t", "0.5", "--at-least"], {"t": 0.5, "at_least": True}),
        (["--t", "0.5", "--suppress", "0.3"], {"t": 0.5, "suppress": 0.3}),
        (["--l", "1.5", "--measure", "entropy_l"], {"l": 1.5, "measure": "entropy_l"}),
        (["--measure", "t_closeness", "--suppress", "find"], {"measure": "t_closeness", "suppress": "find"}),
        ([], {}),
    ],
)
def test_options_are_those_of_ask(ask: Run, words: list[str], asked: dict[str, object]) -> None:
    code, out, _ = ask("--among", "town,age", "--sensitive", "illness", *words, "--json")
    expected = diagnose(TEN, among=["town", "age"]).ask(sensitive="illness", **asked).to_dict()  # type: ignore[arg-type]
    printed = json.loads(out)
    assert printed.pop("version")
    assert (code, printed) == (0, json.loads(json.dumps(expected)))


def test_with_nothing_given_the_answer_is_a_list(ask: Run) -> None:
    _, out, _ = ask("--among", "town", "--sensitive", "illness")
    assert out == "Of 1 set of columns 0 keep l of illness above 1.\n\nquasi  l\n-----  -\ntown   1\n"


def test_records_and_a_hierarchy(ask: Run) -> None:
    hierarchical = ["--measure", "t_closeness:distance=hierarchical"]
    ladder = ["--hierarchy", EXAMPLES / "hierarchies" / "illness.yaml"]
    words = ["--quasi", "town", "--sensitive", "illness", *hierarchical, *ladder, "--t", 0.5, "--suppress", "find"]
    code, out, _ = ask(*words, "--rows")
    assert code == 0
    assert out.endswith("Records to suppress, counted from 0:\n2 3\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--l", 2], "name one: sensitive (--sensitive COLUMN)"),
        (["--sensitive", "illness", "--l", 2.5], "l is 2.5; it must be a whole number, 1 or more"),
        (["--sensitive", "illness", "--t", 2], "a number from 0 to 1"),
    ],
)
def test_misuse_in_one_line(ask: Run, words: list[object], message: str) -> None:
    code, out, error = ask(*words)
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert message in error


def test_a_report(ask: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    ask("--among", "town,age", "--sensitive", "illness", "--t", 0.9, "--at-least", "--report", report)
    assert "brings t of illness to 0.9 or above" in report.read_text()

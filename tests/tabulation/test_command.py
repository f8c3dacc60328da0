"""incrowd table on the command line."""

import json
from pathlib import Path

import pytest

from cli.command import Command

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"


@pytest.fixture
def incrowd(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_a_table_as_text(incrowd: Command) -> None:
    done = incrowd("table", HOSPITAL, "--by", "sex,marital_status", "--rule", "threshold:n=5")
    assert done.code == 0
    assert done.out.startswith("count by sex, marital_status\n")
    assert " x" in done.out
    assert "Audited:" in done.out
    assert "Private" not in done.out


def test_details_on_request(incrowd: Command) -> None:
    done = incrowd("table", HOSPITAL, "--by", "sex,marital_status", "--rule", "threshold:n=5", "--details")
    assert "Private, do not publish:" in done.out
    assert "Intervals that an attacker can derive:" in done.out


def test_json(incrowd: Command) -> None:
    words = ("table", HOSPITAL, "--by", "sex", "--by", "marital_status", "--measure", "sum:income", "--json")
    plain = json.loads(incrowd(*words).out)
    assert plain["columns"] == ["sex", "marital_status", "sum_income"]
    assert plain["totals"] == ["Total", "Total"]
    assert "private" not in plain
    assert plain["suppressed"] == sum(row[-1] == "x" for row in plain["cells"])
    assert "private" in json.loads(incrowd(*words, "--details").out)


def test_a_file_is_written(incrowd: Command, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    words = ("table", HOSPITAL, "--by", "sex,marital_status", "-o", path)
    done = incrowd(*words)
    assert done.code == 0
    assert f"Table: {path}" in done.out
    assert path.read_text("utf-8").splitlines()[0] == "sex,marital_status,count"
    assert incrowd(*words).code == 2
    path.with_suffix(".json").write_text("mine")
    # At once, before the time that nothing could be made in.
    assert incrowd(*words[:-1], path.with_suffix(".json"), "--time", "0").code == 2
    assert incrowd(*words, "--replace").code == 0


def test_hierarchies_give_subtotals(incrowd: Command, tmp_path: Path) -> None:
    levels = tmp_path / "levels.csv"
    states = ("divorced", "married", "registered partnership", "single", "widowed")
    rows = [f"{state},{'together' if state in states[1:3] else 'alone'},*" for state in states]
    levels.write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = incrowd("table", HOSPITAL, "--by", "marital_status", "--hierarchy", f"marital_status={levels}")
    assert done.code == 0
    assert "together" in done.out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--by", "sex", "-o", str(HOSPITAL)), 2, "the data are read from there"),
        (("--by", "sex", "-o", "table.doc"), 2, "not a supported output format"),
        (("--by", "sex", "--hierarchy", "sex"), 2, "--hierarchy"),
        (("--by", "sex", "--rule", "dominance"), 2, "needs amounts"),
        (("--by", "sex,nationality", "--protect", "random_rounding:base=1", "--seed", "1"), 3, "nothing is published"),
        (("--by", "sex,nationality", "--time", "0"), 130, "there is no result yet"),
        (("--measure", "count"), 2, "--by"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(incrowd: Command, words: tuple[str, ...], code: int, told: str) -> None:
    done = incrowd("table", HOSPITAL, *words)
    assert done.code == code
    assert told in done.error
    assert len(done.error.strip().splitlines()) == 1

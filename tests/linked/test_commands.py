"""Several tables on the command line, and the examples of them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import Command

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line."""
    return Command(monkeypatch, capsys)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The examples, where something may be written."""
    for name in ("omop", "shop"):
        shutil.copytree(EXAMPLES / name, tmp_path / name)
        shutil.copy(EXAMPLES / f"{name}.yaml", tmp_path)
    return tmp_path


def test_the_examples_are_made_again_to_the_byte(tmp_path: Path) -> None:
    """By their script."""
    subprocess.run([sys.executable, EXAMPLES / "make_linked.py", tmp_path], check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.csv"))
    assert len(made) == 7
    assert all((tmp_path / path).read_bytes() == (EXAMPLES / path).read_bytes() for path in made)


@pytest.mark.parametrize("name", ["omop", "shop"])
def test_an_example_is_released_and_verified(command: Command, folder: Path, name: str) -> None:
    """As a document, too."""
    done = command("anonymize", folder / f"{name}.yaml", "--json")
    assert done.code == 0, done.error
    found = json.loads(done.out)
    assert found["verdict"] == "holds"
    assert found["people"] + found["suppressed"] == found["input_people"] == 2000
    verified = command("verify", folder / f"{name}-release", "--record", folder / f"{name}-release.record.json")
    assert verified.code == 0
    assert verified.out.rstrip().endswith("verified")


def test_a_changed_table_is_found(command: Command, folder: Path) -> None:
    """With exit code 1."""
    assert command("anonymize", folder / "shop.yaml", "-o", folder / "other").code == 0
    table = folder / "other" / "orders.csv"
    table.write_text(table.read_text(encoding="utf-8").replace(",books,", ",music,", 1), encoding="utf-8")
    assert command("verify", folder / "other").code == 1


def test_tables_are_diagnosed(command: Command, folder: Path) -> None:
    """As text and as a document."""
    assert "only together" in command("diagnose", folder / "omop.yaml").out
    found = json.loads(command("diagnose", folder / "omop.yaml", "--k", "3", "--max-size", "1", "--json").out)
    assert (found["k"], found["people"], len(found["sets"])) == (3, 2000, 6)


@pytest.mark.parametrize(
    "words",
    [
        ["anonymize", "shop.yaml", "--show", "yaml"],
        ["anonymize", "shop.yaml", "--report", "report.html"],
        ["anonymize", "shop.yaml", "-k", "5"],
        ["diagnose", "shop.yaml", "--suppress", "0.1"],
        ["frontier", "shop.yaml"],
        ["neighbors", "shop.yaml", "--level", "age=1"],
        ["report", "shop-release"],
        ["attack", "shop-release"],
        ["measure", "shop/customers.csv", "shop-release"],
        ["apply", "shop-release.record.json", "shop/customers.csv", "-o", "new.csv"],
    ],
)
def test_what_takes_one_table_says_so(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """In one line, with the code of misuse."""
    monkeypatch.chdir(folder)
    assert command("anonymize", "shop.yaml").code == 0
    done = command(*words)
    assert done.code == 2, done.out + done.error
    assert "several tables" in done.error or "the job file sets these" in done.error, done.error

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


def test_the_original_tables_are_found_and_may_be_named(command: Command, folder: Path, tmp_path: Path) -> None:
    """By the private record, or as a folder, as files one by one, or as a job; whatever folder is the present one."""
    assert command("anonymize", folder / "shop.yaml").code == 0
    release = (folder / "shop-release", "--record", folder / "shop-release.record.json")
    assert "passed       original: the release is the original tables, recoded" in command("verify", *release).out
    (folder / "shop").rename(folder / "moved")
    assert "original:" not in command("verify", *release).out
    one_by_one = [f"{name}={folder / 'moved' / name}.csv" for name in ("customers", "orders", "payments")]
    job = (folder / "shop.yaml").read_text(encoding="utf-8").replace("shop/", "moved/")
    (folder / "moved.yaml").write_text(job, encoding="utf-8")
    for named in ([folder / "moved"], one_by_one, [folder / "moved.yaml"]):
        options = [word for each in named for word in ("--original", each)]
        assert "passed       original:" in command("verify", *release, *options).out, named
    changed = (folder / "moved" / "orders.csv").read_text(encoding="utf-8").replace(",books,", ",music,", 1)
    (folder / "moved" / "orders.csv").write_text(changed, encoding="utf-8")
    assert command("verify", *release, "--original", folder / "moved").code == 1


@pytest.mark.parametrize(
    ("named", "wrong"),
    [
        (["shop/orders.csv"], "one source is given"),
        (["customers=shop/customers.csv"], "'orders', 'payments' not given"),
        (["visits=shop/orders.csv"], "there is no such table"),
        (["omop"], "not given"),
        (["customers=shop/customers.csv", "orders"], "it is not written as TABLE=FILE"),
    ],
)
def test_tables_that_are_not_named_well_are_refused(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, named: list[str], wrong: str
) -> None:
    """In one line that says how."""
    monkeypatch.chdir(folder)
    assert command("anonymize", "shop.yaml").code == 0
    options = [word for each in named for word in ("--original", each)]
    done = command("verify", "shop-release", "--record", "shop-release.record.json", *options)
    assert done.code == 2
    assert wrong in done.error


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

"""Several tables on the command line, and the examples of them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import incrowd
from cli.command import Command
from linked.test_release import written_set

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


def test_every_document_has_the_version(command: Command, tmp_path: Path) -> None:
    """First of all."""
    written_set(tmp_path)
    job, release = tmp_path / "job.json", tmp_path / "release"
    found = [command("anonymize", job, "--json"), command("diagnose", job, "--json")]
    found += [command(verb, release, "--json") for verb in ("verify", "attack", "risk", "report")]
    found.append(command("measure", job, release, "--only", "loss", "--json"))
    found.append(command("apply", f"{release}.record.json", job, "-o", tmp_path / "again", "--json"))
    for done in found:
        plain = json.loads(done.out)
        assert next(iter(plain.items())) == ("version", incrowd.__version__)
        assert "error" not in plain


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


def test_a_release_is_attacked(command: Command, folder: Path) -> None:
    """Exit code 1 says that somebody is singled out: by all records, where one was assumed to be known."""
    assert command("anonymize", folder / "omop.yaml").code == 0
    done = command("attack", folder / "omop-release")
    assert done.code == 1
    assert "linkage, history: the attacker knows" in done.out
    done = command("attack", folder / "omop-release", "--knows", "record", "--only", "linkage:k=6", "--json")
    found = json.loads(done.out)
    assert [each["knows"] for each in found["linkage"]] == ["record"]
    assert (done.code, found["k"], found["linkage"][0]["fewest"]) == (1, 6, 5)
    assert command("attack", folder / "omop-release", "--knows", "record", "--only", "linkage:k=5").code == 0


def test_a_recoding_is_applied(command: Command, folder: Path) -> None:
    """To a folder, to files one by one, or to the tables of a job; fewer people may not fit it."""
    assert command("anonymize", folder / "shop.yaml").code == 0
    record = folder / "shop-release.record.json"
    record.rename(folder / "private.json")
    done = command("apply", folder / "private.json", folder / "shop", "-o", folder / "new")
    assert done.code == 0, done.error
    assert "Search applied: 1 of 1 nodes counted" in done.out
    one_by_one = [f"{name}={folder / 'shop' / name}.csv" for name in ("customers", "orders", "payments")]
    done = command("apply", folder / "private.json", *one_by_one, "-o", folder / "new", "--replace", "--json")
    assert json.loads(done.out)["verdict"] == "holds"
    assert command("apply", folder / "private.json", folder / "shop.yaml", "-o", folder / "third").code == 0
    assert command("verify", folder / "third", "--record", folder / "third.record.json").code == 0
    assert command("apply", folder / "private.json", folder / "shop", "-o", folder / "new").code == 2
    assert command("apply", folder / "private.json", "-o", folder / "none").code == 2
    customers = (folder / "shop" / "customers.csv").read_text(encoding="utf-8").splitlines()
    (folder / "shop" / "customers.csv").write_text("\n".join(customers[:4]) + "\n", encoding="utf-8")
    for name in ("orders", "payments"):
        table = folder / "shop" / f"{name}.csv"
        table.write_text(table.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    done = command("apply", folder / "private.json", folder / "shop", "-o", folder / "few")
    assert done.code == 3
    assert "the recoding does not fit the new data" in done.error


def test_a_release_is_measured(command: Command, folder: Path) -> None:
    """Against a folder, or the tables of a job."""
    assert command("anonymize", folder / "shop.yaml").code == 0
    done = command("measure", folder / "shop", folder / "shop-release", "--only", "loss,suppressed")
    assert done.code == 0, done.error
    assert "2,000 people" in done.out
    done = command("measure", folder / "shop.yaml", folder / "shop-release", "--only", "loss", "--json")
    found = json.loads(done.out)
    assert found["original"]["people"] == 2000
    assert list(found["tables"]) == ["customers", "orders", "payments"]


def test_a_report_is_written(command: Command, folder: Path) -> None:
    """With the run, and later; an external one too."""
    page = folder / "report.html"
    done = command("anonymize", folder / "shop.yaml", "--report", page)
    assert done.code == 0, done.error
    assert "Re-identification risk of people" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o077 == 0
    assert "people before" in command("report", folder / "shop-release").out
    done = command("report", folder / "shop-release", "--external", "-o", folder / "external.md")
    assert done.code == 0
    assert "people before" not in (folder / "external.md").read_text(encoding="utf-8")
    assert command("report", folder / "shop-release", "-o", page).code == 2


def test_a_report_does_not_replace_a_table(command: Command, folder: Path) -> None:
    """Refused before the run."""
    done = command("anonymize", folder / "shop.yaml", "--report", folder / "shop-release" / "manifest.json")
    assert done.code == 2
    assert not (folder / "shop-release").exists()


def test_tables_are_diagnosed(command: Command, folder: Path) -> None:
    """As text and as a document."""
    assert "only together" in command("diagnose", folder / "omop.yaml").out
    found = json.loads(command("diagnose", folder / "omop.yaml", "--k", "3", "--max-size", "1", "--json").out)
    assert (found["k"], found["people"], len(found["sets"])) == (3, 2000, 6)


@pytest.mark.parametrize(
    "words",
    [
        ["anonymize", "shop.yaml", "--show", "yaml"],
        ["anonymize", "shop.yaml", "-k", "5"],
        ["diagnose", "shop.yaml", "--suppress", "0.1"],
        ["frontier", "shop.yaml"],
        ["neighbors", "shop.yaml", "--level", "age=1"],
        ["report", "shop.yaml"],
        ["report", "shop-release", "--among", "age"],
        ["report", "shop-release", "--missing", "?"],
        ["attack", "shop.yaml"],
        ["attack", "shop-release", "--with", "shop/customers.csv"],
        ["measure", "shop", "shop-release", "-q", "age"],
        ["measure", "shop", "shop-release", "--map", "map.svg"],
        ["measure", "shop/customers.csv", "shop.yaml"],
        ["apply", "shop-release.record.json", "shop", "-o", "new", "--spreadsheet-safe"],
        ["apply", "shop-release.record.json", "shop", "-o", "new", "--table", "customers"],
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

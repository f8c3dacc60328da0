"""Every part of an installed package at work once, with nothing but its required libraries: what a wheel must pass."""

import json
import os
from pathlib import Path

import pytest

import incrowd
from cli.command import Command
from incrowd.core import kernels

EXAMPLES = Path(__file__).parents[2] / "examples"
TEN = EXAMPLES / "ten.csv"
JOB = {
    "data": str(TEN),
    "output": "release.csv",
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10, 20]}}},
        "town": {"role": "quasi", "hierarchy": "mask"},
        "illness": {"role": "sensitive"},
    },
    "models": [{"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 2, "column": "illness"}}],
    "search": "optimal",
}
SEARCHES = ("optimal", "mondrian", "k_members", "datafly", "samarati", "incognito", "local_suppression", "k_optimize")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(monkeypatch, capsys)


@pytest.fixture
def released(run: Command) -> Command:
    """The command line, in a folder with a job and its release."""
    Path("job.json").write_text(json.dumps(JOB), encoding="utf-8")
    assert run("anonymize", "job.json").code == 0
    return run


@pytest.mark.skipif("INCROWD_COMPILED" not in os.environ, reason="only a wheel must have compiled kernels")
def test_the_kernels_are_compiled() -> None:
    assert kernels.NAME == "compiled"


def test_the_version(run: Command) -> None:
    assert run("-V").out == f"incrowd {incrowd.__version__}\n"


@pytest.mark.parametrize("search", SEARCHES)
def test_searches(run: Command, search: str) -> None:
    Path("job.json").write_text(json.dumps({**JOB, "search": search}), encoding="utf-8")
    done = run("anonymize", "job.json", "--json")
    assert (done.code, json.loads(done.out)["verdict"]) == (0, "holds")
    assert run("verify", "release.csv", "--record", "release.csv.record.json").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", TEN],
        ["diagnose", TEN],
        ["diagnose", TEN, "--k", "2"],
        ["risk", TEN, "--quasi", "age,town", "--sensitive", "illness"],
        ["hierarchy", TEN, "--column", "age"],
        ["init", TEN, "--yes"],
        ["verify", "release.csv"],
        ["apply", "release.csv.record.json", TEN, "-o", "again.csv"],
        ["measure", TEN, "release.csv"],
        ["report", "release.csv", "--external"],
        ["frontier", "job.json", "-k", "2", "--search", "optimal"],
    ],
    ids=lambda words: words[0],
)
def test_commands(released: Command, words: list[str]) -> None:
    done = released(*words)
    assert (done.code, done.error) == (0, "")
    assert done.out


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "parquet", "jsonl"])
def test_formats(run: Command, suffix: str) -> None:
    made = incrowd.anonymize(job={**JOB, "output": f"release.{suffix}"})
    assert made.verdict.word == "verified"
    assert incrowd.diagnose(f"release.{suffix}", ["age", "town"]).k(["age", "town"]) >= 2

"""incrowd neighbors"""

import json
from pathlib import Path

import pytest

import incrowd
from cli.command import Command
from incrowd.anonymization.neighbors import Neighbor, Neighbour

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital.csv"
LEVELS = ["--level", "sex=0", "--level", "postcode=2"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def job(run: Command, tmp_path: Path) -> Path:
    shown = run("anonymize", HOSPITAL, "-q", "sex", "-q", "postcode=mask", "-k", "5", "--show", "yaml")
    (tmp_path / "job.yaml").write_text(shown.out)
    return tmp_path / "job.yaml"


def test_one_level_more_and_one_less(run: Command, job: Path) -> None:
    done = run("neighbors", job, *LEVELS)
    assert done.code == 0
    steps = [line.split("  ")[0] for line in done.out.splitlines()[2:]]
    assert steps == ["chosen", "more detail", "less detail", "less detail"]
    assert "infeasible" in done.out


def test_as_json_it_is_what_python_has(run: Command, job: Path) -> None:
    plain = json.loads(run("neighbors", job, *LEVELS, "--json").out)
    found = incrowd.neighbors(job=job, levels={"sex": 0, "postcode": 2})
    assert plain["nodes"] == [each.to_dict() for each in found]
    assert plain["metric"] == "loss"


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (["sex=x", "postcode=1"], "not a whole number"),
        (["sex"], "a column and a value"),
        (["sex=0"], "not a node of the lattice"),
    ],
)
def test_levels_that_cannot_be(run: Command, job: Path, levels: list[str], message: str) -> None:
    done = run("neighbors", job, *(part for level in levels for part in ("--level", level)))
    assert done.code == 2
    assert message in done.error


def test_no_time_at_all(run: Command, job: Path) -> None:
    assert run("neighbors", job, *LEVELS, "--time", "0").code == 130


def test_the_british_spelling_is_an_alias() -> None:
    assert incrowd.neighbours is incrowd.neighbors
    assert Neighbour is Neighbor

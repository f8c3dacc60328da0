"""incrowd frontier"""

import json
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.hospital import hospital_job, in_folder
from anonymization.runs import contents
from cli.command import Command

MODELS = ({"k_anonymity": {"k": 3}}, {"distinct_l": {"l": 2, "column": "disease"}})


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: there are the patients, and a job about them."""
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    (tmp_path / "job.json").write_text(json.dumps(hospital_job(*MODELS, data="patients.csv", suppress=2)))
    return tmp_path


def test_the_same_as_in_python(run: Command, folder: Path) -> None:
    before = contents(folder)
    done = run(
        "frontier", "job.json", "--k", "2,3,10", "--search", "optimal,mondrian:column=loss,cuts=relaxed", "--json"
    )
    assert (done.code, done.error) == (0, "")
    plain = json.loads(done.out)
    searches = ["optimal", "mondrian:column=loss,cuts=relaxed"]
    same = incrowd.frontier(job="job.json", k=[2, 3, 10], searches=searches).to_dict()
    for each in (*plain["runs"], *same["runs"]):
        assert each.pop("seconds") >= 0
    assert plain == {"version": incrowd.__version__, **same}
    assert [each["k"] for each in plain["runs"]] == [2, 3, 10] * 2
    assert list(plain) == [
        *(
            "version",
            "source",
            "records",
            "risk",
            "runs",
            "front",
            "recommended",
            "knee",
            "why",
            "command",
            "stopped",
            "not_run",
        ),
    ]
    assert list(plain["runs"][0]) == [
        *("search", "k", "suppress", "feasible", "k_reached", "classes", "records", "suppressed", "loss"),
        *("highest_risk", "average_risk", "cells_kept", "cells_wiped", "guarantee", "stopped", "reason", "left_out"),
        "same_as",
    ]
    assert plain["recommended"] in plain["front"]
    assert contents(folder) == before


def test_the_command_that_it_names_publishes_what_it_told(run: Command, folder: Path) -> None:
    plain = json.loads(run("frontier", "job.json", "--k", "2,3,10", "--json").out)
    recommended: dict[str, Any] = plain["runs"][plain["recommended"]]
    verb, *words = shlex.split(plain["command"])
    assert verb == "incrowd"
    made = json.loads(run(*words, "--json").out)
    assert (folder / "release.csv").exists()
    assert made["smallest"] == recommended["k_reached"]
    assert made["classes"] == recommended["classes"]
    assert made["suppressed"] == recommended["suppressed"]
    assert made["scores"]["loss"] == recommended["loss"]
    assert made["verdict"] == "holds"


def test_text(run: Command) -> None:
    done = run("frontier", "job.json", "-k", "2", "-k", "3,70", "--suppress", "0,2")
    assert (done.code, done.error) == (0, "")
    assert done.out.startswith("patients.csv: 60 records; 12 runs, 8 releases within the limits, ")
    assert "\nRecommended: k = " in done.out
    assert "\nTo publish it:\n\n  incrowd anonymize patients.csv " in done.out
    assert "Every release also satisfies the other models of the job." in done.out
    marks = [
        line[0] for line in done.out.splitlines() if " optimal " in line or " mondrian " in line if line[0] in " *>"
    ]
    assert marks.count(">") == 1


def test_nothing_is_feasible(run: Command) -> None:
    done = run("frontier", "job.json", "--k", "61", "--json")
    assert done.code == 3
    plain = json.loads(done.out)
    assert (plain["front"], plain["recommended"], plain["command"]) == ([], None, None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--k", "two"), "k is 'two'; it must be a whole number, 1 or more"),
        (("--k", "2,"), "k is ''; it must be a whole number, 1 or more"),
        (("--search", "best"), "search: there is no search 'best'; there are "),
        (("--search", "mondrian:cuts=none"), "search: cuts of mondrian is 'none'; it may be strict, relaxed"),
        (("--search", ""), "searches: the list is empty"),
        (("--suppress", "2%%"), "suppress: it must be a share of the records"),
        (("--risk", "mean"), "risk is 'mean'; it may be highest, average"),
        (("--time", "-1"), "Invalid value for '--time'"),
        (("--map", "map.pdf"), "the extension of the map file is '.pdf'; it may be .svg, .png, .html"),
        (("--map", "nowhere/map.svg"), "nowhere/map.svg: there is no such folder"),
        (("--depth", "3"), "No such option"),
    ],
)
def test_wrong_options(run: Command, words: tuple[str, ...], told: str) -> None:
    done = run("frontier", "job.json", *words)
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith(f"incrowd: {told}")
    assert done.error.count("\n") == 1


def test_a_map_is_all_that_is_written(run: Command, folder: Path) -> None:
    before = contents(folder)
    done = run("frontier", "job.json", "--k", "2,3,10", "--map", "map.svg")
    assert done.code == 0
    assert done.out.endswith("\n\nMap: map.svg\n")
    assert set(contents(folder)) - set(before) == {"map.svg"}


def test_no_job(run: Command) -> None:
    assert run("frontier", "nowhere.yaml").code == 2
    assert run("frontier", "patients.csv").error.startswith("incrowd: the ending of a job file is '.csv'")


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes when the first search is done."""
    from incrowd.searches.optimal import Optimal

    honest = Optimal.run

    def and_interrupted(self: Optimal, problem: Any, watch: Any) -> Any:
        outcome = honest(self, problem, watch)
        signal.raise_signal(signal.SIGINT)
        return outcome

    monkeypatch.setattr(Optimal, "run", and_interrupted)


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_tells_what_is_known(run: Command) -> None:
    done = run("frontier", "job.json", "--k", "2,3", "--json")
    assert done.code == 130
    plain = json.loads(done.out)
    assert (len(plain["runs"]), plain["stopped"], plain["recommended"]) == (1, "interrupted", 0)
    assert len(plain["not_run"]) == 3


def test_the_grid(run: Command, folder: Path) -> None:
    before = contents(folder)
    done = run("frontier", "job.json", "--grid", "--json")
    assert (done.code, done.error) == (0, "")
    plain = json.loads(done.out)
    assert [each["point"] for each in plain["points"]] == ["AG_TS", "AG_CS", "AG_", "CG_", "_TS", "_AS", "_CS"]
    assert plain["points"][0]["suppress"] == 2
    assert plain["least_loss"] in [each["point"] for each in plain["points"] if each["feasible"]]
    text = run("frontier", "job.json", "--grid")
    assert (text.code, text.error) == (0, "")
    assert text.out.startswith("patients.csv: 60 records, ")
    best = next(each for each in plain["points"] if each["point"] == plain["least_loss"])
    assert text.out.endswith(f"To publish {best['point']} (--json has the commands of all):\n\n  {best['command']}\n")
    assert contents(folder) == before


def test_a_grid_without_a_release(run: Command, folder: Path) -> None:
    job = hospital_job({"k_anonymity": {"k": 61}}, data="patients.csv")
    (folder / "job.json").write_text(json.dumps(job))
    assert run("frontier", "job.json", "--grid").code == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--k", "2"), "a grid with k: "),
        (("--search", "optimal", "--suppress", "0"), "a grid with search and suppress: "),
        (("--risk", "average"), "a grid with risk: "),
        (("--map", "map.svg"), "a grid with map: "),
    ],
)
def test_what_does_not_go_with_a_grid(run: Command, words: tuple[str, ...], told: str) -> None:
    done = run("frontier", "job.json", "--grid", *words)
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith(f"incrowd: {told}a grid compares points under the models of the job")


@pytest.mark.usefixtures("interrupted")
def test_a_grid_that_is_interrupted(run: Command) -> None:
    done = run("frontier", "job.json", "--grid", "--json")
    assert done.code == 130
    plain = json.loads(done.out)
    assert [each["feasible"] for each in plain["points"]] == [True, *[False] * 6]
    assert plain["stopped"] == "interrupted"

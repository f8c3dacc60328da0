"""Python, the command line and the service count the same people."""

import json
from pathlib import Path
from typing import Any

import pytest

import incrowd
from cli.command import Command
from incrowd.errors import UsageError
from incrowd.service.kinds import kinds
from incrowd.watch import Watch

TABLE = """\
sex,town,ill,name
f,A,flu,ann
f,A,gout,ann
f,A,cold,ann
f,B,flu,ann
f,B,cold,eve
m,B,flu,tom
m,B,gout,kim
m,A,cold,tom
m,A,cold,
m,A,flu,
"""


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def run_of(verb: str, path: Path, **asked: Any) -> dict[str, Any]:
    """The result of a run of the service, as its worker makes it."""
    request = kinds()[verb].REQUEST(file=str(path), **asked).model_dump(exclude_none=True, exclude={"file"})
    reading = {"missing": request.pop("missing"), "names": request.pop("names"), "widths": request.pop("widths")}
    found: dict[str, Any] = kinds()[verb].run({**request, "data": {"source": str(path), **reading}}, lambda _: None)
    return found


def test_diagnose(visits: Path, line: Command) -> None:
    words = ("--quasi", "sex,town", "--k", "2", "--suppress", "find", "--person", "name", "--rows")
    said = json.loads(line("diagnose", visits, *words, "--json").out)
    answer = incrowd.diagnose(visits, person=["name"]).ask(quasi=["sex", "town"], k=2, suppress="find")
    run = run_of("diagnose", visits, quasi=["sex", "town"], k=2, suppress="find", person=["name"], rows=True)
    assert said["answer"] == answer.answer == run["answer"]
    assert answer.answer == {"suppress": 0.3, "suppressed": 3, "people": 1, "remaining": 7}
    assert said["people"] == run["people"] == 6
    assert said["suppressed_rows"] == answer.suppressed_rows == run["suppressed_rows"] == [0, 1, 2]
    told = line("diagnose", visits, *words[:-1]).out
    assert told.startswith("3 records (30.0%) of 1 person must be suppressed for k = 2 with {sex, town}; 7 remain.")


def test_the_first_look(visits: Path, line: Command) -> None:
    told = line("diagnose", visits, "--person", "name").out
    assert "10 records of 6 people, 3 columns." in told
    assert "unique people" in told
    assert "--person name" in told
    run = run_of("diagnose", visits, person=["name"])
    # All but the one without a name who shares the values of tom.
    assert run["overview"]["unique"] == 5
    assert "record is unique" not in told


def test_explore(visits: Path, line: Command) -> None:
    words = ("--quasi", "sex,town", "--person", "name", "--among", "sex,town,ill")
    said = json.loads(line("explore", visits, *words, "--json").out)
    run = run_of("explore", visits, quasi=["sex", "town"], among=["sex", "town", "ill"], person=["name"])
    python = incrowd.explore(visits, ["sex", "town"], ["sex", "town", "ill"], person=["name"])
    assert {key: said[key] for key in run} == run == python.to_dict()
    assert (run["unit"], run["sets"][0]["k"], run["sets"][0]["unique"]) == ("people", 1, 1)
    assert "unique people" in line("explore", visits, *words).out


def test_risk(visits: Path, line: Command) -> None:
    said = json.loads(line("risk", visits, "--quasi", "sex,town", "--person", "name", "--json").out)
    run = run_of("risk", visits, quasi=["sex", "town"], person=["name"])
    python = incrowd.risk(visits, ["sex", "town"], person=["name"])
    plain = python.to_dict()
    assert {key: said[key] for key in plain} == plain == {key: run[key] for key in plain}
    assert (python.people, python.uniques.sample) == (6, 1)
    assert str(python) == run["text"]


@pytest.mark.parametrize("knows", ["2", "history"])
def test_risk_if_several_records_are_known(visits: Path, line: Command, knows: str) -> None:
    words = ("--quasi", "sex,town", "--person", "name", "--knows", knows)
    said = json.loads(line("risk", visits, *words, "--json").out)
    run = run_of("risk", visits, quasi=["sex", "town"], person=["name"], knows=knows)
    python = incrowd.risk(visits, ["sex", "town"], person=["name"], knows=knows)
    plain = python.to_dict()
    assert {key: said[key] for key in plain} == plain == {key: run[key] for key in plain}
    assert python.knows_several
    assert str(python) == run["text"]
    refused = line("risk", visits, "--quasi", "sex,town", "--knows", knows)
    assert (refused.code, "no column tells the person" in refused.error) == (2, True)
    for option in (("--rows",), ("--max-size", "1"), ("--sensitive", "ill")):
        refused = line("risk", visits, *words, *option)
        assert refused.code == 2
        assert f"{option[0][2:].replace('-', '_')}), or choose record" in refused.error
    for wrong in ({"rows": True}, {"max_size": 1}, {"sensitive": ["ill"]}):
        with pytest.raises(UsageError, match=rf"\({next(iter(wrong))}\), or choose record"):
            run_of("risk", visits, quasi=["sex", "town"], person=["name"], knows=knows, **wrong)


def test_table(visits: Path, line: Command) -> None:
    words = ("--by", "sex,town", "--person", "name", "--rule", "threshold:n=2", "--details", "--seed", "1")
    said = json.loads(line("table", visits, *words, "--json").out)
    python = incrowd.table(visits, ["sex", "town"], rules=["threshold:n=2"], person=["name"], seed=1)
    request = kinds()["table"].REQUEST(
        file="x", by=["sex", "town"], rules=["threshold:n=2"], person=["name"], details=True, seed=1
    )
    run = kinds()["table"]._asked(request.model_dump())
    from incrowd.tables import publish

    made = publish(incrowd.read(visits), run, Watch())
    assert said["cells"] == python.to_dict()["cells"] == made.to_dict()["cells"]
    assert said["private"]["people"] == python.private["people"] == made.private["people"] == 6
    assert "contributors are people (name): 6 people" in line("table", visits, *words).out


@pytest.mark.parametrize(("attack", "exposed"), [("linkage", 1), ("linkage:knows=2", 2), ("linkage:knows=history", 4)])
def test_attack(visits: Path, line: Command, tmp_path: Path, attack: str, exposed: int) -> None:
    release = tmp_path / "release.csv"
    release.write_text("".join(f"{row.rpartition(',')[0]}\n" for row in TABLE.splitlines()))
    words = ("-q", "sex", "-q", "town", "-s", "ill", "--with", visits, "--person", "name", "--only", attack)
    said = json.loads(line("attack", release, *words, "--json").out)
    columns = {"sex": "quasi", "town": "quasi", "ill": "sensitive"}
    python = incrowd.attack(release, columns, [attack], outside=visits, person=["name"])
    plain = kinds()["attack"].REQUEST(release="x", columns=columns, attacks=[attack], outside="y", person=["name"])
    where = {"table": None, "query": None}
    request = plain.model_dump(exclude_none=True) | {
        "release": {"source": str(release), **where},
        "outside": {"source": str(visits), **where},
        "tables_of_shares": [],
    }
    run = kinds()["attack"].run(request, lambda _: None)
    numbers = [(each["exposures"][0]["records"], each["exposures"][0]["among"]) for each in (said, run)]
    assert numbers == [(python.exposures[0].records, python.exposures[0].among)] * 2 == [(exposed, 6)] * 2


def test_report(visits: Path, line: Command) -> None:
    said = line("report", visits, "--person", "name").out
    made = incrowd.report(incrowd.diagnose(visits, person=["name"])).to_markdown()
    assert "10 records of 6 people" in made
    assert "Columns that single out people" in made
    assert "people made unique" in made
    assert said == made


def test_the_report_of_records_says_nothing_of_people(visits: Path) -> None:
    made = incrowd.report(incrowd.diagnose(visits))
    assert "of 6 people" not in made.to_markdown()
    assert "people" not in made.facts.to_dict()


def test_what_is_no_column_is_refused(visits: Path, line: Command) -> None:
    for words in (("diagnose",), ("risk", "--quasi", "sex"), ("table", "--by", "sex"), ("explore", "--quasi", "sex")):
        found = line(words[0], visits, *words[1:], "--person", "nobody")
        assert found.code == 2
        assert "no column 'nobody'" in found.error

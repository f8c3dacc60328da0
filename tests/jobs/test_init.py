"""incrowd init: a first job from the data, asked for on a terminal and nowhere else."""

import os
import pty
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import incrowd
from incrowd.cli.init import init
from incrowd.core.schema import Role
from incrowd.errors import Interrupted, UsageError
from incrowd.jobs import Job

app = typer.Typer()
app.command()(init)

PROGRAM = """
import sys, typer
from incrowd.cli.init import init
from incrowd.errors import IncrowdError
app = typer.Typer()
app.command()(init)
try:
    app(sys.argv[1:], standalone_mode=False)
except IncrowdError as error:
    sys.exit(f"{error}")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A present folder with a table in it."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(1)
    rows = [
        f"Ann {at},{chance.randint(18, 90)},{chance.choice('fm')},{chance.choice(['flu', 'cancer'])}"
        for at in range(100)
    ]
    Path("people.csv").write_text("\n".join(["name,age,sex,disease", *rows]) + "\n")
    return tmp_path


def run(*arguments: str) -> str:
    """What the command prints; a test has no terminal."""
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def on_terminal(answers: str, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and what the terminal showed, when somebody types the answers."""
    ours, theirs = pty.openpty()
    os.write(ours, answers.encode())
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                # Linux tells so that nobody holds the other end any more.
                break
            shown += part
        assert process.stdout is not None
        written = process.stdout.read()
    os.close(ours)
    return process.returncode, written, shown.decode()


@pytest.mark.parametrize("arguments", [[], ["--yes"]])
def test_what_is_suggested(arguments: list[str]) -> None:
    shown = run("people.csv", *arguments)
    assert Job.from_file("job.yaml").to_dict() == {
        "data": "people.csv",
        "output": "people-release.csv",
        "columns": {
            "name": {"role": "identifier"},
            "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20], "top": 90}}},
            "sex": {"role": "quasi"},
            "disease": {"role": "sensitive"},
        },
        "models": [{"k_anonymity": {"k": 5}}, {"distinct_l": {"l": 2, "column": "disease"}}],
        "suppress": 0.01,
    }
    assert "Wrote job.yaml: 1 identifier, 2 quasi, 1 sensitive." in shown
    assert "  incrowd anonymize job.yaml\n" in shown


def test_every_column_of_three_values_has_a_level_and_says_why() -> None:
    """What is proposed is in the job, where it can be changed, and the job builds it."""
    towns, answers = ["Graz", "Linz", "Wels", "Enns"], ["low", "medium", "high"]
    rows = [f"{towns[at % 4]},{answers[at % 3]},{'fm'[at % 2]},{at % 5}" for at in range(60)]
    Path("many.csv").write_text("\n".join(["town,education,sex,children", *rows, ""]))
    run("many.csv")
    text = Path("job.yaml").read_text()
    columns = Job.from_file("job.yaml").to_dict()["columns"]
    quasi = {name: of for name, of in columns.items() if of["role"] == "quasi"}
    assert {"town", "education", "sex", "children"} == set(quasi)
    assert [name for name, of in quasi.items() if "hierarchy" not in of] == ["sex"]
    assert "# hierarchy: two values: between them and the top there is nothing" in text
    assert "# hierarchy: values that resemble each other in the other columns are together" in text
    made = incrowd.anonymize(job="job.yaml")
    assert all(height == 1 if name == "sex" else height > 1 for name, height in made.to_dict()["heights"].items())


def test_what_may_stand_for_missing_is_pointed_out() -> None:
    Path("gaps.csv").write_text("age,sex\n34,?\n35,f\n34,m\n")
    assert run("gaps.csv").startswith("Noticed:\n  sex: '?' is read as missing; set by missing.\n")
    assert "sex: {role: quasi, missing: ['?']}" in Path("job.yaml").read_text()
    assert "Noticed" not in run("gaps.csv", "--missing", "?", "--replace")


def test_the_file_explains_itself() -> None:
    run("people.csv")
    lines = Path("job.yaml").read_text().splitlines()
    assert lines[0] == "# A first job. Correct it, then run: incrowd anonymize job.yaml"
    assert "  # text, 2 different values; suggested quasi: its name suggests sex or gender" in lines
    assert any("disease" in line and ("distinct_l" in line or "No model" in line) for line in lines)
    assert "Ann" not in "".join(lines)
    assert "flu" not in "".join(lines)


def test_nothing_is_replaced_unasked() -> None:
    Path("job.yaml").write_text("mine")
    with pytest.raises(UsageError, match="it already exists"):
        run("people.csv")
    assert Path("job.yaml").read_text() == "mine"
    run("people.csv", "--replace")
    assert Job.from_file("job.yaml")
    assert sorted(os.listdir()) == ["job.yaml", "people.csv"]


def test_paths_are_seen_from_the_job(folder: Path) -> None:
    Path("jobs").mkdir()
    shown = run("people.csv", str(folder / "people.csv"), "-o", "jobs/my job.yml")
    job = Job.from_file("jobs/my job.yml")
    assert job.data is not None
    assert job.data.source == ("../people.csv", str(folder / "people.csv"))
    assert Path(job.located(job.data.source[0])).exists()
    assert "  incrowd anonymize 'jobs/my job.yml'\n" in shown
    assert "jobs/people-release.csv" in shown


def test_how_the_data_are_read_is_kept() -> None:
    Path("odd.txt").write_text("age;sex\n?;f\n20;m\n30;m\n", encoding="latin-1")
    run("odd.txt", "--missing", "?", "--delimiter", ";", "--encoding", "latin-1")
    assert Job.from_file("job.yaml").to_dict()["data"] == {
        "source": "odd.txt",
        "missing": ["?"],
        "delimiter": ";",
        "encoding": "latin-1",
    }


# Ibis 12 asks pandas 3 for an option that pandas will drop (ibis/formats/pandas.py).
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
def test_a_database() -> None:
    connection = sqlite3.connect("people.db")
    connection.execute("create table people (age integer, sex text)")
    connection.executemany("insert into people values (?, ?)", [(at, "fm"[at % 2]) for at in range(20, 60)])
    connection.commit()
    connection.close()
    Path("jobs").mkdir()
    shown = run("sqlite:///people.db", "--table", "people", "-o", "jobs/job.yaml")
    job = Job.from_file("jobs/job.yaml")
    assert job.data is not None
    assert job.data.to_dict() == {"source": "sqlite:///../people.db", "table": "people"}
    assert job.located(job.data.source[0]) == "sqlite:///jobs/../people.db"
    assert job.output is not None
    assert job.output.to == "people-release.csv"
    assert "password" not in shown


def test_no_password_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.api import read

    monkeypatch.setattr("incrowd.api.read", lambda *_, **__: read("people.csv"))
    shown = run("postgresql://me:hidden@host/base?sslpassword=hidden", "--table", "people")
    text = Path("job.yaml").read_text()
    assert "postgresql://me@host/base" in text
    assert "hidden" not in text + shown
    assert "The job names the database without password and parameters" in shown


def test_no_quasi_column() -> None:
    Path("names.csv").write_text("name\nAnn\nBob\n")
    with pytest.raises(UsageError, match="no column is a quasi-identifier"):
        run("names.csv")
    assert not Path("job.yaml").exists()


def test_other_endings_are_refused() -> None:
    with pytest.raises(UsageError, match=r"the extension of the job file is '\.json'"):
        run("people.csv", "-o", "job.json")


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from incrowd.api import inspect

    found = replace(inspect("people.csv"), stopped="interrupted")
    monkeypatch.setattr("incrowd.api.inspect", lambda *_, **__: found)
    with pytest.raises(Interrupted):
        run("people.csv")
    assert not Path("job.yaml").exists()


def test_asking_on_a_terminal() -> None:
    """An empty answer takes the suggestion, the beginning of a word is enough, and nonsense is asked again."""
    code, written, shown = on_terminal("\nnonsense\nKEEP\n\nd\nzero\n0\n3\n", "people.csv")
    assert code == 0, shown
    job = Job.from_file("job.yaml")
    roles = {name: column.role for name, column in job.columns.items()}
    assert roles == {"name": Role.IDENTIFIER, "age": Role.KEEP, "sex": Role.QUASI, "disease": Role.DROP}
    assert job.to_dict()["models"] == [{"k_anonymity": {"k": 3}}]
    assert shown.count("role (identifier, person, quasi, sensitive, keep, drop) [quasi]: ") == 3
    assert shown.count("k, the smallest class size [5]: ") == 3
    assert "age: integer, " in shown
    assert written.startswith("Wrote job.yaml: ")


@pytest.mark.parametrize(("answer", "read"), [("1", ("day_first",)), ("2", ("month_first",)), ("", ())])
def test_dates_in_mixed_formats_are_asked_about_once_with_their_readings(answer: str, read: tuple[str, ...]) -> None:
    days = ["03/04/2021", "2021-05-06", "7.8.2021", "9/10/2021"]
    rows = [f"{days[at % 4]},{20 + at}" for at in range(40)]
    Path("visits.csv").write_text("\n".join(["seen,age", *rows, ""]), encoding="utf-8")
    # Which role comes first is not this test's; the question about the dates comes before all of them.
    code, _, shown = on_terminal(f"{answer}\n\n\n\n", "visits.csv")
    assert code == 0, shown
    assert shown.count("seen: its dates may have the day first or the month first; they are read as text.") == 1
    assert shown.count("1: Day first: 03/04/2021 is 3 April") == 1
    assert shown.count("2: Month first: 03/04/2021 is March 4") == 1
    assert shown.count("number, or 0 to leave it [0]: ") == 1
    assert Job.from_file("job.yaml").columns["seen"].normalize == read


def test_yes_asks_nothing_on_a_terminal() -> None:
    # Who asked would find no answer.
    code, _, shown = on_terminal("\x04", "people.csv", "--yes")
    assert (code, shown) == (0, "")
    assert Job.from_file("job.yaml").having(Role.QUASI) == ("age", "sex")


def test_an_end_without_answers_writes_nothing() -> None:
    code, written, shown = on_terminal("\n\x04", "people.csv")
    assert code == 1
    assert "no answer; no job was written" in shown
    assert written == ""
    assert not Path("job.yaml").exists()


def test_spellings_are_pointed_out() -> None:
    rows = [f"{at},{('flu', 'Flu', 'flu ')[at % 3]}" for at in range(30)]
    Path("ill.csv").write_text("\n".join(["town,diagnosis", *rows, ""]))
    told = CliRunner().invoke(app, ["ill.csv", "--yes"]).stdout
    assert "diagnosis: 2 values are other spellings of one" in told
    assert "add to the column: normalize: [blanks, case, unicode]." in told
    assert "diagnosis: 2 of 3 values are other spellings of a value" in str(incrowd.inspect("ill.csv"))

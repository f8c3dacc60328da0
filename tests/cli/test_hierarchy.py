"""incrowd hierarchy"""

import json
import shlex
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
import typer
from typer.testing import CliRunner

from incrowd.api import anonymize, read
from incrowd.cli.hierarchy import hierarchy
from incrowd.errors import HierarchyError, IncrowdError, SourceError, UsageError
from incrowd.hierarchies import build, parse
from incrowd.jobs.command import Options, job_from_options
from incrowd.watch import Watch

app = typer.Typer()
app.command()(hierarchy)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Ages from 17 to 90, two countries and a third one once, some cells missing."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{age};{'UK' if age % 2 else 'Italy'};{age / 8}" for age in range(17, 91)]
    Path("people.csv").write_text("\n".join(["age;country;weight", *rows, "?;Peru;1", ""]), encoding="utf-8")
    return "people.csv"


def run(*arguments: object) -> str:
    """What the command prints."""
    done = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def refused(*arguments: object) -> IncrowdError:
    """The error that a command ends with, in one line."""
    with pytest.raises(IncrowdError) as error:
        CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert "\n" not in str(error.value)
    return error.value


def test_a_proposal(table: str) -> None:
    shown = run(table, "--column", "age", "--missing", "?")
    assert "age: 75 records with 74 different values; 1 missing value, which stays missing up to the top." in shown
    lines = shown.splitlines()
    assert "1      16                      5  0.25               1  15-19, 20-24, 25-29" in shown
    assert "3       6                     20  0.75               1  0-19, 20-39, 40-59" in shown
    assert "Proposed: ages in the intervals that are usually published." in lines
    assert (
        "  incrowd anonymize people.csv --missing '?' -q age=intervals:widths=5/10/20,top=90 -m k_anonymity:k=5 "
        "-o release.csv" in lines
    )
    assert (
        "  incrowd hierarchy people.csv --missing '?' --column age --as intervals:widths=5/10/20,top=90 "
        "-o hierarchy.csv" in lines
    )


def test_the_next_command_builds_the_same(table: str) -> None:
    first = run(table, "--column", "age", "--missing", "?", "--losses", "0,0.1,0.3,0.5,1")
    step = next(line for line in first.splitlines() if line.startswith("  incrowd hierarchy "))
    again = run(*shlex.split(step)[2:])
    assert first.partition("\n\nProposed")[0] == again.partition("\n\nNext steps")[0]
    assert "0.1" in first
    values = [str(age) for age in range(17, 91)]
    assert build(parse("hierarchy.csv"), pa.array(values), "age").height == 4


def test_values_are_shown_on_request_alone(table: str) -> None:
    hidden = run(table, "--column", "country")
    assert not any(country in hidden for country in ("UK", "Italy", "Peru"))
    assert "(shown with --show-values)" in hidden
    assert "-q 'country=countries:levels=[\"region\"]' -m" in hidden
    assert "Italy, Peru, UK" in run(table, "--column", "country", "--show-values")


def test_saving(table: str) -> None:
    shown = run(table, "--column", "age", "--missing", "?", "--as", "intervals:widths=10/20", "-o", "age.csv")
    assert Path("age.csv").read_text(encoding="utf-8").startswith("17;10-19;0-19;*\n18;10-19;0-19;*\n")
    assert "-q age=age.csv " in shown
    assert "hierarchy.csv" not in shown
    losses = run(
        table, "--column", "age", "--missing", "?", "--as", "age.csv", "--losses", "0,0.2,0.5,1", "-o", "b.csv"
    )
    assert "-q age=b.csv --losses age=0/0.2/0.5/1 " in losses
    assert "-q country=levels:path=country " in run(table, "--column", "country", "-o", "country")


@pytest.mark.parametrize(
    "arguments",
    [
        "--column age --missing ? --losses 0,0.1,0.3,0.5,1",
        "--column age --missing ? --as intervals:cuts=[[30,40],[40]],losses=0/0.1/0.5/1",
        "--column country",
        '--column height,"cm"=x --as mask:character=#',
    ],
)
def test_what_is_next_makes_a_job_with_the_same_hierarchy(table: str, arguments: str) -> None:
    text = Path(table).read_text(encoding="utf-8")
    Path(table).write_text(text.replace("weight", '"height,""cm""=x"'), encoding="utf-8")
    shown = run(table, *arguments.split())
    words = shlex.split(next(line for line in shown.splitlines() if line.startswith("  incrowd anonymize ")))
    said = {word: [value] for word, value in pairwise(words) if word.startswith("-")}
    job = job_from_options(
        Options([table], quasi=said["-q"], model=said["-m"], losses=said.get("--losses", ()), output="x")
    )
    ((name, column),) = job.columns.items()
    values = read(table, missing=("?",)).count([name], Watch()).values[0]
    built = build(column.spec(name), values, name)
    levels = json.loads(run(table, *arguments.split(), "--json"))["levels"]
    assert built.losses == tuple(level["loss"] for level in levels)
    assert [len(labels) for labels in built.labels] == [level["labels"] for level in levels]


def test_json(table: str) -> None:
    plain = json.loads(run(table, "--column", "age", "--missing", "?", "--as", "mask", "--json", "-o", "age.csv"))
    assert (plain["column"], plain["records"], plain["missing"], plain["values"]) == ("age", 75, 1, 74)
    assert plain["levels"][1] == {
        "level": 1,
        "labels": 9,
        "in_data": 10,
        "covers": 10,
        "loss": 0.5,
        "smallest_class": 1,
        "examples": ["1*", "2*", "3*"],
    }
    assert plain["levels"][0]["examples"] == []
    assert (plain["hierarchy"], plain["saved"]) == ("age.csv", "age.csv")
    proposed = json.loads(run(table, "--column", "country", "--json"))
    assert (proposed["hierarchy"], proposed["reason"]) == ('countries:levels=["region"]', "its values are countries")
    assert json.loads(run(table, "--column", "country", "--as", "mask", "--json"))["hierarchy"] == "mask"


def test_groups_are_learned_and_saved_as_a_tree(table: str) -> None:
    """North and Hill resemble each other in the weight; a rare value is named by no label."""
    towns = {"North": 1, "Hill": 2, "Coast": 90, "Bay": 91}
    rows = [f"{town};{weight + at % 2}" for town, weight in towns.items() for at in range(8)]
    Path("towns.csv").write_text("\n".join(["town;weight", *rows, "Secret;1", ""]), encoding="utf-8")
    shown = run("towns.csv", "--column", "town")
    assert "Proposed: values that resemble each other in the other columns are together" in shown
    assert "Secret" not in shown
    step, publish = (line for line in shown.splitlines() if line.startswith("  incrowd "))
    assert "-q town=hierarchy.yaml " in publish
    run(*shlex.split(step)[2:])
    saved = Path("hierarchy.yaml").read_text(encoding="utf-8")
    assert "Hill, North" in saved
    again = run("towns.csv", "--column", "town", "--as", "hierarchy.yaml")
    assert shown.partition("\n\nProposed")[0] == again.partition("\n\nNext steps")[0]
    # By hand: a group gets another name, and a value moves to another group.
    Path("hierarchy.yaml").write_text(saved.replace("Hill, North", "the hills"), encoding="utf-8")
    renamed = run("towns.csv", "--column", "town", "--as", "hierarchy.yaml", "--show-values")
    assert "the hills" in renamed
    assert "Hill, North" not in renamed
    Path("towns.yaml").write_text("'*':\n- hills: [North, Hill]\n- sea: [Coast, Bay, Secret]\n", encoding="utf-8")
    assert "sea" in run("towns.csv", "--column", "town", "--as", "towns.yaml")
    job = job_from_options(
        Options(
            files=["towns.csv"],
            quasi=["town=towns.yaml"],
            model=["k_anonymity:k=9"],
            search="optimal",
            output="release.csv",
        )
    )
    assert anonymize(job=job).verdict.holds
    released = Path("release.csv").read_text(encoding="utf-8").splitlines()
    assert sorted(released[1:]) == ["hills"] * 16 + ["sea"] * 17
    # A slip of the hand is named by the file.
    Path("towns.yaml").write_text("'*':\n- hills: [North, Hill]\n- sea: [Coast, Hill]\n", encoding="utf-8")
    assert "towns.yaml" in str(refused("towns.csv", "--column", "town", "--as", "towns.yaml"))


def test_a_table_is_checked_against_the_data(table: str) -> None:
    Path("country.csv").write_text("UK;Europe;*\nItaly;Europe;*\n", encoding="utf-8")
    error = refused(table, "--column", "country", "--as", "country.csv")
    assert isinstance(error, HierarchyError)
    assert "the hierarchy of column 'country' lacks 1 of its 3 different values" in str(error)
    assert "Peru" not in str(error)
    named = refused(table, "--column", "country", "--as", "country.csv", "--show-values")
    assert str(named) == f"{error}; the values are 'Peru'"
    with Path("country.csv").open("a", encoding="utf-8") as file:
        file.write("Peru;America;*\n")
    assert "-q country=country.csv " in run(table, "--column", "country", "--as", "country.csv")


def test_only_the_first_values_at_fault_are_named(table: str) -> None:
    Path("age.csv").write_text("?;*\n", encoding="utf-8")
    named = str(refused(table, "--column", "age", "--as", "age.csv", "--show-values"))
    assert named.endswith("the values are '17', '18', '19', '20', '21' and 69 more")


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ("--column aeg", UsageError, "no column 'aeg'"),
        (
            "--column age --as intervals:widths=5/7",
            UsageError,
            "column 'age': intervals: widths: 7 is not a multiple of 5",
        ),
        (
            "--column age --as intervals:widths=5",
            HierarchyError,
            "1 of the 75 different values of column 'age' are not numbers",
        ),
        ("--column age --as maks", UsageError, "it may be atc, automatic, countries, dates"),
        ("--column age --as mask:form=left", UsageError, "no option 'form'"),
        ("--column age --as nowhere.csv", SourceError, "no such file"),
        ("--column age --losses 0,x", UsageError, "--losses: not all of them are numbers"),
        ("--column country --losses 0,1,2,3", HierarchyError, "one per level, 3 in all"),
        ("--column age -o people.csv", UsageError, "the data are read from there"),
        ("--column age -o nowhere/age.csv", SourceError, "there is no such folder"),
        ("--column age --time 0", IncrowdError, "there is no result yet"),
    ],
)
def test_misuse(table: str, arguments: str, kind: type[IncrowdError], words: str) -> None:
    before = Path(table).read_bytes()
    error = refused(table, *arguments.split())
    assert isinstance(error, kind)
    assert words in str(error)
    assert Path(table).read_bytes() == before


def test_a_column_without_values(table: str) -> None:
    Path("empty.csv").write_text("a,b\n,1\n,2\n", encoding="utf-8")
    shown = run("empty.csv", "--column", "a")
    assert "a: 2 records with 0 different values; 2 missing values, which stay missing" in shown

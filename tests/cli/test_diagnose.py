"""incrowd diagnose: every question by options, what is printed, exit codes, and misuse in one line."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import incrowd
from incrowd.api import diagnose
from incrowd.cli import main
from incrowd.cli.diagnose import diagnose as command
from worked_example import CSV


class Ended(NamedTuple):
    """A command that has run."""

    code: int
    out: str
    error: str


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `incrowd` with some words in this process."""

    def ended(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["incrowd", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        return Ended(int(left.value.code or 0), *capsys.readouterr())

    return ended


@pytest.fixture
def figure(tmp_path: Path) -> Path:
    path = tmp_path / "figure.csv"
    path.write_text(CSV)
    return path


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def assert_misuse(ended: Ended, *words: str) -> None:
    """One line on standard error, and with --json one document that says the same."""
    assert ended.code == 2
    assert not ended.out or json.loads(ended.out).keys() == {"version", "error", "exit_code"}
    assert ended.error.startswith("incrowd: ")
    assert ended.error.endswith("\n")
    assert ended.error.count("\n") == 1
    assert "Traceback" not in ended.error
    for word in words:
        assert word in ended.error


# The twelve questions.

BY_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "Q1": ("--quasi W,X --k 3", {"quasi": ["W", "X"], "k": 3}),
    "Q1 at most": ("--quasi W,X --k 3 --at-most", {"quasi": ["W", "X"], "k": 3, "at_most": True}),
    "Q2": ("--quasi V", {"quasi": ["V"]}),
    "Q3": ("-k 3", {"k": 3}),
    "Q3 at most": ("--k 2 --at-most", {"k": 2, "at_most": True}),
    "Q3 small sets": ("--k 3 --max-size 2", {"k": 3, "max_size": 2}),
    "Q4": ("", {}),
    "Q5": ("--quasi V --k 3 --suppress 0.2", {"quasi": ["V"], "k": 3, "suppress": 0.2}),
    "Q6": ("--quasi V --suppress 0.5", {"quasi": ["V"], "suppress": 0.5}),
    "Q7": ("--k 2 --suppress 0.2", {"k": 2, "suppress": 0.2}),
    "Q7 at most": ("--k 2 --suppress 0.2 --at-most", {"k": 2, "suppress": 0.2, "at_most": True}),
    "Q8": ("--suppress 0.2", {"suppress": 0.2}),
    "Q9": ("--quasi V --k 3 --suppress find", {"quasi": ["V"], "k": 3, "suppress": "find"}),
    "Q10": ("--k 3 --suppress find", {"k": 3, "suppress": "find"}),
    "Q11": ("--quasi V --suppress find", {"quasi": ["V"], "suppress": "find"}),
    "Q11 up to": ("--quasi V --suppress find --up-to 4", {"quasi": ["V"], "suppress": "find", "up_to": 4}),
    "Q12": ("--suppress find", {"suppress": "find"}),
}


@pytest.mark.parametrize("question", BY_OPTIONS)
def test_json_is_what_python_gives(run: Run, figure: Path, question: str) -> None:
    options, arguments = BY_OPTIONS[question]
    ended = run("diagnose", figure, *options.split(), "--json")
    assert (ended.code, ended.error) == (0, "")
    assert ended.out.count("\n") == 1
    plain = json.loads(ended.out)
    assert plain["question"] == question.split()[0]
    assert plain.pop("version") == incrowd.__version__
    assert plain == diagnose(str(figure)).ask(**arguments).to_dict()


@pytest.mark.parametrize("question", BY_OPTIONS)
def test_text_is_what_python_gives(run: Run, figure: Path, question: str) -> None:
    options, arguments = BY_OPTIONS[question]
    ended = run("diagnose", figure, *options.split())
    assert (ended.code, ended.error) == (0, "")
    if question != "Q4":
        assert ended.out == f"{diagnose(str(figure)).ask(**arguments)}\n"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("--quasi V --k 2", 0),
        ("--quasi V --k 3", 1),
        ("--quasi V --k 2 --at-most", 0),
        ("--quasi V --k 1 --at-most", 1),
        ("--quasi V --k 3 --suppress 0.2", 0),
        ("--quasi V --k 3 --suppress 0.1", 1),
        ("--k 7", 0),
        ("--quasi V --k 8 --suppress find", 0),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_no_is_exit_code_1(run: Run, figure: Path, options: str, code: int, as_json: list[str]) -> None:
    ended = run("diagnose", figure, *options.split(), *as_json)
    assert (ended.code, ended.error) == (code, "")
    assert ended.out


def test_rows(run: Run, figure: Path) -> None:
    words = ["diagnose", figure, "--quasi", "V", "--k", "3", "--suppress", "find", "--rows"]
    assert run(*words).out.endswith("\nRecords to suppress, counted from 0:\n0 1\n")
    assert json.loads(run(*words, "--json").out)["suppressed_rows"] == [0, 1]


def test_a_no_with_rows_is_still_a_no(run: Run, figure: Path) -> None:
    ended = run("diagnose", figure, "--quasi", "V", "--k", "3", "--suppress", "0.1", "--rows")
    assert ended.code == 1
    assert ended.out.startswith("No: ")


def test_time(run: Run, figure: Path) -> None:
    ended = run("diagnose", figure, "--time", "0")
    assert (ended.code, ended.out) == (130, "")
    assert ended.error == f"incrowd: timed out while {figure} was being read; there is no result yet\n"
    assert run("diagnose", figure, "--time", "1000", "--k", "2").code == 0


def test_among(run: Run, figure: Path) -> None:
    plain = json.loads(run("diagnose", figure, "--among", "W,X,Z", "--json").out)
    assert plain["among"] == ["W", "X", "Z"]
    assert len(plain["answer"]) == 7


# Misuse.


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--quasi", "Vx"], ["no column 'Vx'", "'V', 'W', 'X', 'Y', 'Z'", "did you mean 'V'?"]),
        (["--quasi", "V,W,V"], ["named more than once: 'V'"]),
        (["--quasi", "V", "--quasi", "V"], ["named more than once: 'V'"]),
        (["--quasi", ""], ["names no column"]),
        (["--quasi", ","], ["names no column"]),
        (["--quasi", "V\nW"], ["no column"]),
        (["--among", "Vx"], ["no column 'Vx'"]),
        (["--among", "V,V"], ["named more than once"]),
        (["--among", ""], ["names no column"]),
        (["--k", "0"], ["k is 0", "1 or more"]),
        (["--k", "-1"], ["k is -1"]),
        (["--k", "x"], ["--k"]),
        (["--k", "2.5"], ["--k"]),
        (["--k", ""], ["--k"]),
        (["--suppress", "nan"], ["suppress is 'nan'", "as 0.02 or 2%", "'find'"]),
        (["--suppress", "-1"], ["suppress is '-1'"]),
        (["--suppress", "2.0"], ["suppress is '2.0'"]),
        (["--suppress", "x"], ["suppress is 'x'"]),
        (["--suppress", "110%"], ["suppress is '110%'"]),
        (["--suppress", ""], ["suppress is ''"]),
        (["--nulls", "sometimes"], ["nulls is 'sometimes'", "extended, basic, maybe, right_maybe"]),
        (["--nulls", "maybe", "--suppress", "0.1"], ["suppression with nulls=maybe"]),
        (["--nulls", "right_maybe", "--suppress", "find"], ["suppression with nulls=right_maybe"]),
        (["--at-most"], ["at most", "give k"]),
        (["--at-most", "--k", "2", "--suppress", "find"], ["at most with suppress=find"]),
        (["--max-size", "0"], ["max_size is 0"]),
        (["--max-size", "2", "--quasi", "V"], ["max_size with quasi"]),
        (["--up-to", "0", "--suppress", "find"], ["up_to is 0"]),
        (["--time", "-1"], ["--time"]),
        (["--time", "soon"], ["--time"]),
        (["--rows"], ["rows to suppress for Q4"]),
        (["--rows", "--quasi", "V", "--k", "2"], ["rows to suppress for Q1"]),
        (["--delimiter", "ab"], ["delimiter"]),
        (["--encoding", "no-such"], ["no-such"]),
        (["--table", "x"], ["'table'"]),
        (["--nope"], ["--nope"]),
        (["no-such-file.csv"], ["no-such-file.csv: there is no such file"]),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_misuse_is_one_line(run: Run, figure: Path, options: list[str], says: list[str], as_json: list[str]) -> None:
    ended = run("diagnose", figure, *options, *as_json)
    assert_misuse(ended, *says)
    assert bool(ended.out) == bool(as_json)


def test_words_that_name_no_command(run: Run) -> None:
    assert_misuse(run("diagnose"), "FILE")
    assert_misuse(run("diagnosis"), "diagnosis")
    assert_misuse(run("--nope"), "--nope")


def test_what_is_printed_never_holds_a_value(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "broken.csv", "a,b\n1,2\nsecret,x,y\n3,4\n")
    ended = run("diagnose", path)
    assert_misuse(ended, "line 3", "3 cells")
    assert "secret" not in ended.error


def test_an_unforeseen_error_tells_its_kind_alone(run: Run, figure: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the record of secret")

    monkeypatch.setattr("incrowd.api.read", broken)
    ended = run("diagnose", figure)
    assert (ended.code, ended.out) == (4, "")
    assert ended.error.startswith("incrowd: internal error, RuntimeError in incrowd.cli.")
    assert ended.error.count("\n") == 1
    assert "secret" not in ended.error


# Files.


@pytest.fixture
def commas(tmp_path: Path) -> Path:
    """Column names with commas, blanks, quotes and what a shell would touch."""
    return written(tmp_path / "it's $HOME.csv", '"a,b",c d,"e""f",-g\n1,1,1,1\n1,2,2,2\n2,2,3,3\n')


@pytest.mark.parametrize(
    ("quasi", "names"),
    [
        (["a,b"], ["a,b"]),
        (['"a,b",c d'], ["a,b", "c d"]),
        (['"a,b", c d'], ["a,b", "c d"]),
        (["a,b", "c d"], ["a,b", "c d"]),
        (['e"f'], ['e"f']),
        (['"e""f","a,b"'], ['e"f', "a,b"]),
    ],
)
def test_names_with_commas(run: Run, commas: Path, quasi: list[str], names: list[str]) -> None:
    words = [word for given in quasi for word in ("--quasi", given)]
    plain = json.loads(run("diagnose", commas, *words, "--json").out)
    assert plain["quasi"] == names


def test_other_delimiters(run: Run, tmp_path: Path) -> None:
    for delimiter, option in ((";", ";"), ("|", "|"), ("\t", "tab"), ("\t", r"\t"), ("~", "~")):
        path = written(tmp_path / "table.csv", CSV.replace(",", delimiter))
        assert json.loads(run("diagnose", path, "--delimiter", option, "--quasi", "V", "--json").out)["answer"] == 2
        if delimiter != "~":
            assert json.loads(run("diagnose", path, "--quasi", "V", "--json").out)["answer"] == 2


def test_several_files_are_one_table(run: Run, figure: Path, tmp_path: Path) -> None:
    twice = json.loads(run("diagnose", figure, figure, "--json").out)
    once = json.loads(run("diagnose", figure, "--json").out)
    assert twice["records"] == 24
    assert [row["k"] for row in twice["answer"]] == [2 * row["k"] for row in once["answer"]]
    other = written(tmp_path / "other.csv", "V,W\n1,2\n")
    assert_misuse(run("diagnose", figure, other), "other.csv", "'X', 'Y', 'Z'")


def test_texts_that_stand_for_missing(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "missing.csv", "a,b\n?,1\n?,1\nx,1\nNA,1\n,1\n")
    sizes = {
        (): [1, 1, 1, 2],
        ("--missing", "?"): [1, 1, 3],
        ("--missing", "?", "--missing", "NA"): [1, 4],
    }
    for words, expected in sizes.items():
        found = json.loads(run("diagnose", path, "--quasi", "a", "--suppress", "find", *words, "--json").out)
        assert found["answer"][-1]["k"] == max(expected) + 1
        assert found["records"] == 5
    basic = run("diagnose", path, "--quasi", "a", "--missing", "?", "--nulls", "basic", "--json")
    assert json.loads(basic.out)["set_aside"] == 3
    assert json.loads(basic.out)["answer"] == 1


def test_names_and_files_in_other_scripts(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "größe.csv", "größe,名前\né,日\né,日\n")
    assert "k = 2 for {größe, 名前}" in run("diagnose", path, "--quasi", "größe,名前").out
    assert '"größe"' in run("diagnose", path, "--json").out
    assert_misuse(run("diagnose", path, "--quasi", "grösse"), "did you mean 'größe'?")


# The overview.


def test_overview(run: Run, figure: Path) -> None:
    ended = run("diagnose", figure)
    assert (ended.code, ended.error) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == f"{figure}: 12 records, 5 columns."
    assert lines[2] == "Over all 5 columns, k = 1: 6 records (50.0%) are unique."
    threats = [line.split()[:-2] for line in lines if line.endswith(("8.3%", "33.3%"))]
    assert sorted("".join(words).replace(",", "") for words in threats) == ["VW", "VX", "VY", "VZ", "WXY", "XYZ"]
    safe = lines[lines.index("Largest sets of columns in which no record is unique:") + 4 :][:4]
    assert sorted(line.split()[-1] + "".join(line.split()[:-1]) for line in safe) == ["2V", "2X,Y", "3W,X,Z", "3W,Y,Z"]


@pytest.mark.parametrize(
    ("text", "begins", "never"),
    [
        ("a,b\n", "table.csv: 0 records, 2 columns. Without records, k is 0.", ["Next steps", "nan"]),
        ("a\nx\nx\ny\n", "table.csv: 3 records, 1 column.", ["all 1 columns"]),
        ("a,b\n1,2\n", "table.csv: 1 record, 2 columns.", ["1 records"]),
        ("a\n1\n", "table.csv: 1 record, 1 column.", ["1 records", "1 columns"]),
        ("a,b\n1,2\n1,2\n1,2\n", "table.csv: 3 records, 2 columns.", ["single out"]),
    ],
)
def test_overview_of_odd_tables(run: Run, tmp_path: Path, text: str, begins: str, never: list[str]) -> None:
    path = written(tmp_path / "table.csv", text)
    ended = run("diagnose", path)
    assert (ended.code, ended.error) == (0, "")
    assert ended.out.startswith(f"{tmp_path}/{begins}")
    for words in never:
        assert words not in ended.out


def test_overview_of_records_that_are_all_equal(run: Run, tmp_path: Path) -> None:
    out = run("diagnose", written(tmp_path / "table.csv", "a,b\n1,2\n1,2\n1,2\n")).out
    assert "Over all 2 columns, k = 3: no record is unique." in out
    assert "\na, b     3\n" in out


def test_overview_of_one_record(run: Run, tmp_path: Path) -> None:
    out = run("diagnose", written(tmp_path / "table.csv", "a,b\n1,2\n")).out
    assert "Over all 2 columns, k = 1: 1 record (100.0%) is unique." in out


@pytest.mark.parametrize("nulls", ["basic", "maybe", "right_maybe"])
def test_overview_with_missing_cells(run: Run, tmp_path: Path, nulls: str) -> None:
    path = written(tmp_path / "table.csv", "a,b,c\n1,,x\n1,,x\n2,2,x\n2,2,x\n2,1,\n")
    ended = run("diagnose", path, "--nulls", nulls)
    assert (ended.code, ended.error) == (0, "")
    plain = json.loads(run("diagnose", path, "--nulls", nulls, "--json").out)
    assert f"Over all 3 columns, k = {plain['answer'][-1]['k']}: " in ended.out


def test_overview_says_what_limits_it(run: Run, figure: Path) -> None:
    assert "Only sets of up to 1 column were counted." in run("diagnose", figure, "--max-size", "1").out
    assert "wildcards" in run("diagnose", figure, "--nulls", "maybe").out


def test_a_set_that_a_larger_safe_one_holds_is_not_listed(run: Run, tmp_path: Path) -> None:
    """Basic matching: {a} is safe, {a, b} and {a, c} are not, {a, b, c} is: the lonely records miss a cell of it."""
    path = written(tmp_path / "table.csv", "a,b,c\n1,1,1\n1,1,1\n1,2,\n1,,2\n")
    out = run("diagnose", path, "--nulls", "basic").out
    safe = out.partition("in which no record is unique:\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    assert safe == ["a, b, c  2"]


def commands_in(out: str) -> list[list[str]]:
    """What the overview proposes to run next."""
    return [shlex.split(line) for line in out.splitlines() if line.startswith("  incrowd ")]


def test_what_is_proposed_next_can_be_run(run: Run, figure: Path, commas: Path, tmp_path: Path) -> None:
    semicolons = written(tmp_path / "semicolons.txt", "a;b\n?;1\nx;2\n")
    for words in ([figure], [commas], [figure, figure], [semicolons, "--delimiter", ";", "--missing", "?"]):
        proposed = commands_in(run("diagnose", *words).out)
        assert len(proposed) == 4
        for _, *further in proposed:
            ended = run(*further)
            assert (ended.code, ended.error) == (0, "")


# Help.


def options_of(function: Callable[..., None]) -> list[str]:
    names = [name for name in signature(function).parameters if name != "files"]
    return ["--json" if name == "as_json" else "--" + name.replace("_", "-") for name in names]


def test_help_names_every_option(run: Run) -> None:
    ended = run("diagnose", "--help")
    assert (ended.code, ended.error) == (0, "")
    for option in options_of(command):
        assert f"{option} " in ended.out
    assert "FILE" in ended.out
    for word in ("extended", "basic", "maybe", "right_maybe", "find", "50"):
        assert word in ended.out


def test_help_names_every_command(run: Run) -> None:
    for words in (["--help"], []):
        ended = run(*words)
        assert (ended.code, ended.error) == (0, "")
        for word in ("inspect", "diagnose", "risk", "--version"):
            assert word in ended.out


# As a program of its own: each start costs a second, so only what needs one.


def program(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "incrowd", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, **more)


def test_a_program_that_says_no(figure: Path) -> None:
    ended = program("diagnose", figure, "--quasi", "V", "--k", "3")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout == f"{diagnose(str(figure)).ask(k=3, quasi=['V']).sentence}\n"
    assert ended.stdout.startswith("No: ")


def test_a_program_that_is_misused(figure: Path) -> None:
    ended = program("diagnose", figure, "--k", "x")
    assert_misuse(Ended(ended.returncode, ended.stdout, ended.stderr), "--k")


def test_a_program_whose_output_nobody_reads(figure: Path) -> None:
    command = [sys.executable, "-m", "incrowd", "diagnose", str(figure)]
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, "")


def test_a_program_on_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv", "größe\n1\n1\n")
    ended = program("diagnose", path, "--k", "2", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ended.returncode == 0
    assert ended.stderr == ""

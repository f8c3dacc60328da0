"""What every command has: -h, --quiet, errors as JSON, `-` for standard input and output, exit codes, one warning."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import incrowd
from cli.command import Command
from incrowd.cli.app import app

ROOT = Path(__file__).parents[2]
HOSPITAL = ROOT / "examples" / "hospital.csv"
COMMANDS = list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
MASK = ["-q", "sex", "-q", "postcode=mask", "-s", "diagnosis", "-m", "k_anonymity:k=5", "--uniform"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put data on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


# Help, version, completion.


@pytest.mark.parametrize("command", COMMANDS)
def test_short_help(run: Command, command: str) -> None:
    done = run(command, "-h")
    assert (done.code, done.error) == (0, "")
    assert done.out == run(command, "--help").out
    assert "--quiet" in done.out
    assert "--threads" in done.out


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(run: Command, option: str) -> None:
    assert run(option) == (0, f"incrowd {incrowd.__version__}\n", "")


def test_completion() -> None:
    asked = {"_INCROWD_COMPLETE": "complete_bash", "COMP_WORDS": "incrowd ver", "COMP_CWORD": "1"}
    words = [sys.executable, "-c", "from incrowd.cli import main; main()"]
    done = subprocess.run(words, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["verify"]


# --quiet


def test_quiet_prints_nothing(run: Command, folder: Path) -> None:
    assert run("diagnose", HOSPITAL, "--quasi", "sex", "--quiet") == (0, "", "")
    assert run("anonymize", HOSPITAL, *MASK, "-o", "out.csv", "--quiet") == (0, "", "")
    assert run("verify", "out.csv", "--quiet") == (0, "", "")
    Path("out.csv").write_text("sex,postcode,diagnosis\n", encoding="utf-8")
    assert run("verify", "out.csv", "--quiet") == (1, "", "")


def test_quiet_keeps_json_and_errors(run: Command) -> None:
    plain = run("diagnose", HOSPITAL, "--quasi", "sex", "--quiet", "--json")
    assert json.loads(plain.out)["question"] == "Q2"
    done = run("diagnose", "nowhere.csv", "--quiet")
    assert done == (2, "", "incrowd: nowhere.csv: there is no such file; check the path\n")


# JSON


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (["diagnose", "nowhere.csv"], "bad_source", 2),
        (["diagnose", HOSPITAL, "--nonsense"], "bad_request", 2),
        (["diagnose", HOSPITAL, "--quasi", "nothing"], "bad_request", 2),
        (["anonymize", HOSPITAL, "-q", "sex", "-m", "k_anonymity:k=0", "-o", "x.csv"], "bad_job", 2),
        (["anonymize", HOSPITAL, "-q", "sex", "-m", "k_anonymity:k=9999", "-o", "x.csv"], "infeasible", 3),
    ],
)
def test_errors_as_json(run: Command, folder: Path, words: list[str], code: str, exit_code: int) -> None:
    done = run(*words, "--json")
    plain = json.loads(done.out)
    assert (done.code, plain["exit_code"], plain["error"]["code"]) == (exit_code, exit_code, code)
    assert plain["version"] == incrowd.__version__
    assert set(plain["error"]) == {"code", "message", "hint"}
    assert done.error.startswith("incrowd: ")
    assert plain["error"]["message"].splitlines()[0] in done.error
    assert run(*words) == (exit_code, "", done.error)


def test_an_internal_error_as_json_quotes_nothing(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*of: object, **more: object) -> None:
        raise RuntimeError("Jane Doe")

    monkeypatch.setattr("incrowd.api.diagnose", broken)
    done = run("diagnose", HOSPITAL, "--json")
    assert (done.code, json.loads(done.out)["error"]["code"]) == (4, "internal")
    assert "Jane" not in done.out + done.error


WITH_JSON = [
    ["inspect", HOSPITAL],
    ["diagnose", HOSPITAL],
    ["risk", HOSPITAL, "--quasi", "sex"],
    ["hierarchy", HOSPITAL, "--column", "postcode"],
    ["anonymize", HOSPITAL, *MASK, "-o", "out.csv"],
    ["verify", "release.csv"],
    ["apply", "release.csv.record.json", HOSPITAL, "-o", "again.csv"],
    ["attack", "release.csv"],
    ["measure", HOSPITAL, "release.csv"],
    ["report", "release.csv"],
    ["table", HOSPITAL, "--by", "sex"],
    ["frontier", "job.yaml", "-k", "5", "--search", "optimal"],
    ["neighbors", "job.yaml", "--level", "sex=0", "--level", "postcode=0"],
    ["lattice", "job.yaml"],
    ["costs", "job.yaml"],
    ["records", "release.csv"],
    ["head", HOSPITAL],
    ["explore", HOSPITAL, "--quasi", "sex"],
]


@pytest.mark.parametrize("words", WITH_JSON, ids=lambda words: words[0])
def test_every_json_has_the_version(run: Command, folder: Path, words: list[str]) -> None:
    if words[0] in ("verify", "apply", "attack", "measure", "report", "records"):
        assert run("anonymize", HOSPITAL, *MASK, "-o", "release.csv").code == 0
    if words[0] in ("costs", "frontier", "lattice", "neighbors"):
        Path("job.yaml").write_text(run("anonymize", HOSPITAL, *MASK, "--show", "yaml").out, encoding="utf-8")
    done = run(*words, "--json")
    assert next(iter(json.loads(done.out).items())) == ("version", incrowd.__version__)


def test_every_command_with_json_is_tried(run: Command) -> None:
    with_json = {command for command in COMMANDS if "--json" in run(command, "-h").out}
    assert with_json == {words[0] for words in WITH_JSON}


# - for standard input and output


def test_a_table_on_standard_input(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from_file = run("diagnose", HOSPITAL, "--quasi", "sex,postcode")
    piped(monkeypatch, HOSPITAL.read_bytes())
    assert run("diagnose", "-", "--quasi", "sex,postcode") == from_file
    piped(monkeypatch, HOSPITAL.read_bytes())
    told = run("inspect", "-").out
    assert told.startswith("standard input: ")
    assert "incrowd diagnose - " in told
    assert list((folder / "tmp").iterdir()) == []


def test_nothing_on_standard_input(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, b"")
    done = run("diagnose", "-")
    assert (done.code, done.out) == (2, "")
    assert "it is empty" in done.error
    assert list((folder / "tmp").iterdir()) == []


def test_a_release_on_standard_output(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("anonymize", HOSPITAL, *MASK, "-o", "release.csv").code == 0
    piped(monkeypatch, HOSPITAL.read_bytes())
    done = run("anonymize", "-", *MASK, "-o", "-")
    assert done.code == 0
    assert done.out == Path("release.csv").read_text(encoding="utf-8")
    assert done.error == (
        "incrowd: verified before printing; with -o - no manifest is kept, and no private record unless --record "
        "names a file\n"
    )
    piped(monkeypatch, HOSPITAL.read_bytes())
    applied = run("apply", "release.csv.record.json", "-", "-o", "-", "--quiet")
    assert applied == (0, done.out, "")
    assert list((folder / "tmp").iterdir()) == []
    piped(monkeypatch, done.out.encode())
    assert run("verify", "-", "--manifest", "release.csv.manifest.json").code == 0
    assert "name it (--manifest FILE)" in run("verify", "-").error


def test_nothing_on_standard_output_without_a_release(run: Command, folder: Path) -> None:
    words = [word.replace("k=5", "k=9999") for word in MASK]
    done = run("anonymize", HOSPITAL, *words, "-o", "-")
    assert (done.code, done.out) == (3, "")
    both = run("anonymize", HOSPITAL, *MASK, "-o", "-", "--json")
    assert (both.code, json.loads(both.out)["error"]["message"]) == (
        2,
        "--json and -o -: both would go to standard output",
    )


def test_a_job_on_standard_input_and_output(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("anonymize", HOSPITAL, *MASK, "-o", "release.csv").code == 0
    for form in ("yaml", "json", "xml"):
        piped(monkeypatch, run("anonymize", HOSPITAL, *MASK, "--show", form).out.encode())
        done = run("anonymize", "-", "-o", f"{form}.csv")
        assert (done.code, done.error) == (0, "")
        assert Path(f"{form}.csv").read_bytes() == Path("release.csv").read_bytes()
    job = run("init", HOSPITAL, "--yes", "-o", "-", "--quiet").out
    assert run("init", HOSPITAL, "--yes", "-o", "job.yaml").code == 0
    assert Path("job.yaml").read_text(encoding="utf-8") == job
    piped(monkeypatch, b"\xff\xfe")
    assert "standard input: it is not in UTF-8" in run("anonymize", "-").error


@pytest.mark.parametrize(
    "words",
    [
        ["hierarchy", HOSPITAL, "--column", "postcode"],
        ["table", HOSPITAL, "--by", "sex"],
    ],
    ids=lambda words: words[0],
)
def test_other_outputs(run: Command, folder: Path, words: list[str]) -> None:
    assert run(*words, "-o", "out.csv").code == 0
    assert run(*words, "-o", "-") == (0, Path("out.csv").read_text(encoding="utf-8"), "")


def test_a_report_on_standard_output(run: Command, folder: Path) -> None:
    assert run("report", HOSPITAL, "-o", "-") == run("report", HOSPITAL)


# Exit codes


def test_risk_is_a_gate(run: Command) -> None:
    """Of the sexes of the table, the rarest has 15 records: 1/15 is accepted, 1/16 is not."""
    words = ["risk", HOSPITAL, "--quasi", "sex"]
    assert run(*words).code == 0
    assert run(*words, "--threshold", "1/15").code == 0
    done = run(*words, "--threshold", "1/16", "--json")
    assert (done.code, json.loads(done.out)["exceeded"]) == (1, True)
    assert run(*words, "--threshold", "1/16", "--population", "5000000").code == 0
    assert run("risk", HOSPITAL, "--quasi", "sex,postcode").code == 0


# Without a compiler


def test_one_line_says_that_there_is_no_compiled_code(folder: Path) -> None:
    without = "import sys; sys.modules['incrowd.core.kernels.compiled'] = None; from incrowd.cli import main; main()"
    words = [sys.executable, "-c", without, "anonymize", str(HOSPITAL), *MASK, "-o", "out.csv"]
    env = {name: value for name, value in os.environ.items() if name != "INCROWD_KERNELS"}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == (
        "incrowd: Incrowd was installed without a C compiler and runs on NumPy alone, many times slower; install one "
        "and install Incrowd again\n"
    )
    quiet = subprocess.run([*words, "--replace", "--quiet"], env=env, capture_output=True, text=True, check=False)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


@pytest.mark.parametrize("said", [None, "4"])
def test_libraries_start_no_threads_for_linear_algebra_unless_asked_to(said: str | None) -> None:
    given = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    program = (
        "import os, sys; sys.argv = ['incrowd', '--version']\nfrom incrowd.cli import main\n"
        "try: main()\nexcept SystemExit: print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    asked = given if said is None else {**given, "OPENBLAS_NUM_THREADS": said}
    done = subprocess.run([sys.executable, "-c", program], env=asked, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == (said or "1")

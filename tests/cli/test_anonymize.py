"""incrowd anonymize"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.hospital import PATIENTS, hospital_job, in_folder, tight_job
from anonymization.runs import beside, contents, files, mode, read_csv, write_csv
from cli.command import Command
from incrowd.jobs import Job

AGES = "".join(f"{age};{age // 10 * 10}s;*\n" for age in range(20, 60))
ISSUED = [
    *("patients.csv", "-q", "age=age.csv", "-q", "sex", "-q", "zip=mask", "-s", "disease"),
    *("-m", "k_anonymity:k=5", "-m", "distinct_l:l=3,column=disease", "--suppress", "0.02"),
    *("--search", "optimal", "--metric", "loss", "-o", "out.csv", "--json"),
]
"""Everything on the line."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: there are the patients and a hierarchy."""
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    (tmp_path / "age.csv").write_text(AGES)
    return tmp_path


GIVEN = {"patients.csv", "age.csv"}


def test_everything_on_the_line(run: Command, folder: Path) -> None:
    done = run("anonymize", *ISSUED)
    assert (done.code, done.error) == (0, "")
    plain = json.loads(done.out)
    assert list(plain) == [
        "version",
        *(
            "summary",
            "grid",
            "search",
            "metric",
            "guarantee",
            "optimal",
            "gap",
            "stopped",
            "levels",
            "forms",
            "losses",
            "heights",
        ),
        *("input_records", "records"),
        *("suppressed", "suppress_limit", "set_aside", "classes", "smallest", "scores", "counted", "lattice"),
        *("wildcards", "seconds", "output", "manifest", "record", "mapping", "sensitive", "not_published"),
        *("verdict", "models", "cautions", "warnings", "notes", "columns", "determined", "details"),
    ]
    assert (plain["search"], plain["guarantee"], plain["optimal"], plain["gap"]) == ("optimal", "optimal", True, 0.0)
    assert plain["lattice"] == 3 * 2 * 5
    assert set(plain["levels"]) == {"age", "sex", "zip"}
    assert plain["heights"] == {"age": 2, "sex": 1, "zip": 4}
    assert (plain["input_records"], plain["suppress_limit"]) == (60, 1)
    assert plain["records"] + plain["suppressed"] == 60
    assert (plain["output"], plain["verdict"]) == ("out.csv", "holds")
    assert plain["not_published"] == ["name", "ward", "visits", "note"]
    assert plain["scores"]["loss"] > 0
    rows = read_csv(folder / "out.csv")
    assert list(rows[0]) == ["age", "zip", "sex", "disease"]
    classes: dict[tuple[str | None, ...], list[str | None]] = {}
    for row in rows:
        classes.setdefault((row["age"], row["sex"], row["zip"]), []).append(row["disease"])
    assert len(classes) == plain["classes"]
    assert min(map(len, classes.values())) == plain["smallest"] >= 5
    assert min(len(set(diseases)) for diseases in classes.values()) >= 3
    assert files(folder) == GIVEN | beside("out.csv")
    assert mode("out.csv.record.json") == 0o600
    assert run("verify", "out.csv", "--record", "out.csv.record.json").code == 0


def test_the_same_in_python_and_from_a_file(run: Command, folder: Path) -> None:
    run("anonymize", *ISSUED)
    described = json.loads(run("anonymize", *ISSUED, "--show", "json").out)
    (folder / "job.json").write_text(json.dumps({**described, "output": "from_file.csv"}))
    assert run("anonymize", "job.json").code == 0
    incrowd.anonymize("patients.csv", {**described, "output": "python.csv"})
    assert (folder / "out.csv").read_bytes() == (folder / "from_file.csv").read_bytes()
    assert (folder / "out.csv").read_bytes() == (folder / "python.csv").read_bytes()


def test_for_people(run: Command) -> None:
    done = run("anonymize", *ISSUED[:-1], "--identifier", "name", "--keep", "ward,visits")
    assert done.code == 0
    assert "; smallest class: " in done.out.partition("\n")[0]
    assert "Not published, because the job does not mention them: note.\n" in done.out
    assert "Not published, as the job says: name.\n" in done.out
    assert "No release of this recoding type within the limits scores better." in done.out
    assert "Written to out.csv, read again and checked: verified.\n" in done.out
    assert "Private record (keep secret: can reverse the release): out.csv.record.json\n" in done.out
    assert "\nNext steps:\n\n  incrowd attack out.csv\n" in done.out
    assert "\n  incrowd report out.csv -o report.html\n" in done.out
    assert "--grid" not in done.out, "there is no job file to name"
    assert done.error == ""


def test_what_to_ask_next_runs(run: Command, folder: Path) -> None:
    described = json.loads(run("anonymize", *ISSUED, "--show", "json").out)
    job = {**described, "output": {"to": "a release.csv", "record": "private.json"}, "suppress": 0}
    job["models"] = [{"k_anonymity": {"k": 60}}]
    (folder / "job.json").write_text(json.dumps(job))
    told = run("anonymize", "job.json").out
    listed = [shlex.split(line) for line in told.splitlines() if line.startswith("  incrowd ")]
    assert [words[1] for words in listed] == ["attack", "report", "frontier"]
    assert [run(*words[1:]).code for words in listed] == [0, 0, 0]
    assert (folder / "report.html").exists()


def test_a_mapping_and_a_record_elsewhere(run: Command, folder: Path) -> None:
    done = run("anonymize", *ISSUED, "--mapping", "map.csv", "--record", "private.json")
    plain = json.loads(done.out)
    assert (plain["mapping"], plain["record"]) == ("map.csv", "private.json")
    assert files(folder) == GIVEN | {"out.csv", "out.csv.manifest.json", "map.csv", "private.json"}
    assert (folder / "map.csv").read_text().startswith("column,value,published\n")


# A job file.


@pytest.fixture
def job_file(folder: Path) -> str:
    """A job in a folder of its own."""
    (folder / "project").mkdir()
    in_folder(folder / "project")
    (folder / "project" / "job.json").write_text(json.dumps(tight_job(data="patients.csv", output="release.csv")))
    return "project/job.json"


def test_a_job_file(run: Command, folder: Path, job_file: str) -> None:
    assert run("anonymize", job_file).code == 0
    assert files(folder / "project") == {"job.json", "patients.csv", *beside("release.csv")}


def test_a_job_file_and_another_place(run: Command, folder: Path, job_file: str) -> None:
    """What the line names begins at the present folder, what the file names at the file's."""
    assert run("anonymize", job_file, "-o", "here.csv").code == 0
    assert files(folder) == GIVEN | {"project"} | beside("here.csv")
    assert files(folder / "project") == {"job.json", "patients.csv"}


def test_a_job_file_and_leave_to_replace(run: Command, folder: Path, job_file: str) -> None:
    (folder / "project" / "release.csv").write_text("old")
    refused = run("anonymize", job_file)
    assert (refused.code, refused.out) == (2, "")
    assert "it already exists" in refused.error
    assert run("anonymize", job_file, "--replace").code == 0
    assert len(read_csv(folder / "project" / "release.csv")) > 50


@pytest.mark.parametrize("time", ["0", "0.0"])
def test_a_job_file_and_less_time(run: Command, job_file: str, time: str) -> None:
    done = run("anonymize", job_file, "--time", time)
    assert (done.code, done.out) == (130, "")
    assert done.error.startswith("incrowd: timed out without finding a release; raise the time limit (time),")


def test_time_on_the_line(run: Command, folder: Path) -> None:
    assert run("anonymize", *ISSUED, "--time", "0").code == 130
    assert files(folder) == GIVEN


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--suppress", "0.1"], "--suppress"),
        (["--keep", "note", "--seed", "1"], "--keep, --seed"),
        (["--output-table", "t"], "--output-table"),
        (["--missing", "?", "-o", "x.csv"], "--missing"),
        (["-s", "disease"], "--sensitive"),
    ],
)
def test_a_job_file_says_all_the_rest(run: Command, job_file: str, more: list[str], named: str) -> None:
    done = run("anonymize", job_file, *more)
    assert (done.code, done.out) == (2, "")
    assert done.error == (
        f"incrowd: a job file with {named}: the job file sets these; change them there; only -o, --replace, "
        "--time, --search, --uniform and --drop may be given with it\n"
    )


def test_the_data_are_not_written_over(run: Command, folder: Path, job_file: str) -> None:
    before = (folder / "project" / "patients.csv").read_bytes()
    for words in ([job_file, "-o", "project/patients.csv"], [job_file, "-o", folder / "project" / "patients.csv"]):
        done = run("anonymize", *words, "--replace")
        assert done.code == 2
        assert "choose another" in done.error
    (folder / "link.csv").symlink_to(folder / "patients.csv")
    done = run("anonymize", *ISSUED[:-2], "link.csv", "--replace")
    assert done.code == 2
    assert "the data are read from there" in done.error
    assert (folder / "project" / "patients.csv").read_bytes() == before


# Shown instead of run.


@pytest.mark.parametrize("form", ["yaml", "json", "xml"])
def test_shown_as_a_file(run: Command, folder: Path, form: str) -> None:
    done = run("anonymize", *ISSUED, "--show", form)
    assert done.code == 0
    assert files(folder) == GIVEN
    (folder / f"job.{form}").write_text(done.out, encoding="utf-8")
    assert Job.from_file(folder / f"job.{form}") == line_job()
    again = run("anonymize", f"job.{form}", "--show", form)
    assert again.out == done.out


def line_job() -> Job:
    """What the line means."""
    return Job.from_dict(
        {
            "data": "patients.csv",
            "output": "out.csv",
            "columns": {
                "age": {"role": "quasi", "hierarchy": "age.csv"},
                "sex": {"role": "quasi", "hierarchy": "proposed"},
                "zip": {"role": "quasi", "hierarchy": "mask"},
                "disease": {"role": "sensitive"},
            },
            "models": [{"k_anonymity": {"k": 5}}, {"distinct_l": {"l": 3, "column": "disease"}}],
            "suppress": 0.02,
            "search": "optimal",
        }
    )


def test_shown_as_a_command(run: Command) -> None:
    command = run("anonymize", *ISSUED, "--show", "command").out
    program, verb, *words = shlex.split(command)
    assert (program, verb) == ("incrowd", "anonymize")
    assert json.loads(run("anonymize", *words, "--show", "json").out) == line_job().to_dict()


def test_shown_as_a_script(run: Command, folder: Path) -> None:
    script = run("anonymize", *ISSUED, "--show", "script").out
    assert files(folder) == GIVEN
    exec(compile(script, "script", "exec"), {})
    assert files(folder) >= GIVEN | beside("out.csv")
    by_script = (folder / "out.csv").read_bytes()
    assert run("anonymize", *ISSUED, "--replace").code == 0
    assert (folder / "out.csv").read_bytes() == by_script


def test_a_job_file_is_shown_as_a_command_of_this_folder(run: Command, job_file: str) -> None:
    words = shlex.split(run("anonymize", job_file, "--show", "command").out)[2:]
    assert run("anonymize", *words).code == 0
    assert Path("project/release.csv").exists()


def test_shown_without_an_output(run: Command) -> None:
    words = [word for word in ISSUED if word not in ("-o", "out.csv", "--json")]
    assert run("anonymize", *words, "--show", "yaml").code == 0
    done = run("anonymize", *words)
    assert done.error == "incrowd: the job: it names no output; name a file (-o FILE)\n"


def test_shown_in_no_such_form(run: Command) -> None:
    done = run("anonymize", *ISSUED, "--show", "prose")
    assert done.code == 2
    assert done.error == "incrowd: --show is 'prose'; it may be yaml, json, xml, command, script\n"


# What cannot be done.


def test_no_release_within_the_limits(run: Command, folder: Path) -> None:
    words = [word.replace("k=5", "k=61") for word in ISSUED]
    done = run("anonymize", *words)
    assert done.code == 3
    plain = json.loads(done.out)
    assert plain["verdict"] == "infeasible"
    assert {"setting": "k of k_anonymity", "value": 60} in plain["relaxations"]
    assert plain["nearest"]["suppressed"] == 60
    assert done.error.startswith(
        "incrowd: no release satisfies the models within the limits (1 record may be suppressed); "
    )
    assert files(folder) == GIVEN
    without_json = run("anonymize", *words[:-1])
    assert (without_json.code, without_json.out) == (3, "")
    assert without_json.error == done.error


def test_what_does_not_verify(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import searching

    (folder / "out.csv").write_text("old")
    before = contents(folder)
    monkeypatch.setattr(searching, "kept_combinations", lambda lattice, _: lattice.combinations.counts > 0)
    tight = [word.replace("k=5", "k=3") for word in ISSUED]
    done = run("anonymize", *tight, "--limit", "age=1", "--replace", "--suppress", "0.3")
    assert (done.code, json.loads(done.out)["error"]["code"]) == (1, "not_verified")
    assert done.error.startswith("incrowd: the release failed verification and was discarded (")
    assert contents(folder) == before


def test_overwriting_is_refused_before_anything_is_read(run: Command, folder: Path) -> None:
    (folder / "out.csv").write_text("old")
    (folder / "patients.csv").unlink()
    done = run("anonymize", *ISSUED)
    assert (done.code, json.loads(done.out)["error"]["code"]) == (2, "bad_request")
    assert (
        done.error
        == "incrowd: writing to out.csv: it already exists; choose another name, or set replace to overwrite it\n"
    )
    assert (folder / "out.csv").read_text() == "old"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["patients.csv", "-o", "x.csv"], "--quasi"),
        (["patients.csv", "-q", "age", "-o", "x.csv"], "--model"),
        (["patients.csv", "-q", "age", "-m", "k_anonymity:k=0", "-o", "x.csv"], "k"),
        (["patients.csv", "-q", "agee", "-m", "k_anonymity:k=2", "-o", "x.csv"], "did you mean 'age'?"),
        (["patients.csv", "-q", "age=nowhere.csv", "-m", "k_anonymity:k=2", "-o", "x.csv"], "nowhere.csv"),
        (["patients.csv", "-q", "age", "-m", "k_anonymity:k=2", "--suppress", "2.5", "-o", "x.csv"], "--suppress"),
        (["nowhere.csv", "-q", "age", "-m", "k_anonymity:k=2", "-o", "x.csv"], "nowhere.csv: there is no such file"),
        (["nowhere.yaml"], "nowhere.yaml: there is no such file"),
        (["patients.csv", "-q", "age", "-m", "k_map:k=2", "-o", "x.csv"], "population"),
        (["patients.csv", "-q", "age", "-m", "k_anonymity:k=2", "-o", "x.csv", "--time", "-1"], "--time"),
    ],
)
def test_misuse(run: Command, folder: Path, words: list[str], told: str) -> None:
    done = run("anonymize", *words)
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith("incrowd: ")
    assert told in done.error
    assert files(folder) == GIVEN


def test_odd_names_missing_texts_and_other_delimiters(run: Command, folder: Path) -> None:
    rows: list[dict[str, Any]] = [{"a, b": "?", 'the "q"': "é", "s": "1"}, {"a, b": "?", 'the "q"': "é", "s": "2"}] * 2
    write_csv(folder / "odd.csv", rows)
    words = ["odd.csv", "-q", '"a, b"', "-q", '"the ""q"""', "-s", "s", "-m", "distinct_l:l=2,column=s"]
    done = run("anonymize", *words, "--missing", "?", "-o", "out.tsv", "--output-delimiter", ";", "--json")
    assert done.code == 0, done.error
    first, *_ = (folder / "out.tsv").read_text("utf-8").splitlines()[1:]
    assert "?" not in first
    assert json.loads(done.out)["levels"] == {"a, b": 0, 'the "q"': 0}


SECRET = "Zaphod-8c1f"


def test_no_refusal_tells_a_cell(run: Command, folder: Path) -> None:
    people = [{**person, "zip": SECRET if at == 7 else person["zip"]} for at, person in enumerate(PATIENTS)]
    people[9] = {**people[9], "disease": SECRET, "sex": SECRET, "age": SECRET}
    in_folder(folder, people)
    (folder / "zips.csv").write_text("1010;*\n")
    base = ["patients.csv", "-s", "disease", "-o", "out.csv"]
    lines = [
        ["-q", "zip=zips.csv", "-m", "k_anonymity:k=2"],
        ["-q", "age=intervals:widths=5", "-m", "k_anonymity:k=2"],
        ["-q", "age=age.csv", "-m", "k_anonymity:k=2"],
        ["-q", "zip", "-q", "sex", "-m", "k_anonymity:k=61"],
        ["-q", "zip", "-q", "sex", "-m", "t_closeness:t=0.1,column=disease,distance=ordered,order=flu/cold"],
        ["-q", "zip", "-q", "sex", "-m", "distinct_l:l=9,column=disease"],
    ]
    for words in lines:
        for more in ([], ["--json"]):
            done = run("anonymize", *base, *words, *more)
            assert done.code in (2, 3), words
            assert SECRET not in done.out + done.error
    assert "out.csv" not in files(folder)


def test_equal_bytes_whatever_the_order_of_hashes(run: Command, folder: Path) -> None:
    assert run("anonymize", *ISSUED).code == 0
    mine = {name: of for name, of in contents(folder).items() if name in ("out.csv", "out.csv.manifest.json")}
    command = [sys.executable, "-m", "incrowd", "anonymize", *ISSUED, "--replace"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "4711"}, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["verdict"] == "holds"
    assert {name: of for name, of in contents(folder).items() if name in mine} == mine


def test_a_population(run: Command, folder: Path) -> None:
    in_folder(folder, [*PATIENTS, *PATIENTS], "people.csv")
    words = ["patients.csv", "-q", "age=age.csv", "-q", "sex", "-m", "k_map:k=4", "--population", "people.csv"]
    done = run("anonymize", *words, "-o", "out.csv", "--json")
    assert done.code == 0
    verify = ["verify", "out.csv", "--record", "out.csv.record.json"]
    assert run(*verify, "--population", "people.csv").code == 0
    assert run(*verify).code == 5


def test_wildcards_warn(run: Command, folder: Path) -> None:
    holes = [{**person, "sex": "" if at % 5 == 0 else person["sex"]} for at, person in enumerate(PATIENTS)]
    in_folder(folder, holes)
    done = run("anonymize", *ISSUED[:5], "-m", "k_anonymity:k=3", "--nulls", "maybe", "-o", "out.csv")
    assert done.code == 0
    assert "Warning: missing values count as wildcards (maybe)." in done.out


def test_a_job_that_is_data_too(run: Command, folder: Path) -> None:
    """A file that ends in .json may be either: what the line says about columns decides."""
    people = [{name: str(cell) for name, cell in person.items()} for person in PATIENTS]
    (folder / "people.json").write_text(json.dumps(people))
    done = run("anonymize", "people.json", "-q", "sex", "-m", "k_anonymity:k=5", "-o", "out.csv")
    assert done.code == 0
    described = hospital_job(data="patients.csv", output="other.csv")
    (folder / "job.json").write_text(json.dumps(described))
    assert run("anonymize", "job.json").code == 0


def test_a_point_of_the_grid_on_which_nothing_is_left(run: Command, folder: Path) -> None:
    """An empty release is one that is told, not an error; a script sees it by the exit code."""
    (folder / "two.csv").write_text("a,b\n1,2\n3,4\n")
    words = ("two.csv", "-q", "a", "-q", "b", "-m", "k_anonymity:k=2", "-o", "none.csv", "--generalize", "none")
    done = run("anonymize", *words, "--suppress", "row")
    assert (done.code, done.error) == (3, "")
    assert done.out.startswith("Nothing is published: every record would be suppressed.")
    checked = run("verify", "none.csv")
    assert (checked.code, checked.error) == (3, "")
    assert checked.out.endswith("\nempty\n")
    assert "Point _TS of the grid: records suppressed." in done.out
    assert (folder / "none.csv").read_text() == "a,b\n"
    refused = run("anonymize", *words)
    assert (refused.code, refused.out) == (2, "")
    assert "--generalize: nothing is generalized or suppressed" in refused.error

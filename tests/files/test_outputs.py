"""No two outputs of a run share a place, none is what the run reads, and nothing is replaced unasked."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.hospital import hospital_job, in_folder
from anonymization.runs import contents, refused
from incrowd.cli import _run as run
from incrowd.errors import UsageError
from incrowd.files.outputs import check_outputs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with the patients and a hierarchy."""
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    (tmp_path / "sex.csv").write_text("m;*\nf;*\n")
    return tmp_path


@pytest.mark.parametrize(
    ("output", "wrong"),
    [
        ({"mapping": "release.csv.record.json"}, "the private record and the mapping would both go there"),
        ({"mapping": "./release.csv"}, "the release and the mapping would both go there"),
        ({"record": "RELEASE.csv"}, "the release and the private record would both go there"),
        ({"record": "release.csv.manifest.json"}, "the manifest and the private record would both go there"),
        ({"mapping": "link.csv", "record": "elsewhere.csv"}, "the private record and the mapping would both go there"),
        ({"mapping": "hard.csv"}, "the data are read from there"),
        ({"mapping": "sex.csv"}, "a hierarchy is read from there"),
        ({"mapping": "job.json"}, "the job is read from there"),
    ],
)
def test_no_two_share_a_place(folder: Path, output: dict[str, str], wrong: str) -> None:
    import json

    os.link("patients.csv", "hard.csv")
    Path("link.csv").symlink_to("elsewhere.csv")
    job = hospital_job(data="patients.csv", output={"to": "release.csv", "replace": True, **output})
    job["columns"] = {**job["columns"], "sex": {"role": "quasi", "hierarchy": "sex.csv"}}
    Path("job.json").write_text(json.dumps(job))
    before = contents(folder)
    assert wrong in refused(UsageError, lambda: incrowd.anonymize(None, "job.json"))
    assert contents(folder) == before


def test_a_table_that_is_read_is_not_replaced(folder: Path) -> None:
    with closing(sqlite3.connect("all.db")) as database:
        database.execute("CREATE TABLE people (age)")
    job = hospital_job(
        data={"source": "sqlite:///all.db", "table": "people"},
        output={"to": f"sqlite:///{folder / 'all.db'}", "table": "people", "replace": True},
    )
    assert "the data are read from there" in refused(UsageError, lambda: incrowd.anonymize(None, job))
    job["output"] = {"to": "sqlite:///all.db", "table": "released", "mapping": "all.db", "replace": True}
    assert "the database and the mapping would both" in refused(UsageError, lambda: incrowd.anonymize(None, job))


ANONYMIZE = "anonymize patients.csv -q sex -m k_anonymity:k=2"


@pytest.mark.parametrize(
    "line",
    [
        f"{ANONYMIZE} -o release.csv --report OUT.html",
        f"{ANONYMIZE} -o release.csv --mapping OUT.csv",
        f"{ANONYMIZE} -o release.csv --record OUT.json",
        "diagnose patients.csv --among sex --report OUT.html",
        "report patients.csv --among sex -o OUT.html",
        "table patients.csv --by sex -o OUT.csv",
        "table patients.csv --by sex -o OUT.json",
        "hierarchy patients.csv --column age -o OUT.csv",
        "init patients.csv --yes -o OUT.yaml",
        "measure patients.csv patients.csv -q sex --only loss --map OUT.svg",
        "measure patients.csv patients.csv -q sex --only loss --report OUT.html",
        "frontier job.yaml --map OUT.svg",
    ],
)
def test_nothing_is_replaced_unasked(folder: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "patients.csv", "--yes", "-o", "job.yaml"]) == 0
    words = line.split()
    [out] = [word for word in words if word.startswith("OUT")]
    (folder / out).write_text("of an earlier run")
    before = contents(folder)
    assert run(words) == 2
    assert f"writing to {out}: it already exists" in capsys.readouterr().err
    assert contents(folder) == before
    if not line.startswith("frontier"):
        assert run([*words, "--replace"]) in (0, 1)
        assert (folder / out).read_text() != "of an earlier run"


def test_a_report_is_not_written_over_the_release(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words: list[Any] = [*ANONYMIZE.split(), "-o", "release.json", "--replace"]
    assert run([*words, "--report", "release.json.record.json"]) == 2
    assert "the private record and the report would both go there" in capsys.readouterr().err
    assert run(words) == 0
    assert run(["report", "release.json", "-o", "release.json.record.json", "--replace"]) == 2
    assert "the private record is read from there" in capsys.readouterr().err


def test_python_keeps_what_is_there(folder: Path) -> None:
    made = incrowd.report("patients.csv")
    made.write("report.md")
    assert "it already exists" in refused(UsageError, lambda: made.write("report.md"))
    made.write("report.md", replace=True)


def test_one_file_by_two_names(folder: Path) -> None:
    Path("a").write_text("")
    os.link("a", "b")
    with pytest.raises(UsageError, match="the map and the report"):
        check_outputs([("the map", "a"), ("the report", "b")], [], replace=True)

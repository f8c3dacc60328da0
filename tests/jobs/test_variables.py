"""${NAME} in job files."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

import incrowd
from incrowd.errors import JobError, UsageError
from incrowd.jobs import Job

PEOPLE = [("30", "flu"), ("30", "gout"), ("40", "flu"), ("40", "gout")]
COLUMNS = {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}}
REST: dict[str, Any] = {"columns": COLUMNS, "models": [{"k_anonymity": {"k": 2}}]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("age,disease\n" + "".join(f"{age},{of}\n" for age, of in PEOPLE))
    return tmp_path


def written(parts: dict[str, Any], form: str = "yaml") -> Path:
    """A job file with these parts."""
    path = Path(f"job.{form}")
    plain = {**parts, **REST}
    path.write_text(yaml.safe_dump(plain, sort_keys=False) if form == "yaml" else json.dumps(plain))
    return path


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize(
    "data", ["${WHERE}/people.csv", ["${WHERE}/people.csv"], {"source": "${WHERE}/people.csv"}], ids=repr
)
def test_where_data_are(folder: Path, monkeypatch: pytest.MonkeyPatch, form: str, data: Any) -> None:
    monkeypatch.setenv("WHERE", str(folder))
    monkeypatch.setenv("NAME", "out")
    made = incrowd.anonymize(job=written({"data": data, "output": {"to": "${NAME}.csv", "record": "r.json"}}, form))
    assert made.manifest.data.records == 4
    assert (folder / "out.csv").exists()
    job = json.loads((folder / "r.json").read_text())["job"]
    assert job["data"]["source"] == ["${WHERE}/people.csv"]
    assert job["output"]["to"] == "${NAME}.csv"


def test_xml(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Job.from_dict({"data": "DATA", "output": "out.csv", **REST}).to_xml()
    (folder / "job.xml").write_text(plain.replace("DATA", "${WHERE}.csv"))
    monkeypatch.setenv("WHERE", "people")
    job = Job.from_file("job.xml")
    assert job.data is not None
    assert job.data.source == ("people.csv",)


@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
def test_no_value_of_a_variable_is_in_what_a_run_writes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect("people.db")) as connection:
        connection.execute("CREATE TABLE people (age TEXT, disease TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, ?)", PEOPLE)
        connection.commit()
    monkeypatch.setenv("DATABASE", "sqlite:///people.db")
    monkeypatch.setenv("QUERY", "SELECT * FROM people WHERE 'secret' = 'secret'")
    data = {"source": "${DATABASE}", "query": "${QUERY}"}
    job = written({"data": data, "output": {"to": "out.csv", "mapping": "map.csv"}})
    assert incrowd.anonymize(job=Job.from_file(job).changed(replace=True, time=60)).manifest.data.records == 4
    for path in folder.glob("*.json"):
        assert "secret" not in path.read_text()
        assert "people.db" not in path.read_text()
    assert json.loads((folder / "out.csv.record.json").read_text())["job"]["data"] == {
        "source": ["${DATABASE}"],
        "query": "${QUERY}",
    }


def test_another_output_is_recorded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAME", "out")
    job = Job.from_file(written({"data": "people.csv", "output": "${NAME}.csv"})).changed("other.csv")
    incrowd.anonymize(job=job)
    assert "${NAME}" not in (folder / "other.csv.record.json").read_text()


def test_all_that_are_not_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHERE", raising=False)
    with pytest.raises(JobError) as refused:
        Job.from_file(written({"data": "${WHERE}.csv", "output": "${1}.csv"}))
    assert str(refused.value) == (
        "job.yaml has 2 errors:\n"
        "line 1: data: the environment variable WHERE is not set; set it, or write $${ for the text\n"
        "line 2: output: ${ begins the name of an environment variable, such as ${NAME}; write $${ for the text"
    )


def test_a_text_that_looks_like_one(folder: Path) -> None:
    (folder / "people.csv").rename(folder / "${WHERE}.csv")
    made = incrowd.anonymize(job=written({"data": "$${WHERE}.csv", "output": "out.csv"}))
    assert made.manifest.data.records == 4


def test_nothing_else_is_resolved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither names of columns nor jobs that are not a file of the user's: a service gets those from others."""
    monkeypatch.setenv("WHERE", "people")
    job = Job.from_dict({"data": "${WHERE}.csv", "output": "out.csv", **REST})
    assert job.data is not None
    assert job.data.source == ("${WHERE}.csv",)
    columns = {**COLUMNS, "${WHERE}": {"role": "drop"}}
    Path("job.json").write_text(json.dumps({"data": "people.csv", "output": "out.csv", **REST, "columns": columns}))
    assert "${WHERE}" in Job.from_file("job.json").columns


def test_show_shows_no_value(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.cli.anonymize import anonymize

    monkeypatch.setenv("WHERE", "people")
    path = written({"data": "${WHERE}.csv", "output": "out.csv"})
    for form in ("yaml", "json", "xml", "command", "script"):
        with pytest.raises(UsageError, match="environment variables, whose values may be secret"):
            anonymize([str(path)], show=form)

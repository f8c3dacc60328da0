"""Jobs of the service over several files and tables, each with its own table and options."""

import io
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from incrowd.errors import JobError
from incrowd.service import Pool, Workspace
from incrowd.service.path_sandbox import confined
from incrowd.service.references import Held, References
from service.spaces import done, upload

COLUMNS = {"age": {"role": "quasi"}, "sex": {"role": "quasi"}}


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(tmp_path / "space")
    with Pool(opened, 1):
        yield opened
    opened.close()


def database(folder: Path, **tables: int) -> io.BytesIO:
    path = folder / "some.sqlite"
    with sqlite3.connect(path) as connection:
        for name, records in tables.items():
            connection.execute(f'CREATE TABLE "{name}" (sex, age)')
            connection.executemany(f'INSERT INTO "{name}" VALUES (?, ?)', [("m", "30")] * records)
    connection.close()
    return io.BytesIO(path.read_bytes())


def test_a_file_and_two_tables_are_one_table(space: Workspace, tmp_path: Path) -> None:
    file = upload(space, "age;sex\n" + "30;m\n" * 5, "people.csv")
    tables = database(tmp_path, people=7, staff=11)
    first = space.add_file("a.sqlite", tables)
    space.choose_table(first.id, "people", "")
    second = space.add_file("a.sqlite", io.BytesIO(tables.getvalue()))
    space.choose_table(second.id, "staff", "")
    data = [{"file": file.id, "delimiter": ";"}, first.id, second.id]
    run = done(space, "anonymize", job={"data": data, "columns": COLUMNS, "models": ["k_anonymity:k=2"]})
    assert run.result is not None
    assert (run.result["input_records"], run.result["verdict"]) == (23, "holds")
    command = space.artifact(run.id, "command.txt").read_text()
    assert "table=people" in command
    assert "table=staff" in command


def of(*held: Held) -> References:
    return References({each.id: each for each in held}.get)


SERVER = Held("d1", "postgresql://u@host/db", "database", "", Path(), "postgresql://u:p@host/db", "people")
FILE = Held("f1", "a.csv", "delimited", ".csv", Path("/x/a.csv"))


def test_what_a_job_of_the_service_reads() -> None:
    job: dict[str, Any] = {"columns": COLUMNS, "models": ["k_anonymity:k=2"]}
    found = confined({**job, "data": {"source": ["f1", "d1"], "missing": ["?"]}}, of(SERVER, FILE))
    assert found["data"] == {
        "source": [{"file": "a.csv"}, {"url": "postgresql://u:p@host/db", "table": "people"}],
        "missing": ["?"],
    }
    asked = [{"file": "d1", "query": "SELECT age, sex FROM people"}, {"file": "f1", "header": True}]
    found = confined({**job, "data": asked}, of(SERVER, FILE))
    assert found["data"]["source"] == [
        {"url": "postgresql://u:p@host/db", "query": "SELECT age, sex FROM people"},
        {"file": "a.csv", "header": True},
    ]
    with pytest.raises(JobError, match="a database is connected first"):
        confined({**job, "data": [{"url": "postgresql://u:p@host/db"}]}, of(SERVER))
    with pytest.raises(JobError, match="only a database on a server is asked by query"):
        confined({**job, "data": [{"file": "f1", "query": "SELECT 1"}, "d1"]}, of(SERVER, FILE))


@pytest.mark.parametrize("password", ["p", "p'q", "p,q"])
def test_no_form_of_a_job_holds_the_password(password: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.jobs import Job
    from incrowd.service.kinds._released import keep_job

    monkeypatch.chdir(tmp_path)
    plain = {
        "data": {"source": ["a.csv", {"url": f"postgresql://u:{password}9@host/db", "table": "x"}]},
        "columns": COLUMNS,
        "models": ["k_anonymity:k=2"],
    }
    keep_job(Job.from_dict(plain), plain)
    for name in ("job.yaml", "command.txt", "script.py"):
        text = (tmp_path / name).read_text()
        assert "host/db" in text
        assert "9@" not in text

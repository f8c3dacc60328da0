"""incrowd apply between files and databases."""

import json
import sqlite3
from pathlib import Path

import pytest

from anonymization.hospital import COLUMNS, PATIENTS, in_folder, tight_job
from cli.command import Command

# Ibis 12 asks pandas 3 for an option that pandas will drop (ibis/formats/pandas.py).
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


RECORD = "first.csv.record.json"


@pytest.fixture(autouse=True)
def _from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command) -> None:
    """An earlier release of a file with a delimiter and texts for missing, and a database with the new data."""
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    text = (tmp_path / "patients.csv").read_text().replace(",", ";")
    (tmp_path / "patients.csv").write_text(text)
    data = {"source": "patients.csv", "delimiter": ";", "encoding": "utf-8", "missing": ["?"]}
    (tmp_path / "job.json").write_text(json.dumps(tight_job(data=data, output="first.csv")))
    assert run("anonymize", "job.json").code == 0
    with sqlite3.connect("new.db") as database:
        filled(database, "people", "?")
        filled(database, "others", "?")
        database.execute("DELETE FROM others WHERE rowid > 58")
    database.close()


def filled(database: sqlite3.Connection, table: str, mark: str) -> None:
    database.execute(f"CREATE TABLE {table} ({', '.join(COLUMNS)})")
    places = ", ".join(mark for _ in COLUMNS)
    database.executemany(f"INSERT INTO {table} VALUES ({places})", [tuple(each.values()) for each in PATIENTS[::-1]])


def same(first: str, second: str) -> bool:
    return sorted(Path(first).read_text().splitlines()) == sorted(Path(second).read_text().splitlines())


def test_from_a_table_into_a_file(run: Command) -> None:
    done = run("apply", RECORD, "sqlite:///new.db", "--table", "people", "-o", "second.csv")
    assert (done.code, done.error) == (0, "")
    assert same("first.csv", "second.csv")
    # The record of what was applied says where it came from, and is good for the next time.
    told = json.loads(Path("second.csv.record.json").read_text())["job"]["data"]
    assert (told["table"], told["missing"]) == ("people", ["?"])
    assert run("apply", "second.csv.record.json", "sqlite:///new.db", "-o", "third.csv").code == 0
    assert same("first.csv", "third.csv")


def test_from_a_query_into_a_table(run: Command) -> None:
    query = "SELECT * FROM people WHERE rowid <= 58"
    words = ("sqlite:///new.db", "--query", query, "-o", "sqlite:///out.db", "--output-table", "released", "--json")
    done = run("apply", RECORD, *words)
    assert json.loads(done.out)["input_records"] == 58
    assert run("verify", "sqlite:///out.db", "--table", "released").code == 0


def test_another_table_than_before(run: Command) -> None:
    assert run("apply", RECORD, "sqlite:///new.db", "--table", "people", "-o", "second.csv").code == 0
    done = run("apply", "second.csv.record.json", "sqlite:///new.db", "--table", "others", "-o", "x.csv", "--json")
    assert json.loads(done.out)["input_records"] == 58
    back = run("apply", "second.csv.record.json", "patients.csv", "-o", "back.csv")
    assert (back.code, back.error) == (0, "")
    assert same("first.csv", "back.csv")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["sqlite:///new.db"], "others"),
        (["sqlite:///new.db", "--table", "nobody"], "nobody"),
        (["patients.csv", "--table", "people"], "table"),
        (["sqlite:///nowhere.db", "--table", "people"], "nowhere.db"),
    ],
)
def test_misuse(run: Command, words: list[str], told: str) -> None:
    done = run("apply", RECORD, *words, "-o", "second.csv")
    assert (done.code, done.out) == (2, "")
    assert told in done.error
    assert not Path("second.csv").exists()


def test_postgresql_both_ways(run: Command, postgres_url: str) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as database:
        database.execute(f"CREATE TABLE new_people ({', '.join(f'{name} text' for name in COLUMNS)})")
        places = ", ".join("%s" for _ in COLUMNS)
        with database.cursor() as cursor:
            rows = [tuple(map(str, each.values())) for each in PATIENTS]
            cursor.executemany(f"INSERT INTO new_people VALUES ({places})".encode(), rows)
    done = run("apply", RECORD, postgres_url, "--table", "new_people", "-o", "second.csv")
    assert (done.code, done.error) == (0, "")
    assert same("first.csv", "second.csv")
    assert run("apply", RECORD, "patients.csv", "-o", postgres_url, "--output-table", "applied").code == 0
    assert run("verify", postgres_url, "--table", "applied").code == 0
    assert "w%C3%B6rd" not in Path("second.csv.record.json").read_text()

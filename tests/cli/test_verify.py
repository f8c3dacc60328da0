"""incrowd verify"""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from incrowd.cli.verify import verify
from incrowd.errors import SourceError
from incrowd.release import manifest_path, record_path
from verification.releases import COLUMNS, K2, PEOPLE, Made, csv_text, made, person

app = typer.Typer()
app.command()(verify)


@pytest.fixture
def release(tmp_path: Path) -> Made:
    """A release with three classes of 3, 2 and 4 records, from which one record was left out."""
    models = [K2, {"t_closeness": {"t": 0.5, "column": "disease"}}]
    return made(tmp_path, PEOPLE, models, [person("50s", "19", "gout")])


def run(*arguments: object) -> tuple[int, str]:
    """The exit code and what the command prints."""
    done = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    return done.exit_code, done.stdout


def test_holds(release: Made) -> None:
    code, shown = run(release.path)
    assert code == 0
    assert shown == (
        f"{release.path}: 9 records in 3 classes; smallest class: 2.\n"
        "\n"
        "passed       hash: the SHA-256 matches: this is the file that was released\n"
        "passed       columns: 4 columns as claimed, each with one role\n"
        "passed       records: 9 published, 1 suppressed, 0 set aside, of 10 in the input\n"
        "passed       classes: 3 classes, smallest class: 2, as claimed\n"
        "passed       k_anonymity:k=2: Every record shares its quasi-identifiers with at least 1 other.\n"
        "passed       t_closeness:t=0.5,column=disease: In every class the distribution of disease is within a "
        "distance of 0.5 from that of the whole table (equal earth mover's distance). Checked within a margin of "
        "1 unpublished record; the private record proves it exactly (--record FILE).\n"
        "\n"
        "verified\n"
    )


def test_fails(release: Made) -> None:
    release.path.write_text(csv_text([*PEOPLE[:4], *PEOPLE[5:]]))
    code, shown = run(release.path)
    assert code == 1
    assert "failed       k_anonymity:k=2: 1 of 3 classes fail: class 2 (1 record)\n" in shown
    assert shown.endswith(
        "These are not the released data. Get the data and their manifest again from the publisher.\n\nfailed\n"
    )


def test_json(release: Made) -> None:
    code, shown = run(release.path, "--json")
    assert (code, json.loads(shown)["verdict"]) == (0, "holds")
    release.path.write_text(csv_text(PEOPLE[1:]))
    code, shown = run(release.path, "--json")
    plain = json.loads(shown)
    assert (code, plain["holds"], plain["records"]) == (1, False, 8)
    assert [check["name"] for check in plain["checks"] if not check["holds"]] == ["hash", "records"]


def test_files_elsewhere(release: Made, tmp_path: Path) -> None:
    for path in (manifest_path(str(release.path)), record_path(str(release.path))):
        path.rename(tmp_path / path.name.removeprefix("release.csv."))
    given = ["--manifest", tmp_path / "manifest.json", "--record", tmp_path / "record.json"]
    code, shown = run(release.path, *given)
    assert code == 0
    assert "Compared with the original table." in shown
    with pytest.raises(SourceError, match="no manifest at"):
        run(release.path)


def test_not_proven(tmp_path: Path) -> None:
    release = made(tmp_path, PEOPLE, [{"k_map": {"k": 2}}])
    code, shown = run(release.path)
    assert code == 5
    assert "not checked  k_map:k=2: needs the population table and the private record" in shown
    assert shown.endswith("give what they need.\n\nincomplete\n")
    people = tmp_path / "people.csv"
    people.write_text("age,zip\n" + "20,11\n20,12\n30,12\n" * 2)
    given = ["--record", record_path(str(release.path)), "--population", people]
    assert run(release.path, *given)[0] == 0


def test_a_table_in_a_database(release: Made, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'out.db'}"
    with closing(sqlite3.connect(tmp_path / "out.db")) as connection:
        connection.execute(f"CREATE TABLE released ({', '.join(f'{name} TEXT' for name in COLUMNS)})")
        connection.executemany(
            "INSERT INTO released VALUES (?, ?, ?, ?)", [[row[name] for name in COLUMNS] for row in PEOPLE]
        )
        connection.commit()
    data = replace(release.manifest.data, file="released", kind="database", sha256=None, table="released")
    replace(release.manifest, data=data).write(manifest_path(url, "released"))
    code, shown = run(url, "--table", "released")
    assert code == 0
    assert "Warning: the data have no hash" in shown
    assert "passed       hash:" not in shown
    with closing(sqlite3.connect(tmp_path / "out.db")) as connection:
        connection.execute("DELETE FROM released WHERE age = '30s' AND disease = 'flu'")
        connection.commit()
    code, shown = run(url, "--table", "released")
    assert code == 1
    assert "class 2 (1 record)" in shown
    assert "Do not share this release. Create it again with incrowd anonymize." in shown

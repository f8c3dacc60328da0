"""The release in every format: the same rows, verified; one changed cell and it does not hold any more."""

import csv
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.hospital import MODELS, PATIENTS, PUBLISHED, Person, hospital_job, in_arrow, in_folder, tight_job
from anonymization.reading import READERS, Row, Rows, in_duckdb, in_postgres, in_sqlite, picked, read_file, tamper
from anonymization.runs import BESIDE, beside, contents, files, job, mode, quasi, refused, verified, write_csv
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import NotVerified, SourceError, UsageError
from incrowd.release import Manifest, Record
from incrowd.verification import Check, Verdict


def released(made: AnonymizationResult) -> list[tuple[Person, Row]]:
    """Who is in a release, each with the row as which; classes that are too small or too alike are left out."""
    levels = made.levels
    rows = [
        {
            **person,
            "age": interval(person["age"], levels["age"]),
            "zip": masked(person["zip"], levels["zip"]),
            "sex": person["sex"] if levels["sex"] == 0 else "*",
        }
        for person in PATIENTS
    ]
    classes = [tuple(row[name] for name in ("age", "zip", "sex")) for row in rows]
    diseases: dict[tuple[str, ...], list[str]] = {each: [] for each in classes}
    for row, each in zip(rows, classes, strict=True):
        diseases[each].append(row["disease"])
    kept = [each for each, of in diseases.items() if len(of) >= 3 and len(set(of)) >= 2]
    everybody = zip(PATIENTS, picked(rows, PUBLISHED), classes, strict=True)
    return [(person, row) for person, row, each in everybody if each in kept]


def expected(made: AnonymizationResult) -> Rows:
    """The rows of a release, in the order of their cells."""
    return sorted((row for _, row in released(made)), key=lambda row: [str(cell) for cell in row.values()])


def masked(code: str, level: int | None) -> str:
    """A zip code as its hierarchy has it."""
    return "*" if level == 4 else code[: 4 - (level or 0)].ljust(4, "*")


def interval(age: int, level: int | None) -> str:
    """An age as its hierarchy has it."""
    if level == 0:
        return str(age)
    if level == 4:
        return "*"
    width = {1: 5, 2: 10, 3: 20}[level or 0]
    low = age // width * width
    return f"{low}-{low + width - 1}"


def by_text(rows: Rows) -> list[str]:
    return sorted(map(str, rows))


@pytest.fixture
def source(tmp_path: Path) -> str:
    """The patients, in a folder of their own."""
    (tmp_path / "in").mkdir()
    return str(in_folder(tmp_path / "in"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the release goes."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.mark.parametrize("ending", READERS)
def test_files(source: str, folder: Path, ending: str) -> None:
    path = folder / f"release.{ending}"
    made = verified(incrowd.anonymize(source, tight_job(output=str(path))))
    assert made.manifest.suppressed > 0
    assert read_file(path) == expected(made)
    assert files(folder) == beside(path.name)
    assert made.manifest.data.records == len(expected(made))
    tamper(path, "disease", "plague")
    verdict = incrowd.verify(path)
    assert not verdict.holds
    assert {check.name for check in verdict.checks if not check.holds} >= {"hash"}


@pytest.mark.parametrize("ending", READERS)
def test_equal_runs_give_equal_bytes(source: str, folder: Path, ending: str) -> None:
    found = []
    for name in ("one", "two"):
        (folder / name).mkdir()
        path = folder / name / f"release.{ending}"
        incrowd.anonymize(source, tight_job(output=str(path)))
        found.append({key: of for key, of in contents(folder / name).items() if "record" not in key})
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_tables_of_database_files(source: str, folder: Path, scheme: str) -> None:
    path, table = folder / "release.db", 'of "2024", all'
    url = f"{scheme}:///{path}"
    ask = {"sqlite": in_sqlite, "duckdb": in_duckdb}[scheme]
    made = incrowd.anonymize(source, tight_job(output={"to": url, "table": table}))
    rows = ask(path, 'SELECT * FROM "of ""2024"", all"')
    assert rows == expected(made)
    assert made.output == url
    assert files(folder) == {"release.db", *(f"release.db.{table}{suffix}" for suffix in BESIDE)}
    assert incrowd.verify(url, record=made.record_file, table=table).holds
    words = refused(
        UsageError,
        lambda: incrowd.anonymize(source, tight_job(output={"to": url, "table": table})),
    )
    assert "it already exists" in words
    if scheme == "sqlite":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute('UPDATE "of ""2024"", all" SET sex = \'?\' WHERE rowid = 1')
            connection.commit()
        assert not incrowd.verify(url, table=table).holds


def test_a_table_is_replaced_when_asked(source: str, folder: Path) -> None:
    path = folder / "release.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE released (old TEXT)")
        connection.execute("CREATE TABLE other AS SELECT 1 AS one")
        connection.commit()
    output: dict[str, Any] = {"to": f"sqlite:///{path}", "table": "released"}
    words = refused(UsageError, lambda: incrowd.anonymize(source, tight_job(output=output)))
    assert (
        words == "writing to table 'released': it already exists; choose another name, or set replace to overwrite it"
    )
    assert files(folder) == {"release.db"}
    made = incrowd.anonymize(source, tight_job(output={**output, "replace": True}))
    assert in_sqlite(path, "SELECT * FROM released") == expected(made)
    assert in_sqlite(path, "SELECT * FROM other") == [{"one": "1"}]


def test_a_table_of_a_server(source: str, folder: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    output = {"to": postgres_url, "table": "released"}
    made = incrowd.anonymize(source, tight_job(output=output))
    assert by_text(in_postgres(postgres_url, "SELECT * FROM released")) == by_text(expected(made))
    assert incrowd.verify(postgres_url, record=made.record_file, table="released").holds
    # The address of a server may hold a password, so nothing is named by it.
    assert files(folder) == {"released.manifest.json", "released.record.json"}
    assert "pass" not in str(made)
    for name in files(folder):
        assert "pass%2F" not in (folder / name).read_text("utf-8")
    # And from there, as it is, into a file.
    again = hospital_job(*MODELS, data={"source": postgres_url, "table": "released"}, output="again.csv")
    again["columns"] = {name: dict(again["columns"][name]) for name in PUBLISHED}
    for name in ("age", "zip", "sex"):
        again["columns"][name] = {"role": "quasi", "limit": 0}
    verified(incrowd.anonymize(None, again))
    assert by_text(read_file(folder / "again.csv")) == by_text(expected(made))


@pytest.mark.parametrize("delimiter", [";", "tab", "|"])
def test_a_delimiter(source: str, folder: Path, delimiter: str) -> None:
    output = {"to": str(folder / "release.csv"), "delimiter": delimiter}
    made = verified(incrowd.anonymize(source, tight_job(output=output)))
    with (folder / "release.csv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t" if delimiter == "tab" else delimiter))
    assert rows == expected(made)


def test_the_record_is_private(source: str, folder: Path) -> None:
    output = {"to": str(folder / "release.csv"), "mapping": str(folder / "mapping.csv")}
    before = os.umask(0o000)
    try:
        made = incrowd.anonymize(source, tight_job(output=output))
    finally:
        os.umask(before)
    assert made.record_file is not None
    assert made.mapping_file is not None
    assert mode(made.record_file) == mode(made.mapping_file) == 0o600
    assert mode(folder / "release.csv") == 0o666


def test_an_old_record_becomes_private(source: str, folder: Path) -> None:
    (folder / "release.csv.record.json").write_text("old")
    (folder / "release.csv.record.json").chmod(0o644)
    output = {"to": str(folder / "release.csv"), "replace": True}
    incrowd.anonymize(source, tight_job(output=output))
    assert mode(folder / "release.csv.record.json") == 0o600


def test_the_record_goes_elsewhere(source: str, folder: Path, tmp_path: Path) -> None:
    output = {"to": str(folder / "release.csv"), "record": str(tmp_path / "in" / "private.json")}
    made = verified(incrowd.anonymize(source, tight_job(output=output)))
    assert files(folder) == {"release.csv", "release.csv.manifest.json"}
    assert made.record_file == tmp_path / "in" / "private.json"


def test_the_mapping(source: str, folder: Path) -> None:
    path = folder / "mapping.csv"
    output = {"to": str(folder / "release.csv"), "mapping": str(path)}
    made = incrowd.anonymize(source, tight_job(output=output))
    with path.open(newline="") as file:
        rows = [(row["column"], row["value"], row["published"]) for row in csv.DictReader(file)]
    assert len(rows) == len(set(rows))
    assert set(rows) == {
        (name, str(person[name]), row[name]) for person, row in released(made) for name in ("age", "zip", "sex")
    }


def test_the_mapping_of_cells_on_several_levels(folder: Path) -> None:
    rows = [{"a": a, "b": b} for a, b in ["up", "up", "vp", "vq", "wq", "wr"]]
    output = {"to": str(folder / "release.csv"), "mapping": str(folder / "mapping.csv")}
    described = job(quasi("a", "b"), output=output, search={"scored": {"partial": True}})
    made = verified(incrowd.anonymize(str(write_csv(folder / "in.csv", rows)), described))
    with (folder / "mapping.csv").open(newline="") as file:
        listed = {(row["column"], row["value"], row["published"]) for row in csv.DictReader(file)}
    assert None in made.levels.values()
    described = {**described, "order": "source", "output": str(folder / "source.csv")}
    assert verified(incrowd.anonymize(str(folder / "in.csv"), described)).levels == made.levels
    pairs = zip(rows, read_file(folder / "source.csv"), strict=True)
    assert listed == {(name, before[name], after[name]) for before, after in pairs for name in "ab"}


# What is there already, what cannot be written.


def test_what_is_there_stays(source: str, folder: Path) -> None:
    for name in beside("release.csv"):
        (folder / name).write_text("old")
        words = refused(UsageError, lambda: incrowd.anonymize(source, hospital_job(output=str(folder / "release.csv"))))
        assert (
            words
            == f"writing to {folder / name}: it already exists; choose another name, or set replace to overwrite it"
        )
        assert contents(folder) == {name: b"old"}
        (folder / name).unlink()


@pytest.mark.parametrize(
    ("output", "wrong"),
    [
        ({"to": "release.docx"}, "not a supported output format"),
        ({"to": "nowhere/release.csv"}, "nowhere/release.csv: there is no such folder"),
        ({"to": "release.csv", "record": "nowhere/record.json"}, "nowhere/record.json: there is no such folder"),
        ({"to": "release.csv", "mapping": "nowhere/mapping.csv"}, "nowhere/mapping.csv: there is no such folder"),
        ({"to": "sqlite:///release.db"}, "a database has many tables"),
        ({"to": "carrier_pigeon://x", "table": "t"}, "not a supported output format"),
        ({"to": "release.parquet", "delimiter": ";"}, "omit what does not apply"),
        ({"to": "./linked.csv", "replace": True}, "the data are read from there"),
        ({"to": "release.csv", "mapping": "linked.csv", "replace": True}, "the data are read from there"),
        ({"to": "folder.csv", "replace": True}, "it is not a file"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_read(
    folder: Path, output: dict[str, Any], wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "folder.csv").mkdir()
    (folder / "linked.csv").symlink_to(folder / "gone.csv")
    # There is no such file, which only those notice who read it.
    for run in (
        lambda: incrowd.anonymize("gone.csv", hospital_job(output=output)),
        lambda: incrowd.anonymize(None, hospital_job(data="gone.csv", output=output)),
    ):
        assert wrong in refused((UsageError, SourceError), run)  # type: ignore[arg-type]
    assert files(folder) == {"folder.csv", "linked.csv"}


def test_a_file_behind_a_link_is_replaced(source: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.csv").write_text("old")
    (folder / "release.csv").symlink_to(tmp_path / "elsewhere.csv")
    output = {"to": str(folder / "release.csv"), "replace": True}
    made = verified(incrowd.anonymize(source, tight_job(output=output)))
    assert (folder / "release.csv").is_symlink()
    assert read_file(tmp_path / "elsewhere.csv") == expected(made)


def test_a_file_that_appears_meanwhile_stays(source: str, folder: Path) -> None:
    path = folder / "release.csv"

    def write(_: object) -> None:
        path.write_text("of somebody else")

    words = refused(
        UsageError,
        lambda: incrowd.anonymize(source, tight_job(output=str(path)), progress=write),
    )
    assert "it already exists" in words
    assert contents(folder) == {"release.csv": b"of somebody else"}


def test_an_unfit_cell_leaves_nothing_and_names_the_file(folder: Path) -> None:
    rows = [{"a": "u", "note": "a\x01b"}] * 2
    path = folder / "release.xml"
    described = job({**quasi("a"), "note": {"role": "keep"}}, output=str(path))
    source = write_csv(folder / "in.csv", rows)
    words = refused(SourceError, lambda: incrowd.anonymize(str(source), described))
    assert words == f"{path}: column 'note' contains control characters, which XML cannot hold; write CSV or Parquet"
    assert files(folder) == {"in.csv"}


# A release that does not verify.


@pytest.fixture
def one_class_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recoding that lets a class slip through which should have been suppressed."""
    from incrowd.anonymization import searching

    honest = searching.kept_combinations

    def lenient(*given: Any) -> Any:
        kept = honest(*given)
        kept[(~kept).nonzero()[0][0]] = True
        return kept

    monkeypatch.setattr(searching, "kept_combinations", lenient)


@pytest.mark.usefixtures("one_class_too_small")
@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_what_does_not_verify_is_not_left(source: str, folder: Path, ending: str, old: bool) -> None:
    path = folder / f"release.{ending}"
    for name in beside(path.name) if old else ():
        (folder / name).write_text("old")
    before = contents(folder)
    described = tight_job({"k_anonymity": {"k": 3}}, output={"to": str(path), "replace": True})
    with pytest.raises(NotVerified) as caught:
        incrowd.anonymize(source, described)
    assert caught.value.exit_code == 1
    assert "k_anonymity:k=3" in str(caught.value)
    assert contents(folder) == before


@pytest.mark.usefixtures("one_class_too_small")
def test_a_table_that_does_not_verify_is_not_written(source: str, folder: Path) -> None:
    output = {"to": f"sqlite:///{folder / 'release.db'}", "table": "released"}
    refused(
        NotVerified,
        lambda: incrowd.anonymize(source, tight_job({"k_anonymity": {"k": 3}}, output=output)),
    )
    assert files(folder) == set()


@pytest.mark.usefixtures("one_class_too_small")
def test_a_frame_that_does_not_verify_is_not_given() -> None:
    refused(NotVerified, lambda: incrowd.anonymize(in_arrow(), tight_job({"k_anonymity": {"k": 3}})))


def test_what_cannot_be_proven_is_not_left(source: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unproven = Verdict("x", (Check("k_anonymity", None, "it needs something"),), 1, 1, 1)
    monkeypatch.setattr("incrowd.anonymization.writing.verify", lambda *_: unproven)
    refused(NotVerified, lambda: incrowd.anonymize(source, hospital_job(output=str(folder / "release.csv"))))
    assert files(folder) == set()


@pytest.mark.parametrize("what", [Record, Manifest])
def test_data_are_nowhere_without_what_goes_with_them(
    source: str, folder: Path, what: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, path: Path) -> None:
        raise SourceError.of(path, "cannot be written (No space left on device)", "check the disk")

    monkeypatch.setattr(what, "write", full)
    refused(SourceError, lambda: incrowd.anonymize(source, hospital_job(output=str(folder / "release.csv"))))
    assert "release.csv" not in files(folder)
    assert not [name for name in files(folder) if name.startswith(".")]


# The manifest.


def test_the_manifest_suffices_elsewhere(source: str, folder: Path, tmp_path: Path) -> None:
    incrowd.anonymize(source, tight_job(output=str(folder / "release.csv")))
    (tmp_path / "elsewhere").mkdir()
    for name in ("release.csv", "release.csv.manifest.json"):
        (folder / name).rename(tmp_path / "elsewhere" / name)
    assert incrowd.verify(tmp_path / "elsewhere" / "release.csv").holds


def test_the_manifest_claims_what_the_run_says(source: str, folder: Path) -> None:
    path = folder / "release.csv"
    made = incrowd.anonymize(source, tight_job(output=str(path)))
    claims = json.loads((folder / "release.csv.manifest.json").read_text("utf-8"))
    assert claims["models"] == list(MODELS)
    assert claims["data"]["columns"] == PUBLISHED
    # Levels of a hierarchy that the job does not declare follow from all values, so the manifest leaves them out.
    levels = {column["name"]: column["level"] for column in claims["quasi"]}
    assert levels == {**made.levels, "zip": None}
    assert claims["input_records"] == 60 == claims["data"]["records"] + claims["suppressed"]
    assert claims["suppress_limit"] == 6
    assert Manifest.read(folder / "release.csv.manifest.json") == made.manifest
    assert Record.read(folder / "release.csv.record.json").release == made.manifest.fingerprint

"""Files and tables of databases, each read in its own way, as one table."""

import csv
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import incrowd
from anonymization.runs import verified
from cli.command import Command
from incrowd.errors import JobError, SourceError, UsageError

# Ibis 12 asks pandas 3 for an option that is going away.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")

ROWS = [("30", "Linz"), ("31", "Linz"), ("40", "Wels"), ("30", "Linz"), ("41", "Wels"), ("?", "Wels"), ("40", "Wels")]
COLUMNS = {
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [10]}}},
    "town": {"role": "quasi"},
}


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The rows in a file with semicolons, a file without a header, a table and the result of a query."""
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("age;town\n" + "".join(f"{age};{town}\n" for age, town in ROWS[:2]))
    Path("b.csv").write_text("".join(f"{town},{age}\n" for age, town in ROWS[2:4]))
    with sqlite3.connect("c.db") as database:
        database.execute("CREATE TABLE south (town TEXT, age INTEGER)")
        database.execute("INSERT INTO south VALUES ('Wels', 41)")
        database.execute("CREATE TABLE north (town TEXT, age TEXT, ward TEXT)")
        database.executemany("INSERT INTO north VALUES (?, ?, 'x')", [(town, age) for age, town in ROWS[5:]])
    database.close()
    return [
        {"file": "a.csv", "delimiter": ";"},
        {"file": "b.csv", "names": ["town", "age"]},
        {"url": "sqlite:///c.db", "table": "south"},
        {"url": "sqlite:///c.db", "query": "SELECT age, town FROM north"},
    ]


@pytest.fixture
def whole(sources: list[Any]) -> Path:
    """All rows in one file."""
    path = Path("whole.csv")
    path.write_text("age,town\n" + "".join(f"{age},{town}\n" for age, town in ROWS))
    return path


def described(data: Any, **more: Any) -> dict[str, Any]:
    return {
        "data": {"source": data, "missing": ["?"]},
        "output": {"to": "release.csv", "replace": True},
        "columns": COLUMNS,
        "models": ["k_anonymity:k=3"],
        "suppress": 1,
        **more,
    }


def cells(path: str) -> Counter[tuple[str, ...]]:
    with Path(path).open(newline="") as file:
        return Counter(map(tuple, csv.reader(file)))


@pytest.mark.parametrize("search", ["optimal", "best_first", "mondrian"])
def test_the_same_release_as_of_one_table(sources: list[Any], whole: Path, search: str) -> None:
    made = verified(incrowd.anonymize(job=described(sources, search=search)))
    mixed = cells("release.csv")
    assert made.manifest.input_records == len(ROWS)
    alone = verified(incrowd.anonymize(job=described(str(whole), search=search)))
    assert mixed == cells("release.csv")
    assert (made.levels, made.figures.scores) == (alone.levels, alone.figures.scores)
    assert incrowd.verify("release.csv").holds


def test_python_reads_them_as_one(sources: list[Any], whole: Path) -> None:
    together = incrowd.read(*sources, missing=["?"])
    answers = [
        incrowd.diagnose(each).ask(quasi=["age", "town"]) for each in (together, incrowd.read(whole, missing=["?"]))
    ]
    assert answers[0].to_dict()["k"] == answers[1].to_dict()["k"]
    with pytest.raises(UsageError, match="there is no such key; there are file, url, delimiter"):
        incrowd.read({"file": "a.csv", "separator": ";"})
    with pytest.raises(UsageError, match="give either 'file' or 'url'"):
        incrowd.read({"table": "south"})
    with pytest.raises(UsageError, match="'delimiter' for sqlite"):
        incrowd.read({"url": "sqlite:///c.db", "table": "south", "delimiter": ";"})


def test_the_record_knows_them_and_reports_read_them(sources: list[Any]) -> None:
    made = verified(incrowd.anonymize(job=described(sources)))
    recorded = made.record.job["data"]["source"]
    assert [each.get("table") or each.get("query") for each in recorded[2:]] == [
        "south",
        "SELECT age, town FROM north",
    ]
    assert all(str(Path.cwd()) in (each.get("file") or each.get("url")) for each in recorded)
    told = incrowd.report("release.csv").to_markdown()
    assert "The original table" not in told
    assert "before" in told


def test_apply_reads_new_sources_as_the_earlier_ones(sources: list[Any]) -> None:
    made = verified(
        incrowd.anonymize(job=described(sources[0:1] + sources[2:3], suppress=0, models=["k_anonymity:k=1"]))
    )
    Path("new.csv").write_text("age;town\n30;Linz\n31;Linz\n")
    later = incrowd.apply(made.record_file, ["new.csv", "sqlite:///c.db"], output="later.csv")
    assert later.manifest.input_records == 3
    again = incrowd.apply(made.record_file, sources[0:1] + sources[3:], output="again.csv")
    assert again.manifest.input_records == 4


def test_columns_must_agree(sources: list[Any]) -> None:
    odd = {"url": "sqlite:///c.db", "table": "north"}
    with pytest.raises(SourceError, match=r"its columns differ from those of a.csv: it also has 'ward'"):
        incrowd.anonymize(job=described([sources[0], odd]))
    assert not Path("release.csv").exists()


def test_a_table_that_is_read_is_not_replaced(sources: list[Any]) -> None:
    output = {"to": "sqlite:///c.db", "table": "south", "replace": True}
    with pytest.raises(UsageError, match="'south'"):
        incrowd.anonymize(job=described(sources[:3], output=output))
    fine = {"to": "sqlite:///c.db", "table": "release"}
    assert incrowd.anonymize(job=described(sources[:3], output=fine)).manifest.input_records == 5
    with pytest.raises(JobError, match="choose another location"):
        incrowd.anonymize(job=described(sources, output="a.csv"))


def test_on_the_command_line(
    sources: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Command(monkeypatch, capsys)
    words = ["anonymize", "a.csv", "--delimiter", ";", "--source", "sqlite:///c.db,table=south"]
    words += ["--source", 'sqlite:///c.db,query="SELECT age, town FROM north"', "--missing", "?"]
    words += ["-q", "age=intervals:widths=10", "-q", "town", "-m", "k_anonymity:k=2", "--suppress", "1", "--uniform"]
    done = run(*words, "-o", "release.csv")
    assert done.code == 0, done.error
    assert "of 5 records suppressed" in done.out
    later = run("apply", "release.csv.record.json", "--source", "a.csv,delimiter=;", "-o", "later.csv")
    assert later.code == 0, later.error
    bare = run("anonymize", "-q", "age", "-m", "k_anonymity:k=2", "-o", "x.csv")
    assert bare.code == 2
    assert "no source is given" in bare.error

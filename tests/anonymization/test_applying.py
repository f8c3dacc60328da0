"""Next month's release: the recoding of an earlier one on new data, or a refusal."""

import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import PATIENTS, PUBLISHED, REGISTER, ROLES, in_arrow, in_folder, people, tight_job
from anonymization.reading import read_file
from anonymization.runs import beside, files, job, mode, quasi, read_csv, refused, verified, write_csv, write_ladder
from incrowd.anonymization.infeasible import NoRelease
from incrowd.errors import IncrowdError, JobError, SourceError, UsageError
from incrowd.release import Record

FIRST = [{"age": str(age), "land": "AABBB"[age % 5], "s": "xy"[age % 2]} for age in range(20, 30)]
LADDERS = {
    "age": {str(age): (f"{age // 5 * 5}+", "*") for age in range(20, 40)},
    "land": {"A": ("*",), "B": ("*",)},
}


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The private record of a release whose data and hierarchies are gone."""
    monkeypatch.chdir(tmp_path)
    for name, ladder in LADDERS.items():
        write_ladder(tmp_path / f"{name}.csv", ladder)
    write_csv(tmp_path / "first.csv", FIRST)
    columns = {**quasi(age="age.csv", land="land.csv"), "s": {"role": "sensitive"}}
    described = job(columns, data="first.csv", output="release.csv", suppress=0.2)
    made = verified(incrowd.anonymize(None, described))
    assert made.levels == {"age": 1, "land": 0}
    for name in ("first.csv", "age.csv", "land.csv", "release.csv"):
        (tmp_path / name).unlink()
    return "release.csv.record.json"


def second(*people: tuple[int, str, str], **more: str) -> list[dict[str, str]]:
    """New records."""
    return [{"age": str(age), "land": land, "s": s, **more} for age, land, s in people]


def test_the_same_data_give_the_same_release(tmp_path: Path) -> None:
    source = str(in_folder(tmp_path))
    made = incrowd.anonymize(source, tight_job(output=str(tmp_path / "first.csv")))
    again = verified(incrowd.apply(made.record_file or "", source, str(tmp_path / "second.csv")))
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()
    assert again.levels == made.levels
    assert again.figures.scores == made.figures.scores
    plain = again.to_dict()
    assert (plain["search"], plain["guarantee"], plain["optimal"], plain["gap"]) == (
        "applied",
        "heuristic",
        False,
        None,
    )


def test_new_records_with_the_old_hierarchies(record: str, tmp_path: Path) -> None:
    rows = second((21, "A", "x"), (39, "B", "y"), (24, "A", "y"), (36, "B", "z"), (20, "A", "x"), (25, "A", "x"))
    made = verified(incrowd.apply(record, str(write_csv(tmp_path / "new.csv", rows)), "out.csv"))
    assert read_csv(tmp_path / "out.csv") == [
        {"age": "20+", "land": "A", "s": "x"},
        {"age": "20+", "land": "A", "s": "x"},
        {"age": "20+", "land": "A", "s": "y"},
        {"age": "35+", "land": "B", "s": "y"},
        {"age": "35+", "land": "B", "s": "z"},
    ]
    assert (made.manifest.suppressed, made.manifest.suppress_limit) == (1, 1)
    assert mode("out.csv.record.json") == 0o600


def test_values_that_it_does_not_know_are_refused(record: str, tmp_path: Path) -> None:
    before = files(tmp_path)
    for age, land in ((19, "A"), (21, "C")):
        path = str(write_csv(tmp_path / "new.csv", second((age, land, "x"), (21, "A", "x"), (22, "A", "x"))))
        words = refused(JobError, lambda path=path: incrowd.apply(record, path, "out.csv"))
        assert "lacks 1 of its" in words
        assert "19" not in words
        assert "'C'" not in words
    assert files(tmp_path) == before | {"new.csv"}


# Hierarchies that follow a rule.


def applied(folder: Path, hierarchy: Any, before: Any, after: Any, **settings: Any) -> Any:
    """A release of the cells in one column, on level 1, and the recoding of it on others."""
    columns = {"x": {"role": "quasi", "hierarchy": hierarchy, "minimum": 1, "limit": 1, **settings}}
    made = incrowd.anonymize(pa.table({"x": before}), job(columns, {"k_anonymity": {"k": 1}}, output=f"{folder}/a.csv"))
    assert made.levels == {"x": 1}
    return incrowd.apply(made.record_file or "", pa.table({"x": after}), f"{folder}/b.csv")


@pytest.mark.parametrize(
    ("hierarchy", "before", "after", "labels"),
    [
        ("dates:levels=month/year", ["2024-01-31", "2023-05-01"], ["2024-02-01", "2024-01-31"], ["2024-01", "2024-02"]),
        ("dates:levels=month/year", [date(2024, 1, 31)], [date(2024, 2, 1)], ["2024-02"]),
        ("dates:levels=year,format=%d.%m.%Y", ["31.1.2024"], ["1.2.2025"], ["2025"]),
        ("intervals:widths=10/20", [34, 35], [34, 71, -3], ["-10 to -1", "30-39", "70-79"]),
        ("intervals:widths=10/20,top=80", ["34", "35"], ["99", "81", "34"], ["30-39", ">=80", ">=80"]),
        ("intervals:widths=1", [0.5, 1.5], [2.25], ["[2, 3)"]),
        ("mask", ["1010", "1020"], ["9999", "101"], ["101*", "999*"]),
    ],
)
def test_a_rule_gives_new_values_their_labels(
    tmp_path: Path, hierarchy: str, before: Any, after: Any, labels: list[str]
) -> None:
    made = verified(applied(tmp_path, hierarchy, before, after))
    assert [row["x"] for row in read_csv(tmp_path / "b.csv")] == labels
    # The record knows both months, for the month after.
    known = {row[0] for row in made.record.quasi[0].rows}
    assert known >= {str(value) for value in (*before, *after)}
    incrowd.apply(made.record_file or "", pa.table({"x": [*before, *after]}), str(tmp_path / "c.csv"))


@pytest.mark.parametrize(
    ("hierarchy", "before", "after"),
    [
        # All masks would be longer.
        ("mask", ["1010", "1020"], ["10100"]),
        # Whole numbers have labels of their own, which are not those of a number between them.
        ("intervals:widths=10", [34, 35], [35.5]),
        ("intervals:widths=10,domain=0/120", [34], [121]),
        ("intervals:widths=10", ["34"], ["secret"]),
        ("dates:levels=month", ["2024-01-31"], ["31 January"]),
        (None, ["a", "b"], ["secret"]),
        ({"tree": {"groups": {"*": {"vowel": ["a", "e"]}}}}, ["a", "e"], ["secret"]),
    ],
)
def test_new_values_are_refused_where_no_rule_gives_them_labels(
    tmp_path: Path, hierarchy: Any, before: list[Any], after: list[Any]
) -> None:
    words = refused(JobError, lambda: applied(tmp_path, hierarchy, before, after))
    assert "lacks 1 of its 1 different values" in words
    assert str(after[0]) not in words
    assert files(tmp_path) == {"a.csv", "a.csv.manifest.json", "a.csv.record.json"}


def test_losses_stay_what_they_were(tmp_path: Path) -> None:
    made = applied(tmp_path, "intervals:widths=10", [34, 35], [71], losses=[0, 0.25, 1])
    assert made.record.quasi[0].losses == (0, 0.25, 1)
    assert made.levels == {"x": 1}


def test_a_sensitive_column_with_a_rule(tmp_path: Path) -> None:
    columns = {**quasi("a"), "s": {"role": "sensitive", "hierarchy": "intervals:widths=10/20"}}
    model = {"t_closeness": {"t": 0.9, "column": "s", "distance": "hierarchical"}}
    table = pa.table({"a": ["u", "u", "v", "v"], "s": [1, 12, 1, 12]})
    made = incrowd.anonymize(table, job(columns, model, output=str(tmp_path / "a.csv")))
    later = table.set_column(1, "s", pa.array([1, 35, 1, 35]))
    again = verified(incrowd.apply(made.record_file or "", later, str(tmp_path / "b.csv")))
    assert {row[0]: row[1] for row in again.record.ladders["s"]} == {"1": "0-9", "12": "10-19", "35": "30-39"}


def test_too_many_to_suppress(record: str, tmp_path: Path) -> None:
    rows = second((21, "A", "x"), (26, "A", "x"), (31, "A", "x"), (21, "A", "y"))
    path = str(write_csv(tmp_path / "new.csv", rows))
    with pytest.raises(NoRelease) as caught:
        incrowd.apply(record, path, "out.csv")
    assert caught.value.exit_code == 3
    assert str(caught.value) == (
        "the recoding does not fit the new data: it would suppress 2 of 4 records (levels age 1, land 0), and 0 may "
        "be; run the full job on the new data"
    )
    plain = caught.value.to_dict()
    assert plain["nearest"] == {"levels": {"age": 1, "land": 0}, "suppressed": 2, "classes": 1}
    assert plain["relaxations"] == []
    assert "out.csv" not in files(tmp_path)


def test_a_missing_cell_that_was_not_there_before(record: str, tmp_path: Path) -> None:
    rows = [*second((21, "A", "x"), (22, "A", "y")), *[{"age": "21", "land": "", "s": "x"}] * 2]
    verified(incrowd.apply(record, str(write_csv(tmp_path / "new.csv", rows)), "out.csv"))
    assert [row["land"] for row in read_csv(tmp_path / "out.csv")] == [None, None, "A", "A"]


def test_columns_beyond_and_lacking(record: str, tmp_path: Path) -> None:
    rows = second((21, "A", "x"), (22, "A", "y"), extra="secret")
    made = incrowd.apply(record, str(write_csv(tmp_path / "new.csv", rows)), "out.csv")
    assert made.unmentioned == ("extra",)
    assert "secret" not in (tmp_path / "out.csv").read_text()
    write_csv(tmp_path / "less.csv", rows, ["age", "s"])
    words = refused(JobError, lambda: incrowd.apply(record, "less.csv", "less_out.csv"))
    assert "columns.land: the data have no such column" in words


@pytest.mark.parametrize("name", ["new.parquet", "new.jsonl"])
def test_another_format(record: str, tmp_path: Path, name: str) -> None:
    rows = second((21, "A", "x"), (22, "A", "y"))
    if name.endswith("parquet"):
        import pyarrow.parquet as pq

        # Numbers and their texts are the same values.
        pq.write_table(pa.table({"age": [21, 22], "land": ["A", "A"], "s": ["x", "y"]}), tmp_path / name)
    else:
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)))
    incrowd.apply(record, name, "out.parquet")
    assert [row["age"] for row in read_file(tmp_path / "out.parquet")] == ["20+", "20+"]


def test_several_files(record: str, tmp_path: Path) -> None:
    write_csv(tmp_path / "one.csv", second((21, "A", "x")))
    write_csv(tmp_path / "two.csv", second((22, "A", "y")))
    made = incrowd.apply(record, ["one.csv", tmp_path / "two.csv"], "out.csv")
    assert made.manifest.data.records == 2


def test_a_frame(record: str) -> None:
    frame = pa.table({"age": [21, 22], "land": ["A", "A"], "s": ["x", "y"]})
    made = incrowd.apply(record, frame)
    assert made.output is None
    assert made.frame["age"].to_pylist() == ["20+", "20+"]
    written = incrowd.apply(record, frame, "out.csv")
    assert written.frame.equals(made.frame)
    assert incrowd.verify("out.csv").holds


def test_into_a_database(record: str, tmp_path: Path) -> None:
    path = str(write_csv(tmp_path / "new.csv", second((21, "A", "x"), (22, "A", "y"))))
    incrowd.apply(record, path, "sqlite:///out.db", output_table="released")
    assert incrowd.verify("sqlite:///out.db", table="released").holds


# Ibis 12 asks pandas 3 for an option that is going away.
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
def test_from_the_table_of_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stage(["20", "21", "31", "32"])
    columns = {"age": {"role": "quasi", "hierarchy": "intervals:widths=10,domain=0/99"}}
    data = {"source": "sqlite:///staged.db", "table": "staged"}
    job = {"data": data, "output": "first.csv", "columns": columns, "models": ["k_anonymity:k=2"], "search": "optimal"}
    incrowd.anonymize(job=job)
    stage(["44", "45"])
    made = incrowd.apply("first.csv.record.json", "sqlite:///staged.db", "second.csv")
    assert (made.manifest.input_records, made.levels) == (2, {"age": 1})
    assert incrowd.verify("second.csv").holds


def stage(ages: list[str]) -> None:
    """A table that is filled anew before every release, and another one beside it."""
    with closing(sqlite3.connect("staged.db")) as database, database:
        for name in ("staged", "other"):
            database.execute(f"DROP TABLE IF EXISTS {name}")
            database.execute(f"CREATE TABLE {name} (age TEXT)")
        database.executemany("INSERT INTO staged VALUES (?)", [[age] for age in ages])


def test_of_what_was_applied_before(record: str, tmp_path: Path) -> None:
    path = str(write_csv(tmp_path / "new.csv", second((21, "A", "x"), (22, "A", "y"))))
    incrowd.apply(record, path, "out.csv")
    again = incrowd.apply("out.csv.record.json", path, "again.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
    assert again.levels == {"age": 1, "land": 0}


def test_what_is_there_stays(record: str, tmp_path: Path) -> None:
    path = str(write_csv(tmp_path / "new.csv", second((21, "A", "x"), (22, "A", "y"))))
    (tmp_path / "out.csv").write_text("old")
    refused(UsageError, lambda: incrowd.apply(record, path, "out.csv"))
    assert (tmp_path / "out.csv").read_text() == "old"
    incrowd.apply(record, path, "out.csv", replace=True)
    assert beside("out.csv") <= files(tmp_path)
    words = refused(IncrowdError, lambda: incrowd.apply(record, path, "new.csv", replace=True))
    assert "choose another" in words


def test_nowhere_to_go(record: str, tmp_path: Path) -> None:
    path = str(write_csv(tmp_path / "new.csv", second((21, "A", "x"), (22, "A", "y"))))
    words = refused(UsageError, lambda: incrowd.apply(record, path))
    assert "it names no output" in words


@pytest.mark.usefixtures("record")
def test_what_is_no_record(tmp_path: Path) -> None:
    frame = pa.table({"age": [21, 22], "land": ["A", "A"], "s": ["x", "y"]})
    refused(SourceError, lambda: incrowd.apply("release.csv.manifest.json", frame))
    refused(SourceError, lambda: incrowd.apply("nowhere.json", frame))
    (tmp_path / "odd.json").write_text('{"format": 1}')
    assert "is missing" in refused(SourceError, lambda: incrowd.apply("odd.json", frame))


def test_a_recoding_from_cell_to_cell_says_nothing_about_new_data(tmp_path: Path) -> None:
    rows = [{"a": a, "b": b} for a, b in ["up", "up", "vp", "vq", "wq", "wr"]]
    source = str(write_csv(tmp_path / "in.csv", rows))
    output = str(tmp_path / "release.csv")
    made = incrowd.anonymize(source, job(quasi("a", "b"), search={"scored": {"partial": True}}, output=output))
    words = refused(UsageError, lambda: incrowd.apply(made.record_file or "", source, str(tmp_path / "out.csv")))
    assert "cell-level recoding cannot be reused on new data" in words


def test_what_pre_sampling_found_is_a_level_for_each_column(tmp_path: Path) -> None:
    source = str(in_folder(tmp_path))
    dropping = {"scored": {"sample_k": 2, "sample_levels": {"age": 2, "zip": 4}}}
    described = tight_job({"k_anonymity": {"k": 3}}, search=dropping, output=str(tmp_path / "release.csv"))
    made = incrowd.anonymize(source, described)
    again = verified(incrowd.apply(made.record_file or "", source, str(tmp_path / "out.csv")))
    assert again.levels == made.levels


@pytest.mark.parametrize("time", [0.0001, 5])
def test_time_is_for_the_search_alone(tmp_path: Path, time: float) -> None:
    source = str(in_folder(tmp_path))
    made = incrowd.anonymize(source, tight_job(output=str(tmp_path / "release.csv")))
    plain = json.loads(Path(made.record_file or "").read_text("utf-8"))
    plain["job"]["time"] = time
    (tmp_path / "hasty.json").write_text(json.dumps(plain))
    assert incrowd.apply(tmp_path / "hasty.json", source, str(tmp_path / "out.csv")).verdict.holds


def test_new_data_are_read_as_the_old_ones_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands for missing, delimiter, encoding."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_bytes("ort;s\nKöln;1\nKöln;2\n?;1\n?;2\n".encode("latin-1"))
    data = {"source": "in.csv", "missing": ["?"], "delimiter": ";", "encoding": "latin-1"}
    columns = {"ort": {"role": "quasi", "limit": 0}, "s": {"role": "sensitive"}}
    made = verified(incrowd.anonymize(None, job(columns, data=data, output="release.csv")))
    again = verified(incrowd.apply(made.record_file or "", "in.csv", "out.csv"))
    assert (tmp_path / "release.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()
    assert [row["ort"] for row in read_csv(tmp_path / "out.csv")] == [None, None, "Köln", "Köln"]
    third = incrowd.apply(again.record_file or "", "in.csv", "third.csv")
    assert third.manifest.classes == 2
    # A frame has neither delimiter nor encoding, but texts.
    frame = pa.table({"ort": ["Köln", "Köln", "?", "?"], "s": ["1", "2", "1", "2"]})
    assert incrowd.apply(made.record_file or "", frame).frame["ort"].to_pylist() == [None, None, "Köln", "Köln"]


def test_a_population_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    in_folder(folder)
    in_folder(folder, REGISTER, "people.csv")
    described = tight_job({"k_map": {"k": 5}}, suppress=10, data="patients.csv", population="people.csv")
    (folder / "job.json").write_text(json.dumps({**described, "output": "release.csv"}))
    monkeypatch.chdir(tmp_path)
    made = incrowd.anonymize(None, "project/job.json")
    assert made.levels["age"] != 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    again = incrowd.apply("../project/release.csv.record.json", "../project/patients.csv", "out.csv")
    assert again.verdict.holds
    assert again.levels == made.levels
    assert (folder / "release.csv").read_bytes() == Path("out.csv").read_bytes()


def test_models_compare_with_the_new_table(tmp_path: Path) -> None:
    model = {"t_closeness": {"t": 0.35, "column": "disease"}}
    made = incrowd.anonymize(in_arrow(), tight_job(model, suppress=30, output=str(tmp_path / "release.csv")))
    known = {person["age"] for person in PATIENTS}
    others = [person for person in people(60, seed=9) if person["age"] in known]
    again = incrowd.apply(made.record_file or "", in_arrow(others), str(tmp_path / "out.csv"))
    counts = Record.read(again.record_file or Path()).reference[0].counts
    assert sum(counts) == len(others)
    assert incrowd.verify(tmp_path / "out.csv", record=again.record_file).holds


def test_nulls_and_roles_are_those_of_the_record(tmp_path: Path) -> None:
    holes: list[dict[str, Any]] = [
        {**person, "sex": None if at % 9 == 0 else person["sex"]} for at, person in enumerate(PATIENTS)
    ]
    source = str(in_folder(tmp_path, holes))
    made = incrowd.anonymize(source, tight_job(nulls="basic", output=str(tmp_path / "release.csv")))
    again = incrowd.apply(made.record_file or "", source, str(tmp_path / "out.csv"))
    assert again.manifest.set_aside == made.manifest.set_aside == 7
    assert list(again.manifest.data.columns) == PUBLISHED
    assert again.unmentioned == ("note",)
    assert again.record.not_published == ("name", "note")
    assert set(again.record.job["columns"]) == set(ROLES)

"""Whole runs of personalized anonymity: files and frames, what is told, what verification catches, what is refused."""

import json
import shlex
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import incrowd
from cli.command import Command
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import Infeasible, JobError, UsageError
from incrowd.jobs import Job
from incrowd.release import Manifest
from local.guards import TREE, breach
from verification.releases import with_lists

VALUES = [row[0] for row in TREE]
NODES = ["lungs", "stomach", None, "flu", None, "skin"]
ROWS = [
    {
        "age": str(20 + (at * 7) % 30),
        "city": ("Bonn", "Ulm", "Oslo")[at % 3],
        "disease": VALUES[(at * at) % 6] if at % 13 else None,
        "asks": NODES[at % 6],
        "note": f"n{at}",
    }
    for at in range(60)
]
GROUPS = {"ill": {"lungs": ["flu", "cough", "asthma"], "stomach": ["ulcer", "colic"]}, "hurt": {"skin": ["burn"]}}
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi"},
    "city": {"role": "quasi"},
    "disease": {"role": "sensitive", "hierarchy": {"tree": {"groups": GROUPS}}},
    "asks": {"role": "drop"},
    "note": {"role": "keep"},
}
BREACH = "personal_breach:p=0.5,column=disease,guard=asks"


def job(**changes: Any) -> dict[str, Any]:
    return {"columns": COLUMNS, "models": [BREACH], "search": "personalized", **changes}


def released(folder: Path, suffix: str = "csv", **changes: Any) -> tuple[Path, AnonymizationResult]:
    """A release in a file."""
    pd.DataFrame(ROWS).to_csv(folder / "rows.csv", index=False)
    output = folder / f"release.{suffix}"
    return output, incrowd.anonymize(None, job(data=str(folder / "rows.csv"), output=str(output), **changes))


def assert_guarded(release: pd.DataFrame, p: float) -> None:
    """By the definition: every record of the source, found again by its note, in its class of the release."""
    found = release.set_index("note")
    classes = {key: Counter(part["disease"]) for key, part in release.groupby(["age", "city"], dropna=False)}
    for row in ROWS:
        if row["note"] in found.index and row["asks"] is not None:
            seen = found.loc[row["note"]]
            cells = Counter(
                {None if pd.isna(cell) else cell: n for cell, n in classes[seen["age"], seen["city"]].items()}
            )
            assert breach(TREE, cells, row["asks"]) <= p + 1e-9


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, lambda rows: pa.Table.from_pylist(rows)])
@pytest.mark.parametrize("k", [None, 3])
def test_frames(kind: Callable[[Any], Any], k: int | None) -> None:
    models = [BREACH] if k is None else [BREACH, f"k_anonymity:k={k}"]
    made = incrowd.anonymize(kind(ROWS), job(models=models))
    frame = pd.DataFrame(pa.table(made.frame).to_pylist() if isinstance(made.frame, pa.Table) else made.frame.to_dict())
    if isinstance(made.frame, pl.DataFrame):
        frame = pd.DataFrame(made.frame.to_dicts())
    assert sorted(frame.columns) == ["age", "city", "disease", "note"]
    assert len(frame) == 60
    assert_guarded(frame, 0.5)
    assert made.manifest.smallest >= (k or 1)
    assert made.verdict.holds
    assert made.details["generalized"] > 0
    assert 0 < made.figures.scores["sensitive_loss"] < 1
    assert "personal_breach protects only records that guard something" in str(made)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json", "xml"])
def test_files(tmp_path: Path, suffix: str) -> None:
    """With the record everything is proven; without it, all but the guards."""
    output, made = released(tmp_path, suffix)
    known = incrowd.verify(output, record=made.record_file)
    assert known.holds
    assert {"cells", "covers", "sensitive"} <= {check.name for check in known.checks}
    alone = incrowd.verify(output)
    assert alone.word == "incomplete"
    [unproven] = [check for check in alone.checks if check.holds is None]
    assert unproven.detail == "needs the private record, which has the guard of each record (--record FILE)"
    assert all(check.holds for check in alone.checks if check is not unproven)


def test_what_is_told(tmp_path: Path) -> None:
    """Neither guards, nor values that the release hides, are in the manifest."""
    rows = [{"age": str(at), "city": "Bonn", "disease": "burn", "asks": "skin", "note": str(at)} for at in range(3)]
    made = incrowd.anonymize(pd.DataFrame(rows), job())
    assert set(made.frame["disease"]) == {"*"}
    manifest = json.dumps(made.manifest.to_dict())
    assert "burn" not in manifest
    assert "skin" not in manifest
    assert made.manifest.ladders == {"disease": ()}
    assert made.manifest.promises == (
        "No person's disease can be placed, with a probability above 0.5, below the node of its hierarchy that their "
        "record guards (Xiao and Tao).",
    )
    assert "skin" in json.dumps(made.record.to_dict())
    _, from_file = released(tmp_path)
    assert '"asks"' in from_file.manifest_file.read_text() if from_file.manifest_file else False
    shown = set(pd.read_csv(tmp_path / "release.csv")["disease"].dropna())
    assert {row[0] for row in from_file.manifest.ladders["disease"]} <= shown


def test_equal_jobs_make_equal_files(tmp_path: Path) -> None:
    texts = []
    for name, rows in (("one", ROWS), ("two", ROWS[::-1])):
        folder = tmp_path / name
        folder.mkdir()
        pd.DataFrame(rows).drop(columns="note").to_csv(folder / "rows.csv", index=False)
        columns = {key: of for key, of in COLUMNS.items() if key != "note"}
        output = folder / "release.csv"
        incrowd.anonymize(None, job(columns=columns, data=str(folder / "rows.csv"), output=str(output)))
        texts.append(output.read_text())
    assert texts[0] == texts[1]


@pytest.mark.parametrize("nulls", ["extended", "basic"])
def test_missing_quasi_identifiers(nulls: str) -> None:
    rows = [{**row, "city": None if at % 9 == 0 else row["city"]} for at, row in enumerate(ROWS)]
    made = incrowd.anonymize(pd.DataFrame(rows), job(nulls=nulls))
    assert made.manifest.set_aside == (7 if nulls == "basic" else 0)
    assert made.verdict.holds


def test_an_empty_table() -> None:
    made = incrowd.anonymize(pd.DataFrame(ROWS).iloc[:0].astype(str), job())
    assert made.manifest.data.records == 0
    assert made.verdict.holds


def test_nobody_guards_anything() -> None:
    made = incrowd.anonymize(pd.DataFrame([{**row, "asks": None} for row in ROWS]), job())
    assert made.details["generalized"] == 0
    assert made.figures.scores == {"loss": 0.0, "sensitive_loss": 0.0}


def test_numbers_stay_numbers_where_nothing_goes_up() -> None:
    rows = pd.DataFrame({"age": [1, 2, 3, 4], "income": [10, 20, 30, 40], "asks": [None, "10", None, None]})
    columns = {
        "age": {"role": "quasi"},
        "income": {"role": "sensitive", "hierarchy": {"intervals": {"widths": [20, 40]}}},
        "asks": {"role": "drop"},
    }
    models = ["personal_breach:p=0.5,column=income,guard=asks"]
    made = incrowd.anonymize(rows, job(columns=columns, models=models))
    assert made.frame["income"].tolist() == [10, 20, 30, 40]
    assert made.verdict.holds
    # A number in a column of floats names the value that is written without its fraction.
    alike = rows.assign(asks=[10.0, None, None, None], age=7, income=[10, 10, 10, 40])
    made = incrowd.anonymize(alike, job(columns=columns, models=models))
    assert made.details["generalized"] > 0
    assert made.verdict.holds


def test_the_top_is_guarded() -> None:
    """No release can do it; where they may be suppressed, those records are."""
    rows = [{**row, "asks": "*" if at < 2 else row["asks"]} for at, row in enumerate(ROWS)]
    with pytest.raises(Infeasible, match=r"the guards of 2 records have more than 0\.5 of all values"):
        incrowd.anonymize(pd.DataFrame(rows), job())
    made = incrowd.anonymize(pd.DataFrame(rows), job(suppress=2))
    assert made.manifest.suppressed == 2
    assert made.verdict.holds


def test_unknown_guards() -> None:
    rows = [{**row, "asks": "tuberculosis" if at == 5 else row["asks"]} for at, row in enumerate(ROWS)]
    with pytest.raises(UsageError, match="1 of its 5 different values name no node") as error:
        incrowd.anonymize(pd.DataFrame(rows), job())
    assert "tuberculosis" not in str(error.value)


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"search": "mondrian"}, "only the search personalized supports it"),
    ({"search": "optimal"}, "only the search personalized supports it"),
    ({"models": ["k_anonymity:k=2"]}, "generalizes the column that personal_breach guards, and none does"),
    ({"models": [BREACH, BREACH]}, "and 2 do; give one"),
    ({"models": [BREACH, "distinct_l:l=2,column=disease"]}, "which this model judges; omit it"),
    ({"columns": {**COLUMNS, "asks": {"role": "sensitive"}}}, "'asks', which is sensitive; give it the role drop"),
    ({"columns": {**COLUMNS, "asks": {"role": "keep"}}}, "'asks', which is keep; give it the role drop"),
    ({"columns": {**COLUMNS, "asks": {"role": "quasi"}}}, "'asks', which is quasi; give it the role drop"),
    ({"columns": {key: of for key, of in COLUMNS.items() if key != "asks"}}, "which the job does not mention"),
    ({"columns": {**COLUMNS, "disease": {"role": "sensitive"}}}, "column 'disease' has none; give it one"),
    ({"columns": {**COLUMNS, "disease": {"role": "keep"}}}, "which is keep, not sensitive"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_faults(change: dict[str, Any], words: str) -> None:
    with pytest.raises(JobError, match=words):
        Job.from_dict(job(**change))


def test_the_mapping(tmp_path: Path) -> None:
    """What became of values; nothing of guards, which became nothing."""
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    output = {"to": str(tmp_path / "release.csv"), "mapping": str(tmp_path / "mapping.csv")}
    incrowd.anonymize(None, job(data=str(tmp_path / "rows.csv"), output=output))
    mapping = pd.read_csv(tmp_path / "mapping.csv")
    assert set(mapping["column"]) == {"age", "city", "disease"}
    assert (mapping["column"] == "disease").sum() > len(VALUES) - 1


def test_apply_is_refused(tmp_path: Path) -> None:
    _, made = released(tmp_path)
    assert made.record_file is not None
    with pytest.raises(UsageError, match="cell-level recoding cannot be reused"):
        incrowd.apply(made.record_file, tmp_path / "rows.csv", str(tmp_path / "next.csv"))


def test_a_database(tmp_path: Path) -> None:
    """A join cannot deal equal records out; where none part, it publishes generalized values as any other column."""
    duckdb = pytest.importorskip("duckdb")
    rows = pd.DataFrame(
        {
            "age": [str(at) for at in range(6)],
            "city": "Bonn",
            "disease": VALUES,
            "asks": ["lungs", None, None, "colic", None, "burn"],
            "note": "x",
        }
    )
    with duckdb.connect() as connection:
        relation = connection.from_df(rows)
        made = incrowd.anonymize(relation, job(models=["personal_breach:p=0.5,column=disease,guard=asks"]))
        assert made.details["generalized"] > 0
        assert made.verdict.holds
    stored = f"sqlite:///{tmp_path / 'release.db'}"
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    output = {"to": stored, "table": "released"}
    made = incrowd.anonymize(None, job(data=str(tmp_path / "rows.csv"), output=output))
    assert incrowd.verify(stored, record=made.record_file, table="released").holds


def test_records_that_part_in_a_database() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = pd.DataFrame([{**ROWS[0], "disease": "flu", "asks": "flu", "note": "x"}] * 3)
    asked = job(models=["personal_breach:p=0.8,column=disease,guard=asks"])
    with duckdb.connect() as connection:
        made = incrowd.anonymize(connection.from_df(rows), asked)
        assert made.verdict.word == "verified"
        here = incrowd.anonymize(rows, asked).frame
        # Two of the three equal records publish another disease than the third.
        assert sorted(made.frame.df()["disease"]) == sorted(here["disease"])
        assert here["disease"].nunique() == 2


def test_time_is_up_at_once() -> None:
    """One group of everything is left, and it keeps every guard."""
    made = incrowd.anonymize(pd.DataFrame(ROWS), job(time=0))
    assert made.figures.search.stopped == "time"
    assert made.manifest.classes == 1
    assert made.verdict.holds


# Planted faults: the file is changed, and the hash of the manifest is forged to fit.


def planted(
    tmp_path: Path, change: Callable[[pd.DataFrame], None], private: Callable[[dict[str, Any]], None] | None = None
) -> set[str]:
    """The checks that fail after a change of the release, and perhaps of the record."""
    output, made = released(tmp_path, models=[BREACH, "k_anonymity:k=3"])
    assert made.record_file is not None
    frame = pd.read_csv(output, dtype=str, keep_default_na=False)
    change(frame)
    frame.to_csv(output, index=False)
    manifest = made.manifest.to_dict()
    manifest["data"]["sha256"] = sha256(output.read_bytes()).hexdigest()
    forged = Manifest.from_dict(manifest)
    record = with_lists(made.record_file)
    record["release"] = forged.fingerprint
    if private is not None:
        private(record)
    made.record_file.write_text(json.dumps(record))
    forged.write(Path(f"{output}.manifest.json"))
    verdict = incrowd.verify(output, record=made.record_file)
    return {check.name.partition(":")[0] for check in verdict.checks if check.holds is False}


def test_nothing_planted(tmp_path: Path) -> None:
    assert planted(tmp_path, lambda frame: None) == set()


def test_values_published_too_precisely(tmp_path: Path) -> None:
    """All original values are back: the guards are breached, and cells are not what the record says."""
    original = {row["note"]: row["disease"] or "" for row in ROWS}

    def change(frame: pd.DataFrame) -> None:
        frame["disease"] = [original[note] for note in frame["note"]]

    assert planted(tmp_path, change) == {"sensitive", "personal_breach"}


def test_a_record_that_hides_a_breach(tmp_path: Path) -> None:
    """Values are back and the record was made to fit them: still the guards are breached."""
    original = {row["note"]: row["disease"] or "" for row in ROWS}

    def change(frame: pd.DataFrame) -> None:
        frame["disease"] = [original[note] for note in frame["note"]]

    def private(record: dict[str, Any]) -> None:
        pieces = record["combinations"]
        at = pieces["names"].index("disease")
        pieces["labels"][at] = pieces["values"][at]
        for values, cells in zip(pieces["original"], pieces["published"], strict=True):
            cells[at] = values[at]

    assert planted(tmp_path, change, private) == {"personal_breach"}


def test_a_cell_that_lies_elsewhere(tmp_path: Path) -> None:
    """The record speaks of labels that are not above the values."""

    def private(record: dict[str, Any]) -> None:
        pieces = record["combinations"]
        at = pieces["names"].index("disease")
        pieces["labels"][at] = ["hurt" if label == "ill" else label for label in pieces["labels"][at]]

    def change(frame: pd.DataFrame) -> None:
        assert (frame["disease"] == "ill").any()
        frame["disease"] = frame["disease"].replace("ill", "hurt")

    assert "sensitive" in planted(tmp_path, change, private)


def test_a_record_without_guards(tmp_path: Path) -> None:
    def private(record: dict[str, Any]) -> None:
        pieces = record["combinations"]
        at = pieces["names"].index("asks")
        for key in ("names", "values", "labels"):
            del pieces[key][at]
        for row in (*pieces["original"], *(each for each in pieces["published"] if each)):
            del row[at]

    assert planted(tmp_path, lambda frame: None, private) >= {"sensitive"}


def test_the_guards_are_published(tmp_path: Path) -> None:
    """A release with a column more than claimed."""

    def change(frame: pd.DataFrame) -> None:
        frame["asks"] = "flu"

    assert "columns" in planted(tmp_path, change)


# Around it.


def test_measures(tmp_path: Path) -> None:
    """What needs sensitive values as they were says that it does not know."""
    output, made = released(tmp_path)
    assert made.details["generalized"] > 0
    text = str(
        incrowd.measure(tmp_path / "rows.csv", output, {"age": "quasi", "city": "quasi", "disease": COLUMNS["disease"]})
    )
    assert "the values of disease are not published unchanged" in text
    beside = str(incrowd.measure(tmp_path / "rows.csv", output))
    assert "the values of disease are not published unchanged" in beside


def test_report(tmp_path: Path) -> None:
    """A report of the release tells the promise, and what is not promised."""
    output, _ = released(tmp_path)
    text = incrowd.report(output).to_markdown()
    assert "below the node of its hierarchy that their record guards" in text


def test_frontier() -> None:
    found = incrowd.frontier(pd.DataFrame(ROWS), job(), k=[2, 3], searches=["personalized"])
    assert [run.release is not None for run in found.runs] == [True, True]
    # No other search keeps guards, so none is tried unless it is asked for.
    assert {run.search for run in incrowd.frontier(pd.DataFrame(ROWS), job(), k=2).runs} == {"personalized"}
    with pytest.raises(JobError, match="only the search personalized supports it"):
        incrowd.frontier(pd.DataFrame(ROWS), job(), searches="mondrian")


def test_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """From a file with the job, and from options alone."""
    command = Command(monkeypatch, capsys)
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    described = Job.from_dict(job(data=str(tmp_path / "rows.csv"), output=str(tmp_path / "one.csv")))
    for suffix, text in ((".yaml", described.to_yaml()), (".json", described.to_json()), (".xml", described.to_xml())):
        (tmp_path / f"job{suffix}").write_text(text, encoding="utf-8")
        assert Job.from_file(tmp_path / f"job{suffix}") == described
    done = command("anonymize", tmp_path / "job.yaml")
    assert done.code == 0
    assert "read again and checked: verified" in done.out
    assert command("verify", tmp_path / "one.csv", "--record", tmp_path / "one.csv.record.json").code == 0
    alone = command("verify", tmp_path / "one.csv")
    assert alone.code == 5
    assert "No check failed, but some could not be run" in alone.out
    options = shlex.split(described.changed(str(tmp_path / "two.csv")).to_command())
    assert command(*options[1:]).code == 0
    assert (tmp_path / "one.csv").read_text() == (tmp_path / "two.csv").read_text()


# The earlier name of the search.

EARLIER = "personalised"
RENAMED = "The search personalised is now called personalized; use the new name."


@pytest.mark.parametrize("search", [EARLIER, {EARLIER: {"weight": 2}}, f"{EARLIER}:weight=2"])
def test_the_earlier_name_still_works_and_is_noted(search: Any) -> None:
    options = {} if search == EARLIER else {"weight": 2}
    made = incrowd.anonymize(pd.DataFrame(ROWS), job(search=search))
    same = incrowd.anonymize(pd.DataFrame(ROWS), job(search={"personalized": options}))
    assert made.frame.equals(same.frame)
    assert made.manifest == same.manifest
    assert made.record.job["search"] == ({"personalized": options} if options else "personalized")
    assert made.notes == (RENAMED,)
    assert made.to_dict()["notes"] == [RENAMED]
    assert same.notes == ()


def test_the_earlier_name_in_a_job_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "job.json").write_text(json.dumps(job(data="rows.csv", search=EARLIER)), "utf-8")
    done = Command(monkeypatch, capsys)("anonymize", tmp_path / "job.json", "-o", tmp_path / "release.csv")
    assert (done.code, f"Note: {RENAMED}" in done.out) == (0, True), done


def test_private_records_with_the_earlier_name(tmp_path: Path) -> None:
    output, made = released(tmp_path)
    assert made.record_file is not None
    record = json.loads(made.record_file.read_text("utf-8"))
    record["job"]["search"] = record["figures"]["search"]["name"] = EARLIER
    made.record_file.write_text(json.dumps(record), "utf-8")
    assert incrowd.verify(output, record=made.record_file).holds
    assert EARLIER in json.dumps(incrowd.report(str(output)).to_dict())
    with pytest.raises(UsageError, match="cell-level recoding cannot be reused"):
        incrowd.apply(made.record_file, tmp_path / "rows.csv")

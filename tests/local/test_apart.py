"""Whole runs that publish sensitive values apart from the records: files and frames, refusals, planted faults."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given

import incrowd
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import IncrowdError, Infeasible, JobError, UsageError
from incrowd.release import Manifest
from local.tables import DISEASE, tables

ROWS = [
    {
        "id": at,
        "age": 20 + (at * 7) % 30,
        "town": ["Bonn", "Köln", "Ulm"][at % 3],
        "disease": ["flu", "cold", "gout", "mumps", None][at % 5],
        "note": f"n{at}",
    }
    for at in range(52)
]
COLUMNS = {
    "age": {"role": "quasi"},
    "town": {"role": "quasi"},
    "disease": {"role": "sensitive"},
    "note": {"role": "keep"},
}
CHECKS = {"sensitive hash", "sensitive columns", "sensitive rows", "groups"}


def job(**changes: Any) -> dict[str, Any]:
    """A job over the rows."""
    return {"columns": COLUMNS, "models": ["frequency_l:l=3,column=disease"], "search": "anatomy", **changes}


def released(folder: Path, suffix: str = "csv", **changes: Any) -> tuple[Path, AnonymizationResult]:
    """The release of the rows in a file."""
    pd.DataFrame(ROWS).to_csv(folder / "rows.csv", index=False)
    output = folder / f"release.{suffix}"
    return output, incrowd.anonymize(None, job(data=str(folder / "rows.csv"), output=str(output), **changes))


def test_a_frame() -> None:
    """Two frames: joined by the group they hold all that was given, and no more than that."""
    made = incrowd.anonymize(pd.DataFrame(ROWS), job())
    assert list(made.frame) == ["age", "town", "note", "group"]
    assert list(made.sensitive_frame) == ["group", "disease", "count"]
    given = pd.DataFrame(ROWS).sort_values("note")[["age", "town", "note"]].reset_index(drop=True)
    pd.testing.assert_frame_equal(made.frame.sort_values("note")[["age", "town", "note"]].reset_index(drop=True), given)
    sizes = made.frame["group"].value_counts().to_dict()
    assert sizes == made.sensitive_frame.groupby("group")["count"].sum().to_dict()
    assert min(sizes.values()) == made.manifest.smallest == 3
    assert made.sensitive_frame["count"].max() == 1
    truth = dict(zip((row["note"] for row in ROWS), (row["disease"] for row in ROWS), strict=True))
    values = made.sensitive_frame.groupby("group")["disease"].agg(lambda cells: set(cells.fillna("missing")))
    for note, group in zip(made.frame["note"], made.frame["group"], strict=True):
        assert (truth[note] or "missing") in values[group]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_frames_of_any_kind(kind: str) -> None:
    """Both come back as what was given; the order of records follows from their cells."""
    polars = pytest.importorskip("polars")
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    build = {"pandas": pd.DataFrame, "polars": polars.DataFrame, "pyarrow": pa.table}[kind]
    made = incrowd.anonymize(build(columns), job())
    assert type(made.frame) is type(made.sensitive_frame) is type(build(columns))
    assert {check.name for check in made.verdict.checks} >= {*CHECKS - {"sensitive hash"}, "links"}


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet", "jsonl"])
def test_files(tmp_path: Path, suffix: str) -> None:
    """Two files, both hashed in the manifest; either alone or with the record, the release verifies."""
    output, made = released(tmp_path, suffix)
    assert made.sensitive_file == tmp_path / f"release-sensitive.{suffix}"
    assert made.to_dict()["sensitive"] == str(made.sensitive_file)
    assert {path.name for path in tmp_path.iterdir()} == {
        "rows.csv",
        output.name,
        f"release-sensitive.{suffix}",
        f"{output.name}.manifest.json",
        f"{output.name}.record.json",
    }
    apart = made.manifest.apart
    assert apart is not None
    assert apart.data.sha256 == sha256(made.sensitive_file.read_bytes()).hexdigest()
    alone, known = incrowd.verify(output), incrowd.verify(output, record=made.record_file)
    assert alone.holds
    assert known.holds
    assert {check.name for check in alone.checks} >= CHECKS
    assert "links" in {check.name for check in known.checks}
    assert Manifest.read(Path(f"{output}.manifest.json")) == made.manifest


def test_what_is_told(tmp_path: Path) -> None:
    """What is promised and what is not: in the result, in the manifest, in the verdict."""
    output, made = released(tmp_path)
    told = str(made)
    assert "52 records in 17 groups; smallest group: 3. Sensitive values are published by group." in told
    assert "Warning: quasi-identifiers are published unchanged." in told
    assert "release-sensitive.csv, read again and checked: verified." in told
    assert made.manifest.promises[0] == "In every class at most one record in 3 has the same value of disease."
    assert "Nothing is promised about quasi-identifiers" in made.manifest.promises[1]
    assert "sees whether the person is in the table" in str(incrowd.verify(output))
    assert made.record.not_published == ("id",)
    assert {column.form for column in made.manifest.quasi} == {"value"}


def test_equal_jobs_make_equal_files(tmp_path: Path) -> None:
    """Byte for byte; and the order of the records that were given does not show."""
    columns = {name: role for name, role in COLUMNS.items() if name != "note"}
    found = []
    for at, rows in enumerate([ROWS, ROWS, sorted(ROWS, key=lambda row: str(row["disease"]))]):
        folder = tmp_path / str(at)
        folder.mkdir()
        pd.DataFrame(rows).to_csv(folder / "rows.csv", index=False)
        made = incrowd.anonymize(
            None, job(columns=columns, data=str(folder / "rows.csv"), output=str(folder / "release.csv"))
        )
        assert made.sensitive_file is not None
        found.append(((folder / "release.csv").read_bytes(), made.sensitive_file.read_bytes()))
    assert found[0] == found[1] == found[2]


def test_file_and_frame_agree(tmp_path: Path) -> None:
    """The same groups wherever records are."""
    output, _ = released(tmp_path)
    made = incrowd.anonymize(pd.DataFrame(ROWS), job())
    pd.testing.assert_frame_equal(pd.read_csv(output, dtype=str), made.frame.astype(str))


def test_several_files(tmp_path: Path) -> None:
    """Read as one."""
    frame = pd.DataFrame(ROWS)
    frame[:20].to_csv(tmp_path / "a.csv", index=False)
    frame[20:].to_csv(tmp_path / "b.csv", index=False)
    sources = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    made = incrowd.anonymize(None, job(data=sources, output=str(tmp_path / "release.csv")))
    assert made.manifest.data.records == 52


def test_suppression_and_records_set_aside() -> None:
    """Of a value that is too frequent what is too much goes; missing quasi-identifiers are set aside."""
    rows = [{**row, "disease": "flu" if at < 40 else row["disease"]} for at, row in enumerate(ROWS)]
    rows[50] = {**rows[50], "town": None}
    with pytest.raises(Infeasible, match=r"more than one record in 3 has the same value of 'disease'; allow more supp"):
        incrowd.anonymize(pd.DataFrame(rows), job())
    made = incrowd.anonymize(pd.DataFrame(rows), job(suppress=0.8, nulls="basic"))
    claims = made.manifest
    assert claims.set_aside == 1
    assert claims.suppressed == 38
    assert claims.data.records == len(made.frame) == 13
    assert made.figures.scores == {"loss": pytest.approx(38 / 51)}


def test_fewer_values_than_l() -> None:
    """No bucket at all; with leave to suppress everything an empty release, which says so."""
    with pytest.raises(Infeasible, match="52 must be"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(models=["frequency_l:l=6,column=disease"]))
    made = incrowd.anonymize(pd.DataFrame(ROWS), job(models=["frequency_l:l=6,column=disease"], suppress=52))
    assert len(made.frame) == len(made.sensitive_frame) == 0
    assert "Nothing is published" in str(made)


def test_empty(tmp_path: Path) -> None:
    """An empty table is two empty tables."""
    made = incrowd.anonymize(pd.DataFrame(ROWS[:0], columns=list(ROWS[0])), job(output=str(tmp_path / "release.csv")))
    assert made.verdict.holds
    assert incrowd.verify(tmp_path / "release.csv", record=made.record_file).holds


def test_names_of_columns() -> None:
    """As the options say."""
    made = incrowd.anonymize(pd.DataFrame(ROWS), job(search="anatomy:group=bucket,count=records"))
    assert list(made.frame)[-1] == "bucket"
    assert list(made.sensitive_frame) == ["bucket", "disease", "records"]


@given(rows=tables(16))
def test_any_table(rows: list[dict[str, Any]]) -> None:
    """Duplicates, missing cells, two spellings of one number: verified, or too few values."""
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in ("age", "place", "size", "mark")}
    described = {"columns": {**columns, DISEASE: {"role": "sensitive"}}, "models": ["frequency_l:l=2,column=disease"]}
    made = incrowd.anonymize(pd.DataFrame(rows, dtype="string"), {**described, "search": "anatomy", "suppress": 16})
    assert made.verdict.holds


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"models": ["consistent_k:k=3"]}, "the search publishes quasi-identifiers unchanged"),
        ({"models": ["alpha_k:alpha=0.5,k=2,column=disease"]}, "give k_anonymity, frequency_l, distinct_l, entropy_l"),
        ({"models": ["t_closeness:t=0.5,column=disease"]}, "guarantees only the size of groups"),
        ({"search": "anatomy:group=note"}, "there is already a column 'note'; choose another name"),
        ({"search": "anatomy:count=disease"}, "there is already a column 'disease'"),
        ({"output": "sqlite:///x.db"}, "publishes two tables, which must be files"),
        ({"columns": {**COLUMNS, "note": {"role": "sensitive"}}}, "2 columns are sensitive; give one column this role"),
        ({"order": "source"}, "may show whose value it is; omit it"),
        ({"metric": "height"}, "a local search minimizes loss"),
    ],
)
def test_faults(change: dict[str, Any], words: str) -> None:
    """What does not fit together is told before anything is read."""
    with pytest.raises(JobError, match=words):
        incrowd.anonymize(pd.DataFrame(ROWS), job(**change))


def test_no_sensitive_column() -> None:
    """All faults at once."""
    columns = {**COLUMNS, "disease": {"role": "drop"}}
    with pytest.raises(JobError, match="no column is sensitive; give one column this role"):
        incrowd.anonymize(pd.DataFrame(ROWS), job(columns=columns))


def test_records_elsewhere(tmp_path: Path) -> None:
    """An engine numbers records, and holds the second table; sources of different kinds do not: one clear line."""
    polars = pytest.importorskip("polars")
    made = incrowd.anonymize(polars.DataFrame(ROWS).lazy(), job())
    assert made.verdict.word == "verified"
    assert isinstance(made.sensitive_frame, polars.LazyFrame)
    here = incrowd.anonymize(polars.DataFrame(ROWS), job()).sensitive_frame
    assert made.sensitive_frame.collect().equals(here)
    both = incrowd.read(polars.DataFrame(ROWS).lazy(), polars.DataFrame(ROWS))
    with pytest.raises(IncrowdError, match="read the table into pandas, Polars or PyArrow"):
        incrowd.anonymize(both, {**job(), "output": str(tmp_path / "release.csv")})


def test_places(tmp_path: Path) -> None:
    """The second file replaces nothing, and nothing is written over it."""
    (tmp_path / "release-sensitive.csv").write_text("mine")
    with pytest.raises(IncrowdError, match=r"release-sensitive\.csv"):
        released(tmp_path)
    assert (tmp_path / "release-sensitive.csv").read_text() == "mine"
    output = {"to": str(tmp_path / "release.csv"), "replace": True, "mapping": str(tmp_path / "release-sensitive.csv")}
    pd.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(UsageError, match="the table of sensitive values and the mapping would both go there"):
        incrowd.anonymize(None, job(data=str(tmp_path / "rows.csv"), output=output))
    output.pop("mapping")
    made = incrowd.anonymize(None, job(data=str(tmp_path / "rows.csv"), output=output))
    assert incrowd.verify(tmp_path / "release.csv", record=made.record_file).holds


def test_apply_is_refused(tmp_path: Path) -> None:
    """Buckets say nothing about new records."""
    _, made = released(tmp_path)
    assert made.record_file is not None
    with pytest.raises(UsageError, match="run the full job"):
        incrowd.apply(made.record_file, tmp_path / "rows.csv", str(tmp_path / "next.csv"))


# Planted faults: files are changed, and the hashes of the manifest are forged to fit.

Change = Callable[[pd.DataFrame, pd.DataFrame], None]


def planted(tmp_path: Path, change: Change, claims: Callable[[dict[str, Any]], None] | None = None) -> set[str]:
    """The checks that fail after a change of both tables, with the record."""
    output, made = released(tmp_path)
    second = made.sensitive_file
    assert second is not None
    assert made.record_file is not None
    frames = pd.read_csv(output, dtype=str), pd.read_csv(second, dtype=str)
    change(*frames)
    frames[0].to_csv(output, index=False)
    frames[1].dropna(how="all").to_csv(second, index=False)
    manifest = made.manifest.to_dict()
    manifest["data"]["sha256"] = sha256(output.read_bytes()).hexdigest()
    manifest["apart"]["data"]["sha256"] = sha256(second.read_bytes()).hexdigest()
    if claims is not None:
        claims(manifest)
    forged = Manifest.from_dict(manifest)
    record = json.loads(made.record_file.read_text(encoding="utf-8"))
    record["release"] = forged.fingerprint
    made.record_file.write_text(json.dumps(record))
    forged.write(Path(f"{output}.manifest.json"))
    verdict = incrowd.verify(output, record=made.record_file)
    return {check.name for check in verdict.checks if check.holds is False}


def test_nothing_planted(tmp_path: Path) -> None:
    """Forged hashes alone do not show."""
    assert planted(tmp_path, lambda first, second: None) == set()


def test_a_value_too_often(tmp_path: Path) -> None:
    """Two records of a group with the same value: l is no longer 3."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        mine = second.index[second["group"] == "1"]
        second.loc[mine[0], "count"] = "2"
        second.loc[mine[1]] = second.loc[mine[2]]
        second.loc[mine[2]] = None

    def claims(manifest: dict[str, Any]) -> None:
        manifest["apart"]["data"]["records"] -= 1

    failed = planted(tmp_path, change, claims)
    assert "frequency_l:l=3,column=disease" in failed
    assert "links" in failed
    assert "groups" not in failed


def test_a_value_twice(tmp_path: Path) -> None:
    """In two rows of a group, where one row should count both."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        mine = second.index[second["group"] == "1"]
        second.loc[mine[1], "disease"] = second.loc[mine[0], "disease"]

    assert {"sensitive rows", "frequency_l:l=3,column=disease"} <= planted(tmp_path, change)


@pytest.mark.parametrize("count", ["0", "-1", "x", "1.5", ""])
def test_a_count_that_is_none(tmp_path: Path, count: str) -> None:
    """Whole numbers from 1 alone."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        second.loc[0, "count"] = count

    assert "sensitive rows" in planted(tmp_path, change)


def test_a_record_in_another_group(tmp_path: Path) -> None:
    """Then groups have more or fewer records than values."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        first.loc[0, "group"] = first["group"].iloc[-1]

    assert {"groups", "links"} <= planted(tmp_path, change)


def test_records_change_places(tmp_path: Path) -> None:
    """Sizes agree; only the private record knows."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        ends = [0, len(first) - 1]
        first.loc[ends, "group"] = first.loc[ends[::-1], "group"].to_numpy()

    assert planted(tmp_path, change) == {"links"}


def test_an_unknown_group(tmp_path: Path) -> None:
    """A group that the second table lacks, and one without a name."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        first.loc[0, "group"] = "999"

    def unnamed(first: pd.DataFrame, second: pd.DataFrame) -> None:
        first.loc[first["group"] == "1", "group"] = ""
        second.loc[second["group"] == "1", "group"] = ""

    assert "groups" in planted(tmp_path, change)
    (tmp_path / "again").mkdir()
    assert "sensitive rows" in planted(tmp_path / "again", unnamed)


def test_a_changed_quasi_identifier(tmp_path: Path) -> None:
    """Published as they are means as they were."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        first.loc[0, "age"] = "99"

    assert {"cells", "links"} <= planted(tmp_path, change)


def test_other_columns(tmp_path: Path) -> None:
    """A second table with a column too many."""

    def change(first: pd.DataFrame, second: pd.DataFrame) -> None:
        second["note"] = "x"

    assert "sensitive columns" in planted(tmp_path, change)


def test_a_second_table_that_is_another_or_none(tmp_path: Path) -> None:
    """Its hash is in the manifest, its name too."""
    output, made = released(tmp_path)
    second = made.sensitive_file
    assert second is not None
    second.write_bytes(second.read_bytes() + b"\n")
    verdict = incrowd.verify(output)
    assert [check.name for check in verdict.checks if not check.holds] == ["sensitive hash"]
    assert "Get the data and their manifest again" in str(verdict)
    second.unlink()
    verdict = incrowd.verify(output)
    assert [check.name for check in verdict.checks if not check.holds] == ["reading"]
    assert "release-sensitive.csv, cannot be read" in str(verdict)


def test_a_manifest_that_points_elsewhere(tmp_path: Path) -> None:
    """Only the folder of the release is looked at."""
    (tmp_path / "release").mkdir()
    output, made = released(tmp_path / "release")
    manifest = made.manifest.to_dict()
    manifest["apart"]["data"]["file"] = "../rows.csv"
    Manifest.from_dict(manifest).write(Path(f"{output}.manifest.json"))
    (tmp_path / "release" / "rows.csv").rename(tmp_path / "rows.csv")
    assert "reading" in {check.name for check in incrowd.verify(output).checks}


POSTCODES = ["NW10", "NW15", "NW12", "NW13", "NW20", "NW30", "NW30", "NW25"]
SALARIES = [10, 10, 10, 10, 20, 40, 40, 30]


def test_the_tables_of_the_thesis() -> None:
    """Loukides, Tables 2.12 and 2.13: a bucketization of Table 2.1 by k = 4 alone, and what it is truly worth."""
    people = pd.DataFrame({"Postcode": POSTCODES, "Salary": SALARIES})
    columns = {"Postcode": {"role": "quasi"}, "Salary": {"role": "sensitive"}}
    made = incrowd.anonymize(people, {"columns": columns, "models": ["k_anonymity:k=4"], "search": "anatomy"})
    groups = made.frame.groupby("group")["Postcode"].agg(sorted).to_dict()
    assert groups == {"1": ["NW10", "NW12", "NW13", "NW15"], "2": ["NW20", "NW25", "NW30", "NW30"]}
    assert made.sensitive_frame.to_dict("list") == {
        "group": ["1", "2", "2", "2"],
        "Salary": [10, 20, 30, 40],
        "count": [4, 1, 1, 2],
    }
    assert made.manifest.promises[0] == (
        "Every group has at least 4 records; which of them has which of the group's values is not disclosed, unless "
        "all of its values are the same."
    )
    told = str(made)
    assert made.verdict.holds
    assert "shares its quasi-identifiers" not in told + str(made.verdict)
    assert "1 group with 4 records has a single value" in str(made.verdict)
    spread = incrowd.anonymize(
        people,
        {"columns": columns, "models": ["k_anonymity:k=4", "frequency_l:l=2,column=Salary"], "search": "anatomy"},
    )
    assert "single value" not in str(spread.verdict)

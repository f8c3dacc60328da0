"""Whole runs: what each role of a column means, and tables that are odd."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from anonymization.holes import HOLES, HOLES_JOB
from anonymization.hospital import (
    PATIENTS,
    PUBLISHED,
    ROLES,
    hospital_job,
    in_arrow,
    in_folder,
    tight_job,
)
from anonymization.reading import read_file
from anonymization.runs import (
    files,
    job,
    quasi,
    read_csv,
    refused,
    rows_of,
    verified,
    write_ladder,
)
from incrowd.errors import IncrowdError, JobError

# Roles.


def test_only_what_the_job_mentions_is_published() -> None:
    made = incrowd.anonymize(in_arrow(), hospital_job())
    assert made.frame.column_names == PUBLISHED
    assert made.unmentioned == ("note",)
    assert made.record.not_published == ("name", "note")
    assert made.to_dict()["not_published"] == ["name", "note"]
    assert "Not published, because the job does not mention them: note." in str(made)
    assert "Not published, as the job says: name." in str(made)


def test_identifiers_and_what_is_dropped_are_never_published() -> None:
    described = hospital_job()
    described["columns"] = {**ROLES, "visits": {"role": "drop"}, "note": {"role": "identifier"}}
    made = incrowd.anonymize(in_arrow(), described)
    assert made.frame.column_names == ["age", "zip", "sex", "disease", "ward"]
    assert made.unmentioned == ()


def test_the_columns_stay_in_the_order_of_the_table() -> None:
    turned = {name: ROLES[name] for name in reversed(ROLES)}
    made = incrowd.anonymize(in_arrow(), job(turned))
    assert made.frame.column_names == PUBLISHED
    assert list(made.levels) == ["sex", "zip", "age"]


def test_other_cells_stay_as_they_are() -> None:
    made = incrowd.anonymize(in_arrow(), tight_job(order="source"))
    assert made.frame.schema.field("visits").type == pa.int64()
    others = [tuple(row[name] for name in ("disease", "ward", "visits")) for row in rows_of(made)]
    people = iter([tuple(person[name] for name in ("disease", "ward", "visits")) for person in PATIENTS])
    assert all(other in people for other in others), "in the order of the table"


def test_a_column_that_the_table_lacks() -> None:
    described = hospital_job()
    described["columns"] = {**ROLES, "height": {"role": "quasi"}, "wieght": {"role": "keep"}}
    words = refused(JobError, lambda: incrowd.anonymize(in_arrow(), described))
    assert "columns.height: the data have no such column" in words
    assert "columns.wieght: the data have no such column" in words


def test_levels_beyond_the_hierarchy() -> None:
    described = hospital_job()
    described["columns"] = {**ROLES, "sex": {"role": "quasi", "limit": 7}, "zip": {**ROLES["zip"], "minimum": 9}}
    words = refused(JobError, lambda: incrowd.anonymize(in_arrow(), described))
    assert "columns.sex.limit: it is 7; the hierarchy has the levels 0 to 1" in words
    assert "columns.zip.minimum: it is 9; the hierarchy has the levels 0 to 4" in words


def test_minimum_limit_and_priority_are_kept() -> None:
    described = hospital_job()
    described["columns"] = {**ROLES, "age": {**ROLES["age"], "minimum": 1, "limit": 2}, "sex": {"role": "quasi"}}
    levels = incrowd.anonymize(in_arrow(), described).levels
    assert levels["age"] in (1, 2)
    preferred = {
        name: incrowd.anonymize(
            in_arrow(), job({**ROLES, name: {**ROLES[name], "priority": 1000}}, {"k_anonymity": {"k": 5}})
        ).levels[name]
        for name in ("age", "sex")
    }
    assert preferred["sex"] == 0
    assert preferred["age"] is not None
    plain = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 5}})).levels["age"]
    assert plain is not None
    assert preferred["age"] < plain


# Odd tables.


def test_an_empty_table(tmp_path: Path) -> None:
    made = verified(incrowd.anonymize(HOLES.slice(0, 0), {**HOLES_JOB, "output": str(tmp_path / "release.csv")}))
    assert (tmp_path / "release.csv").read_text() == "a,b,s\n"
    assert (made.manifest.classes, made.manifest.smallest, made.manifest.data.records) == (0, 0, 0)
    assert str(made).startswith("Nothing is published: the table has no records.")


def test_one_record() -> None:
    alone = HOLES.slice(0, 1)
    made = incrowd.anonymize(alone, {**HOLES_JOB, "models": [{"k_anonymity": {"k": 1}}]})
    assert len(rows_of(made)) == 1
    assert "1 record in 1 class; smallest class: 1." in str(made)
    refused(IncrowdError, lambda: incrowd.anonymize(alone, HOLES_JOB))


def test_k_of_1_changes_nothing() -> None:
    made = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 1}}))
    assert made.levels == {"age": 0, "zip": 0, "sex": 0}
    rows = in_arrow().select(PUBLISHED).to_pylist()
    assert made.frame.to_pylist() == sorted(rows, key=lambda row: tuple(row.values()))


@pytest.mark.parametrize("suppress", [8, 100])
def test_all_records_may_go(suppress: int, tmp_path: Path) -> None:
    described = {**HOLES_JOB, "models": [{"k_anonymity": {"k": 9}}], "suppress": suppress}
    made = verified(incrowd.anonymize(HOLES, {**described, "output": str(tmp_path / "release.csv")}))
    assert rows_of(made) == []
    assert (tmp_path / "release.csv").read_text() == "a,b,s\n"
    assert (made.manifest.suppressed, made.manifest.suppress_limit) == (8, 8)
    assert str(made).startswith("Nothing is published: every record would be suppressed.")
    assert "the release has no records" in made.verdict.warnings[0]


def test_an_empty_release_whose_sensitive_column_has_a_hierarchy(tmp_path: Path) -> None:
    """The manifest then has no value to show, and so no tree: nothing is wrong with it."""
    ladder = write_ladder(tmp_path / "kinds.csv", {"1": ("low", "*"), "2": ("low", "*"), "3": ("high", "*")})
    columns = {**HOLES_JOB["columns"], "s": {"role": "sensitive", "hierarchy": str(ladder)}}
    model = {"t_closeness": {"t": 0.2, "column": "s", "distance": "hierarchical"}}
    described = {**HOLES_JOB, "columns": columns, "models": [{"k_anonymity": {"k": 99}}, model], "suppress": 8}
    made = verified(incrowd.anonymize(HOLES, {**described, "output": str(tmp_path / "release.csv")}))
    assert made.verdict.word == incrowd.verify(tmp_path / "release.csv").word == "empty"


def test_all_records_set_aside() -> None:
    gaps = pa.table({"a": pa.array([None, None], pa.string()), "b": ["p", "q"], "s": ["1", "2"]})
    made = incrowd.anonymize(gaps, {**HOLES_JOB, "nulls": "basic"})
    assert (made.manifest.set_aside, made.manifest.data.records) == (2, 0)
    assert str(made).startswith("Nothing is published: every record has a missing quasi-identifier and is set aside.")


def test_only_duplicates() -> None:
    made = incrowd.anonymize(pa.table({"a": ["u"] * 7, "b": ["p"] * 7, "s": ["1"] * 7}), HOLES_JOB)
    assert len(rows_of(made)) == made.manifest.smallest == 7
    assert made.manifest.classes == 1


@pytest.mark.parametrize("nulls", ["extended", "basic", "maybe"])
def test_a_column_of_missing_cells_alone(nulls: str, tmp_path: Path) -> None:
    table = pa.table({"a": pa.nulls(4), "b": ["p", "p", "q", "q"], "s": pa.nulls(4, pa.string())})
    output = str(tmp_path / "release.csv")
    made = verified(incrowd.anonymize(table, {**HOLES_JOB, "nulls": nulls, "output": output}))
    assert len(rows_of(made)) == (0 if nulls == "basic" else 4)


def test_huge_and_odd_numbers(tmp_path: Path) -> None:
    numbers = [2**63 - 1, 2**63 - 1, -(2**63), -(2**63), 2**53 + 1, 2**53 + 1]
    shares = [0.1, 0.1, 5e-324, 5e-324, 1e300, 1e300]
    table = pa.table({"n": numbers, "x": shares})
    for ending in ("csv", "parquet", "jsonl", "xlsx", "xml"):
        described = job(quasi("n", "x"), output=str(tmp_path / f"release.{ending}"))
        described["columns"] = {name: {"role": "quasi", "limit": 0} for name in ("n", "x")}
        made = verified(incrowd.anonymize(table, described))
        assert made.frame["n"].to_pylist() == sorted(numbers)
        assert made.manifest.classes == 3


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "xlsx", "xml"])
@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()])
def test_two_zeros_are_one_value(tmp_path: Path, ending: str, kind: pa.DataType) -> None:
    """They are equal, so that they are counted as one; published as two, they would be two classes."""
    table = pa.table({"x": pa.array([0.0, -0.0, 1.5, 1.5, None, float("nan")], kind), "s": list("abcdef")})
    pq.write_table(table, tmp_path / "in.parquet")
    columns = {"x": {"role": "quasi", "limit": 0}, "s": {"role": "keep"}}
    for source in (table, str(tmp_path / "in.parquet")):
        described = job(columns, output={"to": str(tmp_path / f"release.{ending}"), "replace": True})
        made = verified(incrowd.anonymize(source, described))
        assert (made.manifest.classes, made.manifest.smallest) == (3, 2)
        cells = [row["x"] for row in read_file(tmp_path / f"release.{ending}")]
        assert cells[:2] == [None, None]
        assert [float(cell or "nan") for cell in cells[2:]] == [0, 0, 1.5, 1.5]
        assert not any((cell or "").startswith("-") for cell in cells)
        assert made.frame is None or "-0.0" not in str(made.frame["x"].to_pylist())


NAMES = ['a,b "q"', " lead", "größe 日本", "x;y|z\t", "p.q-r", "new\nline", "1st", "select"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "xml", "xlsx"])
def test_any_column_name(ending: str, tmp_path: Path) -> None:
    table = pa.table({name: [f"ü{at // 2}" for at in range(6)] for name in NAMES})
    roles = dict(zip(NAMES, ["quasi", "sensitive", "quasi", "keep", "quasi", "quasi", "keep", "quasi"], strict=True))
    columns = {name: {"role": role, **({"limit": 0} if role == "quasi" else {})} for name, role in roles.items()}
    models = [{"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 1, "column": [" lead"]}}]
    made = verified(incrowd.anonymize(table, job(columns, *models, output=str(tmp_path / f"release.{ending}"))))
    assert made.frame.column_names == NAMES
    assert incrowd.read(str(tmp_path / f"release.{ending}")).columns == tuple(NAMES)


def test_several_files_are_one_table(tmp_path: Path) -> None:
    parts = [str(in_folder(tmp_path, PATIENTS[at::3], f"{at}.csv")) for at in range(3)]
    output = str(tmp_path / "release.csv")
    made = verified(incrowd.anonymize(parts, tight_job(output=output)))
    whole = incrowd.anonymize(in_arrow([*PATIENTS[::3], *PATIENTS[1::3], *PATIENTS[2::3]]), tight_job())
    assert made.levels == whole.levels
    assert Counter(tuple(row.values()) for row in read_csv(Path(output))) == Counter(
        tuple(map(str, row.values())) for row in rows_of(whole)
    )


def test_paths_of_a_job_file_begin_at_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    (folder / "ladders").mkdir(parents=True)
    in_folder(folder)
    write_ladder(folder / "ladders" / "sex.csv", {"m": ("*",), "f": ("*",)})
    described = hospital_job(data="patients.csv", output="release.csv")
    described["columns"] = {**ROLES, "sex": {"role": "quasi", "hierarchy": "ladders/sex.csv"}}
    (folder / "job.yaml").write_text(json.dumps(described))
    monkeypatch.chdir(tmp_path)
    made = verified(incrowd.anonymize(None, "project/job.yaml"))
    assert made.output == str(Path("project/release.csv"))
    assert {"release.csv", "release.csv.manifest.json", "release.csv.record.json"} <= files(folder)


SLOW_TO_LOAD = {"narwhals", "pandas", "yaml", "numpy.random", "incrowd.jobs.linked", "incrowd.jobs.schema"}
OTHER_SEARCHES = {"incrowd.searches.k_members", "incrowd.searches.layered", "incrowd.searches.genetic"}


@pytest.mark.parametrize("search", ["optimal", "mondrian"])
def test_a_run_from_file_to_file_loads_nothing_that_it_does_not_need(search: str, tmp_path: Path) -> None:
    """Much takes longer to load than a small table takes."""
    (tmp_path / "given.csv").write_text("age,town\n" + "".join(f"{20 + n % 7},T{n % 3}\n" for n in range(60)))
    words = ["anonymize", "given.csv", "-q", "age=intervals:widths=5/10", "-q", "town", "-k", "3", "-o", "out.csv"]
    said = f"import sys; sys.argv = {['incrowd', *words, '--search', search, '--quiet']}\nimport incrowd.cli\n"
    slow = SLOW_TO_LOAD | OTHER_SEARCHES | ({"incrowd.searches.mondrian", "numpy.ma"} if search == "optimal" else set())
    told = f"try: incrowd.cli.main()\nexcept SystemExit as end: print(end.code, [*{slow} & {{*sys.modules}}])"
    done = subprocess.run([sys.executable, "-c", said + told], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "0 []\n"

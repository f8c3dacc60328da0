"""Python users give what they hold: frames, dictionaries, functions, paths, manifests and records."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import incrowd
from cli.command import Command
from incrowd.errors import HierarchyError, JobError, UsageError
from incrowd.jobs import Job

ROWS = {
    "age": [21, 22, 23, 24, 31, 32, 33, 38],
    "sex": list("fmfmfmfm"),
    "ill": list("aabbabab"),
}
TABLE = polars.DataFrame(ROWS)
LABELS = {age: f"{age // 10}0s" for age in ROWS["age"]}
LEVELS = {"age": list(LABELS), "label": list(LABELS.values())}

FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "lazy": polars.LazyFrame,
    "arrow": pa.table,
    "duckdb": lambda rows: duckdb.from_arrow(pa.table(rows)),
}
HIERARCHIES: dict[str, Any] = {
    **{name: partial(make, LEVELS) for name, make in FRAMES.items()},
    "labels": lambda: LABELS,
    "lists": lambda: {str(age): [label, "*"] for age, label in LABELS.items()},
    "function": lambda: lambda age: f"{age // 10}0s",
    "function of lists": lambda: lambda age: [f"{age // 10}0s", "*"],
    "hierarchy": lambda: incrowd.hierarchy(TABLE, "age", LABELS),
    "its hierarchy": lambda: incrowd.hierarchy(TABLE, "age", LABELS).hierarchy,
}


def job(hierarchy: Any = None, **more: Any) -> dict[str, Any]:
    """A job over the table; sex is a column in short."""
    age = {"role": "quasi", **({} if hierarchy is None else {"hierarchy": hierarchy})}
    return {
        "columns": {"age": age, "sex": "quasi", "ill": "sensitive"},
        "models": ["k_anonymity:k=2"],
        "search": "optimal",
        **more,
    }


@pytest.fixture(scope="module")
def by_file(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The release with the same hierarchy in a file."""
    path = tmp_path_factory.mktemp("levels") / "age.csv"
    path.write_text("".join(f"{age};{label};*\n" for age, label in LABELS.items()))
    return incrowd.anonymize(TABLE, job(path))


@pytest.mark.parametrize("kind", HIERARCHIES)
def test_every_form_of_a_hierarchy_gives_the_same_release(kind: str, by_file: Any) -> None:
    made = incrowd.anonymize(TABLE, job(HIERARCHIES[kind]()))
    assert made.frame.equals(by_file.frame)
    assert made.manifest == by_file.manifest
    assert made.record.quasi == by_file.record.quasi


@pytest.mark.parametrize("kind", HIERARCHIES)
def test_the_record_has_the_labels_and_no_object(kind: str) -> None:
    made = incrowd.anonymize(TABLE, job(HIERARCHIES[kind]()))
    written = json.loads(json.dumps(made.record.to_dict()))
    rows = written["job"]["columns"]["age"]["hierarchy"]["levels"]["rows"]
    assert rows == [[str(age), label, "*"] for age, label in LABELS.items()]
    assert incrowd.verify(made.frame, made.manifest, written).holds
    again = incrowd.apply(written, TABLE)
    assert again.frame.equals(made.frame)


def test_a_function_sees_values_as_the_table_has_them_once() -> None:
    seen: list[Any] = []

    def decade(age: int) -> str:
        seen.append(age)
        return str(age // 10)

    table = polars.DataFrame({**ROWS, "age": [21, 21, None, 24, 31, 32, 33, 38]})
    incrowd.anonymize(table, job(decade, suppress=0.5))
    assert sorted(seen) == [21, 24, 31, 32, 33, 38]


def test_the_levels_of_a_function_do_not_depend_on_the_values() -> None:
    twenties = TABLE.filter(polars.col("age") < 30)
    made = incrowd.anonymize(twenties, job(lambda age: f"{age // 10}0s"))
    assert [column.height for column in made.record.quasi] == [2, 1]


def test_a_function_over_an_empty_table() -> None:
    assert incrowd.anonymize(TABLE.clear(), job(lambda age: f"{age // 10}0s")).frame.is_empty()


@pytest.mark.parametrize(
    ("hierarchy", "message"),
    [
        ({21: ["x"], 22: ["x", "y"]}, "must have 3 non-empty cells"),
        ({21: "20s"}, "lacks"),
        (7.5, "not supported in a job|a hierarchy is"),
        (object(), "does not describe one"),
        ({"interval": {"widths": [5]}}, "interval"),
    ],
)
def test_what_is_no_hierarchy_is_refused(hierarchy: Any, message: str) -> None:
    with pytest.raises((HierarchyError, JobError, UsageError), match=message):
        incrowd.anonymize(TABLE, job(hierarchy))


def test_an_error_of_a_function_is_the_callers_own() -> None:
    with pytest.raises(ZeroDivisionError):
        incrowd.anonymize(TABLE, job(lambda age: 1 / 0))


def test_other_verbs_take_functions_too() -> None:
    given = job(lambda age: f"{age // 10}0s")
    made = incrowd.anonymize(TABLE, given)
    found = incrowd.neighbors(TABLE, given, made.levels)
    assert found[0].node.score == pytest.approx(made.figures.scores["loss"])
    assert incrowd.frontier(TABLE, given, k=2, searches="optimal").recommended is not None
    counted = incrowd.table(TABLE, ["age"], hierarchies={"age": lambda age: f"{age // 10}0s"}, rules="threshold:n=2")
    assert any(row[0] == "20s" for row in counted.rows())


# Manifests, records, releases.


@pytest.mark.parametrize("engine", FRAMES)
def test_a_frame_is_verified(engine: str) -> None:
    made = incrowd.anonymize(TABLE, job(LABELS))
    frame = FRAMES[engine](made.frame.to_dict(as_series=False))
    assert incrowd.verify(frame, made.manifest, made.record).holds
    assert incrowd.verify(frame, made.manifest.to_dict(), made.record.to_dict()).holds
    spoilt = FRAMES[engine]({**made.frame.to_dict(as_series=False), "sex": list("mmfmfmfm")})
    assert not incrowd.verify(spoilt, made.manifest).holds


def test_a_file_is_verified_with_objects(tmp_path: Path) -> None:
    made = incrowd.anonymize(TABLE, job(LABELS), output=tmp_path / "release.csv")
    moved = tmp_path / "elsewhere.csv"
    (tmp_path / "release.csv").rename(moved)
    assert incrowd.verify(moved, made.manifest, made.record).holds
    assert incrowd.verify(moved, made.manifest.to_dict(), made.record_file).holds
    assert incrowd.verify(made.frame, made.manifest_file).holds


def test_a_frame_needs_its_manifest() -> None:
    with pytest.raises(UsageError, match="give the manifest"):
        incrowd.verify(TABLE)


def test_two_frames_are_verified_together() -> None:
    made = incrowd.anonymize(TABLE, {**job(), "models": ["distinct_l:l=2,column=ill"], "search": "anatomy"})
    assert incrowd.verify(made.frame, made.manifest, sensitive=made.sensitive_frame).holds
    with pytest.raises(UsageError, match="second table"):
        incrowd.verify(made.frame, made.manifest)


def test_a_record_is_applied_and_written_to_a_path(tmp_path: Path) -> None:
    made = incrowd.anonymize(TABLE, job(LABELS))
    path = tmp_path / "next.csv"
    again = incrowd.apply(made.record, TABLE, path)
    assert again.output == str(path)
    assert polars.read_csv(path).height == 8


# The population.


@pytest.mark.parametrize("engine", FRAMES)
def test_a_population_may_be_a_frame(engine: str, tmp_path: Path) -> None:
    people = {name: values * 2 for name, values in ROWS.items() if name != "ill"}
    polars.DataFrame(people).write_csv(tmp_path / "people.csv")
    asked = {**job(LABELS), "models": ["k_map:k=3"]}
    expected = incrowd.anonymize(TABLE, {**asked, "population": tmp_path / "people.csv"})
    frame = FRAMES[engine](people)
    for made in (
        incrowd.anonymize(TABLE, {**asked, "population": frame}),
        incrowd.anonymize(TABLE, asked, population=frame),
        incrowd.anonymize(TABLE, Job.from_dict({**asked, "population": "gone.csv"}), population=frame),
    ):
        assert made.frame.equals(expected.frame)
        assert made.manifest == expected.manifest
        assert incrowd.verify(made.frame, made.manifest, made.record, frame).holds
        assert incrowd.verify(made.frame, made.manifest, made.record).word == "incomplete"


def test_a_population_at_a_path_takes_the_place_of_the_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = polars.DataFrame({name: values * 2 for name, values in ROWS.items()})
    people.write_csv(tmp_path / "people.csv")
    asked = {**job(LABELS), "models": ["k_map:k=3"], "population": "gone.csv"}
    monkeypatch.chdir(tmp_path)
    for given in (asked, Job.from_dict(asked, tmp_path / "elsewhere")):
        made = incrowd.anonymize(TABLE, given, population="people.csv")
        assert made.record.job["population"]["source"] == [str(tmp_path / "people.csv")]
        assert made.verdict.holds


# A job in short.


def test_a_job_in_short(tmp_path: Path) -> None:
    short = incrowd.anonymize(TABLE, quasi={"age": LABELS, "sex": "none"}, sensitive=["ill"], k=2, search="optimal")
    assert short.record.job == incrowd.anonymize(TABLE, job(LABELS)).record.job
    written = incrowd.anonymize(
        TABLE,
        quasi=["age", "sex"],
        keep="ill",
        k=2,
        model=["k_anonymity:k=3"],
        suppress=0.5,
        search="datafly",
        output=tmp_path / "release.parquet",
        time=60,
        seed=3,
    )
    assert written.output == str(tmp_path / "release.parquet")
    assert Job.from_dict(written.record.job) == Job.from_dict(
        {
            "columns": {**{name: {"role": "quasi", "hierarchy": "proposed"} for name in ("age", "sex")}, "ill": "keep"},
            "models": [{"k_anonymity": {"k": 2}}, {"k_anonymity": {"k": 3}}],
            "suppress": 0.5,
            "search": "datafly",
            "output": written.output,
            "time": 60,
            "seed": 3,
        }
    )


def test_the_short_form_is_that_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    TABLE.write_csv(tmp_path / "table.csv")
    words = ["-q", "age", "-q", "sex", "-s", "ill", "-k", "2", "--search", "optimal", "--show", "json"]
    shown = json.loads(Command(monkeypatch, capsys)("anonymize", tmp_path / "table.csv", *words).out)
    del shown["data"]
    made = incrowd.anonymize(TABLE, quasi=["age", "sex"], sensitive=["ill"], k=2, search="optimal")
    assert made.record.job == shown


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"quasi": ["age"], "sensitive": ["age"], "k": 2}, "age"),
        ({"job": job(), "quasi": ["age"]}, "the job says all that"),
        ({"job": job(), "k": 5, "seed": 1}, "a job with k, seed"),
        ({}, "no job is given"),
    ],
)
def test_what_does_not_go_together(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        incrowd.anonymize(TABLE, **keywords)


def test_the_output_and_the_time_of_a_job_file(tmp_path: Path) -> None:
    path = tmp_path / "job.yaml"
    path.write_text(Job.from_dict(job()).to_yaml())
    made = incrowd.anonymize(TABLE, path, output=tmp_path / "release.csv", time=30)
    assert made.output == str(tmp_path / "release.csv")
    assert made.record.job["time"] == 30


# A first job.


def test_a_first_job_can_be_run(tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "table.csv")
    for source in (TABLE, tmp_path / "table.csv", incrowd.read(tmp_path / "table.csv")):
        drafted = incrowd.init(source, k=2, suppress=0.5)
        assert drafted.job.having(incrowd.Role.QUASI)
        assert drafted.to_dict()["models"] == [{"k_anonymity": {"k": 2}}]
        assert incrowd.anonymize(TABLE, drafted.job).verdict.holds
        assert "suggested" in str(drafted)
    drafted = incrowd.init(tmp_path / "table.csv", missing=["?"])
    drafted.write(tmp_path / "job.yaml")
    assert Job.from_file(tmp_path / "job.yaml") == drafted.job
    assert drafted.job.missing == ("?",)

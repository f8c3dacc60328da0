"""Whole sweeps: what is told of a release is what would be published, and nothing is."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import PATIENTS, hospital_job, in_arrow, in_folder, tight_job
from anonymization.runs import Job, class_sizes, contents, files, refused, rows_of
from incrowd.engines import source as engine
from incrowd.errors import JobError, UsageError
from incrowd.frontiers import Frontier, FrontierRun
from incrowd.frontiers.options import listed_searches
from incrowd.frontiers.pareto import Point

EXAMPLES = Path(__file__).parents[2] / "examples"
K = {"k_anonymity": {"k": 3}}
DIVERSE = {"distinct_l": {"l": 2, "column": "disease"}}


def by(found: Frontier, search: str, k: int) -> FrontierRun:
    """The run of a search under a k."""
    return next(run for run in found.runs if run.search == search and run.k == k)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The columns of every count."""
    counted: list[tuple[str, ...]] = []
    honest = engine.count_each

    def noted(source: Any, sets: Any, watch: Any) -> Any:
        counted.extend(map(tuple, sets))
        return honest(source, sets, watch)

    monkeypatch.setattr("incrowd.anonymization.preparation.count_each", noted)
    return counted


SEARCHES = ["optimal", "mondrian", "mondrian:cuts=relaxed", "samarati", "scored:partial=true", "incognito"]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("models", [(K,), (DIVERSE,), (DIVERSE, K)])
def test_what_is_told_is_what_is_published(search: str, models: tuple[dict[str, Any], ...]) -> None:
    """Every figure from the published rows, counted by other means."""
    if search.startswith("scored") and models == (DIVERSE,):
        models = (K, DIVERSE)
    found = incrowd.frontier(in_arrow(), hospital_job(*models, suppress=4), k=[2, 4], searches=[search])
    assert [run.k for run in found.runs] == [2, 4]
    for run in found.runs:
        made = incrowd.anonymize(in_arrow(), run.job)
        sizes = class_sizes(made)
        told = run.release
        assert told is not None
        assert told.smallest == min(sizes.values()) >= run.k
        assert told.classes == len(sizes)
        assert told.records == len(rows_of(made)) == 60 - told.suppressed
        assert told.highest_risk == 1 / min(sizes.values())
        assert told.average_risk == pytest.approx(sum(size * 1 / size for size in sizes.values()) / told.records)
        assert told.loss == made.figures.scores["loss"]
        assert (told.guarantee, told.stopped) == (made.figures.search.guarantee, None)


def test_the_loss_where_classes_got_detail_back(tmp_path: Path) -> None:
    """Level tables in which every label is on one level alone: a published cell tells how much it covers."""
    ladders = {
        "age": [[str(age), f"{age // 10 * 10}s", "*"] for age in range(20, 60)],
        "sex": [["m", "*"], ["f", "*"]],
    }
    columns: dict[str, Any] = {}
    for name, rows in ladders.items():
        (tmp_path / name).write_text("".join(";".join(row) + "\n" for row in rows))
        columns[name] = {"role": "quasi", "hierarchy": {"levels": {"path": str(tmp_path / name)}}}
    columns["age"]["priority"] = 3
    table = pa.table({"age": ["21"] * 8 + [str(age) for age in range(31, 39)], "sex": ["m"] * 8 + ["f"] * 8})
    job = {"columns": columns, "models": ["k_anonymity:k=3"]}
    found = incrowd.frontier(table, job, k=3, searches="scored:partial=true")
    made = incrowd.anonymize(table, found.runs[0].job)
    assert None in made.levels.values()

    def loss(name: str, cell: str) -> float:
        covered = sum(str(cell) in row for row in ladders[name])
        return (covered - 1) / (len(ladders[name]) - 1)

    rows = rows_of(made)
    expected = sum(3 * loss("age", row["age"]) + loss("sex", row["sex"]) for row in rows) / (4 * len(rows))
    release = found.runs[0].release
    assert release is not None
    assert release.loss == pytest.approx(expected)


def test_the_hospital() -> None:
    found = incrowd.frontier(job=EXAMPLES / "hospital.yaml", k=[2, 5, 10, 25, 50], searches=["optimal", "mondrian"])
    assert [(run.search, run.k) for run in found.runs] == list(product(["optimal", "mondrian"], [2, 5, 10, 25, 50]))
    best = by(found, "optimal", 5).release
    assert best is not None
    assert (best.smallest, best.classes, best.suppressed, best.guarantee) == (5, 99, 58, "optimal")
    assert best.loss == pytest.approx(0.255785, abs=1e-6)
    points = [Point(run.release.loss, run.release.highest_risk) for run in found.runs if run.release is not None]
    undominated = {
        point
        for point in points
        if not any(other.loss <= point.loss and other.risk <= point.risk and other != point for other in points)
    }
    shown = {Point(run.release.loss, run.release.highest_risk) for run in found.front if run.release is not None}
    assert shown == undominated
    assert found.recommended in found.front
    assert found.command is not None
    assert f"-m k_anonymity:k={found.recommended.k}" in found.command  # type: ignore[union-attr]
    assert "distinct_l:l=3,column=diagnosis" in found.command


def test_the_columns_of_all_searches_are_counted_once(counting: list[tuple[str, ...]]) -> None:
    incrowd.frontier(in_arrow(), hospital_job(K), k=range(2, 6), searches=["optimal", "mondrian", "samarati"])
    assert counting == [("age", "zip", "sex")]


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    # What lies where the release would go does not matter.
    (tmp_path / "out.csv").write_text("old")
    described = hospital_job(K, data="patients.csv", output={"to": "out.csv", "mapping": "mapping.csv"})
    (tmp_path / "job.json").write_text(json.dumps(described))
    before = contents(tmp_path)
    found = incrowd.frontier(job="job.json", k=[2, 3])
    print(found, found.to_dict())
    assert contents(tmp_path) == before


def test_the_job_that_is_recommended_publishes() -> None:
    found = incrowd.frontier(in_arrow(), hospital_job(K), k=[2, 3, 5, 10])
    assert found.recommended is not None
    assert found.recommended.release is not None
    made = incrowd.anonymize(in_arrow(), found.recommended.job)
    assert made.manifest.smallest == found.recommended.release.smallest
    assert found.command is None
    assert "incrowd.anonymize(source, frontier.recommended.job)" in str(found)


# k and the other models.


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ([K], [{"k_anonymity": {"k": 7}}]),
        ([DIVERSE], [{"k_anonymity": {"k": 7}}, DIVERSE]),
        ([DIVERSE, K], [DIVERSE, {"k_anonymity": {"k": 7}}]),
        ([K, DIVERSE, {"k_anonymity": {"k": 2}}], [{"k_anonymity": {"k": 7}}, DIVERSE]),
    ],
)
def test_k_is_replaced_or_added(models: list[Any], expected: list[Any]) -> None:
    found = incrowd.frontier(in_arrow(), hospital_job(*models), k=7, searches="optimal")
    assert found.runs[0].job.to_dict()["models"] == expected


def test_k_is_sorted_and_comes_once() -> None:
    found = incrowd.frontier(in_arrow(), hospital_job(K), k=[5, 2, 5], searches=["optimal", "optimal"])
    assert [run.k for run in found.runs] == [2, 5]


def test_usual_searches_are_the_job_s_own_and_one_of_each_kind() -> None:
    found = incrowd.frontier(in_arrow(), hospital_job(K, search="samarati"), k=2)
    assert [run.search for run in found.runs] == ["samarati", "optimal", "mondrian"]
    assert [run.k for run in incrowd.frontier(in_arrow(), hospital_job(K)).runs] == [2, 5, 10, 25, 50] * 2


def test_several_shares_to_suppress() -> None:
    found = incrowd.frontier(in_arrow(), tight_job(), k=[3, 5], searches="optimal", suppress=[0, 0.05, 6])
    suppress = [(str(run.suppress), run.k) for run in found.runs]
    assert suppress == list(product(["0", "0.05", "6"], [3, 5]))
    losses = [run.release.loss if run.release else 1.0 for run in found.runs if run.k == 3]
    # Whoever may leave out more never loses more.
    assert losses == sorted(losses, reverse=True)
    assert all(run.release is None or run.release.suppressed <= (0, 3, 6)[at // 2] for at, run in enumerate(found.runs))


def test_searches_in_one_text() -> None:
    assert listed_searches("optimal,mondrian:column=loss,cuts=relaxed, samarati") == [
        *("optimal", "mondrian:column=loss,cuts=relaxed", "samarati"),
    ]
    assert listed_searches('scored:sample_k=2,sample_levels={"a": 1, "b": 2}') == [
        'scored:sample_k=2,sample_levels={"a": 1, "b": 2}'
    ]
    assert listed_searches(" optimal ,") == ["optimal"]


# Settings that a kind of search does not understand.


def with_columns(changes: dict[str, dict[str, Any]], **settings: Any) -> Job:
    """The hospital's job with more said about columns."""
    made = hospital_job(K, **settings)
    return {**made, "columns": {name: {**of, **changes.get(name, {})} for name, of in made["columns"].items()}}


def test_levels_are_left_out_for_a_local_search() -> None:
    described = with_columns(
        {"age": {"limit": 3, "minimum": 1, "losses": [0, 0.1, 0.2, 0.5, 1]}}, metric="discernibility"
    )
    found = incrowd.frontier(in_arrow(), described, k=3)
    full, local = found.runs
    assert full.left_out == ()
    assert full.job.to_dict()["columns"]["age"]["limit"] == 3
    assert local.left_out == ("columns.age.losses", "columns.age.limit", "columns.age.minimum", "metric")
    assert local.release is not None
    text = str(found)
    assert f"mondrian does not support {', '.join(local.left_out)}; ignored in its runs." in text
    assert "full-domain searches minimize discernibility, as the job says; releases are compared by loss." in text


def test_forms_are_left_out_for_a_full_domain_search() -> None:
    described = with_columns({"age": {"form": "mean", "domain": [0, 120]}}, search="mondrian")
    found = incrowd.frontier(in_arrow(), described, k=3)
    assert by(found, "optimal", 3).left_out == ("columns.age.form", "columns.age.domain")
    assert by(found, "mondrian", 3).left_out == ()
    assert found.to_dict()["runs"][1]["left_out"] == ["columns.age.form", "columns.age.domain"]


# No release.


def test_k_beyond_the_table() -> None:
    found = incrowd.frontier(in_arrow(), hospital_job(K, suppress=0.02), k=[2, 61, 10**30])
    for search in ("optimal", "mondrian"):
        assert by(found, search, 2).release is not None
        for k in (61, 10**30):
            run = by(found, search, k)
            assert (run.release, run.reason) == (None, "k is larger than the table (60 records)")
            assert run.to_dict()["feasible"] is False
    assert found.recommended is not None


def test_nothing_is_within_the_limits() -> None:
    described = with_columns({"age": {"limit": 0}})
    found = incrowd.frontier(in_arrow(), described, k=[20], searches="optimal")
    reason = found.runs[0].reason
    assert reason is not None
    assert reason.startswith("no release within the limits (suppression limit: 0 records; the best recoding seen")
    assert found.recommended is None
    assert found.to_dict()["recommended"] is None


def test_a_release_without_records_is_none() -> None:
    described = with_columns({"age": {"limit": 0}}, suppress=60)
    found = incrowd.frontier(in_arrow(), described, k=[20], searches="optimal")
    assert found.runs[0].reason == "every record would be suppressed"


@pytest.mark.parametrize("searches", ["optimal", "mondrian"])
def test_an_empty_table(searches: str) -> None:
    described = {"columns": {"a": {"role": "quasi"}}, "models": ["k_anonymity:k=2"]}
    found = incrowd.frontier(pa.table({"a": pa.array([], pa.string())}), described, k=[2, 5], searches=searches)
    assert [run.reason for run in found.runs] == ["the table has no records"] * 2


def test_a_search_that_cannot_judge_the_models_is_listed(tmp_path: Path) -> None:
    register = str(in_folder(tmp_path, name="all.csv"))
    described = hospital_job({"k_map": {"k": 2}}, population=register)
    found = incrowd.frontier(in_arrow([*PATIENTS]), described, k=2)
    assert by(found, "optimal", 2).release is not None
    assert "compares with the population" in (by(found, "mondrian", 2).reason or "")
    words = refused(UsageError, lambda: incrowd.frontier(in_arrow(), described, k=2, searches="mondrian"))
    assert "compares with the population" in words


def test_missing_cells_that_match_everything() -> None:
    holes = [{**person, "zip": None if at % 9 == 0 else person["zip"]} for at, person in enumerate(PATIENTS)]
    described = hospital_job(K, nulls="maybe")
    found = incrowd.frontier(in_arrow(holes), described, k=2, searches="optimal")
    release = found.runs[0].release
    assert release is not None
    assert release.average_risk is None
    assert "k reached is the smallest number of records that match one" in str(found)
    words = refused(UsageError, lambda: incrowd.frontier(in_arrow(holes), described, risk="average"))
    assert words.startswith("risk average with nulls: maybe: ")


# Misuse.


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"k": 0}, "k is 0; it must be a whole number, 1 or more"),
        ({"k": [2, 2.5]}, "k is 2.5; it must be a whole number"),
        ({"k": [True]}, "k is True; it must be a whole number"),
        ({"k": []}, "k: the list is empty; give at least one, or omit it"),
        ({"searches": []}, "searches: the list is empty"),
        ({"searches": "optimum"}, "search: there is no search 'optimum'; there are "),
        ({"searches": {"mondrian": {"cut": 1}}}, "search: mondrian has no option 'cut'"),
        ({"searches": 5}, "search: a search is one name"),
        ({"suppress": 1.5}, "suppress: it must be a share of the records"),
        ({"risk": "least"}, "risk is 'least'; it may be highest, average"),
    ],
)
def test_what_makes_no_sense(wrong: dict[str, Any], words: str) -> None:
    told = refused(UsageError, lambda: incrowd.frontier(in_arrow(), hospital_job(K), **wrong))
    assert told.startswith(words)
    assert "\n" not in told


def test_faults_of_the_job_end_the_sweep() -> None:
    described = hospital_job(K)
    wrong: list[Callable[[], Any]] = [
        lambda: incrowd.frontier(in_arrow(), {**described, "columns": {"nose": {"role": "quasi"}}}),
        lambda: incrowd.frontier(in_arrow(), described, time=-1),
    ]
    for run in wrong:
        refused(JobError, run)
    assert refused(UsageError, lambda: incrowd.frontier(in_arrow())).startswith("frontier: no job is given")


def test_passwords_are_not_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from incrowd.frontiers.variants import publishing
    from incrowd.jobs import Job as Described

    described = Described.from_dict(
        hospital_job(
            K,
            data={"source": "postgresql://me:hush@host/db", "table": "t"},
            output={"to": "postgresql://me:secret@host/db", "table": "o"},
        )
    )
    command = publishing(described)
    assert command is not None
    assert "hush" not in command
    assert "secret" not in command
    assert "postgresql://me" in command
    assert files(tmp_path) == set()


def test_a_model_that_no_release_satisfies_is_named() -> None:
    """A column of two values has no third one, whatever k, the search and the suppression limit are."""
    table = pa.table({"age": [str(20 + at % 5) for at in range(40)], "ill": ["flu", "cold"] * 20})
    job = {"columns": {"age": "quasi", "ill": "sensitive"}, "models": ["distinct_l:l=3,column=ill"]}
    found = incrowd.frontier(table, job, k=[2, 5], searches=["optimal", "mondrian"], suppress=["50%"])
    assert {run.reason for run in found.runs} == {
        "no release of these records satisfies distinct_l on 'ill', whatever is suppressed: relax this model"
    }
    assert found.why.startswith("No release was found: no release of these records satisfies distinct_l on 'ill'")

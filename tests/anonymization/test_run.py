"""Whole runs: roles, models, searches, metrics, missing cells, odd tables; and what no message may tell."""

import json
import re
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.hospital import (
    PATIENTS,
    PUBLISHED,
    REGISTER,
    ROLES,
    hospital_job,
    in_arrow,
    in_folder,
    tight_job,
)
from anonymization.runs import (
    Job,
    files,
    frame_of,
    job,
    new_folder,
    quasi,
    read_csv,
    refused,
    verified,
    write_csv,
    write_ladder,
)
from incrowd.anonymization import Anonymized
from incrowd.anonymization.writing import NotVerified
from incrowd.core.schema import Nulls
from incrowd.errors import IncrowdError, JobError, SourceError, UsageError
from incrowd.registry import members

QUASI = ("age", "zip", "sex")


def rows_of(made: Anonymized) -> list[dict[str, Any]]:
    """The release as Arrow has it."""
    found: list[dict[str, Any]] = made.frame.to_pylist()
    return found


def class_sizes(made: Anonymized) -> "Counter[tuple[Any, ...]]":
    return Counter(tuple(row[name] for name in made.levels) for row in rows_of(made))


# Roles.


def test_only_what_the_job_mentions_is_published() -> None:
    made = incrowd.anonymize(in_arrow(), hospital_job())
    assert made.frame.column_names == PUBLISHED
    assert made.unmentioned == ("note",)
    assert made.record.not_published == ("name", "note")
    assert made.to_dict()["not_published"] == ["name", "note"]
    assert "Not published because the job does not mention them: note." in str(made)
    assert "Not published as the job says: name." in str(made)


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
    made = incrowd.anonymize(in_arrow(), tight_job())
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


# Models, alone and together.

MODELS: dict[str, list[dict[str, Any]]] = {
    "k_anonymity": [{"k_anonymity": {"k": 4}}],
    "distinct_l": [{"distinct_l": {"l": 3, "column": "disease"}}],
    "entropy_l": [{"entropy_l": {"l": 2.5, "column": "disease"}}],
    "recursive_cl": [{"recursive_cl": {"c": 2, "l": 2, "column": "disease"}}],
    "t_closeness": [{"t_closeness": {"t": 0.3, "column": "disease"}}],
    "alpha_k": [{"alpha_k": {"alpha": 0.6, "k": 3, "column": "disease"}}],
    "p_sensitive": [{"p_sensitive": {"p": 2, "k": 4, "column": "disease"}}],
    "basic_beta": [{"basic_beta": {"beta": 2, "column": "disease"}}],
    "enhanced_beta": [{"enhanced_beta": {"beta": 2, "column": "disease"}}],
    "delta_disclosure": [{"delta_disclosure": {"delta": 1.5, "column": "disease"}}],
    "ordered": [{"t_closeness": {"t": 0.3, "column": "visits", "distance": "ordered"}}],
    "an order": [
        {"t_closeness": {"t": 0.3, "column": "ward", "distance": "ordered", "order": ["B", "C", "A"]}},
    ],
    "hierarchical": [{"t_closeness": {"t": 0.3, "column": "disease", "distance": "hierarchical"}}],
    "two columns jointly": [{"distinct_l": {"l": 4, "column": "disease+ward"}}],
    "two columns apart": [
        {"distinct_l": {"l": 3, "column": "disease"}},
        {"t_closeness": {"t": 0.4, "column": "ward"}},
        {"k_anonymity": {"k": 3}},
    ],
    "a column twice": [
        {"distinct_l": {"l": 2, "column": "disease"}},
        {"entropy_l": {"l": 1.5, "column": "disease"}},
        {"recursive_cl": {"c": 3, "l": 2, "column": "ward"}},
    ],
}


@pytest.mark.parametrize("suppress", [0, 0.2])
@pytest.mark.parametrize("name", MODELS)
def test_every_model(name: str, suppress: float, tmp_path: Path) -> None:
    columns = dict(ROLES)
    if name == "ordered":
        columns["visits"] = {"role": "sensitive"}
    if name == "hierarchical":
        kinds = {"flu": ("short", "*"), "cold": ("short", "*"), "gout": ("long", "*"), "cancer": ("long", "*")}
        columns["disease"] = {"role": "sensitive", "hierarchy": str(write_ladder(tmp_path / "kinds.csv", kinds))}
    described = job(columns, *MODELS[name], suppress=suppress, output=str(tmp_path / "release.csv"))
    made = verified(incrowd.anonymize(in_arrow(), described))
    assert set(made.levels.values()) != {0}, "the model asks for nothing"
    assert made.manifest.models == tuple(MODELS[name])
    assert made.manifest.suppressed <= suppress * 60
    # On the lowest levels the same model fails: it is the model that led up here.
    raw = {key: {**of, "limit": 0} if of["role"] == "quasi" else of for key, of in columns.items()}
    refused(IncrowdError, lambda: incrowd.anonymize(in_arrow(), job(raw, *MODELS[name], suppress=suppress)))


def test_every_model_is_tried() -> None:
    named = {name for models in MODELS.values() for model in models for name in model}
    assert named | {"k_map", "delta_presence"} == set(members("models", "MODEL"))


@pytest.mark.parametrize(
    "model",
    [
        {"k_map": {"k": 12}},
        {"delta_presence": {"lower": 0, "upper": 0.4}},
        {"delta_presence": {"lower": 0.05, "upper": 0.45}},
    ],
    ids=str,
)
@pytest.mark.parametrize("as_frame", [True, False])
def test_models_of_a_population(model: dict[str, Any], as_frame: bool, tmp_path: Path) -> None:
    people = in_folder(tmp_path, REGISTER, "people.csv")
    output = None if as_frame else str(tmp_path / "release.csv")
    described = hospital_job(model, {"distinct_l": {"l": 2, "column": "ward"}}, suppress=3, population=str(people))
    if output is not None:
        described["output"] = output
    made = incrowd.anonymize(in_arrow(), described)
    assert made.verdict.holds
    released, everybody = class_sizes(made), Counter(generalised(person, made) for person in REGISTER)
    if "k_map" in model:
        assert min(everybody[each] for each in released) >= 12
        assert min(released.values()) < 12
    else:
        shares = {each: released[each] / number for each, number in everybody.items()}
        assert max(shares.values()) <= model["delta_presence"]["upper"]
        assert min(shares.values()) >= model["delta_presence"]["lower"]
    if output is not None:
        assert incrowd.verify(output, record=made.record_file, population=people).holds
        assert incrowd.verify(output).word == "not proven"
        write_csv(people, REGISTER[:80])
        assert not incrowd.verify(output, record=made.record_file, population=people).holds


def generalised(person: dict[str, Any], made: Anonymized) -> tuple[str, ...]:
    """A person's cells on the levels of a release, looked up in its private record."""
    labels = {column.name: {row[0]: row[column.level or 0] for row in column.rows} for column in made.record.quasi}
    return tuple(str(labels[name][str(person[name])]) for name in made.levels)


def test_a_population_of_several_files(tmp_path: Path) -> None:
    parts = [str(in_folder(tmp_path, REGISTER[at::2], f"{at}.csv")) for at in range(2)]
    words = refused(
        UsageError,
        lambda: incrowd.anonymize(in_arrow(), hospital_job({"k_map": {"k": 12}}, population=parts)),
    )
    assert words.startswith("the population: a release is verified against one file or table")


def test_a_population_has_the_same_texts_for_missing(tmp_path: Path) -> None:
    """A cell that stands for missing is missing there too, so these people count."""
    rows = [{"a": "u", "s": "1"}, {"a": "v", "s": "2"}, {"a": "?", "s": "1"}]
    people = write_csv(tmp_path / "people.csv", [{"a": each} for each in "uv?" * 5])
    data = {"source": str(write_csv(tmp_path / "in.csv", rows)), "missing": ["?"]}
    described = job(
        {**quasi("a"), "s": {"role": "sensitive"}},
        {"k_map": {"k": 5}},
        data=data,
        population=str(people),
        output=str(tmp_path / "release.csv"),
    )
    made = incrowd.anonymize(None, described)
    assert made.levels == {"a": 0}
    assert [row["a"] for row in read_csv(tmp_path / "release.csv")] == ["u", "v", None]


# Searches and metrics.

SEARCHES: dict[str, Any] = {
    "exhaustive": "exhaustive",
    "samarati": "samarati",
    "incognito": "incognito",
    "best_first": "best_first",
    "optimal": "optimal",
    "scored": "scored",
    "scored, from cell to cell": {"scored": {"partial": True}},
    "scored, pre-sampled": {"scored": {"sample_k": 2, "sample_levels": {"age": 2, "zip": 3}}},
    "scored, both": {"scored": {"sample_k": 2, "sample_levels": {"age": 2, "zip": 3}, "partial": True, "p": 1}},
    "scored by logarithm": {"scored": {"score": "logarithm"}},
}


@pytest.mark.parametrize("nulls", ["extended", "basic"])
@pytest.mark.parametrize("name", SEARCHES)
def test_every_search(name: str, nulls: str, tmp_path: Path) -> None:
    holes = [{**person, "sex": None if at % 9 == 0 else person["sex"]} for at, person in enumerate(PATIENTS)]
    described = hospital_job(
        {"k_anonymity": {"k": 3}}, suppress=10, search=SEARCHES[name], nulls=nulls, output=str(tmp_path / "release.csv")
    )
    source = in_folder(tmp_path, holes)
    made = verified(incrowd.anonymize(str(source), described))
    plain = json.loads(json.dumps(made.to_dict()))
    assert plain["search"] == name.partition(",")[0].partition(" ")[0]
    assert plain["verdict"] == "holds"
    assert plain["set_aside"] == (7 if nulls == "basic" else 0)
    rows = read_csv(tmp_path / "release.csv")
    sizes = Counter(tuple(row[name] for name in QUASI) for row in rows)
    assert min(sizes.values()) == plain["smallest"] >= 3
    assert len(sizes) == plain["classes"]
    assert len(rows) + plain["suppressed"] + plain["set_aside"] == 60
    if plain["guarantee"] == "optimal":
        best = incrowd.anonymize(in_arrow_of(holes), {**described, "search": "exhaustive", "output": None})
        assert plain["scores"]["loss"] == best.manifest.scores["loss"]
        assert plain["optimal"] is True


def in_arrow_of(people: list[dict[str, Any]]) -> pa.Table:
    return pa.table({name: pa.array([person[name] for person in people]) for name in people[0]})


def test_every_search_is_tried() -> None:
    named = {each if isinstance(each, str) else next(iter(each)) for each in SEARCHES.values()}
    assert named == set(members("searches", "SEARCH"))


def test_what_pre_sampling_drops_counts_in_every_score() -> None:
    dropping = {"scored": {"sample_k": 2, "sample_levels": {"age": 1, "zip": 4}}}
    made = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, suppress=10, search=dropping))
    assert made.manifest.suppressed > 0
    sizes, gone = class_sizes(made), made.manifest.suppressed
    scores = made.manifest.scores
    assert scores["discernibility"] == sum(size * size for size in sizes.values()) + 60 * gone
    assert scores["average_class_size"] == pytest.approx(60 / (len(sizes) + 1))
    heights = {"age": 4, "zip": 4, "sex": 1}
    kept = sum((level or 0) / heights[name] for name, level in made.levels.items()) / 3
    assert scores["precision"] == pytest.approx((kept * (60 - gone) + gone) / 60)
    assert None not in made.levels.values(), "every cell of a column is on the same level"


@pytest.mark.parametrize("metric", sorted(members("metrics", "METRIC")))
def test_every_metric(metric: str) -> None:
    described = tight_job({"k_anonymity": {"k": 3}}, metric=metric)
    made = incrowd.anonymize(in_arrow(), described)
    best = incrowd.anonymize(in_arrow(), {**described, "search": "exhaustive"})
    assert made.manifest.search.optimal
    assert made.manifest.scores[metric] == best.manifest.scores[metric]
    for other in ("loss", "precision", "discernibility", "average_class_size"):
        assert other in made.manifest.scores
    for level, column in zip(made.levels.values(), made.manifest.quasi, strict=True):
        assert level is not None
        assert level <= (column.height or 0)


def test_a_table_that_is_anonymous_already_stays_as_it_is() -> None:
    """Of releases that score alike the one that tells more: masks that join no two values cost nothing."""
    table = pa.table({"code": ["12-a", "12-a", "34-b", "34-b"], "land": ["AT"] * 4})
    made = incrowd.anonymize(table, job({**quasi(code="mask"), **quasi("land")}))
    assert made.frame.to_pylist() == table.to_pylist()


# Missing cells.

HOLES = pa.table(
    {
        "a": ["u", "u", None, None, "v", "v", "v", None],
        "b": ["p", "p", "p", "p", "q", "q", None, None],
        "s": ["1", "2", "1", "2", "1", "2", "1", "2"],
    }
)
HOLES_JOB = job({**quasi("a", "b"), "s": {"role": "sensitive"}})


def test_extended_is_usual_and_missing_is_a_value() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "suppress": 2})
    assert made.manifest.nulls == "extended"
    assert [(row["a"], row["b"]) for row in rows_of(made)] == [
        *[("u", "p")] * 2,
        *[(None, "p")] * 2,
        *[("v", "q")] * 2,
    ]
    assert made.manifest.suppressed == 2
    assert "Warning" not in str(made)


def test_basic_sets_records_aside() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": "basic"})
    assert [(row["a"], row["b"]) for row in rows_of(made)] == [*[("u", "p")] * 2, *[("v", "q")] * 2]
    assert (made.manifest.set_aside, made.manifest.suppressed) == (4, 0)
    assert "4 set aside for missing cells" in str(made)


def test_basic_shares_are_of_what_is_judged() -> None:
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": "basic", "suppress": 0.5})
    assert made.manifest.suppress_limit == 2


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_come_with_the_warning(nulls: str, tmp_path: Path) -> None:
    output = str(tmp_path / "release.csv")
    made = incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": nulls, "suppress": 2, "output": output})
    [warning] = made.to_dict()["warnings"]
    assert f"missing cells count as wildcards ({nulls})" in warning
    assert "Warning: missing cells count as wildcards" in str(made)
    assert "if missing cells match everything" in str(made)
    assert incrowd.verify(output).warnings == made.verdict.warnings


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_are_for_k_anonymity_alone(nulls: str) -> None:
    models = [{"k_anonymity": {"k": 2}}, {"distinct_l": {"l": 2, "column": "s"}}]
    words = refused(UsageError, lambda: incrowd.anonymize(HOLES, {**HOLES_JOB, "nulls": nulls, "models": models}))
    assert words.startswith(f"nulls: {nulls}: missing cells that match everything make no classes")


@pytest.mark.parametrize("nulls", list(Nulls))
def test_texts_that_stand_for_missing_are_published_as_missing(nulls: str, tmp_path: Path) -> None:
    holes = [{name: "?" if cell is None else cell for name, cell in row.items()} for row in HOLES.to_pylist()]
    data = {"source": str(write_csv(tmp_path / "in.csv", holes)), "missing": ["?"]}
    described = {**HOLES_JOB, "nulls": str(nulls), "suppress": 2}
    made = verified(incrowd.anonymize(None, {**described, "data": data, "output": str(tmp_path / "release.csv")}))
    plain = incrowd.anonymize(HOLES, described)
    assert read_csv(tmp_path / "release.csv") == rows_of(plain)
    assert "?" not in (tmp_path / "release.csv").read_text("utf-8")
    assert (made.levels, made.manifest.suppressed) == (plain.levels, plain.manifest.suppressed)


def test_a_text_for_missing_in_a_sensitive_column(tmp_path: Path) -> None:
    rows = [{"a": "u", "s": "?"}, {"a": "u", "s": "1"}, {"a": "u", "s": "?"}]
    data = {"source": str(write_csv(tmp_path / "in.csv", rows)), "missing": ["?"]}
    columns = {**quasi("a"), "s": {"role": "sensitive"}}
    described = job(columns, {"distinct_l": {"l": 2, "column": "s"}}, data=data, output=str(tmp_path / "release.csv"))
    made = verified(incrowd.anonymize(None, described))
    assert "cells are missing in 's'; there, missing counts as one more value." in made.verdict.warnings


def test_a_hierarchy_may_say_what_becomes_of_missing_cells(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("u;known;*\nv;known;*\n;unknown;*\n")
    columns = {"a": {"role": "quasi", "hierarchy": str(tmp_path / "a.csv"), "minimum": 1, "limit": 1}}
    made = verified(incrowd.anonymize(HOLES, job(columns, output=str(tmp_path / "release.csv"))))
    assert Counter(row["a"] for row in rows_of(made)) == {"known": 5, "unknown": 3}


# Odd tables.


def test_an_empty_table(tmp_path: Path) -> None:
    made = verified(incrowd.anonymize(HOLES.slice(0, 0), {**HOLES_JOB, "output": str(tmp_path / "release.csv")}))
    assert (tmp_path / "release.csv").read_text() == "a,b,s\n"
    assert (made.manifest.classes, made.manifest.smallest, made.manifest.data.records) == (0, 0, 0)
    assert str(made).startswith("Nothing is published: there is no record.")


def test_one_record() -> None:
    alone = HOLES.slice(0, 1)
    made = incrowd.anonymize(alone, {**HOLES_JOB, "models": [{"k_anonymity": {"k": 1}}]})
    assert len(rows_of(made)) == 1
    assert "Everybody is hidden among at least 1: 1 record in 1 class." in str(made)
    refused(IncrowdError, lambda: incrowd.anonymize(alone, HOLES_JOB))


def test_k_of_1_changes_nothing() -> None:
    made = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 1}}))
    assert made.levels == {"age": 0, "zip": 0, "sex": 0}
    assert made.frame.to_pylist() == in_arrow().select(PUBLISHED).to_pylist()


@pytest.mark.parametrize("suppress", [8, 100])
def test_all_records_may_go(suppress: int, tmp_path: Path) -> None:
    described = {**HOLES_JOB, "models": [{"k_anonymity": {"k": 9}}], "suppress": suppress}
    made = verified(incrowd.anonymize(HOLES, {**described, "output": str(tmp_path / "release.csv")}))
    assert rows_of(made) == []
    assert (tmp_path / "release.csv").read_text() == "a,b,s\n"
    assert (made.manifest.suppressed, made.manifest.suppress_limit) == (8, 8)
    assert str(made).startswith("Nothing is published: every record would have to go.")
    assert "the release is empty" in made.verdict.warnings[0]


def test_all_records_set_aside() -> None:
    gaps = pa.table({"a": pa.array([None, None], pa.string()), "b": ["p", "q"], "s": ["1", "2"]})
    made = incrowd.anonymize(gaps, {**HOLES_JOB, "nulls": "basic"})
    assert (made.manifest.set_aside, made.manifest.data.records) == (2, 0)
    assert str(made).startswith("Nothing is published: every record lacks a quasi-identifier and is set aside.")


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
        assert made.frame["n"].to_pylist() == numbers
        assert made.manifest.classes == 3


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


# What is not told.

SECRET = "Zaphod-8c1f"
"""A cell that must be nowhere but in the data."""


def secretive(**changes: Any) -> list[dict[str, str]]:
    """Records with the secret in a column of every role, in one record of its own."""
    usual = {"name": "n", "a": "u", "b": "p", "s": "1", "keep": "k", "other": "o"}
    rows = [dict(usual) for _ in range(4)]
    rows[1]["s"] = rows[3]["s"] = "2"
    return [*rows, {**{name: f"{SECRET}-{name}" for name in usual}, **changes}]


SECRET_COLUMNS = ["name", "a", "b", "s", "keep", "other"]
SECRET_ROLES: dict[str, dict[str, Any]] = {
    "name": {"role": "identifier"},
    "a": {"role": "quasi"},
    "b": {"role": "quasi", "limit": 0},
    "s": {"role": "sensitive"},
    "keep": {"role": "keep"},
}


def told(kind: type[Exception], run: Callable[[], object]) -> str:
    """All that an error says, with its traceback; nothing of it is a secret."""
    with pytest.raises(kind) as caught:
        run()
    words = "".join(traceback.format_exception(caught.value))
    assert SECRET not in re.sub(r"(?m)^ .*\n", "", words)
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value)
    return str(caught.value)


def secret_job(*models: dict[str, Any], roles: dict[str, Any] | None = None, **settings: Any) -> Job:
    return job({**SECRET_ROLES, **(roles or {})}, *models, **settings)


def test_no_message_tells_a_cell(tmp_path: Path) -> None:
    table = frame_of(secretive(), SECRET_COLUMNS)
    kinds = str(write_ladder(tmp_path / "kinds.csv", {"u": ("*",), "v": ("*",)}))
    sick = str(write_ladder(tmp_path / "sick.csv", {"1": ("*",), "2": ("*",)}))
    by_ladder = {"t_closeness": {"t": 0.1, "column": "s", "distance": "hierarchical"}}
    by_order = {"t_closeness": {"t": 0.1, "column": "s", "distance": "ordered", "order": ["1", "2"]}}
    whole_order = {"t_closeness": {"t": 0.0, "column": "s", "distance": "ordered", "order": ["1", "2", f"{SECRET}-s"]}}
    jobs = [
        secret_job(),
        secret_job({"distinct_l": {"l": 9, "column": "s"}}),
        secret_job(whole_order),
        secret_job(by_order),
        secret_job(roles={"a": {"role": "quasi", "hierarchy": kinds}}),
        secret_job(roles={"a": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5]}}}}),
        secret_job(roles={"a": {"role": "quasi", "hierarchy": {"dates": {}}}}),
        secret_job(by_ladder, roles={"s": {"role": "sensitive", "hierarchy": sick}}),
        secret_job(roles={"missing": {"role": "quasi"}}),
        secret_job(search={"scored": {"sample_k": 2}}),
    ]
    for described in jobs:
        told(IncrowdError, lambda described=described: incrowd.anonymize(table, described))


def test_a_record_that_cannot_be_read_or_written_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    write_csv(path, secretive(), SECRET_COLUMNS)
    path.write_text(path.read_text() + f'"{SECRET},too,few\n')
    told(SourceError, lambda: incrowd.anonymize(str(path), secret_job(suppress=1, output=str(tmp_path / "out.csv"))))
    odd = write_csv(tmp_path / "odd.csv", secretive(keep=f"{SECRET}\x01"), SECRET_COLUMNS)
    for ending in ("xml", "xlsx"):
        described = secret_job({"k_anonymity": {"k": 1}}, output=str(tmp_path / f"out.{ending}"))
        told(SourceError, lambda described=described: incrowd.anonymize(str(odd), described))


def test_a_table_that_changes_on_the_way(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "in.csv", secretive()[:4], SECRET_COLUMNS)

    def change(_: object) -> None:
        write_csv(path, secretive(), SECRET_COLUMNS)

    described = secret_job(suppress=1, output=str(tmp_path / "out.csv"))
    words = told(SourceError, lambda: incrowd.anonymize(str(path), described, progress=change))
    assert "it changed on the way" in words
    assert files(tmp_path) == {"in.csv"}


def test_what_does_not_verify_tells_no_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.anonymization import run

    monkeypatch.setattr(run, "kept_combinations", lambda lattice, _: lattice.combinations.counts > 0)
    told(
        NotVerified,
        lambda: incrowd.anonymize(frame_of(secretive(), SECRET_COLUMNS), secret_job(suppress=1)),
    )


def test_the_manifest_does_not_tell_what_the_release_does_not_show(tmp_path: Path) -> None:
    kinds = {"1": ("odd", "*"), "2": ("even", "*"), f"{SECRET}-s": (f"{SECRET}-label", "*")}
    roles = {"s": {"role": "sensitive", "hierarchy": str(write_ladder(tmp_path / "kinds.csv", kinds))}}
    order = ["1", f"{SECRET}-s", "2"]
    models = [
        {"k_anonymity": {"k": 2}},
        {"t_closeness": {"t": 0.9, "column": "s", "distance": "hierarchical"}},
        {"t_closeness": {"t": 0.9, "column": "s", "distance": "ordered", "order": order}},
    ]
    output = {"to": str(tmp_path / "release.csv"), "record": str(tmp_path / "private" / "record.json")}
    (tmp_path / "private").mkdir()
    described = secret_job(*models, roles=roles, suppress=1, output=output)
    made = verified(incrowd.anonymize(frame_of(secretive(), SECRET_COLUMNS), described))
    assert made.manifest.suppressed == 1
    for name in ("release.csv", "release.csv.manifest.json"):
        assert SECRET not in (tmp_path / name).read_text("utf-8")
    assert SECRET not in str(made) + json.dumps(made.to_dict())
    assert SECRET in (tmp_path / "private" / "record.json").read_text("utf-8")


@settings(max_examples=25)
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {
                "a": st.sampled_from(["a-one", "a-two", "a-three"]),
                "b": st.sampled_from(["b-one", "b-two"]),
                "s": st.sampled_from(["s-one", "s-two", "s-three"]),
                "keep": st.sampled_from(["keep-one", "keep-two"]),
                "other": st.sampled_from(["other-one", "other-two"]),
            }
        ),
        min_size=1,
        max_size=15,
    ),
    k=st.integers(1, 4),
    partial=st.booleans(),
)
def test_no_manifest_tells_a_value_that_the_release_does_not_show(
    rows: list[dict[str, str]], k: int, partial: bool
) -> None:
    columns = {**quasi("a", "b"), "s": {"role": "sensitive"}, "keep": {"role": "keep"}}
    search = {"scored": {"partial": True}} if partial else "optimal"
    with new_folder() as folder:
        path = folder / "release.csv"
        # A heuristic search may find no way where there is one.
        models = [{"k_anonymity": {"k": 1 if partial else k}}, {"t_closeness": {"t": 0.6, "column": "s"}}]
        described = job(columns, *models, suppress=len(rows), search=search, output=str(path))
        incrowd.anonymize(frame_of(rows, ["a", "b", "s", "keep", "other"]), described)
        claims = (folder / "release.csv.manifest.json").read_text("utf-8")
        assert values_in(claims) <= values_in(path.read_text("utf-8"))


def values_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:a|b|s|keep|other)-(?:one|two|three)\b", text))

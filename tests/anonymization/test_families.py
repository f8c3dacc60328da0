"""Every model, every search and every metric through a whole run."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import (
    PATIENTS,
    REGISTER,
    ROLES,
    hospital_job,
    in_arrow,
    in_folder,
    tight_job,
)
from anonymization.runs import (
    class_sizes,
    job,
    quasi,
    read_csv,
    refused,
    verified,
    write_csv,
    write_ladder,
)
from incrowd.anonymization import AnonymizationResult
from incrowd.errors import IncrowdError, UsageError
from incrowd.families import members
from incrowd.searches import HierarchySearch
from models.judging import suggested

QUASI = ("age", "zip", "sex")

MODELS: dict[str, list[dict[str, Any]]] = {
    "k_anonymity": [{"k_anonymity": {"k": 4}}],
    "consistent_k": [{"consistent_k": {"k": 4, "notion": "global_one_k"}}],
    "distinct_l": [{"distinct_l": {"l": 3, "column": "disease"}}],
    "frequency_l": [{"frequency_l": {"l": 2, "column": "disease"}}],
    "entropy_l": [{"entropy_l": {"l": 2.5, "column": "disease"}}],
    "recursive_cl": [{"recursive_cl": {"c": 2, "l": 2, "column": "disease"}}],
    "t_closeness": [{"t_closeness": {"t": 0.3, "column": "disease"}}],
    "alpha_k": [{"alpha_k": {"alpha": 0.6, "k": 3, "column": "disease"}}],
    "p_sensitive": [{"p_sensitive": {"p": 2, "k": 4, "column": "disease"}}],
    "basic_beta": [{"basic_beta": {"beta": 2, "column": "disease"}}],
    "enhanced_beta": [{"enhanced_beta": {"beta": 2, "column": "disease"}}],
    "delta_disclosure": [{"delta_disclosure": {"delta": 1.5, "column": "disease"}}],
    "range_diversity": [{"range_diversity": {"p": 0.5, "column": "disease"}}],
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
TRIED = {name for models in MODELS.values() for model in models for name in model}
# Of personal_breach in tests/local: it needs a search of its own.
ELSEWHERE = {"k_map", "delta_presence", "personal_breach"}
MODELS |= {name: [{name: {**first, "column": "disease"}}] for name, first in suggested({*TRIED, *ELSEWHERE}).items()}


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
    assert named | ELSEWHERE == set(members("models", "MODEL"))


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
    released, everybody = class_sizes(made), Counter(generalized(person, made) for person in REGISTER)
    if "k_map" in model:
        assert min(everybody[each] for each in released) >= 12
        assert min(released.values()) < 12
    else:
        shares = {each: released[each] / number for each, number in everybody.items()}
        assert max(shares.values()) <= model["delta_presence"]["upper"]
        assert min(shares.values()) >= model["delta_presence"]["lower"]
    if output is not None:
        assert incrowd.verify(output, record=made.record_file, population=people).holds
        assert incrowd.verify(output).word == "incomplete"
        write_csv(people, REGISTER[:80])
        assert not incrowd.verify(output, record=made.record_file, population=people).holds


def generalized(person: dict[str, Any], made: AnonymizationResult) -> tuple[str, ...]:
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
    assert [row["a"] for row in read_csv(tmp_path / "release.csv")] == [None, "u", "v"]


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
    "bottom_up": "bottom_up",
    "datafly": "datafly",
    "layered": "layered",
    "layered, at most three": {"layered": {"share": 0.3, "layers": 3}},
    "local_suppression": "local_suppression",
    "genetic": {"genetic": {"population": 10, "generations": 10}},
    "annealing": {"annealing": {"steps": 200}},
    "top_down_specialization": {"top_down_specialization": {"label": "disease"}},
    "local_suppression, on levels": {"local_suppression": {"generalize": "column"}},
    "fewest_cells": "fewest_cells",
    "greedy_cover": "greedy_cover",
    "forest": "forest",
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
    # The best way to wipe cells is another matter than the best levels for all.
    if plain["guarantee"] == "optimal" and name != "fewest_cells":
        best = incrowd.anonymize(in_arrow_of(holes), {**described, "search": "exhaustive", "output": None})
        assert plain["scores"]["loss"] == best.figures.scores["loss"]
        assert plain["optimal"] is True


def in_arrow_of(people: list[dict[str, Any]]) -> pa.Table:
    return pa.table({name: pa.array([person[name] for person in people]) for name in people[0]})


def test_every_search_is_tried() -> None:
    named = {each if isinstance(each, str) else next(iter(each)) for each in SEARCHES.values()}
    # Local ones are tried in tests/local, those that part values in test_parts.py, consistent in test_consistent.
    every = {name: module.SEARCH for name, module in members("searches", "SEARCH").items()}
    assert named | {"consistent"} == {name for name, search in every.items() if issubclass(search, HierarchySearch)}


def test_what_pre_sampling_drops_counts_in_every_score() -> None:
    dropping = {"scored": {"sample_k": 2, "sample_levels": {"age": 1, "zip": 4}}}
    made = incrowd.anonymize(in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, suppress=10, search=dropping))
    assert made.manifest.suppressed > 0
    sizes, gone = class_sizes(made), made.manifest.suppressed
    scores = made.figures.scores
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
    assert made.figures.search.optimal
    assert made.figures.scores[metric] == best.figures.scores[metric]
    for other in ("loss", "precision", "discernibility", "average_class_size"):
        assert other in made.figures.scores
    for level, column in zip(made.levels.values(), made.record.quasi, strict=True):
        assert level is not None
        assert level <= (column.height or 0)


def test_a_table_that_is_anonymous_already_stays_as_it_is() -> None:
    """Of releases that score alike the one that tells more: masks that join no two values cost nothing."""
    table = pa.table({"code": ["12-a", "12-a", "34-b", "34-b"], "land": ["AT"] * 4})
    made = incrowd.anonymize(table, job({**quasi(code="mask"), **quasi("land")}))
    assert made.frame.to_pylist() == table.to_pylist()

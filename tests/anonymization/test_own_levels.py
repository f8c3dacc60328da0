"""Whole runs whose levels differ from cell to cell: published, verified and scored as they are."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.hospital import PATIENTS, hospital_job, in_arrow, in_folder
from anonymization.runs import class_sizes, job, quasi, read_csv, refused, rows_of, verified
from incrowd.anonymization import AnonymizationResult
from incrowd.anonymization.infeasible import NoRelease
from incrowd.errors import UsageError

SEARCHES: dict[str, Any] = {
    "layered": "layered",
    "in three layers": {"layered": {"share": 0.3, "layers": 3}},
    "local_suppression": "local_suppression",
    "scored": {"scored": {"partial": True}},
    "genetic": {"genetic": {"population": 10, "generations": 10}},
    "annealing": {"annealing": {"steps": 200}},
    "top-down": "top_down_specialization:label=disease",
}
MODELS: list[dict[str, Any]] = [
    {"k_anonymity": {"k": 3}},
    {"t_closeness": {"t": 0.5, "column": "disease"}},
    {"entropy_l": {"l": 1.5, "column": "disease"}},
]
LAYERS = ["layered", "in three layers", "local_suppression", "genetic", "annealing"]


def loss_of(made: AnonymizationResult, records: int) -> float:
    """From the published cells and the private record: how many values of its column each of them leaves open."""
    cost = 0.0
    for column in made.record.quasi:
        covered = Counter(label for row in column.rows for label in set(row))
        values = len(column.rows)
        for row in rows_of(made):
            cost += (covered[str(row[column.name])] - 1) / max(1, values - 1)
        cost += records - len(rows_of(made))
    return cost / (records * len(made.levels))


@pytest.mark.parametrize("suppress", [0, 0.1])
@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_published_is_what_is_scored(name: str, suppress: float) -> None:
    made = incrowd.anonymize(in_arrow(), hospital_job(*MODELS, suppress=suppress, search=SEARCHES[name]))
    assert made.verdict.holds
    sizes, gone = class_sizes(made), made.manifest.suppressed
    assert min(sizes.values()) == made.manifest.smallest >= 3
    scores = made.figures.scores
    assert scores["discernibility"] == sum(size * size for size in sizes.values()) + 60 * gone
    assert scores["average_class_size"] == pytest.approx(60 / (len(sizes) + bool(gone)))
    assert scores["loss"] == pytest.approx(loss_of(made, 60))
    assert 0 < scores["precision"] < 1
    assert "before single classes" not in str(made)


@pytest.mark.parametrize("name", [*LAYERS, "top-down"])
def test_files_and_frames_come_out_alike(name: str, tmp_path: Path) -> None:
    described = hospital_job(*MODELS, search=SEARCHES[name])
    frame = incrowd.anonymize(in_arrow(), described)
    source = in_folder(tmp_path, PATIENTS)
    file = verified(incrowd.anonymize(str(source), {**described, "output": str(tmp_path / "release.csv")}))
    rows = [{key: str(cell) for key, cell in row.items()} for row in rows_of(frame)]
    # Numbers are sorted as numbers in a frame, and as texts in a file of texts.
    assert sorted(read_csv(tmp_path / "release.csv"), key=str) == sorted(rows, key=str)
    assert file.figures.scores == frame.figures.scores
    assert file.details == frame.details
    backwards = incrowd.anonymize(in_arrow().take(list(range(59, -1, -1))), described)
    assert rows_of(backwards) == rows_of(frame)


def test_local_recoding_loses_less_than_one_level_for_all() -> None:
    described = hospital_job({"k_anonymity": {"k": 3}})
    losses = {
        search: incrowd.anonymize(in_arrow(), {**described, "search": search}).figures.scores["loss"]
        for search in ("optimal", "layered")
    }
    assert losses["layered"] < losses["optimal"]


@pytest.mark.parametrize("name", LAYERS)
def test_a_column_without_a_hierarchy(name: str) -> None:
    table = pa.table({"a": ["u", "u", "v", "w"], "b": [1, 1, 2, 2], "s": ["x", "y", "x", "y"]})
    described = job({**quasi("a", "b"), "s": {"role": "keep"}}, search=SEARCHES[name])
    made = incrowd.anonymize(table, described)
    assert made.verdict.holds
    assert made.manifest.suppressed == 0
    if name == "local_suppression":
        assert made.frame.column("a").to_pylist() == ["*", "*", "u", "u"]
        assert made.frame.column("b").to_pylist() == [2, 2, 1, 1]
        assert made.details["wiped"] == 2


@pytest.mark.parametrize("name", LAYERS)
def test_tables_at_the_edge(name: str) -> None:
    described = job(quasi("a", "b"), {"k_anonymity": {"k": 3}}, search=SEARCHES[name])
    empty = incrowd.anonymize(pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.string())}), described)
    assert empty.frame.num_rows == 0
    missing = incrowd.anonymize(pa.table({"a": [None] * 3, "b": [None] * 3}), described)
    assert missing.frame.to_pylist() == [{"a": None, "b": None}] * 3
    two = pa.table({"a": ["u", "v"], "b": ["x", "x"]})
    refused(NoRelease, lambda: incrowd.anonymize(two, described))
    assert incrowd.anonymize(two, {**described, "suppress": 2}).frame.num_rows == 0
    one = incrowd.anonymize(two, {**described, "models": ["k_anonymity:k=1"]})
    assert one.frame.to_pylist() == two.to_pylist()


@pytest.mark.parametrize("name", LAYERS)
def test_missing_cells_that_match_everything_are_refused(name: str) -> None:
    words = refused(
        UsageError,
        lambda: incrowd.anonymize(
            in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, search=SEARCHES[name], nulls="maybe")
        ),
    )
    assert "records are judged by what they match" in words


@pytest.mark.parametrize("name", LAYERS)
def test_the_time_is_up_at_once(name: str) -> None:
    made = incrowd.anonymize(in_arrow(), hospital_job(*MODELS, search=SEARCHES[name], time=0))
    assert made.verdict.holds
    assert made.figures.search.stopped == "time"

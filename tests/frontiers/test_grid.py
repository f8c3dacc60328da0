"""The grid side by side: every figure is that of the release, counted by other means, and nothing is published."""

import shlex
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from anonymization.hospital import hospital_job, in_arrow
from anonymization.lecture import JOB, PRINTED, loss, table
from incrowd.core.grid import Point, Suppress
from incrowd.errors import UsageError
from incrowd.frontiers import Grid
from incrowd.text import percent

POINTS = ["AG_TS", "AG_CS", "AG_", "CG_", "_TS", "_AS", "_CS"]
TREE = {"tree": {"groups": {"12": ["1", "2"], "34": ["3", "4"]}}}


def sweep(source: Any, job: dict[str, Any]) -> Grid:
    """All points."""
    return incrowd.frontier(source, job, grid=True)


def test_the_lecture_s_table() -> None:
    found = sweep(table(), JOB)
    assert [each.point for each in found.points] == POINTS
    assert (found.records, found.columns, found.stopped) == (9, 4, None)
    empty = found["_TS"]
    assert (empty.release, empty.reason) == (None, "every record would be suppressed")
    for each in found.points:
        if each.release is not None:
            assert each.release.loss <= loss(PRINTED[each.point]) + 1e-9
    by_columns, by_rows = found["_AS"].release, found["AG_TS"].release
    assert by_columns is not None and by_rows is not None  # noqa: PT018
    assert (by_columns.records, by_columns.cells_kept, by_columns.cells_wiped) == (9, 0.5, 0.5)
    # Of nine rows one is left out, and of four columns two stay.
    assert (by_rows.records, by_rows.cells_kept, by_rows.cells_wiped) == (8, *map(pytest.approx, (16 / 36, 4 / 36)))
    assert found.least_loss is not None
    assert found.least_loss.release is not None
    assert found.least_loss.release.loss == min(each.release.loss for each in found.points if each.release)


tables = st.lists(st.tuples(*[st.sampled_from(["1", "2", "3", "4", None])] * 2), min_size=3, max_size=10)


@settings(max_examples=15)
@given(tables, st.integers(1, 3))
def test_cells_are_counted_in_what_is_published(rows: list[tuple[str | None, str | None]], k: int) -> None:
    source = pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate("ab")})
    source = source.append_column("at", [[str(at) for at in range(len(rows))]])
    columns: dict[str, Any] = {name: {"role": "quasi", "hierarchy": TREE} for name in "ab"}
    job = {"columns": {**columns, "at": {"role": "keep"}}, "models": [{"k_anonymity": {"k": k}}]}
    for each in sweep(source, job).points:
        if each.release is None or each.run is None:
            continue
        made = incrowd.anonymize(source, each.run.job)
        cells = [
            (row[name], rows[int(row["at"])][at]) for row in made.frame.to_pylist() for at, name in enumerate("ab")
        ]
        kept = sum(label == value for label, value in cells)
        left_out = len(rows) - made.manifest.data.records
        wiped = sum(label == "*" for label, _ in cells) + 2 * left_out
        assert each.release.records == made.manifest.data.records
        assert each.release.cells_kept == pytest.approx(kept / (2 * len(rows)))
        assert each.release.cells_wiped == pytest.approx(wiped / (2 * len(rows)))
        assert each.release.loss == pytest.approx(made.figures.scores["loss"])
        assert made.manifest.grid == each.point


def test_cells_of_groups() -> None:
    """A search that forms groups, on columns that have no hierarchy: what spans the whole domain is wiped."""
    source = pa.table({"age": [1, 1, 5, 9], "town": ["x", "x", "y", "z"]})
    columns = {"age": {"role": "quasi"}, "town": {"role": "quasi", "form": "set"}}
    job = {"columns": columns, "models": ["k_anonymity:k=2"], "search": "mondrian"}
    found = sweep(source, job)
    by_cells = found["CG_"]
    assert by_cells.run is not None
    assert by_cells.run.search == "mondrian"
    assert by_cells.release is not None
    assert (by_cells.release.cells_kept, by_cells.release.cells_wiped) == (0.5, 0.0)
    one_class = incrowd.frontier(source, {**job, "models": ["k_anonymity:k=4"]}, grid=True)["CG_"]
    assert one_class.release is not None
    assert (one_class.release.cells_kept, one_class.release.cells_wiped) == (0.0, 1.0)


@pytest.mark.parametrize(("suppress", "expected"), [(4, 4), (0, "row"), ("none", "row"), ("row", "row")])
def test_how_many_rows(suppress: Any, expected: Any) -> None:
    found = sweep(in_arrow(), hospital_job({"k_anonymity": {"k": 3}}, suppress=suppress))
    for each in found.points:
        assert each.run is not None
        assert each.run.suppress == (expected if each.point.suppress == Suppress.ROW else each.run.job.suppress)
    words = "Suppression limit: 4 records, as in the job." if expected == 4 else "Suppression limit: none, since"
    assert words in str(found)


def test_a_share_of_rows_and_settings_that_are_not_known() -> None:
    job = hospital_job({"k_anonymity": {"k": 3}}, suppress=0.05, search="mondrian")
    name = next(name for name, column in job["columns"].items() if column["role"] == "quasi")
    job["columns"][name] = {**job["columns"][name], "form": "set"}
    told = str(sweep(in_arrow(), job))
    assert f"Suppression limit: {percent(0.05)} of the records, as in the job." in told
    assert f"Note: optimal does not support columns.{name}.form; ignored in its runs." in told


def test_the_commands_publish_what_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from incrowd.cli.app import app

    monkeypatch.chdir(tmp_path)
    lines = [",".join(JOB["columns"]), *(",".join(row.values()) for row in table().to_pylist())]
    Path("people.csv").write_text("\n".join(lines) + "\n")
    found = incrowd.frontier(job={**JOB, "data": "people.csv"}, grid=True)
    for each in found.points:
        command = found.command(each)
        assert (command is None) == (each.release is None)
        if command is None or each.release is None:
            continue
        app([*shlex.split(command)[1:], "--replace"], standalone_mode=False)
        made = incrowd.verify("release.csv")
        assert made.holds
        assert made.records == each.release.records


@pytest.mark.parametrize("given", [{"k": [2]}, {"searches": ["optimal"]}, {"suppress": [0]}, {"risk": "average"}])
def test_what_is_not_asked_of_a_grid(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"a grid with {next(iter(given))}: a grid compares points under the models"):
        incrowd.frontier(table(), JOB, grid=True, **given)  # type: ignore[call-overload]


def test_nothing_at_all() -> None:
    found = sweep(table(), {**JOB, "models": ["k_anonymity:k=10"]})
    assert found.least_loss is None
    assert {each.reason for each in found.points} == {"k is larger than the table (9 records)"}
    assert "No release was found" in str(found)


def test_guards_are_kept_by_one_search_alone() -> None:
    """A point that the job cannot be on says why."""
    source = pa.table({"age": ["1", "1", "2", "2"], "ill": ["a", "b", "a", "b"], "guard": ["*", "*", "*", "*"]})
    job = {
        "columns": {
            "age": {"role": "quasi"},
            "ill": {"role": "sensitive", "hierarchy": {"tree": {"groups": {"ab": ["a", "b"]}}}},
            "guard": {"role": "drop"},
        },
        "models": [{"personal_breach": {"p": 0.5, "column": "ill", "guard": "guard"}}],
        "search": "personalized",
    }
    found = sweep(source, job)
    assert found["CG_"].run is not None
    others = [each for each in found.points if each.point != Point.CG]
    assert all(
        each.run is None and "only the search personalized supports it" in (each.reason or "") for each in others
    )
    assert found.stopped is None

"""Points of the grid on any table: what each does by its definition, and which of them are the same."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.errors import Infeasible, JobError

NAMES = ("a", "b", "c")
Row = tuple[str | None, ...]
TREE = {"tree": {"groups": {"12": ["1", "2"], "34": ["3", "4"]}}}
few = settings(max_examples=25)

tables = st.lists(st.tuples(*[st.sampled_from(["1", "2", "3", "4", None])] * 3), min_size=1, max_size=12)


def frame(rows: list[Row]) -> pa.Table:
    return pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(NAMES)})


def job(k: int = 2, columns: Any = None, **settings: Any) -> dict[str, Any]:
    known = columns or {name: {"role": "quasi", "hierarchy": TREE} for name in NAMES}
    return {"columns": known, "models": [{"k_anonymity": {"k": k}}], "order": "source", **settings}


def published(made: Any) -> list[Row]:
    return list(zip(*made.frame.to_pydict().values(), strict=True))


def told(made: Any) -> Any:
    """What a release is, but for how long it took."""
    return made.manifest.to_dict()


@few
@given(tables, st.integers(1, 4))
def test_rows_alone_leave_the_classes_that_hold(rows: list[Row], k: int) -> None:
    made = incrowd.anonymize(frame(rows), job(k, generalize="none", suppress="row"))
    sizes = Counter(rows)
    assert published(made) == [row for row in rows if sizes[row] >= k]


@few
@given(tables, st.integers(1, 4))
def test_columns_alone_are_the_best_set_of_them(rows: list[Row], k: int) -> None:
    """Against every set of columns; each weighs the same."""

    def without(removed: tuple[int, ...]) -> list[Row]:
        return [tuple("*" if at in removed else cell for at, cell in enumerate(row)) for row in rows]

    sets = [removed for size in range(4) for removed in combinations(range(3), size)]
    safe = [removed for removed in sets if min(Counter(without(removed)).values()) >= k]
    asked = job(k, generalize="none", suppress="column")
    if not safe:
        with pytest.raises(Infeasible):
            incrowd.anonymize(frame(rows), asked)
        return
    made = incrowd.anonymize(frame(rows), asked)
    assert published(made) in [without(removed) for removed in safe]
    assert made.figures.scores["loss"] <= min(_loss(rows, removed) for removed in safe) + 1e-9
    assert made.figures.search.optimal


def _loss(rows: list[Row], removed: tuple[int, ...]) -> float:
    """A removed cell leaves all four values open; a missing one is none of them, and leaves them open as well."""
    return sum(len(rows) for _ in removed) / (3 * len(rows))


@pytest.mark.parametrize("word", ["column", "cell"])
@few
@given(rows=tables, k=st.integers(1, 4))
def test_the_top_of_a_hierarchy_is_suppression(word: str, rows: list[Row], k: int) -> None:
    """AG_AS is AG_, and CG_CS is CG_."""
    if k > len(rows):
        return
    asked = [job(k, generalize=word, suppress=suppress) for suppress in (word, "none")]
    one, other = (incrowd.anonymize(frame(rows), each) for each in asked)
    assert published(one) == published(other)
    assert told(one) == told(other)


@few
@given(tables, st.integers(2, 4))
def test_more_freedom_loses_no_more(rows: list[Row], k: int) -> None:
    """What removes columns also generalizes them at most to the top; what may leave out rows need not."""
    if k > len(rows):
        return

    def lost(generalize: str, suppress: str) -> float:
        made = incrowd.anonymize(frame(rows), job(k, generalize=generalize, suppress=suppress))
        return float(made.figures.scores["loss"])

    columns = lost("column", "none")
    assert lost("column", "row") <= columns + 1e-9
    assert columns <= lost("none", "column") + 1e-9


@few
@given(tables)
def test_as_many_rows_as_it_takes_is_no_reason_to_lose_all(rows: list[Row]) -> None:
    """Where a release with records costs the same as none at all, there are records."""
    made = incrowd.anonymize(frame(rows), job(2, generalize="column", suppress="row"))
    assert bool(published(made)) == (len(rows) >= 2)


def test_a_minimum_is_kept_even_where_nothing_is_generalized() -> None:
    columns = {name: {"role": "quasi", "hierarchy": TREE} for name in NAMES}
    columns["a"]["minimum"] = 1
    rows: list[Row] = [("1", "1", "1"), ("2", "1", "1"), ("3", "1", "1"), ("3", "2", "1")]
    by_row = incrowd.anonymize(frame(rows), job(2, columns, generalize="none", suppress="row"))
    assert published(by_row) == [("12", "1", "1"), ("12", "1", "1")]
    by_column = incrowd.anonymize(frame(rows), job(2, columns, generalize="none", suppress="column"))
    assert published(by_column) == [("12", "*", "1")] * 2 + [("34", "*", "1")] * 2
    by_cell = incrowd.anonymize(frame(rows), job(2, columns, generalize="none", suppress="cell"))
    assert {row[0] for row in published(by_cell)} <= {"12", "34", "*"}


def test_a_column_with_a_limit_is_not_removed() -> None:
    columns = {name: {"role": "quasi", "hierarchy": TREE} for name in NAMES}
    columns["a"]["limit"] = 1
    rows: list[Row] = [("1", "1", "1"), ("1", "2", "1"), ("3", "1", "1"), ("3", "2", "1")]
    made = incrowd.anonymize(frame(rows), job(2, columns, generalize="none", suppress="column"))
    assert [row[0] for row in published(made)] == ["1", "1", "3", "3"]
    with pytest.raises(Infeasible) as caught:
        incrowd.anonymize(frame(rows), job(3, columns, generalize="none", suppress="column"))
    # No records to suppress are offered, and no limit but one that lets the column be removed.
    assert str(caught.value).endswith(
        "any one of these changes makes a release possible: k of k_anonymity = 2, limit of 'a' = 2"
    )


def test_a_level_that_is_not_there() -> None:
    columns = {"a": {"role": "quasi", "hierarchy": TREE, "minimum": 7}}
    with pytest.raises(JobError, match=r"columns.a.minimum: it is 7; the hierarchy has the levels 0 to 2"):
        incrowd.anonymize(frame([("1", "1", "1")]), job(1, columns, generalize="none", suppress="column"))


def test_next_month(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same columns are removed from new data, and a mask goes on to new values."""
    monkeypatch.chdir(tmp_path)
    columns = {name: {"role": "quasi", "hierarchy": "mask"} for name in ("a", "b")}
    first = pa.table({"a": ["11", "11", "12", "12"], "b": ["1", "2", "3", "4"]})
    asked = job(2, columns, generalize="none", suppress="column", output="first.csv")
    incrowd.anonymize(first, asked)
    second = pa.table({"a": ["13", "13"], "b": ["8", "9"]})
    made = incrowd.apply("first.csv.record.json", second, "second.csv")
    assert made.levels == {"a": 0, "b": 1}
    assert (tmp_path / "second.csv").read_text() == "a,b\n13,*\n13,*\n"
    assert incrowd.verify("second.csv").holds

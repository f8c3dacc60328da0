"""Fewest cells: what trying everything finds, in both conventions, with and without levels."""

from itertools import product
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from incrowd.core.hierarchy import Hierarchy
from incrowd.errors import UsageError
from incrowd.metrics.height import Height
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.searches import NothingFound
from incrowd.searches._cells import linear_program, matching_program, options
from incrowd.searches.fewest_cells import FewestCells
from incrowd.searches.local_suppression import LocalSuppression
from incrowd.watch import Watch
from searches.cells_by_hand import (
    Cells,
    all_match,
    fewest_by_groups,
    fewest_by_matching,
    is_k_anonymous,
    of_records,
    published,
    rows_of,
)
from searches.problems import Row, Ticks, problem
from searches.worked_examples import samarati_rows

CELL = st.sampled_from(["u", "v", None])
ROWS = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[CELL] * n), min_size=2, max_size=6))
FEW = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[CELL] * n), min_size=2, max_size=4))


def weights_of(records: list[Cells], numbers: list[float]) -> tuple[float, ...]:
    return tuple(numbers[: len(records[0])])


@settings(max_examples=60, deadline=None)
@given(ROWS, st.integers(1, 3), st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=3, max_size=3))
def test_no_way_to_part_records_wipes_less(records: list[Cells], k: int, numbers: list[float]) -> None:
    weights = weights_of(records, numbers)
    asked = of_records(records, KAnonymity(k), priorities=weights)
    outcome = FewestCells().run(asked, Watch())
    if len(records) < k:
        assert isinstance(outcome, NothingFound)
        assert outcome.nearest is not None
        return
    assert outcome.optimal
    rows = published(asked, outcome)
    assert len(rows) == len(records)
    assert is_k_anonymous(rows, k)
    wiped = sum(weight for _, flags in rows for weight, w in zip(weights, flags, strict=True) if w)
    assert wiped == pytest.approx(fewest_by_groups(records, [weights] * len(records), k))
    # The heuristic is never better, and a release too.
    heuristic = LocalSuppression().run(asked, Watch())
    others = published(asked, heuristic)
    assert is_k_anonymous(others, k)
    assert sum(w for _, flags in others for w in np.array(weights)[list(flags)]) >= wiped - 1e-9


@settings(max_examples=40, deadline=None)
@given(FEW, st.integers(1, 3))
def test_no_choice_of_wiped_cells_that_match_anything_is_smaller(records: list[Cells], k: int) -> None:
    asked = of_records(records, KAnonymity(k))
    outcome = FewestCells(wiped="anything").run(asked, Watch())
    if len(records) < k:
        assert isinstance(outcome, NothingFound)
        return
    rows = published(asked, outcome)
    cells, flags = [row for row, _ in rows], [of for _, of in rows]
    assert all_match(cells, flags, k)
    ones = [[1.0] * len(records[0])] * len(records)
    assert outcome.details["wiped"] == fewest_by_matching(records, ones, k)
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.smallest >= k
    heuristic = LocalSuppression(wiped="anything").run(asked, Watch())
    others = published(asked, heuristic)
    assert all_match([row for row, _ in others], [of for _, of in others], k)
    assert all(any(of) or records.count(row) >= k for row, of in others)
    assert heuristic.details["wiped"] >= outcome.details["wiped"]


LADDER = Hierarchy.from_rows([("u", "uv", "*"), ("v", "uv", "*"), ("w", "w", "*")])


def on_levels(record: Cells, levels: tuple[int, ...]) -> Cells:
    return tuple(cell if level == 0 or cell == "w" else "uv" for cell, level in zip(record, levels, strict=True))


@pytest.mark.parametrize("wiped", ["own", "anything"])
def test_no_levels_and_wiped_cells_lose_less(wiped: str) -> None:
    """A cell "uv" leaves half of the domain open, a wiped one all of it."""
    random, oracle = np.random.default_rng(8), fewest_by_groups if wiped == "own" else fewest_by_matching
    for _ in range(8):
        records: list[Cells] = [tuple("uvw"[at] for at in random.integers(0, 3, 2)) for _ in range(5)]
        asked = problem(rows_of(records), {"c0": LADDER, "c1": LADDER}, KAnonymity(2))
        outcome = FewestCells(generalize="column", wiped=wiped).run(asked, Watch())
        best = float("inf")
        for levels in product(range(2), repeat=2):
            shown = [on_levels(record, levels) for record in records]
            base = sum(0.5 for record in shown for cell in record if cell == "uv")
            prices = [[0.5 if cell == "uv" else 1.0 for cell in record] for record in shown]
            best = min(best, base + oracle(shown, prices, 2))
        assert not isinstance(outcome, NothingFound)
        assert outcome.node.score == pytest.approx(best / 10)
        assert set(outcome.details["levels"]) == {"c0", "c1"}
        heuristic = LocalSuppression(generalize="column", wiped=wiped).run(asked, Watch())
        assert not isinstance(heuristic, NothingFound)
        assert heuristic.node.score >= outcome.node.score - 1e-9


PAIRS = Hierarchy.from_rows([(value, "uv" if value in "uv" else "wx", "*") for value in "uvwx"])


@pytest.mark.parametrize("wiped", ["own", "anything"])
def test_levels_that_cost_the_same_are_no_trouble(wiped: str) -> None:
    """HiGHS gives up where it is asked for less than the least cost, but by no more than its tolerance."""
    for letters in (["ux", "xu", "xv"], ["uw", "wu", "wv", "xx"], ["vw", "uw", "xu", "xv", "wv"]):
        records: list[Cells] = [tuple(each) for each in letters]
        for k in (2, 3):
            asked = problem(rows_of(records), {"c0": PAIRS, "c1": PAIRS}, KAnonymity(k))
            outcome = FewestCells(generalize="column", wiped=wiped).run(asked, Watch())
            assert outcome.optimal
            assert not isinstance(outcome, NothingFound)
            assert outcome.node.smallest >= k


def lecture(k: int = 2) -> Any:
    """FX-SAM-4: nine people, DOB by month and year, ZIP by prefix."""
    rows = samarati_rows()
    days = sorted({str(row["DOB"]) for row in rows})
    ladders = {
        "Race": Hierarchy.from_rows([(race, "*") for race in ("asian", "black", "white")]),
        "DOB": Hierarchy.from_rows([(day, day[:5], day[:2], "*") for day in days]),
        "Sex": Hierarchy.from_rows([("F", "*"), ("M", "*")]),
        "ZIP": Hierarchy.from_rows([(code, f"{code[:4]}*", "*") for code in ("94138", "94139", "94141", "94142")]),
    }
    return problem(rows, ladders, KAnonymity(k))


@pytest.mark.parametrize("search", [FewestCells, LocalSuppression])
def test_samarati_s_tables(search: Any) -> None:
    """_CS: the lecture's table wipes 14 cells; 12 do. AG_CS: months and 9413*, and 8 cells wiped, as in the lecture."""
    assert search().run(lecture(), Watch()).details["wiped"] == 12
    column = search(generalize="column").run(lecture(), Watch())
    assert column.details["levels"] == {"Race": 0, "DOB": 1, "Sex": 0, "ZIP": 1}
    assert column.details["wiped_by_column"] == {"Race": 0, "DOB": 3, "Sex": 0, "ZIP": 5}


def test_where_wiped_cells_match_anything_fewer_do() -> None:
    """Each of the nine stands out, so each loses a cell; by the bare convention one row of four would do."""
    assert FewestCells(wiped="anything").run(lecture(), Watch()).details["wiped"] == 9
    records: list[Cells] = [tuple(row[name] for name in ("Race", "DOB", "Sex", "ZIP")) for row in samarati_rows()]
    assert all_match(records, [[True] * 4, *[[False] * 4] * 8], 2)


def test_a_missing_cell_is_not_a_wiped_one() -> None:
    records: list[Cells] = [(None, "u"), ("u", "u"), ("v", "v"), ("v", "v")]
    for wiped in ("own", "anything"):
        outcome = FewestCells(wiped=wiped).run(of_records(records, KAnonymity(2)), Watch())
        assert outcome.details["wiped_by_column"] == {"c0": 2, "c1": 0}


def test_records_are_left_out_where_that_costs_less() -> None:
    records: list[Cells] = [("u", "u"), ("u", "u"), ("u", "u"), ("v", "v")]
    for budget, wiped, suppressed in [(0, 4, 0), (1, 0, 1)]:
        outcome = FewestCells().run(of_records(records, KAnonymity(2), budget=budget), Watch())
        assert not isinstance(outcome, NothingFound)
        assert (outcome.details["wiped"], outcome.node.suppressed) == (wiped, suppressed)


def test_tables_at_the_edge() -> None:
    ladders = {"a": Hierarchy.from_rows([("u", "*")])}
    for wiped in ("own", "anything"):
        empty = FewestCells(wiped=wiped).run(problem([], ladders, KAnonymity(3)), Watch())
        assert not isinstance(empty, NothingFound)
        assert empty.details["wiped"] == 0
    two: list[Row] = [{"a": "u"}, {"a": "u"}]
    assert isinstance(FewestCells().run(problem(two, ladders, KAnonymity(3)), Watch()), NothingFound)
    fixed = FewestCells().run(problem([{"a": "u"}, {"a": None}], ladders, KAnonymity(2), limit=(0,)), Watch())
    assert isinstance(fixed, NothingFound)


def test_a_value_that_looks_wiped_is_a_value_or_refused() -> None:
    ladders = {"a": Hierarchy.from_rows([("*", "*"), ("u", "*")])}
    rows: list[Row] = [{"a": "*"}, {"a": "u"}]
    outcome = FewestCells(wiped="own").run(problem(rows, ladders, KAnonymity(2)), Watch())
    assert outcome.details["wiped"] <= 1
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.smallest == 2
    with pytest.raises(UsageError, match="spelled like a suppressed cell"):
        FewestCells(wiped="anything").run(problem(rows, ladders, KAnonymity(2)), Watch())


def test_what_it_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[Cells] = [("u",), ("u",)]
    with pytest.raises(UsageError, match="fewest_cells: it minimizes loss"):
        FewestCells().run(of_records(records, KAnonymity(2), metric=Height()), Watch())
    rows: list[Row] = [{"a": "u", "disease": "x"}]
    with pytest.raises(UsageError, match=r"only the model k_anonymity; .*local_suppression"):
        FewestCells().run(problem(rows, {"a": LADDER}, DistinctL(2, column="disease")), Watch())
    for option in ({"wiped": "nothing"}, {"generalize": "cell"}, {"seconds": 0}):
        with pytest.raises(UsageError, match="of fewest_cells"):
            FewestCells(**option)  # type: ignore[arg-type]
    monkeypatch.setattr(linear_program, "MOST_VARIABLES", 0)
    monkeypatch.setattr(matching_program, "MOST_ROWS", 0)
    for wiped in ("own", "anything"):
        with pytest.raises(UsageError, match="the limit is 0; choose local_suppression"):
            FewestCells(wiped=wiped).run(of_records(records, KAnonymity(2)), Watch())
    monkeypatch.setattr(options, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"it needs SciPy.*incrowd\[table\]"):
        FewestCells().run(of_records(records, KAnonymity(2)), Watch())


@pytest.mark.parametrize("wiped", ["own", "anything"])
def test_stopped_while_it_solves_it_is_the_release_of_the_heuristic(
    wiped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HiGHS knows nothing of Ctrl-C; k = 3, because with k = 2 nothing needs to be solved."""
    watch, never = Watch(), Event()
    started: list[float] = []

    def solving(*_: Any, options: dict[str, float], **__: Any) -> None:
        started.append(options["time_limit"])
        watch.cancel()
        never.wait()

    best = FewestCells(wiped=wiped).run(lecture(3), Watch())
    monkeypatch.setattr("scipy.optimize.milp", solving)
    monkeypatch.setattr("incrowd.searches.fewest_cells.monotonic", lambda: 1000.0)
    monkeypatch.setattr(linear_program, "monotonic", lambda: 1000.0)
    outcome = FewestCells(wiped=wiped, seconds=9).run(lecture(3), watch)
    never.set()
    assert started == [pytest.approx(9)]
    heuristic = LocalSuppression(wiped=wiped).run(lecture(3), Watch())
    assert (outcome.search, outcome.stopped, outcome.details) == ("fewest_cells", "interrupted", heuristic.details)
    assert not outcome.optimal
    assert outcome.gap is not None
    assert not isinstance(outcome, NothingFound)
    assert not isinstance(best, NothingFound)
    assert best.node.score >= outcome.node.score - outcome.gap - 1e-9


def test_the_time_of_the_job_ends_a_programme_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.watch.time", SimpleNamespace(monotonic=lambda: 1000.0))
    monkeypatch.setattr(linear_program, "monotonic", lambda: 1000.0)
    with Watch(seconds=5) as watch:
        assert linear_program.Until(watch, 1060).seconds == pytest.approx(4.5)
        assert linear_program.Until(watch, 1001).seconds == pytest.approx(1)
        assert linear_program.Until(watch, 999).seconds > 0


def test_stopped_it_says_how_far_the_best_may_be() -> None:
    stopped = FewestCells(generalize="column").run(lecture(), Ticks(25))
    assert stopped.stopped == "interrupted"
    assert not stopped.optimal
    assert not isinstance(stopped, NothingFound)
    best = FewestCells(generalize="column").run(lecture(), Watch())
    assert not isinstance(best, NothingFound)
    assert stopped.gap is not None
    assert stopped.node.score - stopped.gap <= best.node.score + 1e-9


def test_a_wiped_cell_counts_where_its_column_has_one_value() -> None:
    """The loss does not count it, and the release that the search starts from is judged by what the search counts."""
    rows = [("u", "u", "u"), ("u", "u", "v"), ("u", None, None)]
    frame = polars.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    columns = {name: {"role": "quasi"} for name in frame.columns}
    job = {"columns": columns, "models": ["k_anonymity:k=3"], "search": "fewest_cells:wiped=anything"}
    assert incrowd.anonymize(frame, job).details["wiped"] == 3

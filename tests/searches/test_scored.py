"""PrivacyFrost2 on the paper's example and on small traces."""

from dataclasses import replace

import numpy as np
import pytest

from incrowd.core.hierarchy import Hierarchy
from incrowd.core.schema import Nulls
from incrowd.errors import UsageError
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.k_map import KMap
from incrowd.models.t_closeness import TCloseness
from incrowd.recodings.by_combination import recode
from incrowd.searches import CellsOutcome, Guarantee, NothingFound, Outcome, Problem
from incrowd.searches.scored import Scored
from incrowd.watch import Watch
from searches.problems import Row, Ticks, problem
from searches.worked_examples import rows_of

FIGURE_2 = """Birth,Gender,Zip,Nationality
1984,Male,01241,UK
1984,Male,01242,Italy
1985,Female,01231,UK
1985,Female,01232,Italy
1984,Male,01233,USA
1984,Male,01234,USA
"""
"""FX-PF2-1: the paper prints what its tool makes of it; the fifth digits are not printed."""

BY_LOGARITHM = """Birth,Gender,Zip,Nationality
198*,*,012**,UK
198*,*,012**,Italy
198*,*,012**,UK
198*,*,012**,Italy
1984,Male,0123*,USA
1984,Male,0123*,USA
"""

BY_ETA = """Birth,Gender,Zip,Nationality
1984,Male,0124*,Europe
1984,Male,0124*,Europe
1985,Female,0123*,Europe
1985,Female,0123*,Europe
1984,Male,0123*,USA
1984,Male,0123*,USA
"""

CODES = ("01241", "01242", "01231", "01232", "01233", "01234")
HIERARCHIES = {
    "Birth": Hierarchy.from_rows([(year, "198*", "*") for year in ("1984", "1985")]),
    "Gender": Hierarchy.from_rows([("Male", "*"), ("Female", "*")]),
    "Zip": Hierarchy.from_rows([(code, f"{code[:4]}*", f"{code[:3]}**", "*") for code in CODES]),
    "Nationality": Hierarchy.from_rows([("UK", "Europe", "*"), ("Italy", "Europe", "*"), ("USA", "America", "*")]),
}

PQ = Hierarchy.from_rows([(f"{letter}{number}", letter, "*") for letter in "pq" for number in "12"])
UV = Hierarchy.from_rows([("u", "*"), ("v", "*")])


def figure_2(priorities: tuple[float, ...] = (), **more: object) -> Problem:
    """The paper's example, k = 2."""
    given = problem(rows_of(FIGURE_2), HIERARCHIES, KAnonymity(2), priorities=priorities)
    return replace(given, **more)  # type: ignore[arg-type]


def released(given: Problem, outcome: Outcome, rows: list[Row]) -> list[tuple[str | None, ...]]:
    """What is published for each row, in order; suppressed rows are left out."""
    assert isinstance(outcome, CellsOutcome)
    made = recode(given.frequencies.project(given.quasi), given.ladders, outcome.own_levels)
    found = {}
    for at in range(made.combinations.combinations):
        key = tuple(
            str(values[code - 1]) if code else None
            for values, code in zip(made.combinations.values, made.combinations.codes[:, at], strict=True)
        )
        if made.kept[at]:
            found[key] = tuple(
                original if column is None else column.labels[column.codes[at]]
                for original, column in zip(key, made.columns, strict=True)
            )
    keys = [tuple(row[name] for name in given.quasi) for row in rows]
    return [found[key] for key in keys if key in found]


def run(given: Problem, search: Scored) -> Outcome:
    """To the end."""
    return search.run(given, Watch())


@pytest.mark.parametrize(
    ("score", "priorities", "levels", "full", "printed"),
    [
        # Levels are counted from the original value; the paper counts them from the root.
        ("logarithm", (1.0, 1.0, 1.0, 2.0), (1, 1, 2, 0), 2.0, BY_LOGARITHM),
        ({"eta": {"d": 1}}, (1.0, 1.0, 1.0, 1.0), (0, 0, 1, 1), 8.0, BY_ETA),
    ],
)
def test_both_tables_of_figure_2(
    score: str, priorities: tuple[float, ...], levels: tuple[int, ...], full: float, printed: str
) -> None:
    given = figure_2(priorities)
    outcome = run(given, Scored(score=score, partial=True))
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == levels
    assert outcome.details["full_domain"] == full
    expected = [tuple(row.values()) for row in rows_of(printed)]
    assert released(given, outcome, rows_of(FIGURE_2)) == expected
    distinct = [len(set(cells)) for cells in zip(*expected, strict=True)]
    assert distinct == ([2, 2, 2, 3] if score == "logarithm" else [2, 2, 2, 2])
    assert outcome.details["partial_domain"] == full


def test_down_and_up_again() -> None:
    # FX-PF2-2: top-down finds nothing, (A1, B1) is not anonymous, (A0, B1) from the root is.
    rows: list[Row] = [{"A": "p1", "B": "u"}, {"A": "q2", "B": "u"}, {"A": "p1", "B": "v"}, {"A": "q2", "B": "v"}]
    outcome = run(problem(rows, {"A": PQ, "B": UV}, KAnonymity(2), priorities=(1.0, 3.0)), Scored())
    assert outcome.details["initial"] == [1, 1]
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == (2, 0)
    assert outcome.details["full_domain"] == 7
    assert outcome.guarantee == Guarantee.HEURISTIC
    assert not outcome.optimal


def test_columns_that_reach_their_top_at_different_times() -> None:
    # FX-PF2-3: as printed, the pre-computation ends when the first column is at its top, and fails.
    lines = ("p1 p1 u", "p1 q1 u", "q1 p1 v", "q1 q1 v")
    rows: list[Row] = [dict(zip("ACB", line.split(), strict=True)) for line in lines]
    given = problem(rows, {"A": PQ, "C": PQ, "B": UV}, KAnonymity(2), priorities=(1.0, 2.0, 3.0))
    outcome = run(given, Scored())
    assert outcome.details["initial"] == [2, 2, 1]
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.levels == (1, 2, 0)
    assert outcome.details["full_domain"] == 10


def test_a_limit_that_cannot_be_kept_fails_with_the_nearest_miss() -> None:
    given = figure_2(limit=(0, 0, 1, 0))
    outcome = run(given, Scored(partial=True))
    assert isinstance(outcome, NothingFound)
    assert not isinstance(outcome, CellsOutcome)
    assert outcome.stopped == "done"
    assert outcome.nearest is not None
    assert (outcome.nearest.levels, outcome.nearest.suppressed) == ((0, 0, 1, 0), 4)
    assert outcome.details["initial"] is outcome.details["full_domain"] is outcome.details["partial_domain"] is None


def test_more_records_in_single_columns_than_there_are_stop_at_the_limit() -> None:
    # As printed, the pre-computation never ends when a column cannot have k + p records per value.
    outcome = run(figure_2(limit=(1, 1, 2, 1)), Scored(p=10))
    assert outcome.details["initial"] == [1, 1, 2, 1]
    assert run(figure_2(), Scored(p=0)).details["initial"] == [1, 1, 2, 1]


def test_p_begins_higher() -> None:
    rows: list[Row] = [{"A": value} for value in ("p1", "p1", "p2", "p2", "p2", "q1", "q1", "q1", "q1")]
    given = problem(rows, {"A": PQ}, KAnonymity(2))
    initial = {p: run(given, Scored(p=p)).details["initial"] for p in range(4)}
    assert initial == {0: [0], 1: [1], 2: [1], 3: [2]}


def test_pre_sampling_drops_isolated_records() -> None:
    rows = [*rows_of(FIGURE_2), {"Birth": "1985", "Gender": "Male", "Zip": "01241", "Nationality": "USA"}]
    given = problem(rows, HIERARCHIES, KAnonymity(2), budget=2)
    search = Scored(sample_k=2, sample_levels={"Birth": 1, "Zip": 1, "Nationality": 1})
    outcome = run(given, search)
    assert outcome.details["dropped"] == 1
    assert not isinstance(outcome, NothingFound)
    assert outcome.node.suppressed == 1
    assert isinstance(outcome, CellsOutcome)
    kept = (outcome.own_levels != -1).all(axis=0)
    assert kept.sum() == 6
    assert (outcome.own_levels[:, kept] == np.array(outcome.node.levels)[:, None]).all()
    # The table of the others is anonymous on the same levels without it.
    assert outcome.node.levels == run(figure_2(), Scored()).node.levels  # type: ignore[union-attr]
    assert len(released(given, outcome, rows)) == 6
    # What may be suppressed beyond that is left unused.
    assert run(given, Scored()).node.suppressed == 0  # type: ignore[union-attr]


def test_pre_sampling_may_not_drop_more_than_may_be_suppressed() -> None:
    with pytest.raises(UsageError, match=r"drops 6 of 6 records and only 5 may be suppressed") as refused:
        run(figure_2(budget=5), Scored(sample_k=2))
    assert "\n" not in str(refused.value)


def test_pre_sampling_may_drop_everything() -> None:
    outcome = run(figure_2(budget=6), Scored(sample_k=2, partial=True))
    assert not isinstance(outcome, NothingFound)
    assert (outcome.node.suppressed, outcome.node.classes, outcome.details["dropped"]) == (6, 0, 6)
    assert isinstance(outcome, CellsOutcome)
    assert (outcome.own_levels == -1).all()


def test_classes_are_compared_with_the_table_before_pre_sampling() -> None:
    rows: list[Row] = [{"A": "p1", "S": "x"}, {"A": "p1", "S": "y"}, {"A": "q1", "S": "y"}, {"A": "q2", "S": "y"}]
    # Without the last two the whole would be half x, and the class at distance 0.
    for t, feasible in ((0.2, False), (0.25, True)):
        given = problem(rows, {"A": PQ}, TCloseness(t, column="S"), budget=2)
        outcome = run(given, Scored(sample_k=2))
        assert outcome.details["dropped"] == 2
        assert (not isinstance(outcome, NothingFound)) == feasible


def test_sensitive_values_and_records_together() -> None:
    rows = [{**row, "S": value} for row, value in zip(rows_of(FIGURE_2), "xyxxxy", strict=True)]
    given = problem(rows, HIERARCHIES, All((KAnonymity(2), DistinctL(2, column="S"))), priorities=(1.0, 1.0, 1.0, 2.0))
    outcome = run(given, Scored(score={"eta": {"d": 1}}, partial=True))
    assert not isinstance(outcome, NothingFound)
    # Rows 3 and 4 agree on S, so they need company.
    assert released(given, outcome, rows)[2] in released(given, outcome, rows)[:2] + released(given, outcome, rows)[4:]


@pytest.mark.parametrize("ticks", range(0, 40, 3))
def test_stopped_it_returns_what_is_reached(ticks: int) -> None:
    given = figure_2((1.0, 1.0, 1.0, 2.0))
    outcome = Scored(score="logarithm", partial=True).run(given, Ticks(ticks))
    whole = run(given, Scored(score="logarithm", partial=True))
    if outcome.stopped == "done":
        assert np.array_equal(outcome.own_levels, whole.own_levels)  # type: ignore[arg-type]
        return
    assert outcome.stopped == "interrupted"
    assert (not isinstance(outcome, CellsOutcome)) == (isinstance(outcome, NothingFound))
    if isinstance(outcome, CellsOutcome):
        cells = released(given, outcome, rows_of(FIGURE_2))
        assert all(cells.count(row) >= 2 for row in cells)


def test_stopping_early_and_late_are_both_seen() -> None:
    given = figure_2((1.0, 1.0, 1.0, 2.0))
    search = Scored(score="logarithm", partial=True)
    assert isinstance(search.run(given, Ticks(0)), NothingFound)
    late = search.run(given, Ticks(run(given, search).details["tables_checked"] + 2))
    assert late.stopped == "interrupted"
    assert late.details["partial_domain"] is not None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"score": "basik"}, "there is no score 'basik'; there are basic, .*did you mean 'basic'"),
        ({"score": "eta"}, "score eta: it needs d"),
        ({"score": {"eta": {"d": 0}}}, "a number above 0"),
        ({"score": {"basic": {"d": 1}}}, "basic has no option 'd'; it has none"),
        ({"score": {"eta": 4}}, "a score is one name"),
        ({"score": {"basic": {}, "eta": {"d": 1}}}, "one name"),
        ({"p": -1}, "p of scored is -1; it may be a whole number, 0 or more"),
        ({"p": True}, "p of scored"),
        ({"sample_k": 0}, "sample_k of scored is 0; it may be a whole number, 1 or more"),
        ({"sample_k": 1.5}, "sample_k of scored"),
        ({"sample_levels": [1, 2]}, "columns with their levels"),
        ({"partial": "no"}, "partial of scored is 'no'; it may be true, false"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        Scored(**options)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({"Zipp": 1}, "no column 'Zipp'"),
        ({"Gender": 2}, "from 0 to 1"),
        ({"Gender": -1}, "from 0 to 1"),
        ({"Zip": 1.0}, "from 0 to 3"),
    ],
)
def test_sample_levels_that_make_no_sense(levels: dict[str, int], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run(figure_2(), Scored(sample_levels=levels))


def test_what_has_no_classes_has_no_partial_domain() -> None:
    with pytest.raises(UsageError, match="nulls=maybe"):
        run(figure_2(nulls=Nulls.MAYBE), Scored(partial=True))
    given = figure_2()
    people = replace(given, model=KMap(2), population=given.frequencies)
    assert not isinstance(run(people, Scored()), NothingFound)
    for search in (Scored(partial=True), Scored(sample_k=2)):
        with pytest.raises(UsageError, match="compared with a population"):
            run(people, search)

"""Primary rules, against their definitions."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import UsageError
from incrowd.families import RULES as FAMILY
from incrowd.families import members
from incrowd.tables.rules import Rule
from incrowd.tables.rules.dominance import Dominance
from incrowd.tables.rules.p_percent import PPercent
from incrowd.tables.rules.pq import PriorPosterior
from incrowd.tables.rules.threshold import Threshold
from tabulation.tables_by_hand import children, made

RULES: Sequence[Rule] = [
    Threshold(3),
    Threshold(5, zeros="sensitive"),
    Dominance(1, 50),
    Dominance(2, 85),
    Dominance(3, 99.5),
    PPercent(10),
    PPercent(12.5),
    PriorPosterior(10, 50),
    PriorPosterior(30, 70),
]
ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("cd"), st.integers(0, 200)), min_size=1, max_size=25)


def sensitive(frame: pa.Table, rule: Rule, measure: str = "sum:amount", by: tuple[str, ...] = ("x", "y")) -> set[tuple]:
    """The labels of the sensitive cells."""
    cells = made(frame, by, measure)
    needed = rule.needed(cells, cells.largest(rule.largest))
    return {cells.labels(int(cell)) for cell in np.flatnonzero(needed)}


@pytest.mark.parametrize("rule", RULES, ids=str)
@settings(max_examples=25, deadline=None)
@given(ROWS)
def test_a_rule_is_its_definition(rule: Rule, rows: list[tuple[str, str, int]]) -> None:
    frame = pa.table(dict(zip(("x", "y", "amount"), map(list, zip(*rows, strict=True)), strict=True)))
    cells = made(frame, ("x", "y"), "sum:amount")
    expected = set()
    for x in cells.axes[0].labels:
        for y in cells.axes[1].labels:
            inside = [row[2] for row in rows if x in (row[0], "Total") and y in (row[1], "Total")]
            if rule.textbook(inside):
                expected.add((x, y))
    assert sensitive(frame, rule) == expected


def one_cell(*amounts: int) -> pa.Table:
    return pa.table({"x": ["a"] * len(amounts), "amount": list(amounts)})


@pytest.mark.parametrize(
    ("rule", "amounts", "room"),
    [
        # The protection levels of Hundepool et al. (2012), section 4.2.2, by hand.
        (PPercent(10), (1000, 500, 60), 40),
        (PPercent(10), (1000, 500, 100), 0),
        (PriorPosterior(10, 50), (1000, 500, 60), 140),
        (PriorPosterior(10, 50), (1000, 500, 200), 0),
        (Dominance(1, 50), (600, 400), 200),
        (Dominance(1, 60), (600, 400), 0),
        (Dominance(2, 80), (600, 300, 100), 125),
        (Threshold(3), (100, 100), 20),
        (Threshold(3, percent=0.01), (100, 100), 1),
        (Threshold(2), (100, 100), 0),
    ],
)
def test_how_far_a_range_must_reach(rule: Rule, amounts: tuple[int, ...], room: int) -> None:
    cells = made(one_cell(*amounts), ["x"], "sum:amount")
    assert set(rule.needed(cells, cells.largest(rule.largest)).tolist()) == {room}


def test_pq_with_no_prior_knowledge_is_p_percent() -> None:
    frame = one_cell(1000, 500, 60, 3)
    cells = made(frame, ["x"], "sum:amount")
    top = cells.largest(2)
    assert PriorPosterior(10, 100).needed(cells, top).tolist() == PPercent(10).needed(cells, top).tolist()


def test_the_lectures_children() -> None:
    cells = made(children(), ["education"])
    known = {cells.labels(at)[0]: int(value) for at, value in enumerate(cells.values)}
    assert known == {"high": 3, "low": 15, "medium": 1, "very high": 1, "Total": 20}
    assert sensitive(children(), Threshold(5), "count", ("education",)) == {("high",), ("medium",), ("very high",)}
    # 103 of 241 is 42.7 %; the sole heads of household with medium and very high education dominate their cells.
    assert sensitive(children(), Dominance(1, 45), "sum:salary", ("education",)) == {("medium",), ("very high",)}
    assert sensitive(children(), Dominance(1, 42), "sum:salary", ("education",)) == {
        *(("high",), ("medium",), ("very high",))
    }


def test_every_rule_has_a_short_form() -> None:
    assert {"dominance", "p_percent", "pq", "threshold"} <= set(members("tables.rules", "RULE"))
    for text in ("threshold", "threshold:n=5,zeros=sensitive", "dominance:k=75.5", "p_percent:p=15", "pq:p=20"):
        assert FAMILY.spell(FAMILY.member(text)) == text
    assert FAMILY.member({"pq": {"p": 20}}) == FAMILY.member("pq:p=20")


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ("treshold", "did you mean 'threshold'"),
        ("threshold:m=3", "no option 'm'"),
        ("threshold:3", "has no ="),
        ("threshold:n=3,n=4", "comes twice"),
        ("threshold:n=0", "n of threshold"),
        ("threshold:room=99999999999999999999", "room of threshold"),
        ("threshold:n=1", "choose n of 2 or more"),
        ("threshold:zeros=no", "zeros of threshold"),
        ("dominance:k=101", "k of dominance"),
        ("pq:p=50,q=20", "choose a smaller p"),
        ("p_percent:p=x", "p of p_percent"),
        ({"threshold": 3}, "a rule is one name"),
        ({}, "a rule is one name"),
    ],
)
def test_senseless_rules_are_refused(given: object, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        FAMILY.member(given)

"""Every question about a sensitive column on random small tables: the answers are what the definitions say."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import CLASSES, OVER_ALL_SETS, QUESTIONS, WITH_AT_MOST, all_sets, largest, smallest
from diagnosis.by_definition_sensitive import (
    MEASURES,
    SENSITIVE,
    Given,
    Judged,
    expected,
    givens,
    is_safe,
    opened,
    rounded,
    rows_to_go,
    small_tables,
    values,
)
from diagnosis.test_against_brute_force import BUILDS, kernels
from incrowd.diagnosis.answer import Answer
from strategies import Row

EVERY_QUESTION = [
    (question, threat) for question in QUESTIONS for threat in (False, True) if question in WITH_AT_MOST or not threat
]
every_measure = pytest.mark.parametrize("measure", MEASURES)


@every_measure
@pytest.mark.parametrize(("question", "threat"), EVERY_QUESTION)
@settings(max_examples=20)
@given(data=st.data())
def test_answers_follow_the_definitions(measure: str, question: str, threat: bool, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    nulls = data.draw(st.sampled_from(CLASSES))
    asked = data.draw(givens(question, measure, columns, threat))
    answer = opened(rows, columns, nulls).ask(**asked.arguments())
    assert answer.question == question
    assert answer.complete
    assert rounded(answer.answer) == rounded(expected(rows, columns, asked, nulls))
    assert answer.records == len(rows)
    assert answer.evaluations <= (len(all_sets(columns, asked.max_size)) if asked.quasi is None else 1)
    assert SENSITIVE not in answer.asked.among
    assert str(answer)


@every_measure
@pytest.mark.parametrize("threat", [False, True])
@pytest.mark.parametrize("share", [None, "0.3"])
@settings(max_examples=15)
@given(data=st.data())
def test_the_other_border(measure: str, threat: bool, share: str | None, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    asked = Given(measure, data.draw(values(measure)), suppress=share, threat=threat)
    safe = {
        names: is_safe(Judged(rows, names, "extended", measure).reached(share), asked) for names in all_sets(columns)
    }
    plain = opened(rows, columns).ask(**asked.arguments()).to_dict()
    if threat:
        assert plain["largest_safe"] == largest([names for names in safe if safe[names]])
    else:
        assert plain["smallest_unsafe"] == smallest([names for names in safe if not safe[names]])


@every_measure
@pytest.mark.parametrize("nulls", CLASSES)
@pytest.mark.parametrize("question", ["Q5", "Q6", "Q9"])
@settings(max_examples=15)
@given(data=st.data())
def test_the_records_that_have_to_go(measure: str, nulls: str, question: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    asked = data.draw(givens(question, measure, columns))
    answer = opened(rows, columns, nulls).ask(**asked.arguments())
    if not answer.is_no:
        assert answer.suppressed_rows == rows_to_go(rows, asked, nulls)


@every_measure
@pytest.mark.parametrize("question", ["Q4", "Q8", "Q10", "Q12"])
@settings(max_examples=15)
@given(data=st.data())
def test_above_the_border_nothing_changes(measure: str, question: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables(fewest_rows=1))
    asked = data.draw(givens(question, measure, columns))
    answer = opened(rows, columns).ask(**asked.arguments())
    of_set = {tuple(row["quasi"]): _rows(answer, row["quasi"]) for row in answer.answer}
    for border in answer.other_border or []:
        assert all(of_set[names] == of_set[tuple(border)] for names in of_set if set(border) <= set(names))


def _rows(answer: Answer, names: list[str]) -> list[Any]:
    return [rounded({**row, "quasi": None}) for row in answer.answer if row["quasi"] == names]


@every_measure
@pytest.mark.parametrize("question", OVER_ALL_SETS)
@settings(max_examples=5)
@given(data=st.data())
def test_all_kernels_give_the_same(measure: str, question: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    asked = data.draw(givens(question, measure, columns))
    found = []
    for kind in BUILDS:
        with kernels(kind):
            found.append(rounded(opened(rows, columns).ask(**asked.arguments()).answer))
    assert all(each == found[0] for each in found)


# Why some questions with suppression look at every set, and others do not.


@settings(max_examples=200)
@given(data=st.data())
def test_distinct_values_only_get_fewer_when_a_column_joins(data: st.DataObject) -> None:
    """Parts of a class with too few values have too few, so that what has to go grows and what is reached falls."""
    columns, rows = data.draw(small_tables())
    share, l = data.draw(st.sampled_from(["0", "0.2", "0.5", "1.0"])), data.draw(st.integers(1, 4))  # noqa: E741
    judged = {names: Judged(rows, names, "extended", "distinct_l") for names in all_sets(columns)}
    for smaller, larger in combinations(judged, 2):
        if set(smaller) < set(larger):
            assert judged[larger].gone_for(l) >= judged[smaller].gone_for(l)
            assert judged[larger].reached(share) <= judged[smaller].reached(share)


@every_measure
@settings(max_examples=60)
@given(data=st.data())
def test_without_suppression_everything_only_gets_worse_when_a_column_joins(measure: str, data: st.DataObject) -> None:
    columns, rows = data.draw(small_tables())
    judged = {names: Judged(rows, names, "extended", measure).reached(None) for names in all_sets(columns)}
    for smaller, larger in combinations(judged, 2):
        if set(smaller) < set(larger):
            less, more = float(judged[smaller]), float(judged[larger])
            assert more >= less - 1e-9 if measure.startswith("t_") else more <= less + 1e-9


HALVES: list[Row] = [
    {"a": a, "b": b, SENSITIVE: s}
    for a, b, s in [
        *[("1", "even", "0"), ("1", "even", "1"), ("1", "odd", "0"), ("1", "odd", "0")],
        *[("2", "even", "0"), ("2", "even", "1"), ("2", "odd", "1"), ("2", "odd", "1")],
    ]
]
"""By a alone each class has three of one value; by a and b half of the records are in classes as the whole table is."""


@pytest.mark.parametrize(
    ("measure", "value"),
    [("t_closeness", 0.2), ("t_closeness:distance=ordered", 0.2), ("entropy_l", 2), ("frequency_l", 2)],
)
def test_with_suppression_a_larger_set_may_need_less(measure: str, value: float) -> None:
    """So for these every set is looked at: to prune as for k would miss {a, b}."""
    diagnosis = opened(HALVES, ["a", "b"])
    parameter = "t" if measure.startswith("t_") else "l"
    given = {"sensitive": SENSITIVE, "measure": measure, parameter: value}
    gone = {tuple(row["quasi"]): row["suppressed"] for row in diagnosis.ask(**given, suppress="find").answer}
    assert (gone["a",], gone["a", "b"]) == (8, 4)
    answer = diagnosis.ask(**given, suppress=0.5)
    assert ["a", "b"] in answer.answer
    assert ["a"] in (answer.other_border or [])
    assert "every subset" not in answer.sentence


def test_as_many_lost_as_may_go_is_not_hopeless() -> None:
    """Of the five at least one is lost, by their entropy, and one may go: it does once b tells it from the others."""
    rows: list[Row] = [{"a": "1", "b": b, SENSITIVE: s} for b, s in zip("xxxxy", "01010", strict=True)]
    answer = opened(rows, ["a", "b"]).ask(sensitive=SENSITIVE, measure="entropy_l", l=2, suppress=0.2)
    assert answer.answer == [["a", "b"]]
    assert answer.other_border == [["a"]]


def test_what_is_lost_however_classes_are_split_is_not_looked_into() -> None:
    """a alone separates the values, so that nothing that joins it can help."""
    rows: list[Row] = [
        {"a": s, "b": b, "c": c, "d": d, SENSITIVE: s} for s in "01" for b in "12" for c in "12" for d in "12"
    ]
    diagnosis = opened(rows, ["a", "b", "c", "d"])
    answer = diagnosis.ask(sensitive=SENSITIVE, t=0.2, suppress=0.25)
    assert answer.answer == [["b", "c", "d"]]
    assert answer.evaluations == 8
    assert diagnosis.ask(sensitive=SENSITIVE, measure="t_closeness", suppress=0.25).evaluations == 8
    assert diagnosis.ask(sensitive=SENSITIVE, measure="t_closeness").evaluations == 8
    assert diagnosis.ask(sensitive=SENSITIVE).evaluations == 8

"""How questions about a sensitive column are put, what the answers look like, and refusals in one line."""

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from diagnosis.by_definition import OVER_ALL_SETS, QUESTIONS
from incrowd.api import diagnose
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.errors import UsageError
from incrowd.risks.strengths import Strength

TEN = Path(__file__).parents[2] / "examples" / "ten.csv"
ILLNESSES = {"tree": {"groups": {"lungs": ["flu", "asthma"], "stomach": ["gastritis", "ulcer"], "other": ["diabetes"]}}}
"""Graz: flu, flu. Leoben: gastritis, ulcer. Linz: flu, flu, asthma. Wels: asthma, diabetes, flu."""


@pytest.fixture
def ten() -> Diagnosis:
    return diagnose(TEN, among=["town", "age"])


def given_for(question: str, **value: Any) -> dict[str, Any]:
    """What makes a question, with the value in place of k."""
    words: dict[str, dict[str, Any]] = {
        "k": value,
        "quasi": {"quasi": ["town"]},
        "share": {"suppress": 0.2},
        "find": {"suppress": incrowd.FIND},
    }
    found: dict[str, Any] = {"sensitive": "illness"}
    for word in QUESTIONS[question]:
        found |= words[word]
    return found


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("value", [{"l": 2}, {"t": 0.5}])
def test_what_is_given_makes_the_question(ten: Diagnosis, question: str, value: dict[str, Any]) -> None:
    measure = "t_closeness" if "t" in value else "distinct_l"
    answer = ten.ask(**given_for(question, **value), measure=measure)
    plain = answer.to_dict()
    assert (plain["question"], plain["measure"], plain["sensitive"]) == (question, measure, "illness")
    assert json.loads(answer.to_json()) == json.loads(json.dumps(plain))
    assert "k" not in plain
    assert len(answer.to_pandas()) == len(answer.to_polars()) == len(answer.to_rows())
    if answer.to_rows():
        assert answer.to_pandas().columns.tolist() == list(answer.to_rows()[0])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, 1),
        ({"measure": "frequency_l"}, 1),
        ({"measure": "entropy_l"}, 1.0),
        # The table has 5 of 10 flu, 2 asthma, 1 gastritis, 1 ulcer, 1 diabetes. Of Leoben 0.8 must be moved.
        ({"measure": "t_closeness"}, 0.8),
        # Lungs are 7 of 10, stomach 2, other 1: of Leoben 0.8 of the values and 0.8 of the groups, the mean of both.
        ({"measure": "t_closeness:distance=hierarchical", "hierarchy": ILLNESSES}, 0.8),
        # Graz goes, the one class of a single value.
        ({"suppress": 0.2}, 2),
        ({"suppress": 0.2, "measure": "frequency_l"}, 1),
        # Leoben goes. Graz is 0.5 from the table, Linz (2/3 flu, 1/3 asthma) 0.3, Wels 0.3667.
        ({"suppress": 0.2, "measure": "t_closeness"}, 0.5),
        ({"suppress": 0.5, "measure": "t_closeness"}, 11 / 30),
    ],
)
def test_by_hand(ten: Diagnosis, asked: dict[str, Any], expected: float) -> None:
    assert ten.ask(quasi=["town"], sensitive="illness", **asked).answer == pytest.approx(expected)


def test_ordered_distance_by_hand() -> None:
    """Incomes 1 to 4, one each; the low half is 1/3 x (|1/4| + |1/2| + |1/4|) from the table."""
    rows = [("low", 1), ("low", 2), ("high", 3), ("high", 4)]
    table = diagnose(pa.table({"where": [row[0] for row in rows], "income": [row[1] for row in rows]}))
    ordered = "t_closeness:distance=ordered"
    assert table.ask(quasi=["where"], sensitive="income", measure=ordered).answer == pytest.approx(1 / 3)
    assert table.ask(quasi=["where"], sensitive="income", measure="t_closeness").answer == pytest.approx(1 / 2)
    words = {"where": [row[0] for row in rows], "grade": ["d", "c", "b", "a"]}
    backwards = f"{ordered},order=d/c/b/a"
    graded = diagnose(pa.table(words))
    assert graded.ask(quasi=["where"], sensitive="grade", measure=backwards).answer == pytest.approx(1 / 3)


def test_the_records_that_have_to_go(ten: Diagnosis) -> None:
    assert ten.ask(quasi=["town"], sensitive="illness", l=2, suppress="find").suppressed_rows == [0, 1]
    assert ten.ask(quasi=["town"], sensitive="illness", t=0.5, suppress="find").suppressed_rows == [2, 3]
    assert ten.ask(quasi=["town"], sensitive="illness", suppress=0.2).suppressed_rows == [0, 1]


def test_sets_are_made_of_all_other_columns_unless_some_are_named() -> None:
    assert diagnose(TEN).ask(sensitive="illness").to_dict()["among"] == ["age", "town", "income"]
    assert diagnose(TEN, among=["town"]).ask(sensitive="illness").to_dict()["among"] == ["town"]


def test_the_measures_agree_with_those_of_risk() -> None:
    """The same definitions: what `risk` says of one set is the answer to Q2."""
    measured = incrowd.risk(TEN, ["town"], sensitive=["illness", "income"]).strengths
    told = {(each.model, each.given.get("distance"), each.column): each for each in measured}
    for (name, distance, column), strength in told.items():
        if name in ("distinct_l", "frequency_l", "entropy_l", "t_closeness"):
            measure = name if distance is None else f"{name}:distance={distance}"
            found = diagnose(TEN).ask(quasi=["town"], sensitive=column, measure=measure).answer
            assert found == pytest.approx(strength.value)
    assert isinstance(measured[0], Strength)


@pytest.mark.parametrize("value", [np.int64(2), 2])
def test_numbers_of_other_libraries(ten: Diagnosis, value: int) -> None:
    assert ten.ask(quasi=["town"], sensitive="illness", l=value).answer is False
    assert ten.ask(quasi=["town"], sensitive="illness", t=np.float64(0.8)).answer is True
    assert ten.ask(quasi=["town"], sensitive="illness", l=np.float64(1.5), measure="entropy_l").answer is False


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"l": 2}, "distinct_l: it judges a sensitive column; name one"),
        ({"t": 0.2}, "t_closeness: it judges a sensitive column"),
        ({"measure": "entropy_l"}, "entropy_l: it judges a sensitive column"),
        ({"sensitive": "ilness"}, "did you mean 'illness'?"),
        ({"sensitive": "town"}, "column 'town' as sensitive: the attacker knows it"),
        ({"sensitive": "illness", "quasi": ["illness"]}, "the attacker knows it"),
        ({"sensitive": "illness", "l": 2, "t": 0.2}, "l and t: a question has one measure"),
        ({"sensitive": "illness", "k": 2}, "k only counts records"),
        ({"sensitive": "illness", "k": 2, "measure": "distinct_l"}, "it has l"),
        ({"sensitive": "illness", "l": 2, "measure": "t_closeness"}, "l with measure t_closeness: it has t; give t"),
        ({"sensitive": "illness", "l": 0}, "l is 0; it must be a whole number, 1 or more"),
        ({"sensitive": "illness", "l": 1.5}, "l is 1.5; it must be a whole number"),
        ({"sensitive": "illness", "l": 0.5, "measure": "entropy_l"}, "a number, 1 or more"),
        ({"sensitive": "illness", "l": "2", "measure": "entropy_l"}, "a number, 1 or more"),
        ({"sensitive": "illness", "t": 1.5}, "a number from 0 to 1"),
        ({"sensitive": "illness", "t": float("nan")}, "a number from 0 to 1"),
        ({"sensitive": "illness", "t": "far"}, "a number from 0 to 1"),
        ({"sensitive": "illness", "measure": "diversity"}, "measure is 'diversity'; it may be k_anonymity, distinct_l"),
        ({"sensitive": "illness", "measure": "t_closeness:distance=far"}, "it may be equal, ordered, hierarchical"),
        ({"sensitive": "illness", "measure": "t_closeness:t=0.2"}, "t is part of the question"),
        ({"sensitive": "illness", "measure": "distinct_l:column=age"}, "column is part of the question"),
        ({"sensitive": "illness", "measure": "distinct_l:distance=equal"}, "distinct_l has no option 'distance'"),
        ({"sensitive": "illness", "measure": "t_closeness:distance=ordered"}, "illness"),
        ({"sensitive": "illness", "measure": "t_closeness:distance=hierarchical"}, "the column has no hierarchy"),
        ({"sensitive": "illness", "hierarchy": "illness.yaml"}, "only the hierarchical distance uses it"),
        ({"sensitive": "illness", "at_most": True}, "at most: it needs an l to compare with; give l, such as l=1"),
        ({"sensitive": "illness", "measure": "t_closeness", "at_least": True}, "give t, such as t=0.2"),
        ({"sensitive": "illness", "l": 2, "at_most": True, "at_least": True}, "a value has one side"),
        ({"sensitive": "illness", "l": 2, "at_most": True, "suppress": "find"}, "suppression only ever raises l"),
        ({"sensitive": "illness", "t": 0.2, "at_least": True, "suppress": "find"}, "suppression only ever lowers t"),
        ({"sensitive": "illness", "measure": "t_closeness", "suppress": "find", "up_to": 9}, "listed in hundredths"),
    ],
)
def test_refused_in_one_line(ten: Diagnosis, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as refused:
        ten.ask(**asked)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("nulls", ["maybe", "right_maybe"])
def test_wildcards_make_no_classes(nulls: str) -> None:
    with pytest.raises(UsageError, match=f"a sensitive column with nulls={nulls}: wildcards do not form classes"):
        diagnose(TEN, nulls=nulls).ask(sensitive="illness")


def test_a_table_of_the_sensitive_column_alone() -> None:
    with pytest.raises(UsageError, match="names no column"):
        diagnose(pa.table({"illness": ["flu"]})).ask(sensitive="illness")


def test_the_side_that_protects_may_be_named(ten: Diagnosis) -> None:
    for value, side in ({"l": 2}, "at_least"), ({"t": 0.5}, "at_most"):
        plain, named = (ten.ask(sensitive="illness", **value, **more).answer for more in ({}, {side: True}))
        assert plain == named
    assert ten.ask(k=2).answer == ten.ask(k=2, at_least=True).answer


TOWN = ["town"]
SENTENCES = [
    (
        {"quasi": TOWN, "l": 2},
        "No: 2 records (20.0%) are in classes of {town} that have fewer than 2 different values of illness.",
    ),
    (
        {"quasi": TOWN, "l": 2, "suppress": 0.1},
        "No: 2 records (20.0%) are in classes of {town} that have fewer than 2 different values of illness, and "
        "only 10.0% may be suppressed.",
    ),
    (
        {"quasi": TOWN, "t": 0.8},
        "Yes: every class of {town} has a distance of at most 0.8 from the whole table in illness.",
    ),
    (
        {"quasi": TOWN, "l": 1, "at_most": True},
        "Yes: l of illness for {town} is at most 1.",
    ),
    (
        {"quasi": TOWN, "t": 0.9, "at_least": True},
        "No: t of illness for {town} is not at least 0.9.",
    ),
    (
        {"quasi": TOWN},
        "l = 1 of illness for {town}: 2 records are in classes with a single value.",
    ),
    (
        {"quasi": TOWN, "suppress": 0.2},
        "With at most 20.0% of the records suppressed, l = 2 of illness for {town}: every class has at least 2 "
        "different values of illness.",
    ),
    (
        {"quasi": TOWN, "measure": "t_closeness", "suppress": 0.5},
        "With at most 50.0% of the records suppressed, t = 0.3667 of illness for {town}: every class has a "
        "distance of at most 0.3667 from the whole table in illness.",
    ),
    (
        {"l": 2},
        "No set of columns, not even a single column, has l >= 2 of illness.",
    ),
    (
        {"l": 2, "suppress": 0.2},
        "1 largest set of columns can be published with l >= 2 of illness with at most 20.0% of the records "
        "suppressed, and so can every subset of it.",
    ),
    (
        {"t": 0.5, "suppress": 0.2},
        "1 largest set of columns can be published with t <= 0.5 of illness with at most 20.0% of the records "
        "suppressed.",
    ),
    (
        {"l": 1, "at_most": True},
        "2 smallest sets of columns, if known to an attacker, bring l of illness to 1 or below.",
    ),
    (
        {"t": 0.9, "at_least": True},
        "1 smallest set of columns, if known to an attacker, brings t of illness to 0.9 or above.",
    ),
    (
        {},
        "Of 3 sets of columns 0 keep l of illness above 1.",
    ),
    (
        {"measure": "t_closeness"},
        "t of illness is from 0.8 to 0.9 in 3 sets of columns.",
    ),
    (
        {"quasi": TOWN, "l": 2, "suppress": "find"},
        "2 records (20.0%) must be suppressed for l = 2 of illness with {town}; 8 remain.",
    ),
    (
        {"quasi": TOWN, "l": 1, "suppress": "find"},
        "No suppression is needed: every class of {town} has at least 1 different value of illness.",
    ),
    (
        {"quasi": TOWN, "l": 4, "suppress": "find"},
        "All records must be suppressed: no class of {town} has at least 4 different values of illness.",
    ),
    (
        {"t": 0.5, "suppress": "find"},
        "0 sets of columns reach t = 0.5 of illness without suppression; the rest as listed.",
    ),
    (
        {"quasi": TOWN, "suppress": "find"},
        "{town} has l of illness = 1 without suppression; for l = 4 no record would remain.",
    ),
    (
        {"quasi": TOWN, "measure": "t_closeness", "suppress": "find"},
        "{town} has t of illness at most 0.8 without suppression; for t = 0.29 no record would remain.",
    ),
    (
        {"suppress": "find", "up_to": 3},
        "Suppression needed for each set of columns and each l up to 3 of illness, until no record remains.",
    ),
]


@pytest.mark.parametrize(("asked", "sentence"), SENTENCES)
def test_answers_in_words(ten: Diagnosis, asked: dict[str, Any], sentence: str) -> None:
    assert ten.ask(sensitive="illness", **asked).sentence == sentence


@pytest.mark.parametrize("question", OVER_ALL_SETS)
@pytest.mark.parametrize("measure", ["distinct_l", "t_closeness"])
def test_ctrl_c_gives_what_is_known(question: str, measure: str) -> None:
    cells = {name: [str(at % (2 + place)) for at in range(50)] for place, name in enumerate("abcdefs")}
    wide = diagnose(pa.table(cells))
    value = {"t": 0.5} if measure == "t_closeness" else {"l": 2}
    asked = {**given_for(question, **value), "sensitive": "s", "measure": measure}

    def interrupt(event: object) -> None:
        signal.raise_signal(signal.SIGINT)

    wide.frequencies(tuple("abcdefs"))
    answer = wide.ask(**asked, progress=interrupt)
    assert (answer.stopped, answer.complete) == ("interrupted", False)
    assert "Partial result" in answer.sentence


def test_a_report_has_the_answer(ten: Diagnosis) -> None:
    from incrowd.reports import Audience
    from incrowd.reports.making import of_diagnosis
    from incrowd.watch import Watch

    answer = ten.ask(sensitive="illness", measure="t_closeness")
    made = of_diagnosis(ten, answer, Audience.EXTERNAL, Watch())
    assert "t of illness is from 0.8 to 0.9 in 3 sets of columns." in made.to_markdown()
    assert "Answer to Q4" in made.to_markdown()
    assert "t of illness is from 0.8 to 0.9" in incrowd.report(answer).to_markdown()

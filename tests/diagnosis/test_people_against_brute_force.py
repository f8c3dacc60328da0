"""Every question by people, on random small tables with one to six records a person."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition import CLASSES, QUESTIONS, WITH_AT_MOST, largest, smallest
from diagnosis.by_definition import all_sets as sets_of
from diagnosis.by_definition_people import (
    JudgedPeople,
    K,
    judging,
    opened,
    person_of,
    reached_by,
    repeats,
    tables_of_people,
)
from diagnosis.by_definition_sensitive import MEASURES, SENSITIVE, Given, expected, givens, is_safe, rounded, satisfies
from diagnosis.test_against_brute_force import BUILDS, kernels
from incrowd.api import diagnose, explore
from incrowd.core.frequencies import FrequencySet
from incrowd.core.people import number_of_people, with_person
from incrowd.diagnosis.contribution import contributions
from incrowd.diagnosis.measures import Measure
from incrowd.diagnosis.overview import overview
from incrowd.errors import UsageError
from incrowd.watch import Watch
from strategies import Row, arrays

EVERY_QUESTION = [
    (question, threat) for question in QUESTIONS for threat in (False, True) if question in WITH_AT_MOST or not threat
]
every_measure = pytest.mark.parametrize("measure", [K, *MEASURES])


def without_people(answer: Any) -> Any:
    """An answer without the numbers of people who lose records, which only an answer by people has."""
    if isinstance(answer, list):
        return [without_people(each) for each in answer]
    return {name: cell for name, cell in answer.items() if name != "people"} if isinstance(answer, dict) else answer


@every_measure
@pytest.mark.parametrize(("question", "threat"), EVERY_QUESTION)
@settings(max_examples=20)
@given(data=st.data())
def test_answers_follow_the_definitions(measure: str, question: str, threat: bool, data: st.DataObject) -> None:
    columns, rows, person = data.draw(tables_of_people())
    nulls = data.draw(st.sampled_from(CLASSES))
    asked = data.draw(givens(question, measure, columns, threat))
    answer = opened(rows, columns, person, nulls).ask(**asked.arguments())
    by_people = expected(rows, columns, asked, nulls, judging(person))
    assert answer.question == question
    assert rounded(answer.answer) == rounded(by_people if repeats(rows, person) else without_people(by_people))
    assert answer.records == len(rows)
    assert answer.people == len({person_of(rows, at, person) for at in range(len(rows))})
    assert str(answer)


@pytest.mark.parametrize("measure", [K, "frequency_l", "t_closeness"])
@pytest.mark.parametrize("threat", [False, True])
@pytest.mark.parametrize("share", [None, "0.3"])
@settings(max_examples=15)
@given(data=st.data())
def test_the_other_border(measure: str, threat: bool, share: str | None, data: st.DataObject) -> None:
    columns, rows, person = data.draw(tables_of_people())
    value = data.draw(st.sampled_from([0.1, 0.5] if measure == "t_closeness" else [1, 2, 3]))
    asked = Given(measure, value, suppress=share, threat=threat)
    safe = {
        names: is_safe(JudgedPeople(rows, names, "extended", measure, person).reached(share), asked)
        for names in sets_of(columns)
    }
    plain = opened(rows, columns, person).ask(**asked.arguments()).to_dict()
    if threat:
        assert plain["largest_safe"] == largest([names for names in safe if safe[names]])
    else:
        assert plain["smallest_unsafe"] == smallest([names for names in safe if not safe[names]])


@every_measure
@pytest.mark.parametrize("nulls", CLASSES)
@pytest.mark.parametrize("question", ["Q5", "Q6", "Q9"])
@settings(max_examples=10)
@given(data=st.data())
def test_the_records_that_have_to_go(measure: str, nulls: str, question: str, data: st.DataObject) -> None:
    columns, rows, person = data.draw(tables_of_people())
    asked = data.draw(givens(question, measure, columns))
    assert asked.quasi is not None
    answer = opened(rows, columns, person, nulls).ask(**asked.arguments())
    if answer.is_no:
        return
    judged = JudgedPeople(rows, asked.quasi, nulls, measure, person)
    goal = judged.reached(asked.suppress) if asked.value is None else asked.value
    kept = {
        at for members, (reached, _) in zip(judged.classes, judged.each, strict=True) for at in members
        if satisfies(reached, goal, measure)
    }  # fmt: skip
    assert answer.suppressed_rows == [at for at in range(len(rows)) if at not in kept]


@settings(max_examples=60)
@given(table=tables_of_people(), k=st.integers(1, 4))
def test_one_set_in_numbers(table: Any, k: int) -> None:
    columns, rows, person = table
    judged = JudgedPeople(rows, columns, "extended", K, person)
    answer = opened(rows, columns, person).ask(quasi=columns, k=k)
    assert answer.unique == judged.unique
    assert answer.below == judged.gone_for(k)
    assert answer.below_people == (len(judged.below(k)) if repeats(rows, person) else None)


@settings(max_examples=60)
@given(table=tables_of_people())
def test_first_look_and_neighbors(table: Any) -> None:
    columns, rows, person = table
    diagnosis = opened(rows, columns, person)
    seen = overview(diagnosis, diagnosis.ask())
    whole = JudgedPeople(rows, columns, "extended", K, person)
    assert (seen.k, seen.unique) == (whole.reached(None), whole.unique)
    for names, unique in seen.threats:
        assert unique == JudgedPeople(rows, names, "extended", K, person).unique
    assert str(seen)
    frame = pa.table(arrays(rows, [*columns, SENSITIVE, "p", "r"]), names=[*columns, SENSITIVE, "p", "r"])
    found = explore(frame, columns[:1], columns, columns, person=person)
    for each in found.sets:
        alone = JudgedPeople(rows, each.quasi, "extended", K, person)
        assert (each.k, each.unique) == (alone.reached(None), alone.unique)
    assert found.unit == ("people" if repeats(rows, person) else "records")


@settings(max_examples=40)
@given(table=tables_of_people())
def test_what_a_column_adds(table: Any) -> None:
    columns, rows, person = table
    names = [*columns, "p", "r"]
    counted = FrequencySet.of_table(diagnose(pa.table(arrays(rows, names), names=names)).source.table(names, Watch()))
    found = contributions(with_person(counted, columns, person), Watch(), Measure(person=tuple(person)))
    for at, name in enumerate(columns):
        others = [each for each in sets_of(columns) if name not in each]
        if len(columns) < 2:
            assert found.k_losses[at] is None
            continue
        both = [
            (JudgedPeople(rows, each, "extended", K, person), JudgedPeople(rows, [*each, name], "extended", K, person))
            for each in others
        ]
        lost = [float(one.reached(None) - other.reached(None)) for one, other in both]
        gained = [other.unique - one.unique for one, other in both]
        assert found.k_losses[at] == pytest.approx(sum(lost) / len(both))
        assert found.unique_gains[at] == pytest.approx(sum(gained) / len(both))


@every_measure
@pytest.mark.parametrize("question", QUESTIONS)
@settings(max_examples=8)
@given(data=st.data())
def test_with_one_record_each_the_answer_is_that_of_records(measure: str, question: str, data: st.DataObject) -> None:
    columns, rows, _ = data.draw(tables_of_people())
    own: list[Row] = [{**row, "p": f"n{at}" if at % 3 else None, "r": None} for at, row in enumerate(rows)]
    nulls = data.draw(st.sampled_from(CLASSES))
    asked = data.draw(givens(question, measure, columns))
    by_people = opened(own, columns, ("p", "r"), nulls).ask(**asked.arguments())
    by_records = opened(own, columns, (), nulls).ask(**asked.arguments())
    plain = by_people.to_dict()
    assert plain.pop("person") == ["p", "r"]
    assert plain.pop("people") == len(rows)
    assert plain == by_records.to_dict()
    assert by_people.sentence.replace(" Every record is about another person (p, r).", "") == by_records.sentence


@pytest.mark.parametrize("question", QUESTIONS)
@settings(max_examples=8)
@given(data=st.data())
def test_all_kernels_give_the_same(question: str, data: st.DataObject) -> None:
    columns, rows, person = data.draw(tables_of_people())
    asked = data.draw(givens(question, data.draw(st.sampled_from([K, *MEASURES])), columns))
    found = []
    for kind in BUILDS:
        with kernels(kind):
            found.append(rounded(opened(rows, columns, person).ask(**asked.arguments()).to_dict()))
    assert all(each == found[0] for each in found)


@given(table=tables_of_people())
def test_more_columns_never_have_more_people(table: Any) -> None:
    """What pruning relies on, from the definition alone."""
    columns, rows, person = table
    for names in sets_of(columns):
        for name in set(columns) - set(names):
            judged = [JudgedPeople(rows, each, "extended", K, person) for each in (names, [*names, name])]
            assert judged[0].reached(None) >= judged[1].reached(None)
            assert all(judged[0].gone_for(k) <= judged[1].gone_for(k) for k in range(1, 5))


@given(table=tables_of_people())
def test_numbering_people(table: Any) -> None:
    columns, rows, person = table
    names = [*columns, "p", "r"]
    counted = FrequencySet.of_table(diagnose(pa.table(arrays(rows, names), names=names)).source.table(names, Watch()))
    numbered = with_person(counted, columns, person)
    people = {person_of(rows, at, person) for at in range(len(rows))}
    assert number_of_people(counted, person) == len(people) == len(numbered.values[-1])
    assert numbered.records == len(rows)
    assert set(numbered.codes[-1].tolist()) == set(range(1, len(people) + 1))
    pairs = list(zip(*numbered.codes.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)


def test_a_person_once_for_a_value() -> None:
    rows = [{SENSITIVE: "flu", "p": "ann"}] * 10 + [{SENSITIVE: "cold", "p": "bob"}, {SENSITIVE: "flu", "p": "bob"}]
    assert reached_by(range(12), rows, ("p",), "frequency_l") == 1
    table = pa.table({"q": ["x"] * 12, "s": [row[SENSITIVE] for row in rows], "p": [row["p"] for row in rows]})
    found = diagnose(table, person=["p"])
    assert found.ask(quasi=["q"], sensitive="s", measure="frequency_l").answer == 1
    assert found.k(["q"]) == 2
    sentence = found.ask(quasi=["q"], k=3).sentence
    assert "12 records (100.0%) of 2 people have a combination of {q} that has fewer than 3 people" in sentence
    assert "People are counted (p): 12 records of 2 people." in sentence


def test_the_person_is_not_among_the_columns_unless_named() -> None:
    table = pa.table({"q": ["x", "x", "y"], "born": ["1", "1", "2"], "name": ["a", "a", "b"]})
    assert diagnose(table, person=["name", "born"]).among == ("q",)
    named = diagnose(table, ["q", "born"], person=["name", "born"])
    assert named.ask(k=1).answer == [["q", "born"]]
    assert named.k(["born"]) == 1


def test_wildcards_do_not_count_people() -> None:
    table = pa.table({"q": ["x", None, "y"], "p": ["a", "a", "b"]})
    with pytest.raises(UsageError, match=r"nulls=maybe with a person"):
        diagnose(table, nulls="maybe", person=["p"]).ask(quasi=["q"])
    own = pa.table({"q": ["x", None, "y"], "p": ["a", "c", "b"]})
    assert diagnose(own, nulls="maybe", person=["p"]).k(["q"]) == diagnose(own.select(["q"]), nulls="maybe").k(["q"])

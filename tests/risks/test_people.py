"""Every risk by people, on random tables with one to six records a person: what the definitions say."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition_people import SENSITIVE, WHO, person_of, repeats, tables_of_people
from incrowd.api import risk
from incrowd.errors import SourceError, UsageError
from incrowd.risks import RiskReport, assess, journalist, marketer, prosecutor, special_uniques, uniques
from incrowd.risks._threshold import Threshold
from incrowd.risks.special_uniques import score
from risks.counting import counted, table_of
from strategies import Row, combination

thresholds = st.sampled_from(["0", "0.2", "1/4", "1/3", "1/2", "1"])


def told(rows: Sequence[Row], columns: Sequence[str], person: Sequence[str]) -> list[tuple[Any, Any]]:
    """The values and the person of each record."""
    return [(combination(row, columns), person_of(rows, at, person)) for at, row in enumerate(rows)]


def assessed(rows: Sequence[Row], columns: Sequence[str], person: Sequence[str], **further: Any) -> RiskReport:
    names = [*columns, SENSITIVE, *WHO]
    return assess(counted(rows, names), columns, person=person, **further)


def same(found: Any, expected: Any) -> bool:
    return vars(found) == pytest.approx(vars(expected))


@given(tables_of_people(), thresholds)
def test_without_a_population(table: Any, threshold: str) -> None:
    columns, rows, person = table
    found = assessed(rows, columns, person, threshold=threshold)
    records, accepted = told(rows, columns, person), Threshold.parse(threshold)
    assert same(found.prosecutor, prosecutor.textbook_of_people(records, accepted))
    assert found.marketer == pytest.approx(marketer.textbook_of_people(records))
    assert found.uniques == uniques.textbook_of_people(records)
    assert (found.records, found.people) == (len(rows), len({person for _, person in records}))
    assert found.counts_people == repeats(rows, person)
    assert found.exceeded == (found.prosecutor.at_risk > 0)
    assert str(found)


@given(tables_of_people(), thresholds, st.integers(0, 20))
def test_with_the_size_of_a_population(table: Any, threshold: str, more: int) -> None:
    columns, rows, person = table
    records, accepted = told(rows, columns, person), Threshold.parse(threshold)
    size = len({person for _, person in records}) + more
    if not size:
        return
    found = assessed(rows, columns, person, threshold=threshold, population=size)
    assert found.journalist is not None
    expected = journalist.textbook_of_people(records, size, accepted)
    assert (found.journalist.highest, found.journalist.average) == pytest.approx((expected.highest, expected.average))
    assert found.marketer_in_population == pytest.approx(marketer.textbook_of_people(records, size))
    assert found.uniques.population == pytest.approx(uniques.textbook_of_people(records, size).population)
    assert (found.population, found.estimated) == (size, True)


@given(tables_of_people(), thresholds, st.data())
def test_with_a_population_of_people(table: Any, threshold: str, data: st.DataObject) -> None:
    """A record a person, without the columns that tell them: all people of each class, and some more."""
    columns, rows, person = table
    records, accepted = told(rows, columns, person), Threshold.parse(threshold)
    everybody = [values for values, _ in dict.fromkeys(records)]
    more = data.draw(st.lists(st.sampled_from(everybody), max_size=5)) if everybody else []
    there = [*everybody, *more]
    population = counted([dict(zip(columns, values, strict=True)) for values in there], columns)
    found = assessed(rows, columns, person, threshold=threshold, population=population)
    assert found.journalist is not None
    assert same(found.journalist, journalist.textbook_of_people(records, there, accepted))
    assert found.marketer_in_population == pytest.approx(marketer.textbook_of_people(records, there))
    assert found.uniques == uniques.textbook_of_people(records, there)
    assert found.population == len(there)


@given(tables_of_people(), tables_of_people(), thresholds)
def test_with_a_population_that_tells_its_people(table: Any, further: Any, threshold: str) -> None:
    """The population has several records of a person too; everybody of the table is in it with the same records."""
    columns, rows, person = table
    others = [{**dict.fromkeys(columns), **row} for row in further[1]]
    strangers: list[Row] = [{**row, "p": row["p"] and f"x{row['p']}", "r": f"x{row['r']}"} for row in others]
    everybody = [*rows, *strangers]
    records, accepted = told(rows, columns, person), Threshold.parse(threshold)
    there = [values for values, _ in dict.fromkeys(told(everybody, columns, person))]
    population = counted(everybody, [*columns, *WHO])
    found = assessed(rows, columns, person, threshold=threshold, population=population)
    assert found.journalist is not None
    assert same(found.journalist, journalist.textbook_of_people(records, there, accepted))
    assert found.uniques == uniques.textbook_of_people(records, there)
    assert found.population == len({person_of(everybody, at, person) for at in range(len(everybody))})


@settings(max_examples=100)
@given(tables_of_people(), st.none() | st.integers(1, 4))
def test_special_uniques(table: Any, most: int | None) -> None:
    columns, rows, person = table
    found = assessed(rows, columns, person, max_size=most).special_uniques
    assert found is not None
    records, width = [combination(row, columns) for row in rows], len(columns)
    who = [person_of(rows, at, person) for at in range(len(rows))]
    sets = special_uniques.textbook(records, width, found.max_size, who)
    scores = [sum(score(width, len(one), found.max_size) for one in own) for own in sets]
    combinations = {
        (one, tuple(records[at][column] for column in one)) for at, own in enumerate(sets) for one in own
    }  # each once, in however many records of the person it is
    assert found.by_size == tuple(
        sum(len(one) == size for one, _ in combinations) for size in range(1, found.max_size + 1)
    )
    for at, part in enumerate(found.by_column):
        assert part.minimal_uniques == sum(at in one for one, _ in combinations)
    assert found.records == sum(bool(own) for own in sets)
    assert found.people == (len({who[at] for at, own in enumerate(sets) if own}) if repeats(rows, person) else None)
    assert found.highest == max(scores, default=0)
    listed = found.rows(table_of(rows, columns), len(rows))
    assert sorted(listed) == [(row, value) for row, value in enumerate(scores) if value]


@settings(max_examples=60)
@given(tables_of_people())
def test_strengths(table: Any) -> None:
    """The parameter that is reported holds by the definition over pairs of person and value; a stronger one fails."""
    columns, rows, person = table
    if not rows:
        return
    found = assessed(rows, columns, person, sensitive=[SENSITIVE]).strengths
    pairs = {(at, person_of(rows, at, person)) for at in range(len(rows))}
    classes: dict[Any, set[tuple[Any, Any]]] = {}
    for at, who in pairs:
        classes.setdefault(combination(rows[at], columns), set()).add((who, rows[at][SENSITIVE]))
    by_name = {each.model: each for each in found if each.parameter in ("k", "l")}
    assert by_name["k_anonymity"].value == min(len({who for who, _ in each}) for each in classes.values())
    assert by_name["distinct_l"].value == min(len({value for _, value in each}) for each in classes.values())
    often = [
        len({who for who, _ in each}) // max(sum(other == value for _, other in each) for _, value in each)
        for each in classes.values()
    ]
    assert by_name["frequency_l"].value == min(often)


@given(tables_of_people(), thresholds, st.none() | st.integers(30, 60))
def test_with_one_record_each_everything_is_as_for_records(table: Any, threshold: str, size: int | None) -> None:
    columns, rows, _ = table
    own: list[Row] = [{**row, "p": f"n{at}" if at % 3 else None, "r": None} for at, row in enumerate(rows)]
    further = {"threshold": threshold, "population": size, "sensitive": [SENSITIVE] if rows else []}
    plain = assessed(own, columns, ("p", "r"), **further).to_dict()
    assert plain.pop("person") == ["p", "r"]
    assert plain.pop("people") == len(rows)
    assert plain.pop("knows") == "record"
    assert plain == assessed(own, columns, (), **further).to_dict()


@given(tables_of_people())
def test_people_are_never_safer_than_their_worst_record(table: Any) -> None:
    """A class never has more people than records: counting records says less risk than there is."""
    columns, rows, person = table
    by_people, by_records = (assessed(rows, columns, who).prosecutor for who in (person, ()))
    assert by_people.highest >= by_records.highest


ROWS = [("f", "ann"), ("f", "ann"), ("f", "bob"), ("m", "bob"), ("m", "bob"), ("x", "eve"), ("x", None), ("x", None)]
TABLE = pa.table({"sex": [row[0] for row in ROWS], "name": pa.array([row[1] for row in ROWS], pa.string())})


def test_by_hand() -> None:
    """Of f there are ann and bob, of m bob alone, of x eve and two of whom nothing is told."""
    found = risk(TABLE, ["sex"], person=["name"], threshold="1/3")
    assert (found.records, found.people, found.classes) == (8, 5, 3)
    assert found.prosecutor.highest == 1
    assert found.prosecutor.average == pytest.approx(float(Fraction(1, 2) + 1 + 3 * Fraction(1, 3)) / 5)
    assert found.prosecutor.at_risk == 2
    assert found.uniques.sample == 1
    # Ann is matched with herself every other time, bob always among m, each of x in one of three.
    assert found.marketer == pytest.approx((1 / 2 + 1 + 3 / 3) / 5)
    lines = str(found).splitlines()
    assert lines[:4] == [
        "8 records of 5 people in 3 classes of equal values in {sex}.",
        "People are counted (name).",
        "An attacker who knows that a person is in the table re-identifies that person with certainty for "
        "1 of 5 people (20.0%).",
        "The risk exceeds 0.3333 for 2 of 5 people (40.0%): a class of theirs has fewer than 3 people.",
    ]
    assert "people above 0.3333" in str(found)
    assert "ann" not in str(found)


def test_a_population_must_hold_all_people() -> None:
    with pytest.raises(UsageError, match="the table has 5 people"):
        risk(TABLE, ["sex"], person=["name"], population=4)
    with pytest.raises(SourceError, match=r"smaller in it: 1 class with 3 people"):
        risk(TABLE, ["sex"], person=["name"], population=pa.table({"sex": ["f", "f", "m", "x"]}))
    assert risk(TABLE, ["sex"], person=["name"], population=TABLE).population == 5

"""The risk from who knows one record of a person, several or all, against the definition with multisets."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.by_definition_people import repeats, tables_of_people
from incrowd.api import risk
from incrowd.core.knowledge import Known, Knows, textbook_alike
from incrowd.errors import UsageError
from incrowd.risks import prosecutor, uniques
from incrowd.risks._threshold import Threshold
from risks.test_people import assessed, same, thresholds, told

knowledges = st.sampled_from([Known.RECORD, 2, 3, 5, Known.HISTORY])


@settings(max_examples=200)
@given(tables_of_people(), thresholds, knowledges)
def test_a_person_is_found_among_those_of_whom_it_is_true(table: Any, threshold: str, knows: Knows) -> None:
    columns, rows, person = table
    found = assessed(rows, columns, person, threshold=threshold, knows=knows)
    records, accepted = told(rows, columns, person), Threshold.parse(threshold)
    assert same(found.prosecutor, prosecutor.textbook_of_people(records, accepted, knows))
    assert found.uniques == uniques.textbook_of_known_people(records, knows)
    assert found.exceeded == (found.prosecutor.at_risk > 0)
    assert found.knows_several == (knows != Known.RECORD and repeats(rows, person))
    left_out = [found.marketer, found.special_uniques]
    assert left_out == [None, None] if found.knows_several else None not in left_out
    assert str(found)


@given(tables_of_people(), thresholds)
def test_knowing_more_never_lowers_a_risk(table: Any, threshold: str) -> None:
    columns, rows, person = table
    several = [assessed(rows, columns, person, threshold=threshold, knows=each) for each in (Known.RECORD, 2, 3, 6)]
    several.append(assessed(rows, columns, person, threshold=threshold, knows=Known.HISTORY))
    for name in ("highest", "average", "at_risk"):
        risks = [getattr(each.prosecutor, name) for each in several]
        assert all(more >= less - 1e-12 for less, more in pairwise(risks))
    singled = [each.uniques.sample for each in several]
    assert singled == sorted(singled)


@given(tables_of_people(), st.integers(1, 5))
def test_each_person_is_found_among_fewer_if_more_is_known(table: Any, m: int) -> None:
    columns, rows, person = table
    records = told(rows, columns, person)
    known = [textbook_alike(records, each) for each in (Known.RECORD, m, m + 1, Known.HISTORY)]
    for who in known[0]:
        fewest = [min(each[who]) for each in known]
        assert fewest == sorted(fewest, reverse=True)


@given(tables_of_people(), knowledges)
def test_one_record_each_is_all_there_is_to_know(table: Any, knows: Knows) -> None:
    columns, rows, _ = table
    own = [{**row, "p": f"n{at}", "r": None} for at, row in enumerate(rows)]
    known = assessed(own, columns, ("p", "r"), knows=knows).to_dict()
    assert known == {**assessed(own, columns, ("p", "r")).to_dict(), "knows": known["knows"]}


HELD = {"ann": "AAB", "bob": "AA", "eve": "B", "tom": "B", "kim": "C"}
TABLE = pa.table(
    {
        "name": [name for name, towns in HELD.items() for _ in towns],
        "town": [town for towns in HELD.values() for town in towns],
    }
)


@pytest.mark.parametrize(
    ("knows", "alike"),
    [("record", (2, 2, 3, 3, 1)), (2, (1, 2, 3, 3, 1)), ("3", (1, 2, 3, 3, 1)), ("history", (1, 1, 2, 2, 1))],
)
def test_by_hand(knows: int | str, alike: tuple[int, ...]) -> None:
    """Nobody but ann was in A and in B; two times in A were ann and bob, and bob alone nowhere else."""
    found = risk(TABLE, ["town"], person=["name"], knows=knows, threshold="1/2")
    assert found.prosecutor.average == pytest.approx(float(sum(Fraction(1, each) for each in alike) / 5))
    assert (found.prosecutor.at_risk, found.uniques.sample) == (alike.count(1), alike.count(1))
    assert found.to_dict()["knows"] == (int(knows) if str(knows).isdecimal() else knows)


def test_in_words() -> None:
    lines = str(risk(TABLE, ["town"], person=["name"], knows=2, sensitive=[])).splitlines()
    assert lines[2:5] == [
        "An attacker who knows any 2 records of a person who is in the table re-identifies that person with certainty "
        "for 2 of 5 people (40.0%).",
        "The risk exceeds 0.2 for 5 of 5 people (100.0%): something known of them is true of fewer than 5 people.",
        "Journalist and marketer risk, special uniques and models are omitted: they assume that one record of a "
        "person is known.",
    ]
    assert not any("marketer:" in line for line in lines)
    assert "knows all records of a person" in str(risk(TABLE, ["town"], person=["name"], knows="history"))


@pytest.mark.parametrize("knows", [0, -1, "0", "all", "", 1.5, True])
def test_what_may_be_known(knows: Any) -> None:
    with pytest.raises(
        UsageError, match=r"^knows .*: it must be record .*, a number of records, or history"
    ) as told_so:
        risk(TABLE, ["town"], person=["name"], knows=knows)
    assert "\n" not in str(told_so.value)


def test_several_records_of_nobody_cannot_be_known() -> None:
    with pytest.raises(UsageError, match=r"^knows: history: no column tells the person of a record"):
        risk(TABLE, ["town"], knows="history")
    with pytest.raises(UsageError, match=r"^knows: 2: journalist risk is measured for one known record"):
        risk(TABLE, ["town"], person=["name"], knows=2, population=100)
    with pytest.raises(UsageError, match=r"^knows: 2: models are measured .* omit the sensitive columns"):
        risk(TABLE, ["town"], person=["name"], knows=2, sensitive=["name"])
    with pytest.raises(UsageError, match=r"^knows: 2: special uniques are measured .* omit .*max_size"):
        risk(TABLE, ["town"], person=["name"], knows="2", max_size=1)
    assert risk(TABLE, ["town"], knows=1).to_dict() == risk(TABLE, ["town"]).to_dict()

"""Linkage against brute force: every person with every record, whatever the cells look like."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from attacks.cells import DOMAINS, EVERYBODY, KNOWN, PUBLISHED, Row, counted, meanings, rows, target
from incrowd.attacks import _candidates
from incrowd.attacks._target import People
from incrowd.attacks.linkage import Linkage
from incrowd.errors import UsageError
from incrowd.watch import Watch


def expected(people: list[Row], records: list[Row], attack: Linkage) -> int:
    """How many people are exposed, by the definition."""
    seen = [(meanings(row), row[3:]) for row in records]
    return sum(attack.textbook([meanings(person) for person in people], seen))


def found(people: list[Row], records: list[Row], attack: Linkage, sensitive: tuple[str, ...] = ("illness",)) -> int:
    """How many the fast form finds."""
    seen = replace(target(records, sensitive), people=People(counted(list(DOMAINS), people)))
    [exposure] = attack.on(seen, Watch())
    assert exposure.records is not None
    assert exposure.among == len(people)
    return exposure.records


@settings(max_examples=60)
@given(rows(KNOWN), rows(PUBLISHED, sensitive=1), st.integers(1, 4))
def test_against_every_person_and_every_record(people: list[Row], records: list[Row], k: int) -> None:
    people = [*people, *EVERYBODY]
    assert found(people, records, Linkage(k)) == expected(people, records, Linkage(k))


@settings(max_examples=20)
@given(rows(KNOWN, most=12), rows(PUBLISHED, sensitive=2, most=12))
def test_however_few_pairs_are_held_at_once(people: list[Row], records: list[Row]) -> None:
    people, columns = [*people, *EVERYBODY], ("illness", "job")
    whole = found(people, records, Linkage(3), columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_candidates, "_MOST", 5)
        assert found(people, records, Linkage(3), columns) == whole
    assert whole == expected(people, records, Linkage(3))


@settings(max_examples=30)
@given(rows(KNOWN), rows(PUBLISHED, sensitive=1))
def test_exactly_the_same_cells(people: list[Row], records: list[Row]) -> None:
    people = [*people, *EVERYBODY]
    fitting = [[row for row in records if row[:3] == person and None not in person] for person in people]
    exposed = sum(bool(those) and (len(those) == 1 or len({row[3] for row in those}) == 1) for those in fitting)
    assert found(people, records, Linkage(exact=True)) == exposed


@settings(max_examples=40)
@given(rows(KNOWN), rows(PUBLISHED, sensitive=1), st.integers(2, 3))
def test_nobody_is_found_where_k_anonymity_and_two_values_hold(people: list[Row], records: list[Row], k: int) -> None:
    """Every record k times, with two values at least: whoever fits one of them fits a whole class."""
    crowd = [(*row[:3], illness) for row in records for illness in [*["flu"] * (k - 1), "gout"]]
    assert found([*people, *EVERYBODY], crowd, Linkage(k)) == 0


def test_a_column_that_the_outside_table_lacks_tells_nothing() -> None:
    records: list[Row] = [("20", "Graz", "8010", "flu"), ("20", "Graz", "8011", "gout"), ("21", "Graz", "8010", "flu")]
    people = counted(["town", "age"], [("Graz", "20"), ("Graz", "21")])
    [exposure] = Linkage().on(replace(target(records, ["illness"]), people=People(people)), Watch())
    assert exposure.records == 1
    assert exposure.details["people whom one record fits"] == 1


def test_two_people_of_whom_one_is_the_record() -> None:
    """Twins: one record fits each of them, and nobody can tell whose it is without knowing that one is in the table."""
    records: list[Row] = [("20", "Graz", "8010", "flu")]
    people = People(counted([*DOMAINS, "name"], [("20", "Graz", "8010", "Ada"), ("20", "Graz", "8010", "Bea")]), "name")
    [exposure] = Linkage().on(replace(target(records, ["illness"]), people=people), Watch())
    assert exposure.people == ("Ada", "Bea")
    assert exposure.details["people whom one record fits"] == 2
    assert exposure.details["of these, nobody else of the outside table fits it"] == 0


@pytest.mark.parametrize(
    ("people", "records"), [([], []), ([("20", "Graz", "8010")], []), ([], [("20", "Graz", "8010", "flu")])]
)
def test_nobody_there(people: list[Row], records: list[Row]) -> None:
    assert found(people, records, Linkage()) == 0


def test_labels_without_their_hierarchy_are_told_of() -> None:
    import polars

    release = polars.DataFrame({"town": ["Styria", "Styria", "Graz"], "illness": ["flu", "gout", "flu"]})
    outside = polars.DataFrame({"town": ["Graz", "Linz"]})
    [exposure] = incrowd.attack(release, {"town": "quasi", "illness": "sensitive"}, ["linkage"], outside).exposures
    assert "1 of town" in exposure.note
    assert exposure.records == 1


def test_senseless_options_are_refused() -> None:
    for options in ({"k": 0}, {"exact": "yes"}):
        with pytest.raises(UsageError):
            Linkage(**options)

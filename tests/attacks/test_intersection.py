"""Two releases of the same people against brute force: every person, every record of both."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.cells import CODES, DOMAINS, EVERYBODY, KNOWN, PUBLISHED, TOWNS, Row, counted, meanings, rows, target
from incrowd.attacks import Exposure
from incrowd.attacks._target import People
from incrowd.attacks.intersection import Intersection
from incrowd.watch import Watch


def attacked(
    one: list[Row], other: list[Row], people: list[Row] | None, sensitive: tuple[str, ...], k: int = 2
) -> Exposure:
    """What the fast form finds."""
    looked_for = None if people is None else People(counted(list(DOMAINS), people))
    both = replace(target(one, sensitive), other=target(other, sensitive), people=looked_for)
    [exposure] = Intersection(k).on(both, Watch())
    return exposure


def by_definition(one: list[Row], other: list[Row], people: list[Row], k: int = 2) -> list[bool]:
    """Who is exposed."""
    seen = [[(meanings(row), row[3:]) for row in records] for records in (one, other)]
    return Intersection(k).textbook([meanings(person) for person in people], seen)


@settings(max_examples=60)
@given(rows(KNOWN), rows(PUBLISHED, sensitive=2), rows(PUBLISHED, sensitive=2), st.integers(1, 4))
def test_against_every_person_and_every_record(people: list[Row], one: list[Row], other: list[Row], k: int) -> None:
    people = [*people, *EVERYBODY]
    found = attacked(one, other, people, ("illness", "job"), k)
    assert found.records == sum(by_definition(one, other, people, k))


def generalized(person: Row, cells: dict[str, list[str]], draw: st.DataObject) -> Row:
    """One of the ways in which a person may be published."""
    return tuple(
        draw.draw(st.sampled_from([value, *cells.get(value, []), "*"])) for value in person if value is not None
    )


WAYS = {"20": ["20-24"], "21": ["20-24", "21-29"], "25": ["21-29"], "Graz": ["Styria"], "Linz": ["Upper Austria"]}


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            *map(st.sampled_from, (["20", "21", "25"], ["Graz", "Linz"], ["8010", "8011"], ["flu", "gout", "cold"]))
        ),
        min_size=1,
        max_size=6,
    ),
    st.data(),
)
def test_without_people_what_is_certain_and_what_is_possible(patients: list[Row], data: st.DataObject) -> None:
    """The very people are known to the test alone: all that is certain is true, and all that is true is possible."""
    one, other = ([(*generalized(person[:3], WAYS, data), person[3]) for person in patients] for _ in range(2))
    really = sum(by_definition(one, other, [person[:3] for person in patients]))
    found = attacked(one, other, None, ("illness",))
    assert found.records is not None
    assert found.at_most is not None
    assert found.records <= really <= found.at_most


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(TOWNS), st.sampled_from(CODES)), min_size=1, max_size=6))
def test_nobody_is_exposed_where_both_releases_keep_everybody_among_the_same_values(
    pairs: list[tuple[str, str]],
) -> None:
    """m-invariance: who is among flu and gout in one release is so in the other, in whatever class."""
    patients = [("20", town, code, value) for town, code in pairs for value in ("flu", "gout")]
    one: list[Row] = [("*", town, "*", value) for _, town, _, value in patients]
    other: list[Row] = [("*", "*", code, value) for _, _, code, value in patients]
    assert attacked(one, other, [patient[:3] for patient in patients], ("illness",)).records == 0
    assert attacked(one, other, None, ("illness",)).records == 0


def test_worked_by_hand() -> None:
    """Somebody of 25 in Linz: flu or gout by the first release, flu or cold by the second. So it is the flu."""
    one: list[Row] = [("20-29", "Linz", "*", "flu"), ("20-29", "Linz", "*", "gout"), ("20-29", "Graz", "*", "cold")]
    other: list[Row] = [("25", "*", "*", "flu"), ("25", "*", "*", "cold"), ("21", "*", "*", "gout")]
    found = attacked(one, other, [("25", "Linz", None)], ("illness",))
    assert (found.records, found.details["exposed by neither release alone"]) == (1, 1)
    assert attacked(one, one[:2], [("25", "Linz", None)], ("illness",)).records == 0
    anybody = attacked(one, other, None, ("illness",))
    # The flu of 25, the gout of 21 and the cold of Graz are each alone in what both releases have in common.
    assert (anybody.records, anybody.at_most) == (3, 3)


def test_no_more_records_are_left_than_both_crowds_have() -> None:
    """Six records in one release, two in the other: the person is one of two, whatever the six look like."""
    one: list[Row] = [("*", "Graz", "*", value) for value in ("flu", "gout") for _ in range(3)]
    other: list[Row] = [("20", "*", "*", "flu"), ("20", "*", "*", "gout")]
    for first, second in ((one, other), (other, one)):
        assert attacked(first, second, [("20", "Graz", None)], ("illness",), k=3).records == 1
        assert attacked(first, second, [("20", "Graz", None)], ("illness",), k=2).records == 0


def test_the_values_of_a_group_count_once() -> None:
    """Sensitive values apart: both classes of a person are in one group of two records, so two are left, not four."""
    records: list[Row] = [("20", "Graz", "8010", "flu"), ("21", "Graz", "8010", "gout")]
    apart = target(records, ("illness",))
    apart = replace(apart, group=np.zeros(2, dtype=np.int64), within=np.zeros(2, dtype=np.int32))
    people = People(counted(["town"], [("Graz",)]))
    both = replace(apart, other=apart, people=people)
    for k, exposed in ((2, 0), (3, 1)):
        [exposure] = Intersection(k).on(both, Watch())
        assert exposure.records == exposed


def test_nothing_published() -> None:
    assert attacked([], [], None, ("illness",)).records == 0
    assert attacked([], [("20", "Graz", "8010", "flu")], [EVERYBODY[0]], ("illness",)).records == 0

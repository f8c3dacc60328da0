"""What two releases do not have in common against brute force: every assignment of their records."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import incrowd
from attacks.cells import DOMAINS, EVERYBODY, KNOWN, PUBLISHED, Row, counted, meanings, rows, target
from attacks.test_intersection import WAYS, generalized
from incrowd.attacks import Exposure
from incrowd.attacks._target import People
from incrowd.attacks.difference import PRESENCE, Difference
from incrowd.errors import UsageError
from incrowd.watch import Watch

PERSONS = st.sampled_from([*PRESENCE])


def attacked(one: list[Row], other: list[Row], people: list[Row] | None, attack: Difference, columns: int) -> Exposure:
    """What the fast form finds."""
    sensitive = ("illness", "job")[:columns]
    looked_for = None if people is None else People(counted(list(DOMAINS), people))
    both = replace(target(one, sensitive), other=target(other, sensitive), people=looked_for)
    [exposure] = attack.on(both, Watch())
    return exposure


def by_definition(one: list[Row], other: list[Row], people: list[Row], attack: Difference) -> list[bool]:
    """Who is exposed."""
    seen = [[(meanings(row), row[3:]) for row in records] for records in (one, other)]
    return attack.textbook([meanings(person) for person in people], seen)


@settings(max_examples=80, deadline=None)
@given(
    rows(KNOWN),
    rows(PUBLISHED, sensitive=2, most=5),
    rows(PUBLISHED, sensitive=2, most=5),
    st.sampled_from(["listed", "stayed"]),
    st.integers(1, 3),
)
def test_against_every_assignment(people: list[Row], one: list[Row], other: list[Row], person: str, k: int) -> None:
    people = [*people, *EVERYBODY]
    found = attacked(one, other, people, Difference(person, k), 2)
    assert found.records == sum(by_definition(one, other, people, Difference(person, k)))


@settings(max_examples=120, deadline=None)
@given(
    st.lists(
        st.tuples(
            *map(st.sampled_from, (["20", "21", "25"], ["Graz", "Linz"], ["8010", "8011"], ["flu", "gout", "cold"])),
            st.sampled_from(["left", "joined", "stayed"]),
        ),
        min_size=1,
        max_size=6,
    ),
    PERSONS,
    st.integers(1, 3),
    st.data(),
)
def test_what_is_certain_and_what_is_possible(patients: list[Row], person: str, k: int, data: st.DataObject) -> None:
    """The very people are known to the test alone: all that is certain is true, and all that is true is possible."""
    one, other = (
        [(*generalized(each[:3], WAYS, data), each[3]) for each in patients if each[4] != absent]
        for absent in ("joined", "left")
    )
    attack = Difference(person, k)
    found = attacked(one, other, None, attack, 1)
    assert found.records is not None
    assert found.at_most is not None
    stayed = sum(each[4] == "stayed" for each in patients)
    if found.details["records in both releases, at most"] == stayed:
        known = {"listed": ("left", "stayed")}.get(person, (person,))
        really = sum(by_definition(one, other, [each[:3] for each in patients if each[4] in known], attack))
        assert found.records <= really <= found.at_most


def test_who_leaves_alone_takes_a_value_along() -> None:
    """Loukides, 7.2: ages 10, 15 and 16 are published as 10-16; 16 leaves, and the others as 10-15."""
    one: list[Row] = [("20-26", "Graz", "8010", value) for value in "abc"]
    other: list[Row] = [("20-25", "Graz", "8010", value) for value in "ab"]
    for person, first, second in (("left", one, other), ("joined", other, one)):
        found = attacked(first, second, None, Difference(person), 1)
        assert (found.records, found.at_most, found.among) == (1, 1, 1)
    # Of 26 nothing else need be known: no record of the other release fits.
    looked_for: list[Row] = [(age, "Graz", "8010") for age in ("20", "25", "26")]
    assert attacked(one, other, looked_for, Difference("listed"), 1).records == 1
    anybody = attacked(one, other, None, Difference("listed"), 1)
    assert (anybody.records, anybody.at_most) == (0, 1)


def test_two_who_leave_hide_each_other() -> None:
    one: list[Row] = [("20-26", "Graz", "8010", value) for value in "abcd"]
    other: list[Row] = [("20-25", "Graz", "8010", value) for value in "ab"]
    assert attacked(one, other, None, Difference(), 1).at_most == 0
    assert attacked(one, other, None, Difference(k=3), 1).records == 2


def test_a_changed_value_shows_on_both_sides() -> None:
    one: list[Row] = [("20-26", "Graz", "8010", value) for value in "abc"]
    other: list[Row] = [("20-26", "Graz", "8010", value) for value in "abd"]
    for person in ("left", "joined"):
        found = attacked(one, other, None, Difference(person), 1)
        assert (found.records, found.note[:11]) == (1, "some people")


def test_releases_that_show_the_same_tell_nothing() -> None:
    one: list[Row] = [("20-26", "Graz", "8010", value) for value in "abc"]
    for person in PRESENCE:
        assert attacked(one, one, None, Difference(person), 1).at_most == 0
        assert attacked([], [], None, Difference(person), 1).at_most == 0


def test_who_may_have_left_is_bounded_exactly() -> None:
    """Two of three equal records and a fourth: one of the four left, whichever; by hand over all pairs."""
    one: list[Row] = [("20-26", "Graz", "8010", "a")] * 3 + [("20", "Graz", "8010", "a")]
    for kept in combinations(one, 3):
        found = attacked(one, list(kept), None, Difference(), 1)
        assert (found.records, found.at_most) == (1, 1)


def test_in_python_and_by_name(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("age,illness\n10-16,a\n10-16,b\n10-16,c\n")
    (tmp_path / "other.csv").write_text("age,illness\n10-15,a\n10-15,b\n")
    columns = {"age": "quasi", "illness": "sensitive"}
    found = incrowd.attack(tmp_path / "one.csv", columns, other=tmp_path / "other.csv")
    told = {each.attack: each.records for each in found.exposures}
    assert (told["difference"], told["difference:person=joined"], told["difference:person=listed"]) == (1, 0, 0)
    assert found.exposed
    with pytest.raises(UsageError, match="left, joined, listed, stayed"):
        incrowd.attack(tmp_path / "one.csv", columns, ["difference:person=gone"], other=tmp_path / "other.csv")


def test_a_mask_below_which_no_release_has_a_value_fits_itself() -> None:
    one: list[Row] = [("20", "Graz", "4020", "flu", "flu"), ("20", "Graz", "80**", "flu", "flu")]
    other = [*one, one[0]]
    found = attacked(one, other, [("20", "Graz", "8010")], Difference("stayed", 1), 2)
    assert (found.records, found.details["records in both releases, at most"]) == (1, 2)

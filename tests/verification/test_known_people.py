"""What is known of people is checked with the original: planted faults are noticed."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

import incrowd
from anonymization.visits import in_arrow
from incrowd.anonymization import AnonymizationResult
from incrowd.release import People
from verification.test_people import VISITS, K, check, forged, released

CHECKED = f"k_anonymity:k={K}"


def people_of(made: AnonymizationResult) -> People:
    assert made.manifest.people is not None
    return made.manifest.people


def alike_by_hand(made: AnonymizationResult, knows: str) -> int:
    """The fewest people of whom something is true that may be known."""
    held: dict[Any, Counter[Any]] = {}
    for row in made.frame.to_pylist():
        held.setdefault(VISITS[row["row"]]["patient"], Counter())[row["age"], row["zip"], row["sex"]] += 1
    if knows == "history":
        return min(Counter(frozenset(mine.items()) for mine in held.values()).values())
    few = [known for mine in held.values() for size in (1, int(knows)) for known in combinations(mine.elements(), size)]
    return min(sum(Counter(known) <= mine for mine in held.values()) for known in few)


@pytest.mark.parametrize("search", ["optimal", "mondrian"])
@pytest.mark.parametrize("knows", ["2", "history"])
def test_a_release_holds_with_the_original(knows: str, search: str) -> None:
    made = released(search=search, knows=knows, suppress={"share": 0.4, "of": "people"})
    people = people_of(made)
    assert (people.knows, people.limit, people.whole, people.fewer) == (knows, 16, True, 0)
    assert people.alike == alike_by_hand(made, knows) >= K
    verdict = incrowd.verify(made.frame, made.manifest, made.record, original=in_arrow(VISITS))
    assert verdict.holds, verdict
    assert incrowd.verify(made.frame, made.manifest).value == "not proven"
    assert f"knows them of at least {people.alike} people" in str(made)


@pytest.mark.parametrize("knows", ["2", "history"])
def test_classes_with_enough_people_are_not_enough(knows: str) -> None:
    """A release for one known record, whose manifest is made to promise more."""
    made = released(search="mondrian")
    alike = alike_by_hand(made, knows)
    assert alike < K
    manifest, record = forged(made, replace(people_of(made), knows=knows, alike=alike))
    verdict = incrowd.verify(made.frame, manifest, record, original=in_arrow(VISITS))
    assert check(verdict, "people"), "the numbers of people are as claimed"
    assert check(verdict, CHECKED) is False
    assert verdict.failing


def test_wrong_numbers_of_people_who_are_alike_fail() -> None:
    made = released(search="mondrian", knows="2", suppress=0.5)
    people = people_of(made)
    assert people.alike is not None
    manifest, record = forged(made, replace(people, alike=people.alike + 1))
    assert check(incrowd.verify(made.frame, manifest, record, original=in_arrow(VISITS)), "people") is False


def test_more_people_than_may_lose_a_record_fail_without_the_original_too() -> None:
    made = released(suppress={"number": 30, "of": "people"})
    people = people_of(made)
    losing = people.input - people.published + people.fewer
    assert losing
    manifest, record = forged(made, replace(people, limit=losing - 1))
    assert check(incrowd.verify(made.frame, manifest), "people") is False
    assert check(incrowd.verify(made.frame, manifest, record, original=in_arrow(VISITS)), "people") is False


def test_people_who_lose_some_records_fail_where_they_must_lose_all() -> None:
    made = released()
    for fewer, whole, holds in ((1, True, False), (0, True, None), (1, False, None)):
        manifest, _ = forged(made, replace(people_of(made), fewer=fewer, whole=whole))
        assert check(incrowd.verify(made.frame, manifest), "people") is holds

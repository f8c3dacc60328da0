"""What an attacker knows of a person, against the definition with multisets."""

from collections import Counter
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.core import knowledge
from incrowd.core.knowledge import Holdings, Known, Knows, Views, left_out, views, views_of_tables
from incrowd.errors import UsageError

Rows = list[tuple[int, int]]
"""Person and class of each record."""

rows = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), max_size=20)
knowledges = st.sampled_from([Known.RECORD, 1, 2, 3, 5, Known.HISTORY])


def holdings(table: Rows, people: int = 7) -> Holdings:
    person, of = (np.array([row[at] for row in table], dtype=np.int32) for at in (0, 1))
    return Holdings.joined(of, person, np.ones(len(table), dtype=np.int64), people)


def multisets(table: Rows) -> "dict[int, Counter[int]]":
    found: dict[int, Counter[int]] = {}
    for person, of in table:
        found.setdefault(person, Counter())[of] += 1
    return found


def known_of(mine: "Counter[int]", knows: Knows) -> set[tuple[int, ...]]:
    """All that may be known of a person."""
    records = sorted(mine.elements())
    if knows == Known.HISTORY:
        return {tuple(records)}
    most = 1 if knows == Known.RECORD else int(knows)
    return {part for size in range(1, most + 1) for part in combinations(records, size)}


def true_of(known: tuple[int, ...], other: "Counter[int]", knows: Knows) -> bool:
    return Counter(known) == other if knows == Known.HISTORY else Counter(known) <= other


def supporters(table: Rows, knows: Knows) -> Counter[tuple[int, frozenset[int]]]:
    """For each person, the sets of people of whom something known of the person is true."""
    every = multisets(table)
    return Counter(
        (person, frozenset(other for other, theirs in every.items() if true_of(known, theirs, knows)))
        for person, mine in every.items()
        for known in known_of(mine, knows)
    )


@given(rows, knowledges)
def test_views_are_all_that_may_be_known(table: Rows, knows: Knows) -> None:
    found = views(holdings(table), knows)
    members: dict[int, set[int]] = {}
    for view, person in zip(found.of.tolist(), found.person.tolist(), strict=True):
        assert person not in members.setdefault(view, set())
        members[view].add(person)
    assert Counter((person, frozenset(of)) for of in members.values() for person in of) == supporters(table, knows)
    assert all(found.sizes[view] == len(of) for view, of in members.items())


def largest_safe(table: Rows, knows: Knows, k: int) -> set[int]:
    """The largest set of people among whom everything known of anybody is true of k, by trying all sets."""
    people = sorted(multisets(table))
    for size in range(len(people), -1, -1):
        for chosen in combinations(people, size):
            rest = [row for row in table if row[0] in chosen]
            if all(len(of) >= k for _, of in supporters(rest, knows)):
                return set(chosen)
    raise AssertionError("nobody is a safe set")


def at_least(k: int) -> knowledge.Safe:
    return lambda _, seen: seen.sizes >= k


@given(rows, knowledges, st.integers(1, 4))
def test_as_few_people_go_as_can(table: Rows, knows: Knows, k: int) -> None:
    gone = left_out([holdings(table)], knows, at_least(k))
    stay = {person for person in multisets(table) if not gone[person]}
    assert stay == largest_safe(table, knows, k)


@given(rows, knowledges, st.integers(1, 4), st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_merging_classes_never_makes_a_person_easier_to_find(
    table: Rows, knows: Knows, k: int, into: list[int]
) -> None:
    """Whatever is known after merging was known in more detail before, and is true of at least as many."""
    merged = [(person, into[of]) for person, of in table]
    before = views(holdings(table), knows)
    after = views(holdings(merged), knows)
    exposed = before.exposed(before.sizes >= k, 7)
    still = after.exposed(after.sizes >= k, 7)
    assert not (still & ~exposed).any()
    assert not (
        left_out([holdings(merged)], knows, at_least(k)) & ~left_out([holdings(table)], knows, at_least(k))
    ).any()


@given(rows)
def test_knowing_more_finds_no_fewer(table: Rows) -> None:
    held = holdings(table)
    found = []
    for knows in (Known.RECORD, 2, 3, Known.HISTORY):
        seen = views(held, knows)
        found.append(seen.exposed(seen.sizes >= 3, 7))
    assert all(not (less & ~more).any() for less, more in pairwise(found))


def test_too_many_choices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "MOST_VIEWS", 10)
    with pytest.raises(UsageError, match="too many records"):
        views(holdings([(0, of) for of in range(4)] + [(1, of) for of in range(4)]), 3)


children = st.lists(rows, min_size=2, max_size=3)


def several(table: list[Rows]) -> list[Holdings]:
    """A table with one record of each person, and others."""
    return [holdings([(person, person % 2) for person in range(7)]), *map(holdings, table)]


@given(children, st.sampled_from([Known.RECORD, 2, Known.HISTORY]), st.integers(1, 4))
def test_looking_at_two_tables_first_changes_nothing(table: list[Rows], knows: Knows, k: int) -> None:
    """Whoever must go by two tables must go in any case; more people mean that more must go."""

    def enough(held: object, seen: Views) -> np.ndarray:
        return seen.sizes >= k

    held = several(table)
    plain = left_out(held, knows, enough)
    staged = left_out(held, knows, enough, absorbing=True)
    assert (plain == staged).all()
    for limit in range(8):
        stopped = left_out(held, knows, enough, absorbing=True, enough=limit)
        assert (int(stopped.sum()) > limit) == (int(plain.sum()) > limit)
        assert (stopped <= plain).all()


@given(children, st.sampled_from([Known.RECORD, 2, Known.HISTORY]))
def test_views_of_several_tables_are_all_that_may_be_known(table: list[Rows], knows: Knows) -> None:
    """The person's own record with any choice of what may be known in each of the others."""
    every = [multisets(each) for each in table]
    nothing = Counter[int]()
    choices = {
        person: [known_of(of.get(person, nothing), knows) | (set() if knows == Known.HISTORY else {()}) for of in every]
        for person in range(7)
    }
    true_of_people: Counter[tuple[object, ...]] = Counter(
        (person % 2, *chosen) for person in range(7) for chosen in product(*choices[person])
    )
    found = views_of_tables(several(table), knows)
    assert sorted(found.sizes.tolist()) == sorted(true_of_people.values())
    for person in range(7):
        own = sorted(true_of_people[(person % 2, *chosen)] for chosen in product(*choices[person]))
        assert sorted(found.sizes[found.of[found.person == person]].tolist()) == own

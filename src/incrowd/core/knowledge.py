"""How much an attacker knows of a person: one record, any m of them, or all.

A person holds records in classes. A *view* is something that may be known of a person, such as "has a record in class 3
and two in class 5", with all people of whom it is true. The attacker who knows it finds the person among these people.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes
from incrowd.errors import UsageError

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]

MOST_VIEWS = 50_000_000
"""Pairs of a view and a person that may be held at once: 400 MB."""


class Known(StrEnum):
    """How much of a person an attacker knows, if it is not a number of records."""

    RECORD = "record"
    """One record."""
    HISTORY = "history"
    """All records: two people are alike only if they have equally many records in every class."""


Knows = Known | int
"""One of these, or a number m: any m records of the person, or all if there are fewer."""


def known_records(knows: Knows | str) -> str:
    """Return what is known of a person in words, if it is more than one record."""
    return "all records of a person" if knows == Known.HISTORY else f"any {knows} records of a person"


@dataclass(frozen=True, eq=False)
class Holdings:
    """How many records people have in classes; a pair of class and person comes once."""

    of: Codes
    """The class of each entry."""
    person: Codes
    """Its person, numbered from 0."""
    counts: Counts
    people: int
    """How many people there are; some may hold nothing."""

    @classmethod
    def joined(cls, of: Codes, person: Codes, counts: Counts, people: int) -> "Holdings":
        """Add up what a person has in a class; entries are sorted by person, then by class."""
        if not len(of):
            return cls(of.astype(np.int32), person.astype(np.int32), counts.astype(np.int64), people)
        classes = np.int64(int(of.max()) + 1)
        keys = person * classes + of
        if int(counts.max()) == 1:
            # Sorting keys alone is several times as fast as sorting positions by them.
            keys.sort()
            first = _first_of_each(keys)
            found = np.diff(np.append(first, len(keys)))
        else:
            order = np.argsort(keys)
            keys = keys[order]
            first = _first_of_each(keys)
            found = np.add.reduceat(counts[order], first)
        keys = keys[first]
        return cls((keys % classes).astype(np.int32), (keys // classes).astype(np.int32), found, people)

    def without(self, gone: Mask) -> "Holdings":
        """Return what is left without some of the people."""
        stays = ~gone[self.person]
        return Holdings(self.of[stays], self.person[stays], self.counts[stays], self.people)


def _first_of_each(keys: Counts) -> Counts:
    """Return where each of the sorted keys comes first."""
    return np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))


@dataclass(frozen=True, eq=False)
class Views:
    """Pairs of a view and a person of whom it is true, each once."""

    of: Codes
    """The view of each pair, numbered from 0."""
    person: Codes
    n: int

    @cached_property
    def sizes(self) -> Counts:
        """How many people each view is true of."""
        return np.bincount(self.of, minlength=self.n).astype(np.int64)

    def without(self, gone: Mask) -> "Views":
        """Return the views of the others; some may be true of nobody then."""
        stays = ~gone[self.person]
        return Views(self.of[stays], self.person[stays], self.n)

    def exposed(self, safe: Mask, people: int) -> Mask:
        """Return which people have a view that is not safe."""
        found = np.zeros(people, dtype=np.bool_)
        found[self.person[~safe[self.of]]] = True
        return found


def views(held: Holdings, knows: Knows) -> Views:
    """Return all that an attacker may know of anybody."""
    if knows == Known.RECORD or knows == 1:
        n = int(held.of.max(initial=-1)) + 1
        return Views(held.of, held.person, n)
    return _histories(held) if knows == Known.HISTORY else _parts(held, int(knows))


def views_of_tables(tables: Sequence[Holdings], knows: Knows) -> Views:
    """Return all that an attacker may know of anybody in several tables about the same people.

    The person's record of the first table is known (`views`, if it is the only table). Of each other table, one record,
    m of them or all are known, in any choice together with those of the others, or none where one record or m are
    known: that is all there is to know of a person who has no record there.
    """
    first, *others = tables
    if not others:
        return views(first, knows)
    there = np.zeros(first.people, dtype=np.bool_)
    for held in tables:
        there[held.person] = True
    found = _with_none(views(first, knows), there, first.people, everybody=False)
    for held in others:
        found = _crossed(found, _with_none(views(held, knows), there, first.people, knows != Known.HISTORY), knows)
    return found


Safe = Callable[[Sequence[Holdings], Views], Mask]
"""Tells which views are safe, given what people hold in each table."""


Exposed = Callable[[Sequence[Holdings]], Mask]
"""Tells which people are exposed by something else than a view, given what people hold in each table."""


def left_out(
    tables: Sequence[Holdings],
    knows: Knows,
    safe: Safe,
    also: Exposed | None = None,
    absorbing: bool = False,
    enough: int | None = None,
) -> Mask:
    """Return the people who must go, with all of their records, until every view of the others is safe.

    Nobody of the others may be exposed by something else (`also`) either. Where a view stays safe when it is true of
    more people (`absorbing`), as for a number of people, as few go as can: if two sets of people are safe each for
    itself, so are both together, hence there is a largest one; and nobody of it ever has a view that is not safe, so
    that nobody of it is taken out. Whoever must go by what is known of two tables must then go in any case, and is
    taken out before more tables are looked at together. If more than `enough` must, the others are not looked for.
    """
    people = tables[0].people
    gone = np.zeros(people, dtype=np.bool_)
    stages = [[tables[0], other] for other in tables[1:]] if absorbing and len(tables) > 2 else []
    for together in [*stages, tables]:
        rest = [held.without(gone) for held in together] if gone.any() else list(together)
        seen = views_of_tables(rest, knows)
        while True:
            exposed = seen.exposed(safe(rest, seen), people)
            if also is not None and len(together) == len(tables):
                exposed |= also(rest)
            gone |= exposed
            if not exposed.any() or (enough is not None and int(gone.sum()) > enough):
                break
            # What is known of the others is the same without them, but true of fewer people.
            rest, seen = [held.without(exposed) for held in rest], seen.without(exposed)
        if enough is not None and int(gone.sum()) > enough:
            break
    return gone


def _with_none(seen: Views, there: Mask, people: int, everybody: bool) -> Views:
    """Add the view that nothing is known: of everybody who is there, or of those alone who have no other view."""
    without = there.copy()
    if not everybody:
        without[seen.person] = False
    added = np.flatnonzero(without).astype(np.int32)
    of = np.concatenate([seen.of, np.full(len(added), seen.n, dtype=np.int32)])
    return Views(of, np.concatenate([seen.person, added]), seen.n + 1)


def _crossed(one: Views, other: Views, knows: Knows) -> Views:
    """Return every view of the one together with every view of the other that is true of the same person."""
    order = np.argsort(other.person, kind="stable")
    people = int(max(one.person.max(initial=-1), other.person.max(initial=-1))) + 1
    lengths = np.bincount(other.person, minlength=people)
    starts = np.cumsum(lengths) - lengths
    choices = lengths[one.person]
    if int(choices.sum()) > MOST_VIEWS:
        raise _too_many(knows)
    # There are up to MOST_VIEWS pairs, so that positions and numbers of them fit into 32 bits.
    right = np.repeat((starts[one.person] - np.cumsum(choices) + choices).astype(np.int32), choices)
    right += np.arange(len(right), dtype=np.int32)
    pairs = [np.repeat(one.of, choices), other.of[order][right]]
    del right
    of, n = number_combinations(pairs, [one.n, other.n]) if len(pairs[0]) else (one.of[:0], 0)
    return Views(of, np.repeat(one.person, choices), n)


def _too_many(knows: Knows) -> UsageError:
    return UsageError.invalid(
        f"knows: {knows}",
        "people have too many records for every choice of them to be looked at",
        "choose history, or a smaller number",
    )


def _histories(held: Holdings) -> Views:
    """People with the same numbers of records in the same classes are one view. Entries are sorted by person."""
    there, starts, lengths = np.unique(held.person, return_index=True, return_counts=True)
    state = lengths.astype(np.int32)
    classes, most = int(held.of.max(initial=0)) + 1, int(held.counts.max(initial=0)) + 1
    for step in range(int(lengths.max(initial=0))):
        # Those who have fewer entries differ from the others by their length from the start.
        active = np.flatnonzero(lengths > step)
        at = starts[active] + step
        codes = [state[active], held.of[at], held.counts[at].astype(np.int32)]
        numbers, _ = number_combinations(codes, [int(state.max()) + 1, classes, most])
        state[active] = numbers + int(state.max()) + 1
        state = np.unique(state, return_inverse=True)[1].reshape(-1).astype(np.int32)
    return Views(state, there.astype(np.int32), int(state.max(initial=-1)) + 1)


def _parts(held: Holdings, m: int) -> Views:
    """Every collection of at most m records of a person, each class as often as the person has records in it.

    Collections grow by one record at a time, in the order of the classes: `at` is the entry of the last one,
    and `again` how often that class was taken.
    """
    entries = np.arange(len(held.of), dtype=np.int64)
    ends = np.searchsorted(held.person, held.person, side="right")
    state, n = number_combinations([held.of], [int(held.of.max(initial=0)) + 1]) if len(held.of) else (held.of, 0)
    at, again = entries, np.ones(len(entries), dtype=np.int64)
    found, total = [(state.astype(np.int64), held.person[at])], n
    for _ in range(m - 1):
        # The same class once more, where there is another record in it, or a later one.
        choices = ends[at] - at - (held.counts[at] <= again)
        if int(choices.sum()) + sum(len(of) for of, _ in found) > MOST_VIEWS:
            raise _too_many(m)
        parent = np.repeat(np.arange(len(at)), choices)
        if not len(parent):
            break
        step = np.arange(len(parent)) - np.repeat(np.cumsum(choices) - choices, choices)
        following = at[parent] + step + (held.counts[at] <= again)[parent]
        again = np.where(following == at[parent], again[parent] + 1, 1)
        codes = [state[parent].astype(np.int32), held.of[following]]
        state, n = number_combinations(codes, [int(state.max()) + 1, int(held.of.max()) + 1])
        at = following
        found.append((state.astype(np.int64) + total, held.person[at]))
        total += n
    of, person = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Views(of.astype(np.int32), person.astype(np.int32), total)


def textbook_alike(records: Sequence[tuple[Hashable, Hashable]], knows: Knows) -> dict[Hashable, list[int]]:
    """Apply the definition: by person, of how many people each is true that may be known of the person.

    Records are given by their class and their person.
    """
    held: dict[Hashable, Counter[Hashable]] = {}
    for values, person in records:
        held.setdefault(person, Counter())[values] += 1
    return {
        person: [sum(_is_true(known, other, knows) for other in held.values()) for known in _known(own, knows)]
        for person, own in held.items()
    }


def _known(own: "Counter[Hashable]", knows: Knows) -> list["Counter[Hashable]"]:
    """Return all that may be known of a person: every collection of at most m records, or the one of all."""
    if knows == Known.HISTORY:
        return [own]
    most = 1 if knows == Known.RECORD else int(knows)
    return [Counter(part) for size in range(1, most + 1) for part in combinations(own.elements(), size)]


def _is_true(known: "Counter[Hashable]", other: "Counter[Hashable]", knows: Knows) -> bool:
    return known == other if knows == Known.HISTORY else known <= other

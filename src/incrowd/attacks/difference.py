"""Difference: records that only one of two releases has belong to people who left or joined (Loukides 2008, 7.2)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from incrowd.attacks._assignments import Assignments, Sets
from incrowd.attacks._candidates import Candidates
from incrowd.attacks._common import joint
from incrowd.attacks._contract import Exposure, Mask, Needs, Worst
from incrowd.attacks._target import People, Target
from incrowd.attacks.linkage import Cells, remarks
from incrowd.core.histograms import Counts
from incrowd.errors import UsageError
from incrowd.parameters import whole_number
from incrowd.text import count
from incrowd.watch import Watch

STORY = {
    "left": "Records that the other release lacks belong to people who left, so their values are disclosed.",
    "joined": "Records that only the other release has belong to people who joined, so their values are disclosed.",
    "listed": "Most records of the two releases are paired, which rules out records that cannot be a person's.",
    "stayed": "The records of the two releases are paired, which rules out records that cannot be a person's.",
}
PRESENCE = {
    "left": "that the person is in this release and not in the other",
    "joined": "that the person is in the other release and not in this one",
    "listed": "that the person is in this release",
    "stayed": "that the person is in both releases",
}
STOPPED_BY = (
    "no model of a single release. Publish once, or publish only new people with the same recoding (incrowd apply). "
    "Keep people who left, or delete k at a time with enough distinct values"
)
_APART = "a release with sensitive values in a separate table does not show which record has which value"
_EXTRA = "needs SciPy: pip install 'incrowd[table]'"
_BY_RECORDS = (
    "records are paired one by one, without regard to the person: candidates are counted in records, so more "
    "people with several records may be exposed"
)
_UNKNOWN = "the result depends on which people are where classes overlap: give the people with --with"

Records = Sequence[tuple[Cells, tuple[Hashable, ...]]]


@dataclass(frozen=True)
class Difference:
    """A person is exposed if fewer than k records of a release can be the person's, or only records with one value.

    A person in both releases has records whose cells overlap and whose sensitive values are equal. The attacker knows
    the person's quasi-identifiers, whether the person left, joined, stayed or is just listed, and that no more people
    left or joined than the releases show: as many records as possible are those of people in both. Records are paired
    one by one, also if people have several.
    """

    person: str = "left"
    """The attacker's knowledge of the person: left, joined, listed (in this release) or stayed."""
    k: int = 2
    """The smallest number of records that may be left."""

    needs = Needs.OTHER

    def __post_init__(self) -> None:
        whole_number("k of difference", self.k)
        if self.person not in PRESENCE:
            raise UsageError.not_one_of("person of difference", self.person, PRESENCE)

    def on(self, target: Target, watch: Watch) -> Iterable[Exposure]:
        """Yield the people exposed by the difference of the releases."""
        assert target.other is not None
        why = _EXTRA if find_spec("scipy") is None else _APART if _apart(target) or _apart(target.other) else ""
        if why:
            yield Exposure(STORY[self.person], self._knows(), None, None, why=why)
            return
        one, other = (target.other, target) if self.person == "joined" else (target, target.other)
        pairing = _Pairing.of(one, other, watch)
        # An outside table does not say who left.
        if target.people is not None and self.person in ("listed", "stayed"):
            yield self._of_people(pairing, target.people, watch)
        else:
            yield self._of_anybody(pairing, watch)

    def _knows(self) -> str:
        return (
            f"a person's quasi-identifiers, {PRESENCE[self.person]}, and that no more people left or joined than the "
            "releases show"
        )

    def _exposed(self, pairing: _Pairing, ones: Sets, others: Sets, pairs: Counts) -> Mask:
        """Return which pairs of sets of classes leave fewer than k records, or one value of some column."""
        crowd, fewest = pairing.found.records(
            ones, others, pairs, left=self.person != "stayed", stayed=self.person in ("listed", "stayed")
        )
        exposed: Mask = (crowd > 0) & ((crowd < self.k) | (fewest == 1))
        return exposed

    def _of_people(self, pairing: _Pairing, people: People, watch: Watch) -> Exposure:
        persons = people.combinations
        views = [target.candidates(persons, watch) for target in (pairing.one, pairing.other)]
        pairs, of = np.unique(np.stack([each.view for each in views]), axis=1, return_inverse=True)
        mine, others = ((each.starts, each.classes) for each in views)
        exposed = self._exposed(pairing, mine, others, pairs)
        who = exposed[of.reshape(-1)]
        where = np.unique(pairs[0][exposed])
        unmatched = {**views[1].unmatched, **views[0].unmatched}
        return Exposure(
            STORY[self.person],
            self._knows(),
            people.number(who),
            len(np.unique(views[0].classes[np.isin(views[0].owner, where)])),
            among=people.everybody,
            stopped_by=STOPPED_BY,
            details=pairing.details(),
            people=people.names(who),
            note="; ".join(
                [
                    *([_BY_RECORDS] if people.who is not None else []),
                    *pairing.notes(),
                    *remarks(unmatched, pairing.summaries),
                ]
            ),
        )

    def _of_anybody(self, pairing: _Pairing, watch: Watch) -> Exposure:
        """Return records that are exposed whatever else matches their people, and those that may be."""
        one, found = pairing.one, pairing.found
        around = one.candidates(one.cells, watch)
        beside = pairing.beside
        sure = self._exposed(
            pairing,
            (around.starts, around.classes),
            (beside.starts, beside.classes),
            np.stack([around.view, beside.view]),
        )
        gone, there = self._alone(pairing)
        surely = sure[found.one.classes]
        among, hit = None, np.flatnonzero(sure)
        if self.person == "listed":
            certain = int(one.sizes[sure].sum())
            possible = int(found.one.counts[there].sum()) + found.left_at_most(gone & ~there)
        elif self.person == "stayed":
            certain, possible, among = found.pairs() - found.pairs(~surely), found.pairs(there), found.pairs()
        else:
            certain, possible, among = (
                found.left_at_least(surely),
                found.left_at_most(gone),
                one.records - found.pairs(),
            )
            hit = np.unique(found.one.classes[surely & found.free])
        return Exposure(
            STORY[self.person],
            self._knows(),
            certain,
            len(hit) if certain else 0,
            worst=self._worst(hit, one) if certain and self.person != "joined" else None,
            stopped_by=STOPPED_BY,
            among=among,
            at_most=possible,
            details=pairing.details(),
            note="; ".join(
                [
                    *pairing.notes(),
                    *([_UNKNOWN] if certain < possible and self.person in ("listed", "stayed") else []),
                    *remarks(beside.unmatched, pairing.summaries, "first release"),
                ]
            ),
        )

    def _alone(self, pairing: _Pairing) -> tuple[Mask, Mask]:
        """Return nodes whose people may be exposed if they left, and if they stayed, with the best knowledge."""
        found = pairing.found
        classes = len(pairing.one.sizes)
        each: Sets = (np.arange(classes + 1), np.arange(classes))
        nothing: Sets = (np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.int64))
        gone = self._exposed(pairing, each, nothing, np.stack([np.arange(classes), np.zeros(classes, dtype=np.int64)]))
        others: Sets = (np.arange(len(pairing.other.sizes) + 1), np.arange(len(pairing.other.sizes)))
        tails, heads = found.usable
        pairs = np.stack([found.one.classes[tails], heads])
        there = np.zeros(len(found.one.counts), dtype=np.bool_)
        if self.person in ("listed", "stayed") and len(tails):
            distinct, of = np.unique(pairs, axis=1, return_inverse=True)
            there[tails[self._exposed(pairing, each, others, distinct)[of.reshape(-1)]]] = True
        left = found.free & gone[found.one.classes] if self.person != "stayed" else np.zeros_like(there)
        return left, there

    def _worst(self, hit: Counts, one: Target) -> Worst:
        at = int(hit[np.argmax(one.sizes[hit])])
        size = int(one.sizes[at])
        return Worst(at + 1, size, f"{count(size, 'record')}, some ruled out")

    def textbook(self, people: Sequence[Cells], releases: Sequence[Records]) -> list[bool]:
        """Return whether each person is exposed, trying every assignment of the records of both releases."""
        one, other = reversed(releases) if self.person == "joined" else releases
        worlds = list(_assignments(one, other, 0, frozenset()))
        most = max(map(len, worlds))
        best = [dict(world) for world in worlds if len(world) == most]
        found = []
        for person in people:
            may = {
                at
                for world in best
                for at in range(len(one))
                if _fits(person, one[at][0]) and self._is_possible(person, world.get(at), other)
            }
            columns = zip(*(one[at][1] for at in may), strict=True)
            found.append(bool(may) and (len(may) < self.k or any(len(set(column)) == 1 for column in columns)))
        return found

    def _is_possible(self, person: Cells, partner: int | None, other: Records) -> bool:
        """Return whether a record with this partner in the other release, or none, may be the person's."""
        if partner is None:
            return self.person != "stayed"
        return self.person in ("listed", "stayed") and _fits(person, other[partner][0])


@dataclass(frozen=True, eq=False)
class _Pairing:
    """Two releases, and how the records of the first may be those of people in the other."""

    one: Target
    other: Target
    beside: Candidates
    """Per class of the first release the classes of the other that overlap it."""
    found: Assignments

    @classmethod
    def of(cls, one: Target, other: Target, watch: Watch) -> _Pairing:
        beside = other.candidates(one.cells, watch, silent=one.summaries)
        lengths = np.diff(beside.starts)[beside.view]
        pairs = np.stack([np.repeat(np.arange(len(one.sizes)), lengths), beside.of_persons()])
        return cls(one, other, beside, Assignments.of(joint(one, other), pairs))

    @property
    def summaries(self) -> dict[str, str]:
        return {**self.other.summaries, **self.one.summaries}

    def details(self) -> dict[str, int]:
        return {"records in both releases, at most": self.found.pairs()}

    def notes(self) -> Iterator[str]:
        if self.found.pairs() < min(self.one.records, self.other.records):
            yield (
                "some people left and others joined, or values changed; if more did than the releases show, records "
                "other than those counted may be exposed"
            )


def _apart(target: Target) -> bool:
    return not np.array_equal(target.group, np.arange(len(target.group)))


def _fits(person: Cells, cells: Cells) -> bool:
    return all(a & b for a, b in zip(person, cells, strict=True))


def _assignments(one: Records, other: Records, at: int, taken: frozenset[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield all ways to pair records from number `at` on with records of the other release that are not taken."""
    if at == len(one):
        yield ()
        return
    yield from _assignments(one, other, at + 1, taken)
    for to, (cells, values) in enumerate(other):
        if to not in taken and values == one[at][1] and _fits(one[at][0], cells):
            yield from (((at, to), *rest) for rest in _assignments(one, other, at + 1, taken | {to}))


ATTACK = Difference
ALSO = (Difference("joined"), Difference("listed"))
"""Tried besides the default options."""

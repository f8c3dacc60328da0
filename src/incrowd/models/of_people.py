"""Any model, counted by people instead of records.

A class is a set of pairs (person, value), each of them once: a patient with ten records of flu is one person with flu.
The size of a class is the number of different people in it, and a value occurs as often as people have it. Every model
is then judged as its own definition says, on these numbers.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np

from incrowd.core.brief import Brief
from incrowd.core.classes import Classes
from incrowd.core.frequencies import FrequencySet
from incrowd.core.histograms import UNLIMITED, Columns, Counts, Domain, Histogram
from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import known_records
from incrowd.core.table import MISSING, Codes
from incrowd.models._contract import Block, Mask, Monotone, PrivacyModel, Reference
from incrowd.models._masks import wholly
from incrowd.models.k_anonymity import KAnonymity

Value = tuple[str | None, ...]


@dataclass(frozen=True, repr=False)
class OfPeople(Brief):
    """A model, or several as one, whose sizes are numbers of different people.

    A record without any cell that tells its person is taken for a person of its own.
    """

    model: PrivacyModel
    person: Columns
    """The columns that together tell which person a record is about."""

    @property
    def needs(self) -> tuple[Columns, ...]:
        """The people of each class, and the sensitive values that each of them has there."""
        jointly = (self._joint(columns) for columns in self.model.needs)
        return tuple(dict.fromkeys([self.person, *self.model.needs, *jointly]))

    @property
    def needs_population(self) -> bool:
        """Whether the model compares with the population, which is counted in people anyway."""
        return self.model.needs_population

    @property
    def needs_reference(self) -> bool:
        """Whether the model compares with the whole table, whose pairs of person and value are counted then."""
        return self.model.needs_reference

    @property
    def suppressible(self) -> bool:
        """Whether removing a class that violates the model helps."""
        return self.model.suppressible

    @property
    def unpublished(self) -> Columns:
        """The columns of the person."""
        return self.person

    @property
    def monotone(self) -> Monotone:
        """An absorbing model stays so, and nothing else is claimed.

        In a merged class no value has fewer people than in either part, and there are no fewer people: all numbers
        grow, by less than the other part has where both share people. A model that holds whatever is added to a class
        holds then too. Shares may do worse: a value may have half of the people of each part and more of the whole, if
        both parts share the people who have other values.
        """
        absorbing = self.model.monotone.absorbing
        return Monotone(merging=absorbing, absorbing=absorbing)

    def relaxed(self) -> "OfPeople | None":
        """The relaxed form, by people: it looks at numbers that only grow."""
        found = self.model.relaxed()
        return None if found is None else OfPeople(found, self.person)

    def lost(self, classes: Classes) -> Counts:
        """All records of the classes that violate the relaxed form."""
        relaxed = self.relaxed()
        if relaxed is None:
            return np.zeros(len(classes), dtype=np.int64)
        return wholly(~relaxed.holds(classes), classes)

    def holds(self, classes: Classes) -> Mask:
        """Return which classes satisfy the model, by people."""
        return self.model.holds(self.by_people(classes))

    def strength(self, classes: Classes) -> float:
        """Return the strength of the model, by people."""
        return self.model.strength(self.by_people(classes))

    def by_people(self, classes: Classes) -> Classes:
        """Return the classes with people in place of records."""
        histograms = {columns: self._values(classes, columns) for columns in self.model.needs}
        return Classes(people_in(classes.histograms[self.person]), histograms, classes.population)

    def _values(self, classes: Classes, columns: Columns) -> Histogram:
        """How many people of each class have each value."""
        joint = classes.histograms[self._joint(columns)]
        seen = _seen(joint.domain, classes.histograms[columns].domain, len(self.person))
        # A value stands here once for each person who has it, until they are added up.
        values = Histogram(seen.domain, joint.starts, seen.of[joint.values], _once_each(joint, seen.nobody))
        return values.regrouped(np.arange(len(joint), dtype=np.int32), len(joint))

    def _joint(self, columns: Columns) -> Columns:
        return (*columns, *(name for name in self.person if name not in columns))

    def textbook(self, block: Block, reference: Reference) -> bool:
        """The definition of the model, for pairs of person and value, each once."""
        size = people_among(block.values[self.person])
        values = {columns: self._pairs(block, columns) for columns in self.model.needs}
        whole = {columns: self._pairs(reference, columns) for columns in self.model.needs if self.needs_reference}
        return self.model.textbook(Block(size, values, block.population), Reference(whole, reference.ladders))

    def _pairs(self, of: Block | Reference, columns: Columns) -> "Counter[Value]":
        """How many people have each value."""
        found: Counter[Value] = Counter()
        for pair, records in of.values[self._joint(columns)].items():
            value, who = pair[: len(columns)], pair[len(columns) :]
            found[value] += records if _is_nobody(who) else 1
        return found

    def promise(self) -> str:
        """The promise of the model, of people."""
        return promise_of_people(self.model)


def promised(model: PrivacyModel, is_apart: bool = False, knows: str | None = None) -> str:
    """Return what a model promises of a release: of one whose sensitive values are published apart, or of people.

    `knows` says how much is known of a person; None if records are counted.
    """
    if is_apart and isinstance(model, KAnonymity):
        return model.promise_of_groups()
    if knows is None:
        return model.promise()
    return promise_of_people(model) if knows == "record" else _promise_of_views(model, knows)


def _promise_of_views(model: PrivacyModel, knows: str) -> str:
    """Return what a model promises if several records of a person are known."""
    what = known_records(knows)
    if isinstance(model, KAnonymity):
        return f"Anyone who knows {what}, as published, knows them of at least {model.k} people."
    held = f"Also if the people with the same records take the place of a class, where {what} are known"
    return f"{promise_of_people(model)} {held}."


def promise_of_people(model: PrivacyModel) -> str:
    """Return what a model promises if people are counted."""
    if isinstance(model, SaysPeople):
        return model.promise_of_people()
    return f"Counting people, each once for a value: {model.promise()}"


@runtime_checkable
class SaysPeople(Protocol):
    """A model with a sentence of its own for people."""

    def promise_of_people(self) -> str:
        """Return what it promises if people are counted."""
        ...


def records_are_people(counted: FrequencySet, person: Columns) -> bool:
    """Return whether every record is about another person, so that counting people and counting records is the same."""
    codes = counted.codes[counted.indices(person)]
    told = (codes != MISSING).any(axis=0)
    if (counted.counts[told] > 1).any():
        return False
    if len(person) == 1:
        return bool(np.bincount(codes[0][told], minlength=1).max() <= 1)
    known = np.ascontiguousarray(codes[:, told])
    cardinalities = [counted.cardinalities[at] for at in counted.indices(person)]
    return bool(number_combinations(list(known), cardinalities)[1] == known.shape[1])


def enough_people(model: PrivacyModel) -> int:
    """Return how many people of a class, whichever they are, tell whether it satisfies the model.

    k, if the model asks for k people and nothing else: a class of which k are known holds, and so does every class that
    it is merged into. Of a class with fewer all are known, so that nobody is counted twice when it is merged.
    """
    return model.model.k if isinstance(model, OfPeople) and isinstance(model.model, KAnonymity) else UNLIMITED


def entries_of(who: Histogram) -> tuple[Counts, Codes, Counts, int, int]:
    """Return the people of classes as kernels take them: where each class begins, people, their records, how many
    people there may be, and who stands for records without a cell that tells the person (-1 if none does)."""
    nobody = _nobody_among(who.domain)
    return who.starts, who.values, who.counts, len(who.domain.whole), nobody


_NOBODY: "WeakKeyDictionary[Domain, int]" = WeakKeyDictionary()


def _nobody_among(domain: Domain) -> int:
    if domain not in _NOBODY:
        _NOBODY[domain] = int(next(iter(np.flatnonzero(_nobody(domain, len(domain.columns)))), -1))
    return _NOBODY[domain]


def people_in(who: Histogram) -> Counts:
    """Return how many people each class has, from the histogram of the columns that tell the person."""
    found, nobody = who.distinct.copy(), _nobody_among(who.domain)
    at = np.flatnonzero(who.values == nobody)
    # They come once in a class, and are as many people as records.
    found[np.searchsorted(who.starts, at, side="right") - 1] += who.counts[at] - 1
    return found


def _once_each(joint: Histogram, nobody: Mask) -> Counts:
    """Per entry 1, or its records if no cell tells the person."""
    return np.where(nobody[joint.values], joint.counts, 1)


def _nobody(domain: Domain, person: int) -> Mask:
    """Per value whether all of its last `person` columns are missing."""
    parts = domain.parts[-person:] or (np.arange(len(domain.whole), dtype=np.int32),)
    found: Mask = np.logical_and.reduce([part == MISSING for part in parts])
    return found


def people_among(records: "Counter[Value]") -> int:
    """Return how many people there are, from how many records each has; a record that tells no person is one."""
    nobody = (None,) * len(next(iter(records), ()))
    return len(records) - (nobody in records) + records[nobody]


def _is_nobody(who: Value) -> bool:
    return all(cell is None for cell in who)


@dataclass(frozen=True, eq=False)
class _Seen:
    """A sensitive column, or several jointly, as people have their values."""

    domain: Domain
    of: Codes
    """Per joint value of the columns and the person the code of the columns' value."""
    nobody: Mask
    """Per joint value whether no cell tells the person."""


_KNOWN: "WeakKeyDictionary[Domain, _Seen]" = WeakKeyDictionary()
"""By the domain of columns and person jointly, which all classes of a search share."""


def _seen(joint: Domain, plain: Domain, person: int) -> _Seen:
    if joint not in _KNOWN:
        nobody = _nobody(joint, person)
        of, n = _codes(joint, plain)
        there = joint.whole > 0
        whole = np.bincount(of[there], weights=np.where(nobody, joint.whole, 1)[there], minlength=n).astype(np.int64)
        _KNOWN[joint] = _Seen(Domain(plain.columns, whole, plain.values, plain.ladder), of, nobody)
    return _KNOWN[joint]


def _codes(joint: Domain, plain: Domain) -> tuple[Codes, int]:
    """Per joint value the code of the columns' value, and how many codes there are."""
    parts = joint.parts[: len(plain.columns)]
    if len(parts) == 1:
        return parts[0], len(plain.whole)
    _, of = np.unique(np.stack(parts), axis=1, return_inverse=True)
    found: Codes = of.reshape(-1).astype(np.int32)
    return found, int(found.max(initial=-1)) + 1

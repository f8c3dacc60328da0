"""A release as an attacker sees it: its classes, the values in them, and what the attacker brings along."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from incrowd.attacks._candidates import Candidates, candidates
from incrowd.attacks._cells import fitting, same
from incrowd.attacks._contract import Mask
from incrowd.attacks._overlap import Relation
from incrowd.attacks._shares import Shares
from incrowd.comparison.columns import Column
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, plain, text_forms
from incrowd.core.histograms import Counts, Histogram
from incrowd.core.knowledge import Known, Knows
from incrowd.core.schema import Nulls
from incrowd.core.table import MISSING, Codes
from incrowd.watch import Watch


@dataclass(frozen=True, eq=False)
class People:
    """The persons an attacker searches for: what is known of their quasi-identifiers, and their names.

    Each record is a person, unless a column numbers people: then they are found by any one of their records.
    """

    known: FrequencySet
    """Columns that have the release's names; those of its quasi-identifiers that are lacking are not known."""
    name: str | None = None
    """The column of `known` with their names."""
    secret: tuple[str, ...] = ()
    """The columns of `known` with sensitive values, if people are counted."""
    who: str | None = None
    """The column of `known` that numbers people, if some have several records."""
    tells: bool = False
    """True if columns tell the person, also if everybody has one record."""
    classes: Codes | None = None
    """Per known record the class it is published in, -1 if it is left out; None if that is not known of all."""

    @cached_property
    def quasi(self) -> tuple[str, ...]:
        """Return the columns that can be compared."""
        return tuple(each for each in self.known.names if each not in (self.name, self.who, *self.secret))

    @cached_property
    def of(self) -> Codes:
        """Return for each of the known records its number among the combinations."""
        return self.known.classes(self.quasi).of

    @cached_property
    def person(self) -> Codes:
        """Return for each of the known records its person."""
        assert self.who is not None
        found: Codes = self.known.codes[self.known.names.index(self.who)]
        return found

    def number(self, chosen: Mask, further: Mask | None = None) -> int:
        """Return how many persons have one of the chosen combinations, or are among further persons."""
        if self.who is None:
            return int(self.combinations.counts[chosen].sum())
        return len(np.unique(self.person[self._records(chosen, further)]))

    def _records(self, chosen: Mask, further: Mask | None) -> Mask:
        """Return the known records of persons with the chosen combinations, and those of further persons."""
        found: Mask = chosen[self.of]
        return found if further is None else found | further[self.person - 1]

    @property
    def everybody(self) -> int:
        """Return the number of persons."""
        return self.number(np.ones(self.combinations.combinations, dtype=np.bool_))

    @cached_property
    def combinations(self) -> FrequencySet:
        """Return combinations of persons with the same known values, with counts."""
        return self.known.project(self.quasi)

    def names(self, chosen: Mask, further: Mask | None = None) -> tuple[str, ...]:
        """Return the names of the persons with the chosen combinations, and of further persons, each once.

        Empty without a column of names.
        """
        if self.name is None:
            return ()
        at = self.known.names.index(self.name)
        codes = np.unique(self.known.codes[at][self._records(chosen, further)])
        values = self.known.values[at].to_pylist()
        return tuple(sorted(str(values[code - 1]) for code in codes.tolist() if code != MISSING))


@dataclass(frozen=True, eq=False)
class Target:
    """A release under attack."""

    name: str
    cells: FrequencySet
    """The quasi-identifiers of each class, a class a combination, in the order of `numbered`."""
    group: Counts
    """Per class the place where its sensitive values are counted: its own number, or that of its group."""
    rows: FrequencySet
    """Combinations of sensitive values, with `within`."""
    within: Codes
    """The group of each of the rows."""
    columns: Mapping[str, Column]
    """The reading options of the cells of each column."""
    sensitive: tuple[str, ...]
    ladders: Mapping[str, EncodedHierarchy] = field(default_factory=dict)
    """Hierarchies of sensitive columns."""
    nulls: Nulls = Nulls.EXTENDED
    wiped: bool = False
    """True if suppressed cells count as wildcards."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    """Quasi-identifiers whose cells are means, medians or modes, and which: their cells show nobody's own value."""
    people: People | None = None
    """The persons the attacker searches for; None if it may be anyone."""
    knows_of_person: Knows = Known.RECORD
    """How much is known of a person, as the release states."""
    whole_people: bool = False
    """True if the release states that nobody appears with fewer records than there are."""
    other: "Target | None" = None
    """Another release of the same people."""
    knows: tuple[str, ...] = ()
    """The attacker's knowledge about values, as statements."""
    shares: Mapping[str, Shares] = field(default_factory=dict)
    """By sensitive column the shares of its values in the population, if the attacker knows them."""

    @property
    def quasi(self) -> tuple[str, ...]:
        """Return the quasi-identifiers."""
        return self.cells.names

    @property
    def sizes(self) -> Counts:
        """Return records per class."""
        return self.cells.counts

    @property
    def records(self) -> int:
        """Return the number of records of the release."""
        return self.cells.records

    @cached_property
    def groups(self) -> int:
        """Return the number of groups in which values are counted."""
        return 1 + max(int(self.within.max(initial=-1)), int(self.group.max(initial=-1)))

    @cached_property
    def histograms(self) -> dict[str, Histogram]:
        """Return by sensitive column the count of each value in each group."""
        needs = [(name,) for name in self.sensitive]
        found = self.rows.grouped(self.within, self.groups, needs, self.ladders).histograms
        return {name: found[name,] for name in self.sensitive}

    def shown(self, number: int) -> tuple[str | None, ...]:
        """Return the published cells of a class; groups of a separate table have none in common."""
        if len(self.group) and (self.group != np.arange(len(self.group))).any():
            return (None,) * len(self.quasi)
        return tuple(
            None if code == MISSING else text_forms(plain(values.slice(code - 1, 1))[0])[0]
            for code, values in zip(self.cells.codes[:, number], self.cells.values, strict=True)
        )

    def candidates(
        self, persons: FrequencySet, watch: Watch, exact: bool = False, silent: Iterable[str] = ()
    ) -> Candidates:
        """Return the classes that each person may be in; a column that is absent or silent restricts nothing."""
        relations, codes, unmatched = [], [], {}
        silenced = {*silent} if exact else {*silent, *self.summaries}
        for at, name in enumerate(self.quasi):
            if name not in persons.names or name in silenced:
                relations.append(_anything(self.cells.cardinalities[at]))
                codes.append(np.zeros(persons.combinations, dtype=np.int32))
                continue
            mine = persons.names.index(name)
            relation, understood = self._relation(at, persons.values[mine], exact)
            relations.append(relation)
            codes.append(persons.codes[mine])
            unmatched[name] = _unmatched(relation, codes[-1], self.cells.codes[at], understood)
        matrix = np.array(codes, dtype=np.int32).reshape(len(self.quasi), persons.combinations)
        found = candidates(matrix, persons.counts, self.cells.codes, relations, watch)
        return replace(found, unmatched={name: cells for name, cells in unmatched.items() if cells})

    def _relation(self, at: int, values: pa.Array, exact: bool) -> tuple[Relation, bool]:
        """Return which cells match, and whether their meaning is known, as for numbers and in a hierarchy."""
        if exact:
            return same(values, self.cells.values[at]), True
        name = self.quasi[at]
        return fitting(name, self.columns.get(name, Column()), values, self.cells.values[at])


def numbered(frequencies: FrequencySet, names: Sequence[str]) -> tuple[FrequencySet, Codes]:
    """Return the classes of some columns, sorted by published cells as text with missing last; and the number of each.

    So a class has the same number wherever and however the release was counted.
    """
    cells, of = frequencies.project(names), frequencies.classes(names).of
    ranks = []
    for codes, values in zip(cells.codes, cells.values, strict=True):
        texts = [text_forms(value)[0] for value in plain(values)]
        rank = np.full(len(texts) + 1, len(texts), dtype=np.int64)
        rank[1 + np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)] = np.arange(len(texts))
        ranks.append(rank[codes])
    order = np.lexsort(ranks[::-1])
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return replace(cells, codes=np.ascontiguousarray(cells.codes[:, order]), counts=cells.counts[order]), number[of]


def _anything(width: int) -> Relation:
    """Return a relation of one cell that matches all others."""
    return Relation(np.array([0, width], dtype=np.int64), np.arange(width, dtype=np.int64), width)


def _unmatched(relation: Relation, persons: Codes, cells: Codes, understood: bool) -> int:
    """Return the number of distinct cells that match no person; of understood cells only if none matches."""
    known, there = np.unique(persons[persons != MISSING]), np.unique(cells[cells != MISSING])
    lonely = np.setdiff1d(there, relation.cells[np.isin(relation.owner, known)])
    return len(lonely) if len(known) and (len(lonely) == len(there) or not understood) else 0

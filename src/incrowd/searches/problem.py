"""The problem that a search solves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.knowledge import Known, Knows
from incrowd.core.people import TableOfPeople
from incrowd.core.schema import Nulls
from incrowd.metrics import Levels, Metric
from incrowd.models import PrivacyModel
from incrowd.recodings import Form


@dataclass(frozen=True, eq=False, repr=False)
class LinkedTable(Brief):
    """One of several tables about the same people."""

    people: TableOfPeople
    ladders: tuple[EncodedHierarchy, ...]
    """One per quasi-identifier, in order."""
    priorities: tuple[float, ...] = ()
    """The weight of each quasi-identifier; 1 if empty."""
    parent: int | None = None
    """The position of the child table that its records hang on; None if that is the first table."""
    above: NDArray[np.int64] | None = None
    """For each entry that of the parent's record it hangs on, each of which is an entry of its own."""


@dataclass(frozen=True, eq=False, repr=False)
class People(Brief):
    """How people are judged and suppressed, where that goes beyond classes of records."""

    tables: tuple[LinkedTable, ...]
    """The tables that are judged together; the first is that of the problem's frequency set. The problem's ladders,
    levels and limits are those of all tables, one table after the other."""
    knows: Knows = Known.RECORD
    """How much an attacker knows of a person: one record, m of them, or all."""
    whole: bool = False
    """Whether people are left out with all of their records; else classes are suppressed."""
    of_people: bool = False
    """Whether the budget is a number of people who lose a record, not of records."""

    @property
    def people(self) -> int:
        """How many people there are."""
        return self.tables[0].people.people

    def over(self, chosen: Sequence[int]) -> "People":
        """Return the same with some of the quasi-identifiers, by their positions over all tables."""
        tables, begin = [], 0
        for table in self.tables:
            at = [position - begin for position in chosen if begin <= position < begin + len(table.ladders)]
            tables.append(replace(table, ladders=tuple(table.ladders[column] for column in at), priorities=()))
            begin += len(table.ladders)
        return replace(self, tables=tuple(tables))


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Brief):
    """Everything a search is given."""

    frequencies: FrequencySet
    """Distinct combinations of the quasi-identifiers and of the sensitive columns that the models need."""
    ladders: tuple[EncodedHierarchy, ...]
    """One per quasi-identifier, in order; empty if the search works on axes."""
    model: PrivacyModel
    """The model that every published class must satisfy; several are joined into one."""
    metric: Metric
    budget: int = 0
    """How many records may be suppressed; how many people may lose a record, where `people` says so."""
    minimum: Levels = ()
    """Per quasi-identifier the lowest level allowed; 0 if empty."""
    limit: Levels = ()
    """Per quasi-identifier the highest level allowed; the top if empty."""
    priorities: tuple[float, ...] = ()
    """The weight of each quasi-identifier; 1 if empty."""
    sensitive: Mapping[str, EncodedHierarchy] = field(default_factory=dict)
    """The hierarchies of sensitive columns that have one."""
    population: FrequencySet | None = None
    """The quasi-identifiers of the population that the table was drawn from, with the codes of `frequencies`."""
    nulls: Nulls = Nulls.EXTENDED
    """Extended, or one of the two that make missing values match everything (only k-anonymity can be judged then)."""
    seed: int = 0
    axes: tuple[Axis, ...] = ()
    """For a search on axes: one per quasi-identifier, in order."""
    sensitive_axes: Mapping[str, Axis] = field(default_factory=dict)
    """For a search on axes: those of the sensitive columns that were counted."""
    forms: tuple[Form, ...] = ()
    """For a search on axes: what a group, or a part of the values, publishes in each quasi-identifier."""
    can_part: bool = True
    """Whether equal records can be published in different ways."""

    people: People | None = None
    """How people are judged and suppressed; None if the model on classes of records says all of it."""

    @property
    def quasi(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers."""
        return tuple(each.name for each in self.ladders or self.axes)

    def by_values(self) -> "Problem":
        """Return the problem with groups measured by the values where they may publish these, not by their ancestor."""
        return replace(self, axes=tuple(axis.as_set for axis in self.axes))

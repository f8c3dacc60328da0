"""Outcomes of a search: one type for each kind of search, and one for a search that found no release.

Outcome
|-- NothingFound     no release within the limits, or none in time
|-- LevelsOutcome    one level for each column
|-- CellsOutcome     a level for each cell
|-- PartsOutcome     parts of the values of each column
`-- LocalOutcome     groups of records
    |-- GroupsOutcome    each group is recoded by itself
    `-- ApartOutcome     sensitive values are published by group, in a second table
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts
from incrowd.core.groups import Groups
from incrowd.metrics import Levels

if TYPE_CHECKING:
    from incrowd.searches.lattice import Lattice


class Guarantee(StrEnum):
    """The guarantee of a search about its result."""

    OPTIMAL = "optimal"
    """No feasible node has a lower score."""
    MINIMAL = "minimal"
    """No feasible node lies below it."""
    HEURISTIC = "heuristic"
    """A good node, without a guarantee."""


class Node(NamedTuple):
    """A counted node of the lattice."""

    levels: Levels
    suppressed: int
    """Records in classes that violate the model."""
    classes: int
    """Classes that are kept."""
    smallest: int
    """The size of the smallest class kept; 0 if none is."""
    feasible: bool
    """Suppressing the classes that violate the model stays within the budget."""
    score: float
    """The metric's cost of a release at this node."""
    penalty: float
    """No node below scores less than its own bound plus this."""
    dead: bool
    """No node below is feasible either."""
    people: int = 0
    """People who lose a record, where they are looked at."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Outcome(Brief):
    """The part that all outcomes share."""

    search: str
    guarantee: Guarantee
    counted: int
    """How many nodes were counted."""
    lattice: int
    """How many nodes there are; 0 if the search has no lattice."""
    stopped: str
    """'done', 'time' or 'interrupted'."""
    gap: float | None = 0.0
    """How much lower the best score could be at most; None if nothing is proven."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Facts that only this search knows, as plain data: its own score, the heights it probed."""

    @property
    def optimal(self) -> bool:
        """Whether the result is proven to be the best."""
        return self.guarantee == Guarantee.OPTIMAL and self.stopped == "done"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NothingFound(Outcome):
    """No release is feasible, or none was found in time."""

    nearest: Node | None = None
    """Of the nodes counted, the one with the fewest records to suppress."""

    @property
    def optimal(self) -> bool:
        """Always False: there is no result."""
        return False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LevelsOutcome(Outcome):
    """One level for each column."""

    node: Node
    also: tuple[Levels, ...] = ()
    """Other nodes that the search returns: all minimal ones, all of the same height."""
    found_on: "Lattice | None" = None
    """The lattice that the node was counted on; None if it is not that of the problem as it was given."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CellsOutcome(Outcome):
    """A level for each cell."""

    node: Node
    """The highest levels that are published, and the score of the release."""
    own_levels: NDArray[np.int16]
    """Columns x combinations, or columns x pieces: the level of every cell."""
    pieces: tuple[NDArray[np.int64], Counts] | None = None
    """If records of a combination part: the combination of each piece, never falling, and its records. A combination is
    suppressed as a whole or not at all."""
    wiped: tuple[str, ...] = ()
    """If wiped cells match anything: the label of a wiped cell of each quasi-identifier."""
    found_on: "Lattice | None" = None
    """The lattice of the problem, if the search has it still."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PartsOutcome(Outcome):
    """Parts of the values of each column."""

    node: Node
    found_on: "Lattice"
    """The lattice of the parts, which are hierarchies there."""
    scored_by: str | None = None
    """The name of the node's score, if it is not the metric of the problem."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LocalOutcome(Outcome):
    """Groups of records."""

    groups: Groups


class GroupsOutcome(LocalOutcome):
    """Groups of records, each recoded by itself."""


class ApartOutcome(LocalOutcome):
    """Groups of records whose sensitive values are published by group, in a second table."""


class Progress(TypedDict, total=False):
    """How far a search went, as an outcome has it by name."""

    counted: int
    stopped: str
    gap: float | None
    details: Mapping[str, Any]


class Shared(Progress, total=False):
    """The part that all outcomes share, by name."""

    search: str
    guarantee: Guarantee
    lattice: int


def of_levels(
    node: Node | None,
    nearest: Node | None,
    found_on: "Lattice | None" = None,
    also: tuple[Levels, ...] = (),
    **shared: Unpack[Shared],
) -> LevelsOutcome | NothingFound:
    """Return the outcome at a node, or that of a search that found none and came nearest at another one."""
    if node is None:
        return NothingFound(nearest=nearest, **shared)
    return LevelsOutcome(node=node, found_on=found_on, also=also, **shared)


def of_groups(
    search: str, groups: Groups | None, counted: int, stopped: str, details: Mapping[str, Any] | None = None
) -> GroupsOutcome | NothingFound:
    """Return the outcome of a search of groups, which guarantees nothing about the best and has no lattice."""
    shared: Shared = {
        "search": search,
        "guarantee": Guarantee.HEURISTIC,
        "counted": counted,
        "lattice": 0,
        "stopped": stopped,
        "gap": None,
        "details": details or {},
    }
    return NothingFound(**shared) if groups is None else GroupsOutcome(groups=groups, **shared)

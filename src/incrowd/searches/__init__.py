"""Searches: which recoding? One algorithm a file, found by the registry.

A module declares SEARCH, a frozen dataclass whose fields are the search's options and whose `run` chooses a node of
the lattice of levels. A search never sees a file or a row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.brief import Brief
from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.grid import Point
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.schema import Nulls
from incrowd.metrics import Levels, Metric
from incrowd.models import PrivacyModel
from incrowd.recodings import Form
from incrowd.registry import members
from incrowd.watch import Watch

if TYPE_CHECKING:
    from incrowd.searches._lattice import Lattice


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Brief):
    """All that a search is given."""

    frequencies: FrequencySet
    """Distinct combinations of the quasi-identifiers and of the sensitive columns that the models look at."""
    ladders: tuple[EncodedHierarchy, ...]
    """One per quasi-identifier, in order; none where the search looks at axes."""
    model: PrivacyModel
    """What every published class must satisfy; several are joined into one."""
    metric: Metric
    budget: int = 0
    """How many records may be suppressed."""
    minimum: Levels = ()
    """Per quasi-identifier the lowest level allowed; 0 when empty."""
    limit: Levels = ()
    """Per quasi-identifier the highest level allowed; the top when empty."""
    priorities: tuple[float, ...] = ()
    """How much each quasi-identifier matters; 1 when empty."""
    sensitive: Mapping[str, EncodedHierarchy] = field(default_factory=dict)
    """The hierarchies of sensitive columns that have one."""
    population: FrequencySet | None = None
    """The quasi-identifiers of the population that the table was drawn from, with the codes of `frequencies`."""
    nulls: Nulls = Nulls.EXTENDED
    """Extended, or one of the two that make missing cells match everything (k-anonymity alone can be judged so)."""
    seed: int = 0
    axes: tuple[Axis, ...] = ()
    """For a local search, and one that parts values, one per quasi-identifier, in order."""
    sensitive_axes: Mapping[str, Axis] = field(default_factory=dict)
    """Then those of the sensitive columns that were counted."""
    forms: tuple[Form, ...] = ()
    """Then what a group, or a part, publishes in each quasi-identifier."""
    can_part: bool = True
    """Whether equal records can be published in different ways."""

    @property
    def quasi(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers."""
        return tuple(each.name for each in self.ladders or self.axes)


class Guarantee(StrEnum):
    """What a search promises about its result."""

    OPTIMAL = "optimal"
    """No feasible node has a lower score."""
    MINIMAL = "minimal"
    """No feasible node lies below it."""
    HEURISTIC = "heuristic"
    """A good node, without a promise."""


class Node(NamedTuple):
    """What is known about one counted node of the lattice."""

    levels: Levels
    suppressed: int
    """Records in classes that violate the model."""
    classes: int
    """Classes that are kept."""
    smallest: int
    """The size of the smallest class kept; 0 where none is."""
    feasible: bool
    """Suppressing what violates the model stays within the budget."""
    score: float
    """The metric's cost of a release at this node."""
    penalty: float
    """No node below scores less than its own bound plus this."""
    dead: bool
    """No node below is feasible either."""


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Brief):
    """What a search found."""

    search: str
    guarantee: Guarantee
    node: Node | None
    """The chosen node; None where no node is feasible, or none was found in time."""
    counted: int
    """How many nodes were counted."""
    lattice: int
    """How many nodes there are."""
    stopped: str
    """'done', 'time' or 'interrupted'."""
    gap: float | None = 0.0
    """How much lower the best score could be at most; None where nothing is proven."""
    nearest: Node | None = None
    """Where no node is feasible: the one with the fewest records to suppress among those counted."""
    also: tuple[Levels, ...] = ()
    """Other nodes that the search returns: all minimal ones, all of the same height."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What only this search knows, as plain data: its own score, the heights it probed."""
    own_levels: NDArray[np.int16] | None = None
    """Columns x combinations: the level of every cell, where a column has several."""
    pieces: tuple[NDArray[np.int64], Counts] | None = None
    """Where records of a combination part: the combination of each piece, never falling, and its records. Then
    `own_levels` are columns x pieces. A combination is left out as a whole or not at all."""
    wiped: tuple[str, ...] = ()
    """Where wiped cells match anything: what a wiped cell of each quasi-identifier shows."""
    groups: Groups | None = None
    """What a local search chose, in place of a node."""

    found_on: "Lattice | None" = None
    """The lattice that the node was counted on: that of the problem as it was given, or of the parts that a search made
    of the columns' values, which are hierarchies then."""
    scored_by: str | None = None
    """What the node's score is, where it is not the metric of the problem."""

    @property
    def optimal(self) -> bool:
        """Whether the result is proven to be the best."""
        return self.guarantee == Guarantee.OPTIMAL and self.stopped == "done" and self.node is not None


def is_local(search: object) -> bool:
    """Whether a search parts records into groups (`local = True`), each recoded on its own, and so looks at axes."""
    return bool(getattr(search, "local", False))


def needs_sensitive(search: object) -> bool:
    """Whether a local search looks at all sensitive columns, not just at those that the models judge."""
    return bool(getattr(search, "needs_sensitive", False))


def partitions(search: object) -> bool:
    """Whether a search parts the values of each column (`partitions = True`), and so looks at axes, not at ladders."""
    return bool(getattr(search, "partitions", False))


def looks_at_axes(search: object) -> bool:
    """Whether a search forms groups or parts: columns lie along axes for it, and have no levels."""
    return is_local(search) or partitions(search)


def part_forms(search: object) -> tuple[Form, ...]:
    """What a search that parts values may publish for a part, the usual form of ordered values first."""
    return tuple(getattr(search, "forms", (Form.SET,)))


def looks_at(search: object) -> tuple[str, ...]:
    """The columns that a search looks at beside the quasi-identifiers and what the models judge."""
    return tuple(getattr(search, "looks_at", ()))


def most_spanned(search: object) -> float | None:
    """The mean share of the quasi-identifiers' domains that no group exceeds, where a local search promises one."""
    promised = getattr(search, "most_spanned", None)
    return None if promised is None else float(promised)


def matches_anything(search: object) -> bool:
    """Whether a search takes a wiped cell to match every value (`wiped = anything`), so that there are no classes."""
    return getattr(search, "wiped", None) == "anything"


def generalises(search: object) -> bool:
    """Whether a search also generalises sensitive values, record by record (`generalises = True`)."""
    return bool(getattr(search, "generalises", False))


def drops_records(search: object) -> bool:
    """Whether a search's own options say which records go (`drops_records = True`): `suppress` need not be given."""
    return bool(getattr(search, "drops_records", False))


def minimized(search: object) -> str | None:
    """Return the metric that a search, or its class, minimizes whatever the job's metric is (`minimizes`), if any."""
    declared = getattr(search, "minimizes", None)
    return None if declared is None else str(declared)


def minimized_by(name: str) -> str | None:
    """Return the metric that the search of that name minimizes whatever the job's metric is, if any."""
    module = members("searches", "SEARCH").get(name)
    return None if module is None else minimized(module.SEARCH)


def is_consistent(search: object) -> bool:
    """Whether a search hides records among others that are not alike (`consistent = True`)."""
    return bool(getattr(search, "consistent", False))


@runtime_checkable
class Conceding(Protocol):
    """A search that does not find every release which the lattice has: what would open one, it says itself."""

    def finds(self, problem: "Problem", watch: Watch) -> bool:
        """Whether it finds a release."""
        ...

    def concessions(self, problem: "Problem") -> Iterator[tuple[str, float, "Conceding"]]:
        """Its own options that ask for less, one setting after another: name, value, and the search with it."""
        ...


Served = Mapping[Point, Mapping[str, Any]]
"""Points of the grid that a search can serve, each with the options that it takes there."""

_OF_LADDERS: Served = {Point.AG_TS: {}, Point.AG: {}, Point.TS: {}, Point.AS: {}}
_OF_PARTS: Served = {Point.AG_TS: {}, Point.AG: {}}
_OF_GROUPS: Served = {Point.CG: {}}


def points(search: object) -> Served:
    """The points of the grid that a search, or its class, declares as `points`.

    When nothing is declared: of one that chooses a level for each column those where columns are generalised or removed
    as a whole, of one that parts values those where columns are generalised, of a local one that where cells are.
    """
    declared: Served | None = getattr(search, "points", None)
    if declared is not None:
        return declared
    return _OF_GROUPS if is_local(search) else _OF_PARTS if partitions(search) else _OF_LADDERS


def serves(search: object, point: Point) -> bool:
    """Whether a search, with the options that it has, serves a point."""
    needed = points(search).get(point)
    return needed is not None and all(getattr(search, name) == value for name, value in needed.items())


class Search(Protocol):
    """Chooses a recoding."""

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """The best node by this search's lights; stopped by the watch, what is known so far."""
        ...


class ApartSearch(Search, Protocol):
    """Chooses groups whose sensitive values are published by group, in a table apart from the records."""

    @property
    def group(self) -> str:
        """The column that links both tables."""
        ...

    @property
    def count(self) -> str:
        """The column of the second table that tells how many records of a group have a value."""
        ...

    def can_promise(self, model: PrivacyModel) -> bool:
        """Whether a model can hold in groups of records whose quasi-identifiers are published as they are."""
        ...


def is_apart(search: object) -> TypeGuard[ApartSearch]:
    """Whether a search publishes sensitive values apart from the records (`apart = True`)."""
    return bool(getattr(search, "apart", False))

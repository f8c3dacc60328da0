"""Searches: which recoding? One algorithm a file, found by the registry.

A module declares SEARCH, a frozen dataclass whose fields are the search's options and whose `run` chooses a node of
the lattice of levels. A search never sees a file or a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis
from incrowd.core.frequencies import FrequencySet
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import Ladder
from incrowd.core.schema import Nulls
from incrowd.metrics import Levels, Metric
from incrowd.models import PrivacyModel
from incrowd.recodings import Form
from incrowd.watch import Watch

if TYPE_CHECKING:
    from incrowd.searches._lattice import Lattice


@dataclass(frozen=True, eq=False)
class Problem:
    """All that a search is given."""

    frequencies: FrequencySet
    """Distinct combinations of the quasi-identifiers and of the sensitive columns that the models look at."""
    ladders: tuple[Ladder, ...]
    """One per quasi-identifier, in order; none where the search is local."""
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
    sensitive: Mapping[str, Ladder] = field(default_factory=dict)
    """The hierarchies of sensitive columns that have one."""
    population: FrequencySet | None = None
    """The quasi-identifiers of the population that the table was drawn from, with the codes of `frequencies`."""
    nulls: Nulls = Nulls.EXTENDED
    """Extended, or one of the two that make missing cells match everything (k-anonymity alone can be judged so)."""
    seed: int = 0
    axes: tuple[Axis, ...] = ()
    """For a local search one per quasi-identifier, in order."""
    sensitive_axes: Mapping[str, Axis] = field(default_factory=dict)
    """For a local search those of the sensitive columns that were counted."""
    forms: tuple[Form, ...] = ()
    """For a local search what a group publishes in each quasi-identifier."""

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


@dataclass(frozen=True, eq=False)
class Outcome:
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
    """Columns x combinations: the level of every cell, where classes were de-generalised one by one (PrivacyFrost2)."""
    groups: Groups | None = None
    """What a local search chose, in place of a node."""

    found_on: "Lattice | None" = None
    """The lattice that the node was counted on, where it is that of the problem as it was given."""

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


def most_spanned(search: object) -> float | None:
    """The mean share of the quasi-identifiers' domains that no group exceeds, where a local search promises one."""
    promised = getattr(search, "most_spanned", None)
    return None if promised is None else float(promised)


def generalises(search: object) -> bool:
    """Whether a search also generalises sensitive values, record by record (`generalises = True`)."""
    return bool(getattr(search, "generalises", False))


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

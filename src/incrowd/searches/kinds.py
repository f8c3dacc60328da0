"""Kinds of search: what a search of each kind must declare, what it may declare, and what it returns.

A search derives from exactly one kind:

    Search
    |-- HierarchySearch     columns are generalized along hierarchies
    |   |-- LevelsSearch        one level for each column
    |   `-- CellsSearch         a level for each cell
    |-- AxisSearch          columns lie along axes and have no levels
    |   |-- PartsSearch         the values of each column are parted
    |   `-- LocalSearch         records are grouped
    |       |-- GroupsSearch        each group is recoded by itself
    |       `-- ApartSearch         sensitive values are published by group, in a second table
    `-- ChoosingSearch      runs others, and takes the result of one
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from incrowd.core.grid import Point
from incrowd.families import SEARCHES
from incrowd.models import PrivacyModel
from incrowd.recodings import Form
from incrowd.searches.outcomes import (
    ApartOutcome,
    CellsOutcome,
    GroupsOutcome,
    LevelsOutcome,
    NothingFound,
    Outcome,
    PartsOutcome,
)
from incrowd.searches.problem import Problem
from incrowd.watch import Watch

Served = Mapping[Point, Mapping[str, Any]]
"""Points of the grid that a search can serve, each with the options that it takes there."""


class Search(ABC):
    """Chooses a recoding. Members are frozen dataclasses whose fields are the options of the search."""

    points: ClassVar[Served]
    """The points of the grid that it serves."""
    minimizes: ClassVar[str | None] = None
    """The metric that it minimizes whatever the metric of the job is."""
    counts_people: ClassVar[bool] = True
    """Whether it can count people where they have several records: it then judges classes by the model alone."""
    leaves_out_people: ClassVar[bool] = False
    """Whether it can judge what is known of people, and leave people out with all of their records."""
    usual_time: ClassVar[float | None] = None
    """The time limit (seconds) where the job names none; None if it ends by itself in reasonable time."""

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """Return the best recoding, or the best so far if the watch stops the search."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics it can minimize; empty if it follows every metric."""
        return ()

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The columns it needs beside the quasi-identifiers and the columns that the models judge."""
        return ()

    @property
    def drops_records(self) -> bool:
        """Whether its own options decide which records are suppressed: the job need not say `suppress`."""
        return False

    def time_limit(self, named: float | None) -> float | None:
        """Return the seconds that it may take: those that the job names, or its own."""
        return self.usual_time if named is None else named

    def serves(self, point: Point) -> bool:
        """Return whether the search, with the options it has, serves a point."""
        needed = self.points.get(point)
        return needed is not None and all(attrgetter(option)(self) == value for option, value in needed.items())


class HierarchySearch(Search):
    """Generalizes columns along their hierarchies."""

    points: ClassVar[Served] = {Point.AG_TS: {}, Point.AG: {}, Point.TS: {}, Point.AS: {}}


class LevelsSearch(HierarchySearch):
    """Chooses one level for each column."""

    leaves_out_people: ClassVar[bool] = True

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> LevelsOutcome | NothingFound:
        """Return the best node, or the best so far if the watch stops the search."""


class CellsSearch(HierarchySearch):
    """Chooses a level for each cell."""

    consistent: ClassVar[bool] = False
    """Whether records are hidden among others that do not look alike."""

    @property
    def matches_anything(self) -> bool:
        """Whether a wiped cell counts as one that matches every value; there are no classes then."""
        return False

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> CellsOutcome | LevelsOutcome | NothingFound:
        """Return the level of every cell, or of every column if the options ask for no more."""


class AxisSearch(Search):
    """Measures columns along axes, which have no levels."""


class PartsSearch(AxisSearch):
    """Parts the values of each column."""

    points: ClassVar[Served] = {Point.AG_TS: {}, Point.AG: {}}
    forms: ClassVar[tuple[Form, ...]] = (Form.SET,)
    """The forms in which a part can be published, the usual form of ordered values first."""

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> PartsOutcome | NothingFound:
        """Return the parts of each column."""


class LocalSearch(AxisSearch):
    """Parts records into groups."""

    @property
    def needs_sensitive(self) -> bool:
        """Whether it needs all sensitive columns, not only those that the models judge."""
        return False


class GroupsSearch(LocalSearch):
    """Parts records into groups, each recoded by itself."""

    points: ClassVar[Served] = {Point.CG: {}}
    generalizes: ClassVar[bool] = False
    """Whether sensitive values are generalized too, record by record."""

    @property
    def most_spanned(self) -> float | None:
        """The mean share of the quasi-identifiers' domains that no group exceeds, if it guarantees one."""
        return None

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> GroupsOutcome | NothingFound:
        """Return the groups."""


class ApartSearch(LocalSearch):
    """Parts records into groups and publishes the sensitive values of each group in a second table."""

    points: ClassVar[Served] = {}
    group: str
    """The column that links both tables."""
    count: str
    """The column of the second table with the number of records of a group that have a value."""

    @property
    def needs_sensitive(self) -> bool:
        """Always True: the sensitive columns make the second table."""
        return True

    @abstractmethod
    def can_promise(self, model: PrivacyModel) -> bool:
        """Return whether a model can hold in groups of records whose quasi-identifiers are published unchanged."""

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> ApartOutcome | NothingFound:
        """Return the groups."""


class ChoosingSearch(Search):
    """Runs other searches on problems of their own (`anonymization.choosing`), and takes the result of one."""

    points: ClassVar[Served] = {}
    leaves_out_people: ClassVar[bool] = True

    @property
    @abstractmethod
    def candidates(self) -> tuple[Search, ...]:
        """The searches to run, in this order."""

    def too_large_for(self, search: Search, problem: Problem) -> str | None:
        """Return why a candidate would take long on a problem; None if it need not.

        Such a candidate is run only if no other has a release.
        """
        return None

    def fitted(self, search: Search, problem: Problem) -> Search:
        """Return a candidate with the options that it is run with on a problem of this size."""
        return search

    @abstractmethod
    def takes(self, scores: Sequence[float]) -> int:
        """Return which of the candidates with a release is taken, by their scores; infinite where there is none."""

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """Return what the first candidate along hierarchies finds, where only one problem is posed."""
        first = next(each for each in self.candidates if isinstance(each, HierarchySearch))
        return first.run(problem, watch)


@runtime_checkable
class Conceding(Protocol):
    """A search that does not find every release of the lattice, and knows which of its options would help."""

    def finds(self, problem: Problem, watch: Watch) -> bool:
        """Return whether it finds a release."""
        ...

    def concessions(self, problem: Problem) -> Iterator[tuple[str, float, "Conceding"]]:
        """Yield its options with lower demands, one value after another: name, value, and the search with it."""
        ...


KINDS: Mapping[str, type] = {
    "levels": LevelsSearch,
    "cells": CellsSearch,
    "groups": GroupsSearch,
    "parts": PartsSearch,
    "apart": ApartSearch,
    "choice": ChoosingSearch,
}
"""Every kind by its name."""


def minimized_by(name: str) -> str | None:
    """Return the metric that the search of that name minimizes whatever the job's metric is, if any."""
    module = SEARCHES.own(name) or SEARCHES.modules().get(name)
    return None if module is None else module.SEARCH.minimizes


def faults(member: object) -> list[str]:
    """Return what a class that a module declares as SEARCH lacks to be a search of its kind; [] if nothing."""
    if not inspect.isclass(member):
        return ["SEARCH must be a class"]
    kinds = [name for name, kind in KINDS.items() if issubclass(member, kind)]
    if len(kinds) != 1:
        declared = f"several kinds ({', '.join(kinds)})" if kinds else "no kind"
        return [f"it declares {declared}; derive it from one of {', '.join(each.__name__ for each in KINDS.values())}"]
    options = {field.name for field in fields(member)} if is_dataclass(member) else set()
    frozen = is_dataclass(member) and inspect.getattr_static(member, "__dataclass_params__").frozen
    found: Any = member
    return [
        *([] if frozen else ["it must be a frozen dataclass whose fields are its options"]),
        *(f"it lacks {name}" for name in sorted(found.__abstractmethods__)),
        *_undeclared(found, options),
    ]


def _undeclared(member: type[Search], options: set[str]) -> Iterator[str]:
    """Yield what the kind needs that the class does not declare, or declares with a wrong type."""
    for name, declaration in _DECLARATIONS.items():
        if name not in options and issubclass(member, declaration.kind):
            value = inspect.getattr_static(member, name, None)
            # A property depends on the options, and has its type when there are some.
            if not isinstance(value, property) and not declaration.fits(value):
                yield f"{name} must be {declaration.words}"
    run = inspect.getattr_static(member, "run")
    if not inspect.isfunction(run) or len(inspect.signature(run).parameters) != _PARAMETERS:
        yield "run must be a method that takes the problem and the watch"
    unknown = {option for needed in _mapping(member.points).values() for option in _mapping(needed)} - options
    if unknown:
        yield f"points names options that it does not have: {', '.join(sorted(map(str, unknown)))}"


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_served(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(point, Point) and isinstance(needed, Mapping) for point, needed in value.items()
    )


def _is_tuple_of(kind: type, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


class _Declaration(NamedTuple):
    """An attribute of a kind of search, and the values it may have."""

    kind: type
    fits: Callable[[Any], bool]
    words: str


_PARAMETERS = 3
"""Of `run`: the search, the problem, the watch."""

_NAME, _NAMES, _FLAG = "a text", "a tuple of texts", "True or False"

_DECLARATIONS: Mapping[str, _Declaration] = {
    "points": _Declaration(Search, _is_served, "a mapping of points of the grid to mappings of options"),
    "metrics": _Declaration(Search, lambda value: _is_tuple_of(str, value), _NAMES),
    "minimizes": _Declaration(Search, lambda value: value is None or isinstance(value, str), "a text or None"),
    "counts_people": _Declaration(Search, lambda value: isinstance(value, bool), _FLAG),
    "leaves_out_people": _Declaration(Search, lambda value: isinstance(value, bool), _FLAG),
    "usual_time": _Declaration(Search, lambda value: value is None or isinstance(value, float), "a float or None"),
    "looks_at": _Declaration(Search, lambda value: _is_tuple_of(str, value), _NAMES),
    "drops_records": _Declaration(Search, lambda value: isinstance(value, bool), _FLAG),
    "consistent": _Declaration(CellsSearch, lambda value: isinstance(value, bool), _FLAG),
    "matches_anything": _Declaration(CellsSearch, lambda value: isinstance(value, bool), _FLAG),
    "forms": _Declaration(
        PartsSearch, lambda value: bool(value) and _is_tuple_of(Form, value), "a tuple of at least one Form"
    ),
    "needs_sensitive": _Declaration(LocalSearch, lambda value: isinstance(value, bool), _FLAG),
    "generalizes": _Declaration(GroupsSearch, lambda value: isinstance(value, bool), _FLAG),
    "most_spanned": _Declaration(
        GroupsSearch, lambda value: value is None or isinstance(value, float), "a number or None"
    ),
    "group": _Declaration(ApartSearch, lambda value: isinstance(value, str), _NAME),
    "count": _Declaration(ApartSearch, lambda value: isinstance(value, str), _NAME),
}

"""Searches: which recoding? One algorithm per file.

A module declares SEARCH, a frozen dataclass whose fields are the options of the search. It derives from the kind of the
search (`kinds`), and its `run` takes a problem (`problem`) and returns the outcome of that kind (`outcomes`). A search
never sees a file or a row.
"""

from typing import Any

from incrowd.searches import kinds
from incrowd.searches.kinds import (
    KINDS,
    ApartSearch,
    AxisSearch,
    CellsSearch,
    ChoosingSearch,
    Conceding,
    GroupsSearch,
    HierarchySearch,
    LevelsSearch,
    LocalSearch,
    PartsSearch,
    Search,
    Served,
    minimized_by,
)
from incrowd.searches.outcomes import (
    ApartOutcome,
    CellsOutcome,
    GroupsOutcome,
    Guarantee,
    LevelsOutcome,
    LocalOutcome,
    Node,
    NothingFound,
    Outcome,
    PartsOutcome,
)
from incrowd.searches.problem import LinkedTable, People, Problem

__all__ = [
    "KINDS",
    "ApartOutcome",
    "ApartSearch",
    "AxisSearch",
    "CellsOutcome",
    "CellsSearch",
    "ChoosingSearch",
    "Conceding",
    "GroupsOutcome",
    "GroupsSearch",
    "Guarantee",
    "HierarchySearch",
    "LevelsOutcome",
    "LevelsSearch",
    "LinkedTable",
    "LocalOutcome",
    "LocalSearch",
    "Node",
    "NothingFound",
    "Outcome",
    "PartsOutcome",
    "PartsSearch",
    "People",
    "Problem",
    "Search",
    "Served",
    "faults",
    "minimized_by",
]


def faults(module: Any) -> list[str]:
    """Return what the search of a module lacks for its kind."""
    return kinds.faults(module.SEARCH)

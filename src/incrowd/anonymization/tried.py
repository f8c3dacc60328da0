"""The searches that were tried to choose one: a line for each kind of cells, with the flag that takes it."""

import shlex
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from incrowd.searches import CellsSearch, LevelsSearch, LocalSearch, PartsSearch, Search

_CELLS: Mapping[type, str] = {
    LevelsSearch: "one level per column",
    CellsSearch: "labels of the hierarchies, cell by cell",
    PartsSearch: "the same parts of values in all records",
    LocalSearch: "ranges, sets and labels, class by class",
}


def cells_of(search: Search) -> str:
    """Return in words what the cells of a release by a search are."""
    return next((words for kind, words in _CELLS.items() if isinstance(search, kind)), "")


def lines(tried: Sequence[Mapping[str, Any]], metric: str) -> list[str]:
    """Return what was tried: a heading, then a line for each kind of cells, its best search first."""
    by_cells: dict[str, list[Mapping[str, Any]]] = {}
    for each in sorted(tried, key=lambda one: (not one["taken"], _score(one))):
        by_cells.setdefault(each["cells"], []).append(each)
    rows = [(_flag(best), _found(best), _rest(best, others)) for best, *others in by_cells.values()]
    widths = [max(len(row[at]) for row in rows) for at in range(2)]
    return [
        f"Tried ({metric}):",
        *(f"  {flag:<{widths[0]}}  {found:<{widths[1]}}  {rest}" for flag, found, rest in rows),
    ]


def _score(tried: Mapping[str, Any]) -> float:
    return inf if tried["score"] is None else float(tried["score"])


def _flag(tried: Mapping[str, Any]) -> str:
    return f"--search {shlex.quote(tried['search'])}"


def _found(tried: Mapping[str, Any]) -> str:
    return "no release" if tried["score"] is None else f"{tried['score']:.4f}"


def _rest(best: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> str:
    """Return what the cells are, what became of the best search, and the others of its kind."""
    notes = ["taken"] if best["taken"] else []
    notes += _why(best)
    notes += [f"{each['search']}: {', '.join([_found(each), *_why(each)])}" for each in others]
    return f"{best['cells']}" + (f" ({'; '.join(notes)})" if notes else "")


def _why(tried: Mapping[str, Any]) -> list[str]:
    """Return in short why a search was not done; what to do about it is in the result."""
    return [] if tried["why"] in (None, "no release") else [tried["why"].partition(";")[0]]

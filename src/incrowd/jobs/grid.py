"""A job on the grid of Samarati's lecture: which point it is on, which search serves it, and what makes no sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from incrowd.core.grid import Allowed, Generalize, Point, Suppress, allowed_by, kind_of, point_of
from incrowd.core.schema import Role
from incrowd.hierarchies import spell
from incrowd.jobs.document import Place
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.suppression import suppression
from incrowd.jobs.unchecked import said
from incrowd.recodings import SUMMARIES
from incrowd.searches import Search

if TYPE_CHECKING:
    from incrowd.jobs.model import Job

USUAL = "auto"
"""The search of a job that names none and does not say what is generalized."""
_OF_COLUMNS = "optimal"
_OF_CELLS = {Point.AG_CS: "local_suppression", Point.CS: "local_suppression", Point.CG: "layered"}
"""Searches of jobs that name none and say what is generalized: the first for whole columns, these for single cells."""


def usual_search(given: Mapping[str, Any]) -> Search:
    """Return the search of a job that names none; of one that makes no sense any."""
    generalize, suppress = _said(given)
    point = None if generalize is None or suppress is None else point_of(generalize, suppress)
    if generalize is None:
        return _member(USUAL)
    name = _OF_COLUMNS if point is None else _OF_CELLS.get(point, _OF_COLUMNS)
    return _member({name: {} if point is None else SEARCHES.known()[name].points.get(point, {})})


def _member(spec: Any) -> Search:
    found: Search = SEARCHES.member(spec)
    return found


def asked_search(given: Mapping[str, Any]) -> Search:
    """Return the search of a job, named or not; ValueError where nobody knows what is named."""
    found: Search = SEARCHES.member(given["search"]) if "search" in given else usual_search(given)
    return found


def _said(given: Mapping[str, Any]) -> tuple[Generalize | None, Allowed | None]:
    """Return what is generalized, and what is suppressed; None where that cannot be told."""
    generalize = given.get("generalize")
    try:
        suppress = allowed_by(suppression(given["suppress"])) if "suppress" in given else _when_unsaid(given)
    except ValueError:
        suppress = None
    return Generalize(generalize) if generalize in tuple(Generalize) else None, suppress


def _when_unsaid(given: Mapping[str, Any]) -> Allowed:
    """Return rows if the options of the search name them, else nothing."""
    return Suppress.ROW if "search" in given and SEARCHES.member(given["search"]).drops_records else 0


def serving(point: Point) -> list[str]:
    """Return the searches that serve a point, with the options that it takes."""
    found = []
    for name, kind in sorted(SEARCHES.known().items()):
        options = kind.points.get(point)
        if options is not None:
            usual = {field.name: field.default for field in fields(kind)}
            unusual = {option: value for option, value in options.items() if usual[option] != value}
            found.append(spell({name: unusual} if unusual else name))
    return found


def point_of_job(job: Job) -> Point | None:
    """Return the point that a job is on: as it says, or as its search does; None for what the grid does not have."""
    if job.generalize is not None:
        return point_of(job.generalize, job.allowed)
    if any(job.columns[name].form in SUMMARIES for name in job.having(Role.QUASI)):
        return None
    kind = kind_of(job.allowed)
    fitting = (Point.AG_TS,) if kind == Suppress.ROW else (Point.AG, Point.CG, Point.CS, Point.AG_CS)
    return next((point for point in fitting if job.search.serves(point)), None)


def nothing_generalized(job: Job) -> bool:
    """Return whether cells are published unchanged or not at all, by the job or by its search."""
    if job.generalize is not None:
        return job.generalize == Generalize.NONE
    served = [point for point in Point if job.search.serves(point)]
    return bool(served) and all(point.generalize == Generalize.NONE for point in served)


def faults(given: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield what makes no sense together; wrong types are told elsewhere."""
    generalize, suppress = _said(given)
    if suppress is None:
        return
    if generalize is not None:
        yield from _senseless(generalize, suppress, given)
    elif given.get("generalize") is None:
        yield from _unsaid(suppress)
    if generalize == Generalize.CELL:
        yield from _no_cover(columns)


def _unsaid(suppress: Allowed) -> Iterator[tuple[Place, str]]:
    kind = kind_of(suppress)
    if kind in (Suppress.COLUMN, Suppress.CELL):
        *others, last = [each for each in Generalize if point_of(each, kind)]
        yield ("suppress",), f"it does not say what is generalized; add generalize: {', '.join(others)} or {last}"


def _senseless(generalize: Generalize, suppress: Allowed, given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    point = point_of(generalize, suppress)
    if point is not None:
        yield from _other_search(point, given)
    elif generalize == Generalize.CELL:
        what = "columns" if suppress == Suppress.COLUMN else "records"
        yield (
            ("suppress",),
            f"{what} are not suppressed if cells are generalized individually; write suppress: none, or generalize: "
            "column",
        )
    else:
        yield (
            ("generalize",),
            "nothing is generalized or suppressed, so there is nothing to search; add suppress: row, column or cell",
        )


def _other_search(point: Point, given: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield a search that does not do what is asked for."""
    try:
        search = asked_search(given)
    except ValueError:
        return
    if not search.serves(point):
        what = f"{SEARCHES.spell(search)} does not support {point} ({point.words})"
        yield ("search",), f"{what}; those that do are {', '.join(serving(point))}"


def _no_cover(columns: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Refuse means of groups, which do not cover their values, so they generalize nothing."""
    for name, column in columns.items():
        form = said(column, "form")
        if form in SUMMARIES:
            yield ("columns", name, "form"), f"{form} does not generalize; omit it, or omit generalize"

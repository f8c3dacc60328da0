"""The options of a frontier: every k, every search, every suppression limit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral
from typing import Any

from incrowd.core.grid import Allowed, Limit, allowed_by, point_of
from incrowd.core.knowledge import Known
from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.frozen import number
from incrowd.jobs.suppression import suppression
from incrowd.models import unpublished
from incrowd.models.consistent_k import ConsistentK
from incrowd.searches import CellsSearch, ChoosingSearch, Search

USUAL_K = (2, 5, 10, 25, 50)
_USUAL_SEARCHES = ("optimal", "mondrian")
_IN_JSON = re.compile(r'["\[{]')
_BETWEEN_SEARCHES = re.compile(r",(?!\s*[A-Za-z_]\w*\s*=)", re.ASCII)
"""A comma, unless an option of the same search follows."""


class Risk(StrEnum):
    """The risk to weigh against loss."""

    HIGHEST = "highest"
    """Risk of the record that is easiest to re-identify: 1 / smallest class (prosecutor)."""
    AVERAGE = "average"
    """The mean over the published records: classes / records (marketer)."""


@dataclass(frozen=True)
class FrontierOptions:
    """The options of a frontier, each value once and in order."""

    k: tuple[int, ...]
    searches: tuple[Search, ...]
    suppress: tuple[Allowed, ...]
    risk: Risk = Risk.HIGHEST
    time: float | None = None
    """Time limit per search in seconds; that of the job if not given."""

    @classmethod
    def of(
        cls,
        job: Job,
        k: Any = None,
        searches: Any = None,
        suppress: Any = None,
        risk: Any = Risk.HIGHEST,
        time: float | None = None,
    ) -> FrontierOptions:
        """Return the options as given; defaults, or the job, for the rest."""
        if risk not in tuple(Risk):
            raise UsageError.not_one_of("risk", risk, tuple(Risk))
        if risk == Risk.AVERAGE and job.nulls in WILDCARDS:
            raise UsageError.invalid(
                f"risk average with nulls: {job.nulls}",
                "if missing values match everything, there are no classes to average over",
                "choose risk highest",
            )
        if risk == Risk.AVERAGE and job.knows != Known.RECORD:
            raise UsageError.invalid(
                f"risk average with knows: {job.knows}",
                "people are known by several records, so they are not in one class each",
                "choose risk highest",
            )
        if risk == Risk.AVERAGE and any(isinstance(model, ConsistentK) for model in job.models):
            raise UsageError.invalid(
                "risk average with consistent_k",
                "records need not be equal, so there are no classes to average over",
                "choose risk highest",
            )
        wanted = (*_own(job.search), *_usual(job)) if searches is None else _several("searches", searches)
        wanted = tuple(own for search in map(_search, wanted) for own in _own(search))
        open_cells = (isinstance(each, CellsSearch) and each.matches_anything for each in wanted)
        if risk == Risk.AVERAGE and any(open_cells):
            raise UsageError.invalid(
                "risk average with wiped=anything",
                "if suppressed cells match everything, there are no classes to average over",
                "choose risk highest, or wiped=own",
            )
        shares = (allowed_by(job.suppress),) if suppress is None else _several("suppress", suppress)
        return cls(
            tuple(sorted({_whole(each) for each in (USUAL_K if k is None else _several("k", k))})),
            # By their texts: not every option can be looked up.
            tuple({SEARCHES.spell(search): search for search in wanted}.values()),
            tuple(dict.fromkeys(map(_suppression, shares))),
            Risk(risk),
            time,
        )


def alone(**given: Any) -> None:
    """Raise UsageError for options that a grid does not have: every point has the job's own models."""
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise UsageError.invalid(
            f"a grid with {' and '.join(named)}",
            "a grid compares points under the models of the job",
            "omit that, or change the job",
        )


def _own(search: Search) -> tuple[Search, ...]:
    """Return a search, or those that it chooses among: a frontier shows each of them."""
    return search.candidates if isinstance(search, ChoosingSearch) else (search,)


def _usual(job: Job) -> list[Search]:
    """Return the searches to try besides that of the job, if they support the job's settings."""
    if any(map(unpublished, job.models)):
        # Guards are kept by one search alone.
        return []
    point = None if job.generalize is None else point_of(job.generalize, job.suppress)
    usual = map(_search, _USUAL_SEARCHES)
    return [search for search in usual if point is None or search.serves(point)]


def listed_searches(text: str) -> list[str]:
    """Return the searches of `optimal,mondrian:column=loss,cuts=relaxed`; one with JSON in it must be the only one."""
    parts = [text] if _IN_JSON.search(text) else _BETWEEN_SEARCHES.split(text)
    return [part.strip() for part in parts if part.strip()]


def _several(what: str, given: Any) -> tuple[Any, ...]:
    # A search with its options may be given as a mapping.
    single = isinstance(given, str | Mapping) or not isinstance(given, Iterable)
    found = (given,) if single else tuple(given)
    if not found:
        raise UsageError.invalid(what, "the list is empty", "give at least one, or omit it")
    return found


def _whole(given: Any) -> int:
    read = number(given) if isinstance(given, str) else given
    if isinstance(read, bool) or not isinstance(read, Integral) or read < 1:
        raise UsageError.bad_k(given)
    return int(read)


def _search(given: Any) -> Search:
    try:
        found: Search = SEARCHES.member(given)
    except ValueError as error:
        raise UsageError(f"search: {error}") from None
    return found


def _suppression(given: Any) -> Allowed:
    try:
        found = suppression(given)
    except ValueError as error:
        raise UsageError(f"suppress: {error}") from None
    if isinstance(found, Limit):
        raise UsageError.invalid(
            "suppress of a frontier", "the job says what its limit counts", "give the amounts alone"
        )
    return found

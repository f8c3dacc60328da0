"""What a sweep goes through: every k, every search, every share of records that may be left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral
from typing import Any

from incrowd.core.grid import Allowed, point_of
from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.frozen import number
from incrowd.jobs.parts import suppression
from incrowd.models import unpublished
from incrowd.models.consistent_k import ConsistentK
from incrowd.searches import Search, matches_anything, serves

USUAL_K = (2, 5, 10, 25, 50)
_USUAL_SEARCHES = ("optimal", "mondrian")
_IN_JSON = re.compile(r'["\[{]')
_BETWEEN_SEARCHES = re.compile(r",(?!\s*[A-Za-z_]\w*\s*=)", re.ASCII)
"""A comma, unless an option of the same search follows."""


class Risk(StrEnum):
    """What is kept low beside the loss."""

    HIGHEST = "highest"
    """Of the record that is found most easily: 1 / smallest class (prosecutor)."""
    AVERAGE = "average"
    """The mean over the published records: classes / records (marketer)."""


@dataclass(frozen=True)
class FrontierOptions:
    """What a sweep goes through, each value once and in order."""

    k: tuple[int, ...]
    searches: tuple[Search, ...]
    suppress: tuple[Allowed, ...]
    risk: Risk = Risk.HIGHEST
    time: float | None = None
    """Seconds for each search; as the job says when not given."""

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
        """As a user says; what is not said is as usual, or as in the job."""
        if risk not in tuple(Risk):
            raise UsageError.not_one_of("risk", risk, tuple(Risk))
        if risk == Risk.AVERAGE and job.nulls in WILDCARDS:
            raise UsageError.senseless(
                f"risk average with nulls: {job.nulls}",
                "missing cells that match everything make no classes to take the mean over",
                "choose risk highest",
            )
        if risk == Risk.AVERAGE and any(isinstance(model, ConsistentK) for model in job.models):
            raise UsageError.senseless(
                "risk average with consistent_k",
                "records that need not be alike make no classes to take the mean over",
                "choose risk highest",
            )
        wanted = (job.search, *_usual(job)) if searches is None else _several("searches", searches)
        if risk == Risk.AVERAGE and any(matches_anything(_search(each)) for each in wanted):
            raise UsageError.senseless(
                "risk average with wiped=anything",
                "wiped cells that match everything make no classes to take the mean over",
                "choose risk highest, or wiped=own",
            )
        shares = (job.suppress,) if suppress is None else _several("suppress", suppress)
        return cls(
            tuple(sorted({_whole(each) for each in (USUAL_K if k is None else _several("k", k))})),
            # By their texts: not every option can be looked up.
            tuple({SEARCHES.spell(search): search for search in map(_search, wanted)}.values()),
            tuple(dict.fromkeys(map(_suppression, shares))),
            Risk(risk),
            time,
        )


def alone(**given: Any) -> None:
    """Refuse what cannot be asked of a grid, which has the job's own models on every point."""
    said = [name for name, value in given.items() if value is not None]
    if said:
        raise UsageError.senseless(
            f"a grid with {' and '.join(said)}",
            "it compares points under the models of the job as it is",
            "leave that out, or change the job",
        )


def _usual(job: Job) -> list[Search]:
    """What is tried beside the search of the job, where it can do what the job asks for."""
    if any(map(unpublished, job.models)):
        # Guards are kept by one search alone.
        return []
    point = None if job.generalize is None else point_of(job.generalize, job.suppress)
    usual = map(_search, _USUAL_SEARCHES)
    return [search for search in usual if point is None or serves(search, point)]


def listed_searches(text: str) -> list[str]:
    """The searches of `optimal,mondrian:column=loss,cuts=relaxed`; one with JSON in it must stand alone."""
    parts = [text] if _IN_JSON.search(text) else _BETWEEN_SEARCHES.split(text)
    return [part.strip() for part in parts if part.strip()]


def _several(what: str, given: Any) -> tuple[Any, ...]:
    # A search with its options may be given as a mapping.
    single = isinstance(given, str | Mapping) or not isinstance(given, Iterable)
    found = (given,) if single else tuple(given)
    if not found:
        raise UsageError.senseless(what, "there is none to go through", "give at least one, or leave it out")
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
        return suppression(given)
    except ValueError as error:
        raise UsageError(f"suppress: {error}") from None

"""What a sweep goes through: every k, every search, every share of records that may be left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from numbers import Integral
from typing import Any

from incrowd.core.schema import WILDCARDS
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.fixed import number
from incrowd.jobs.parts import suppression
from incrowd.models import unpublished
from incrowd.searches import Search

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
class Asked:
    """What a sweep goes through, each value once and in order."""

    k: tuple[int, ...]
    searches: tuple[Search, ...]
    suppress: tuple[int | Decimal, ...]
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
    ) -> Asked:
        """As a user says; what is not said is as usual, or as in the job."""
        if risk not in tuple(Risk):
            raise UsageError.not_one_of("risk", risk, tuple(Risk))
        if risk == Risk.AVERAGE and job.nulls in WILDCARDS:
            raise UsageError.senseless(
                f"risk average with nulls: {job.nulls}",
                "missing cells that match everything make no classes to take the mean over",
                "choose risk highest",
            )
        # Guards are kept by one search alone.
        usual = () if any(map(unpublished, job.models)) else _USUAL_SEARCHES
        wanted = (job.search, *usual) if searches is None else _several("searches", searches)
        shares = (job.suppress,) if suppress is None else _several("suppress", suppress)
        return cls(
            tuple(sorted({_whole(each) for each in (USUAL_K if k is None else _several("k", k))})),
            # By their texts: not every option can be looked up.
            tuple({SEARCHES.spell(search): search for search in map(_search, wanted)}.values()),
            tuple(dict.fromkeys(map(_suppression, shares))),
            Risk(risk),
            time,
        )


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


def _suppression(given: Any) -> int | Decimal:
    try:
        return suppression(given)
    except ValueError as error:
        raise UsageError(f"suppress: {error}") from None

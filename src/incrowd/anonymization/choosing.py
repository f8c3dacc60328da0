"""Choose among searches: run those that fit, and take the release of one."""

from collections.abc import Sequence
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.previews import Previews
from incrowd.anonymization.searching import Searched, found_by, run_search
from incrowd.anonymization.tried import cells_of
from incrowd.core.schema import Role
from incrowd.errors import Interrupted, JobError, UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.recodings import RecodingMap
from incrowd.searches import ChoosingSearch, HierarchySearch, NothingFound, Problem, Search
from incrowd.watch import Progress, Show

SECONDS = 60.0
"""The time limit of all searches together, if the job names none."""


class _TakesLong(UsageError):
    """A candidate is not run, because it would take long."""


class _Tried(NamedTuple):
    """One candidate."""

    search: Search
    searched: Searched | None = None
    score: float = inf
    """Infinite if it found no release."""
    refused: UsageError | None = None

    @property
    def stopped(self) -> str | None:
        """Return why it ended before it was done; None if it was."""
        ended = "done" if self.searched is None else self.searched.outcome.stopped
        return {"done": None, "time": "out of time"}.get(ended, ended)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        found = self.score < inf
        why = _reason(self.refused) if self.refused is not None else self.stopped or (None if found else "no release")
        return {
            "search": SEARCHES.spell(self.search),
            "score": self.score if found else None,
            "why": why,
            "cells": cells_of(self.search),
        }


def choose(
    preparation: Preparation, job: Job, choosing: ChoosingSearch, progress: Show | None, started: float
) -> Searched:
    """Return what the best candidate found. An interruption ends the candidates; the best so far is taken.

    Raise the reason why there is no release if no candidate has one.
    """
    trial = _Trial(preparation, job, choosing, progress, started)
    trial.run(choosing.candidates)
    if min(each.score for each in trial.tried.values()) == inf:
        trial.run(
            [each.search for each in trial.tried.values() if isinstance(each.refused, _TakesLong)], at_any_cost=True
        )
    taken = _taken(choosing, [trial.tried[search] for search in choosing.candidates], job)
    return taken._replace(previews=None if trial.previews is None else trial.previews.done())


def _taken(choosing: ChoosingSearch, tried: list[_Tried], job: Job) -> Searched:
    # Whoever has more time gets another release then; those that were done are the same everywhere.
    done = [inf if each.stopped else each.score for each in tried]
    scores = done if min(done) < inf else [each.score for each in tried]
    taken = tried[choosing.takes(scores)] if min(scores) < inf else _nearest(tried)
    assert taken.searched is not None
    every = tuple({**each.to_dict(), "taken": each is taken} for each in tried)
    spent = sum(each.searched.seconds for each in tried if each.searched is not None)
    return taken.searched._replace(tried=every, seconds=spent)


class _Trial:
    """Candidates that are run within one time limit."""

    def __init__(
        self, preparation: Preparation, job: Job, choosing: ChoosingSearch, progress: Show | None, started: float
    ) -> None:
        self._preparation, self._job, self._progress, self._started = preparation, job, progress, started
        self._choosing, self._of = choosing, len(choosing.candidates)
        self._left = SECONDS if job.time is None else job.time
        self._ended = False
        self.tried: dict[Search, _Tried] = {}
        self.previews: Previews | None = None

    def run(self, searches: Sequence[Search], at_any_cost: bool = False) -> None:
        """Run the searches one after another, those that take long only at any cost; what one does not need of its time
        is left for the others."""
        for at, search in enumerate(searches):
            if self._ended or self._is_late():
                self.tried[search] = _Tried(search, refused=UsageError("not run" if self._ended else "out of time"))
                continue
            before = perf_counter()
            try:
                tried = self._try(search, at, self._left / (len(searches) - at), at_any_cost)
            except Interrupted:
                if all(each.score == inf for each in self.tried.values()):
                    raise
                tried, self._ended = _Tried(search, refused=UsageError("not run")), True
            self._left = max(0.0, self._left - (perf_counter() - before))
            self._ended |= tried.searched is not None and tried.searched.interrupted
            self.tried[search] = tried

    def _is_late(self) -> bool:
        """Return whether there is a release, and no time to find another: to begin takes long on a large table."""
        return not self._left and any(each.score < inf and not each.stopped for each in self.tried.values())

    def _check_parted(self, recoding: RecodingMap) -> None:
        """Refuse what only an engine of our own can publish, by a join with each record."""
        if not self._preparation.source.can_part and (recoding.pieces is not None or recoding.added):
            raise UsageError("it puts equal records into different classes, which the engine of the data cannot")

    def _preview(self, search: Search, found: SearchResult) -> None:
        if self.previews is None:
            self.previews = Previews.of(found.prepared.counted, found.job.having(Role.QUASI))
        self.previews.add(SEARCHES.spell(search), found.recoding)

    def _try(self, search: Search, at: int, seconds: float, at_any_cost: bool) -> _Tried:
        def fit(problem: Problem) -> Search:
            why = None if at_any_cost else self._choosing.too_large_for(search, problem)
            if why is not None:
                raise _TakesLong(f"not run: {why}")
            return self._choosing.fitted(search, problem)

        try:
            own = self._job.with_search(search)
            progress = _within(self._progress, search, at, self._of)
            searched = run_search(self._preparation, own, search, {}, progress, seconds, fit)
            if isinstance(searched.outcome, NothingFound):
                return _Tried(searched.job.search, searched)
            own = searched.job
            found = found_by(own, searched.prepared, searched.outcome, self._started)
            self._check_parted(found.recoding)
            self._preview(own.search, found)
        except UsageError as error:
            return _Tried(search, refused=error)
        return _Tried(own.search, searched, found.scores[METRICS.name_of(own.metric)])


def _reason(refused: UsageError) -> str:
    """Return in one line why a candidate does not run."""
    if isinstance(refused, JobError):
        return "; ".join(f"{fault.where}: {fault.what}" if fault.where else fault.what for fault in refused.faults)
    return str(refused)


def _nearest(tried: list[_Tried]) -> _Tried:
    """Return a candidate that tells why there is no release; raise its refusal if all refuse.

    Those along hierarchies know most about what would help.
    """
    ran = [each for each in tried if each.searched is not None]
    along = [each for each in tried if isinstance(each.search, HierarchySearch)]
    if ran:
        return next((each for each in reversed(along) if each in ran), ran[-1])
    [*_, refused] = [each.refused for each in along or tried if each.refused is not None]
    raise refused


def _within(progress: Show | None, search: Search, at: int, of: int) -> Show | None:
    """Return the progress of one candidate as progress of the choice."""
    if progress is None:
        return None
    name = SEARCHES.spell(search)

    def show(event: Progress) -> None:
        progress(Progress((at + (event.share or 0.0)) / of, f"search {at + 1} of {of}, {name}: {event.words}"))

    return show

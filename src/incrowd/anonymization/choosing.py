"""Choose among searches: run those that fit, and take the release of one."""

from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.searching import Searched, found_by, run_search
from incrowd.errors import Interrupted, JobError, UsageError
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.searches import ChoosingSearch, NothingFound, Search
from incrowd.watch import Progress, Show

SECONDS = 60.0
"""The time limit of all searches together, if the job names none."""


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
        name = SEARCHES.spell(self.search)
        if self.refused is not None:
            return {"search": name, "score": None, "why": str(self.refused)}
        if self.score == inf:
            return {"search": name, "score": None, "why": self.stopped or "no release"}
        return {"search": name, "score": self.score, "why": self.stopped}


def choose(
    preparation: Preparation, job: Job, choosing: ChoosingSearch, progress: Show | None, started: float
) -> Searched:
    """Return what the best candidate found. An interruption ends the candidates; the best so far is taken.

    Raise the reason why there is no release if no candidate has one.
    """
    tried: list[_Tried] = []
    left = SECONDS if job.time is None else job.time
    candidates = choosing.candidates
    for at, search in enumerate(candidates):
        before = perf_counter()
        share = left / (len(candidates) - at)
        try:
            tried.append(_try(preparation, job, search, _within(progress, search, at, len(candidates)), share, started))
        except Interrupted:
            if all(each.score == inf for each in tried):
                raise
            break
        searched = tried[-1].searched
        if searched is not None:
            left = max(0.0, left - (perf_counter() - before))
        if searched is not None and searched.interrupted:
            break
    tried += [_Tried(search, refused=UsageError("not run")) for search in candidates[len(tried) :]]
    # Whoever has more time gets another release then; those that were done are the same everywhere.
    done = [inf if each.stopped else each.score for each in tried]
    scores = done if min(done) < inf else [each.score for each in tried]
    taken = tried[choosing.takes(scores)] if min(scores) < inf else _nearest(tried)
    assert taken.searched is not None
    return taken.searched._replace(tried=tuple(each.to_dict() for each in tried))


def _try(
    preparation: Preparation, job: Job, search: Search, progress: Show | None, seconds: float, started: float
) -> _Tried:
    try:
        own = job.with_search(search)
    except JobError as error:
        return _Tried(search, refused=error)
    try:
        searched = run_search(preparation, own, search, {}, progress, seconds)
    except JobError:
        # The columns of the table, or their hierarchies, are at fault, whatever the search.
        raise
    except UsageError as error:
        return _Tried(search, refused=error)
    if isinstance(searched.outcome, NothingFound):
        return _Tried(search, searched)
    found = found_by(own, searched.prepared, searched.outcome, started)
    return _Tried(search, searched, found.scores[METRICS.name_of(own.metric)])


def _nearest(tried: list[_Tried]) -> _Tried:
    """Return a candidate that tells why there is no release; raise its refusal if all refuse."""
    ran = [each for each in tried if each.searched is not None]
    if ran:
        return ran[-1]
    [*_, refused] = [each.refused for each in tried if each.refused is not None]
    raise refused


def _within(progress: Show | None, search: Search, at: int, of: int) -> Show | None:
    """Return the progress of one candidate as progress of the choice."""
    if progress is None:
        return None
    name = SEARCHES.spell(search)

    def show(event: Progress) -> None:
        progress(Progress((at + (event.share or 0.0)) / of, f"search {at + 1} of {of}, {name}: {event.words}"))

    return show

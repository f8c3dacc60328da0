"""From a job to the recoding that its search finds: count, lay hierarchies, search."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.infeasible import nothing_found
from incrowd.anonymization.local import found_groups, no_groups
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import Lay, Prepared, prepare
from incrowd.anonymization.previews import Previews
from incrowd.anonymization.recoding import (
    LeveledOutcome,
    kept_combinations,
    published_classes,
    published_levels,
    published_parts,
    recoding_of,
    scores_of,
    shown_wiped,
)
from incrowd.anonymization.two_tables import found_apart
from incrowd.jobs import Job
from incrowd.jobs.families import METRICS
from incrowd.searches import (
    ApartOutcome,
    AxisSearch,
    CellsOutcome,
    GroupsOutcome,
    LevelsOutcome,
    NothingFound,
    Outcome,
    PartsOutcome,
    Problem,
    Search,
)
from incrowd.searches.lattice import lattice_of
from incrowd.watch import Show, Watch, all_or_nothing

NOTHING_LEFT = "nothing was left behind"


class Searched(NamedTuple):
    """The result of a search, and its problem."""

    job: Job
    prepared: Prepared
    outcome: Outcome
    tried: tuple[Mapping[str, Any], ...] = ()
    """The searches that were run to choose this one, as plain data."""
    previews: Previews | None = None
    """A few records as each of them would publish these, if several were tried; private."""
    interrupted: bool = False
    """The user asked to stop, perhaps when the search was about to end anyway."""
    seconds: float = 0.0
    """The time of the search, or of all searches that were tried."""


def run_search(
    preparation: Preparation,
    job: Job,
    search: Search,
    hierarchies: Mapping[str, Lay],
    progress: Show | None,
    seconds: float | None,
    fit: Callable[[Problem], Search] | None = None,
) -> Searched:
    """Count what the job needs and run a search on it, which may take so many seconds. `fit` returns the search as it
    is run on the problem, and raises an error if it shall not run."""
    with Watch(progress=progress) as watch, all_or_nothing("the data were being read", NOTHING_LEFT):
        prepared = prepare(preparation, job, hierarchies, watch, publishes=True)
        # An interruption after the last batch would be forgotten.
        watch.tick("all records counted")
    # What was counted for the kept columns alone may be as large as the table.
    del preparation
    if fit is not None:
        search = fit(prepared.problem)
        job = job.with_search(search)
    with Watch(seconds, progress) as watch, all_or_nothing("the recoding was being chosen", NOTHING_LEFT):
        started = perf_counter()
        outcome = search.run(prepared.problem, watch)
    return Searched(job, prepared, outcome, interrupted=watch.cancelled, seconds=perf_counter() - started)


def found_by(job: Job, prepared: Prepared, outcome: Outcome, started: float) -> SearchResult:
    """Return the recoding that a search found, with its classes and scores; raise an error if it found no release."""
    match outcome:
        case ApartOutcome():
            return found_apart(job, prepared, outcome, started)
        case GroupsOutcome():
            return found_groups(job, prepared, outcome, started)
        case LevelsOutcome() | CellsOutcome() | PartsOutcome():
            return _found_levels(job, prepared, outcome, started)
        case NothingFound() if isinstance(job.search, AxisSearch):
            raise no_groups(prepared.problem, outcome)
        case NothingFound():
            raise nothing_found(job, prepared, outcome)
        case _:
            raise TypeError(f"{type(outcome).__name__} is not the outcome of a kind of search")


def _found_levels(job: Job, prepared: Prepared, outcome: LeveledOutcome, started: float) -> SearchResult:
    """Return the recoding along hierarchies: those of the problem, or the parts that the search made of values."""
    lattice = outcome.found_on or lattice_of(prepared.problem)
    kept = kept_combinations(lattice, outcome)
    if isinstance(outcome, PartsOutcome):
        prepared = replace(prepared, problem=published_parts(prepared.problem, lattice, kept))
    levels = published_levels(outcome, kept)
    recoding = recoding_of(prepared, lattice, outcome, levels, kept)
    wiped = shown_wiped(recoding, outcome)
    sizes, smallest = published_classes(recoding, job.nulls, len(levels), wiped)
    own_score = outcome.scored_by if isinstance(outcome, PartsOutcome) else None
    chosen = own_score or METRICS.name_of(job.metric)
    ladders, frequencies = prepared.problem.ladders, prepared.problem.frequencies
    return SearchResult(
        job=job,
        prepared=prepared,
        outcome=outcome,
        levels=levels,
        recoding=recoding,
        scores=scores_of(lattice, ladders, outcome, kept, chosen if isinstance(chosen, str) else next(iter(chosen))),
        sizes=sizes,
        smallest=smallest,
        suppressed=outcome.node.suppressed,
        started=started,
        published=kept[frequencies.classes(lattice.decided.names).of],
        wiped={prepared.problem.quasi[at]: text for at, text in wiped.items()},
    )

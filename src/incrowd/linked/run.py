"""One run over several tables, from a job to a release that was verified."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.anonymization.applying import AtLevels
from incrowd.anonymization.infeasible import stopped_before
from incrowd.anonymization.preparing import Lay
from incrowd.core.knowledge import views_of_tables
from incrowd.engines.frames import FrameSource
from incrowd.engines.second_tables import second_table
from incrowd.errors import Infeasible, UsageError
from incrowd.jobs.linked import LinkedJob
from incrowd.linked.claims import LinkedFound, manifest_of, record_of
from incrowd.linked.places import LinkedPlaced, check_place, confirmed, placed
from incrowd.linked.problem import LinkedProblem, linked_problem
from incrowd.linked.publishing import published_tables
from incrowd.linked.reading import LinkedData, open_tables, read_tables
from incrowd.linked.result import LinkedResult
from incrowd.release import Data
from incrowd.searches import LevelsOutcome, NothingFound, Problem, Search
from incrowd.searches.lattice.people import PeopleLattice
from incrowd.text import count, number
from incrowd.verification import verify_linked
from incrowd.watch import Show, Watch, all_or_nothing

_NOTHING_LEFT = "nothing was left behind"


@dataclass(frozen=True)
class EarlierRecoding:
    """The recoding of an earlier release, by `table.column`."""

    levels: Mapping[str, int]
    hierarchies: Mapping[str, Lay]


def anonymize_tables(
    given: Mapping[str, Any] | None,
    job: LinkedJob,
    progress: Show | None = None,
    earlier: EarlierRecoding | None = None,
) -> LinkedResult:
    """Find the best release of several tables within the job's limits, publish it and verify what was published.

    `given` are frames, files or URLs by the names of the tables; None to read the job's own data. With an `earlier`
    recoding nothing is searched for.
    """
    started = perf_counter()
    given = job.frames if given is None else given
    job = job if given is None else job.reading(given)
    if job.output is None and given is None:
        raise UsageError.invalid("the job", "it names no output", "name a folder (output: FOLDER)")
    check_place(job, given is not None)
    with Watch(progress=progress) as watch, all_or_nothing("the data were being read", _NOTHING_LEFT):
        sources = open_tables(job, given)
        if job.output is None:
            _refuse_lazy(sources)
        data = read_tables(job, sources, watch)
        linked = linked_problem(job, data, {} if earlier is None else earlier.hierarchies)
        watch.tick("all records counted")
    with Watch(job.settings.time, progress) as watch, all_or_nothing("the recoding was being chosen", _NOTHING_LEFT):
        outcome = _search(job, linked.problem, earlier).run(linked.problem, watch)
    if not isinstance(outcome, LevelsOutcome):
        assert isinstance(outcome, NothingFound)
        raise _nothing_found(linked.problem, outcome)
    with Watch(progress=progress) as watch, all_or_nothing("the release was being written", _NOTHING_LEFT):
        found = _found(job, data, linked, outcome, started)
        frames = {} if given is None else _frames(given, found)
        made = placed(found, watch) if job.output is not None else _framed(found, frames)
    unmentioned = tuple(f"{name}.{column}" for name, table in data.tables.items() for column in table.unmentioned)
    return LinkedResult(
        made.manifest,
        made.record,
        made.verdict,
        unmentioned,
        round(perf_counter() - started, 3),
        None if made.place is None else str(made.place.folder),
        None if made.place is None else made.place.manifest,
        None if made.place is None else made.place.record,
        frames,
    )


def _search(job: LinkedJob, problem: Problem, earlier: EarlierRecoding | None) -> Search:
    if earlier is None:
        return job.settings.search
    return AtLevels(tuple(earlier.levels[name] for name in problem.quasi))


def _refuse_lazy(sources: Mapping[str, Any]) -> None:
    lazy = [name for name, source in sources.items() if isinstance(source, FrameSource) and source.is_lazy]
    if lazy:
        raise UsageError.invalid(
            f"table {lazy[0]!r}", "a lazy frame cannot come back", "collect it first, or name a folder (output)"
        )
    others = [name for name, source in sources.items() if not isinstance(source, FrameSource)]
    if others:
        raise UsageError.invalid(
            "the job", f"table {others[0]!r} is not a frame, and the job names no output", "name a folder"
        )


def _found(
    job: LinkedJob, data: LinkedData, linked: LinkedProblem, outcome: LevelsOutcome, started: float
) -> LinkedFound:
    """Return what is published at the node that the search chose."""
    problem = linked.problem
    lattice = outcome.found_on if isinstance(outcome.found_on, PeopleLattice) else PeopleLattice(problem)
    stays = _who_stays(lattice, problem, outcome.node.levels)
    levels = dict(zip(problem.quasi, outcome.node.levels, strict=True))
    people_in = {name: len(np.unique(table.person[stays[table.person]])) for name, table in data.tables.items()}
    return LinkedFound(
        job,
        data,
        linked.ladders,
        outcome,
        levels,
        suppressed=int((~stays).sum()),
        budget=problem.budget,
        smallest=_smallest(lattice, problem, outcome.node.levels, stays),
        people_in=people_in,
        tables=published_tables(job, data, linked.ladders, levels, stays),
        started=started,
    )


def _who_stays(lattice: PeopleLattice, problem: Problem, levels: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which people are published: everybody has one record in the first table."""
    assert problem.people is not None
    stays = np.zeros(problem.people.people, dtype=np.bool_)
    stays[problem.people.tables[0].people.person[lattice.kept_rows(levels)[0]]] = True
    return stays


def _smallest(lattice: PeopleLattice, problem: Problem, levels: tuple[int, ...], stays: NDArray[np.bool_]) -> int:
    """Return the fewest people of whom anything is true that may be known."""
    assert problem.people is not None
    if not stays.any():
        return 0
    classes = zip(problem.people.tables, lattice.entry_classes(levels), strict=True)
    held = [table.people.held(of).without(~stays) for table, of in classes]
    sizes = views_of_tables(held, problem.people.knows).sizes
    return int(sizes[sizes > 0].min())


def _frames(given: Mapping[str, Any], found: LinkedFound) -> dict[str, Any]:
    """Return the published tables as frames of the kinds that were given; a path or a lazy frame gives none."""
    sources = {name: given[name] for name in found.tables if not isinstance(given[name], str)}
    eager = {name: frame for name, frame in sources.items() if _is_eager(frame)}
    return {name: second_table(frame, found.tables[name]).frame for name, frame in eager.items()}


def _is_eager(frame: Any) -> bool:
    try:
        return not FrameSource(frame).is_lazy
    except Exception:
        return False


def _framed(found: LinkedFound, frames: Mapping[str, Any]) -> LinkedPlaced:
    """Return a release that stays frames: their cells are read where they are, and judged."""
    data = {
        name: Data("", "frame", None, table.num_rows, tuple(table.column_names)) for name, table in found.tables.items()
    }
    manifest = manifest_of(found, data)
    record = record_of(found, manifest)
    return LinkedPlaced(manifest, record, confirmed(verify_linked(frames, manifest, record)))


def _nothing_found(problem: Problem, outcome: NothingFound) -> Exception:
    if outcome.stopped != "done":
        return stopped_before(outcome)
    assert problem.people is not None
    words = f"no release satisfies the models within the limits ({count(problem.budget, 'person')} may be suppressed)"
    if outcome.nearest is not None:
        lost, people = number(outcome.nearest.people), number(problem.people.people)
        words += f"; the nearest miss would suppress at least {lost} of {people}"
    return Infeasible(
        f"{words}; raise the suppression limit (suppress), allow more generalization, or drop quasi-identifiers"
    )

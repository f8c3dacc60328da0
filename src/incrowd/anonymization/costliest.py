"""Which quasi-identifier costs most: without which one the others keep most of their detail."""

import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf, prod
from typing import Any

import numpy as np

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.local import column_losses
from incrowd.anonymization.recoding import kept_combinations, scores_of
from incrowd.core.schema import Nulls
from incrowd.errors import UsageError
from incrowd.jobs import Job
from incrowd.jobs.names import quoted
from incrowd.metrics.loss import Loss
from incrowd.searches import (
    CellsSearch,
    GroupsOutcome,
    GroupsSearch,
    LevelsSearch,
    NothingFound,
    Outcome,
    Problem,
    Search,
)
from incrowd.searches.lattice import lattice_of
from incrowd.text import attributes, percent
from incrowd.watch import Stopped, Watch

SECONDS = 60.0
"""Time for the answer; without an answer by then, none is given."""
MOST_CUTTING = 1_000_000
MOST_COUNTING = 30_000_000
"""Larger tables get no answer: combinations by columns by columns of a local search; of others by nodes and columns. So
whether there is one does not depend on the machine."""
LEAST = 0.01
"""A column is named if the loss falls by so much without it."""


def costliest(found: SearchResult, watch: Watch) -> Mapping[str, Any] | None:
    """Return the quasi-identifier without which the loss is lowest, with the loss with and without it.

    None if no column costs much, if too little time is left, or if losing a column changes more than the columns.
    """
    job, problem = found.job, found.prepared.problem
    if not _is_comparable(job, problem) or not found.classes or found.outcome.stopped != "done" or _is_large(problem):
        return None
    search = job.search
    quick = _quick(search)
    with suppress(Stopped, UsageError):
        watch.tick("looking for the column that costs most")
        losses = {name: _loss_without(job, problem, name, quick, watch) for name in _droppable(job)}
        if not losses:
            return None
        name = min(losses, key=losses.__getitem__)
        without = losses[name] if quick is search else _loss_without(job, problem, name, search, watch)
        now = found.scores["loss"]
        return (
            {"column": name, "loss": round(now, 10), "without": round(without, 10)} if without <= now - LEAST else None
        )
    return None


def _quick(search: Search) -> Search:
    """Return the search that finds the column: of groups the quickest."""
    if not isinstance(search, GroupsSearch):
        return search
    from incrowd.searches.mondrian import Mondrian

    return Mondrian()


def sentence(costs: Mapping[str, Any]) -> str:
    """Return in words what a column costs, and the option that drops it."""
    fall = f"from {percent(costs['loss'])} to {percent(costs['without'])}"
    drop = f"--drop {shlex.quote(quoted(costs['column']))}"
    return f"Without {attributes([costs['column']])} the loss falls {fall}; {drop} omits it."


def _is_comparable(job: Job, problem: Problem) -> bool:
    """Return whether the problem without a column is that of the same records, scored alike."""
    search = job.search
    of_cells = isinstance(search, CellsSearch) and not search.consistent
    kinds = of_cells or isinstance(search, GroupsSearch | LevelsSearch)
    own = search.minimizes is not None or bool(search.metrics)
    plain = problem.people is None and problem.population is None and job.nulls == Nulls.EXTENDED
    return kinds and not own and plain and job.metric == Loss() and len(problem.quasi) > 1


def _is_large(problem: Problem) -> bool:
    """Return whether it takes long to leave out one column after another."""
    columns, combinations = len(problem.quasi), problem.frequencies.combinations
    if problem.axes:
        return combinations * columns**2 > MOST_CUTTING
    return combinations * columns * prod(ladder.height + 1 for ladder in problem.ladders) > MOST_COUNTING


def _droppable(job: Job) -> list[str]:
    """Return the quasi-identifiers that nothing but the search looks at."""
    needed = {name for model in job.models for columns in model.needs for name in columns}
    return [name for name, of in job.columns.items() if of.role == "quasi" and not of.person and name not in needed]


def _loss_without(job: Job, problem: Problem, name: str, search: Search, watch: Watch) -> float:
    smaller = _without(problem, problem.quasi.index(name))
    outcome = search.run(smaller, watch)
    if outcome.stopped != "done":
        raise Stopped(outcome.stopped)
    return inf if isinstance(outcome, NothingFound) else _loss(smaller, outcome)


def _loss(problem: Problem, outcome: Outcome) -> float:
    if isinstance(outcome, GroupsOutcome):
        losses = column_losses(problem, outcome.groups)
        return float(np.average(losses, weights=problem.priorities or None))
    lattice: Any = getattr(outcome, "found_on", None) or lattice_of(problem)
    found: Any = outcome
    return scores_of(lattice, problem.ladders, found, kept_combinations(lattice, found), "loss")["loss"]


def _without(problem: Problem, at: int) -> Problem:
    """Return the problem without a quasi-identifier."""

    def others(several: tuple[Any, ...]) -> tuple[Any, ...]:
        return several[:at] + several[at + 1 :]

    name, frequencies = problem.quasi[at], problem.frequencies
    return replace(
        problem,
        frequencies=frequencies.project([each for each in frequencies.names if each != name]),
        ladders=others(problem.ladders),
        axes=others(problem.axes),
        forms=others(problem.forms),
        minimum=others(problem.minimum),
        limit=others(problem.limit),
        priorities=others(problem.priorities),
    )

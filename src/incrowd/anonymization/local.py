"""From groups of records to what is published: the release of a local search."""

import numpy as np

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.infeasible import allowed, stopped_before
from incrowd.anonymization.preparing import Prepared
from incrowd.anonymization.recoding import published_classes, with_set_aside
from incrowd.anonymization.unsatisfiable import unsatisfiable
from incrowd.core.groups import Groups
from incrowd.errors import Infeasible
from incrowd.jobs import Job
from incrowd.recodings.by_group import by_group
from incrowd.searches import GroupsOutcome, NothingFound, Problem
from incrowd.text import number


def found_groups(job: Job, prepared: Prepared, outcome: GroupsOutcome, started: float) -> SearchResult:
    """Return the release that the groups of a search make."""
    problem, groups = prepared.problem, outcome.groups
    recoding = by_group(groups, problem.axes, problem.forms, problem.sensitive)
    recoding = with_set_aside(recoding, prepared.counted, len(problem.axes))
    sizes, smallest = published_classes(recoding, job.nulls, len(problem.axes))
    losses = column_losses(problem, groups)
    groups.forget_cells()
    published = np.zeros(problem.frequencies.combinations, dtype=np.bool_)
    published[groups.combination[groups.kept]] = True
    weights = problem.priorities or (1.0,) * len(losses)
    raised = {"sensitive_loss": _sensitive_loss(problem, groups)} if groups.levels else {}
    return SearchResult(
        job=job,
        prepared=prepared,
        outcome=outcome,
        levels=(None,) * len(problem.axes),
        losses=losses,
        recoding=recoding,
        scores={"loss": float(np.average(losses, weights=weights)), **raised},
        sizes=sizes,
        smallest=smallest,
        suppressed=groups.suppressed,
        started=started,
        published=published,
    )


def column_losses(problem: Problem, groups: Groups) -> tuple[float, ...]:
    """Return per column the mean over records of the share of the domain that a cell spans; of a suppressed record
    1."""
    records = problem.frequencies.records
    sizes = np.bincount(groups.group[groups.kept], weights=groups.counts[groups.kept], minlength=groups.n)
    found = []
    for at, axis in enumerate(problem.axes):
        spread = groups.cells(at, axis).spread
        found.append((float(spread @ sizes) + groups.suppressed) / max(1, records))
    return tuple(found)


def _sensitive_loss(problem: Problem, groups: Groups) -> float:
    """Return the same of the sensitive columns whose values are generalized record by record; their mean."""
    found = []
    for name, levels in groups.levels.items():
        ladder, at = problem.sensitive[name], groups.frequencies.names.index(name)
        spreads = np.array([ladder.spread(level) for level in range(ladder.height + 1)])
        spans = spreads[levels[groups.kept], groups.published.codes[at]]
        found.append((float(spans @ groups.published.counts) + groups.suppressed) / max(1, problem.frequencies.records))
    return float(np.mean(found))


def no_groups(problem: Problem, outcome: NothingFound) -> Exception:
    """Return the error that ends a run of a search without levels and without a release."""
    if outcome.stopped != "done":
        return stopped_before(outcome)
    needed = outcome.details.get("would_suppress")
    limits = allowed(problem)
    if needed is not None:
        limits = f"{limits}, {number(int(needed))} must"
        limits += "" if problem.people is not None and problem.people.of_people else " be"
    why = f": {outcome.details['why']}" if "why" in outcome.details else ""
    usual = "raise the suppression limit, relax the models, or drop quasi-identifiers"
    remedy = unsatisfiable(problem) or outcome.details.get("remedy", usual)
    return Infeasible(f"{outcome.search} found no release within the limits ({limits}){why}; {remedy}")

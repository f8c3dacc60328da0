"""From groups of records to what is published: the release of a local search."""

import numpy as np

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.infeasible import stopped_before
from incrowd.anonymization.preparing import Prepared
from incrowd.anonymization.recoding import published_classes, with_set_aside
from incrowd.core.groups import Groups
from incrowd.errors import Infeasible
from incrowd.jobs import Job
from incrowd.recodings.by_group import by_group
from incrowd.searches import Outcome, Problem
from incrowd.text import count, number


def found_groups(job: Job, prepared: Prepared, outcome: Outcome, groups: Groups, started: float) -> SearchResult:
    """What a local search found."""
    problem = prepared.problem
    recoding = by_group(groups, problem.axes, problem.forms, problem.sensitive)
    recoding = with_set_aside(recoding, prepared.counted, len(problem.axes))
    sizes, smallest = published_classes(recoding, job.nulls, len(problem.axes))
    losses = column_losses(problem, groups)
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
    """Per column the mean over records of the share of the domain that a cell spans; of a suppressed record 1."""
    records = problem.frequencies.records
    sizes = np.bincount(groups.group[groups.kept], weights=groups.counts[groups.kept], minlength=groups.n)
    found = []
    for at, axis in enumerate(problem.axes):
        spread = axis.cells(groups.published.codes[at], groups.group[groups.kept], groups.n).spread
        found.append((float(spread @ sizes) + groups.suppressed) / max(1, records))
    return tuple(found)


def _sensitive_loss(problem: Problem, groups: Groups) -> float:
    """The same of the sensitive columns whose values are generalised record by record; their mean."""
    found = []
    for name, levels in groups.levels.items():
        ladder, at = problem.sensitive[name], groups.frequencies.names.index(name)
        spreads = np.array([ladder.spread(level) for level in range(ladder.height + 1)])
        spans = spreads[levels[groups.kept], groups.published.codes[at]]
        found.append((float(spans @ groups.published.counts) + groups.suppressed) / max(1, problem.frequencies.records))
    return float(np.mean(found))


def no_groups(problem: Problem, outcome: Outcome) -> Exception:
    """The error that ends a run of a search without levels and without a release."""
    if outcome.stopped != "done":
        return stopped_before(outcome)
    needed = outcome.details.get("would_suppress")
    allowed = f"{count(problem.budget, 'record')} may be suppressed"
    told = allowed if needed is None else f"{allowed}, {number(int(needed))} would have to be"
    why = f": {outcome.details['why']}" if "why" in outcome.details else ""
    remedy = outcome.details.get("remedy", "allow more suppression, ask for less, or leave out quasi-identifiers")
    return Infeasible(f"{outcome.search} found no release within the limits ({told}){why}; {remedy}")

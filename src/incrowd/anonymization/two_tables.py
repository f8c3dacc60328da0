"""From buckets to what is published: the release of a search that publishes sensitive values apart from records."""

import numpy as np

from incrowd.anonymization.claims import SearchResult
from incrowd.anonymization.preparing import Prepared
from incrowd.anonymization.recoding import with_set_aside
from incrowd.jobs import Job
from incrowd.recodings.two_tables import ApartNames, apart
from incrowd.searches import ApartOutcome, ApartSearch


def found_apart(job: Job, prepared: Prepared, outcome: ApartOutcome, started: float) -> SearchResult:
    """Return the release in two tables; quasi-identifiers lose nothing but suppressed records."""
    problem, groups = prepared.problem, outcome.groups
    [axis] = problem.sensitive_axes.values()
    assert isinstance(job.search, ApartSearch)
    recoding, table = apart(groups, axis, ApartNames(job.search.group, job.search.count))
    sizes = np.bincount(groups.group[groups.kept], weights=groups.counts[groups.kept], minlength=groups.n)
    published = np.zeros(problem.frequencies.combinations, dtype=np.bool_)
    published[groups.combination[groups.kept]] = True
    lost = groups.suppressed / max(1, problem.frequencies.records)
    return SearchResult(
        job=job,
        prepared=prepared,
        outcome=outcome,
        levels=(None,) * len(problem.axes),
        losses=(lost,) * len(problem.axes),
        recoding=with_set_aside(recoding, prepared.counted, len(problem.axes)),
        scores={"loss": lost},
        sizes=sizes.astype(np.int64),
        smallest=int(sizes.min()) if groups.n else 0,
        suppressed=groups.suppressed,
        started=started,
        published=published,
        apart=table,
    )

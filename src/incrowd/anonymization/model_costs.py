"""What models cost, measured: the information loss of a quick local search with and without them, on a bounded sample.

All work is bounded by numbers of records and columns, not by the clock, so that equal tables have equal answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.anonymization.leaving_out import judged_for
from incrowd.anonymization.local import column_losses
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import prepare, together
from incrowd.core.frequencies import FrequencySet
from incrowd.engines.source import Source
from incrowd.errors import IncrowdError
from incrowd.jobs import Job
from incrowd.models import from_dict
from incrowd.searches import GroupsOutcome, Problem
from incrowd.searches._clusters.measure import Measure
from incrowd.searches._clusters.parting import halves
from incrowd.searches._clusters.records import ranks_of
from incrowd.searches.k_members import KMembers
from incrowd.watch import Watch

MOST_RECORDS = 2_000
FEWEST_RECORDS = 400
WORK = 200_000_000
"""Records by records by quasi-identifiers by runs, about a second: with many columns and models there are fewer
records."""
REGIONS = 4
"""A sample is a few regions of neighboring records, in which these are as near as in the whole table."""
CLUSTERS = 20
"""A region has room for so many classes at least."""

SEARCH = KMembers()
Plain = Mapping[str, Any]
"""A model as a job has it."""


@dataclass(frozen=True)
class ModelCosts:
    """The information loss with and without models beside k-anonymity, as measured."""

    records: int
    """The records that were clustered."""
    of: int
    """All records of the table."""
    without: float
    """The loss with k-anonymity alone."""
    together: float
    """The loss with all models that were kept."""
    refused: Mapping[str, float | None] = field(default_factory=dict)
    """By column whose model costs too much, or more than a weaker one that it has now: the loss with it and the models
    kept before; None if there would be no release."""

    @property
    def sample(self) -> str:
        """The records, in words."""
        whole = self.records >= self.of
        return f"all {self.of:,} records" if whole else f"a sample of {self.records:,} of {self.of:,} records"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "records": self.records,
            "of": self.of,
            "without": round(self.without, 4),
            "together": round(self.together, 4),
            "refused": {name: None if loss is None else round(loss, 4) for name, loss in self.refused.items()},
        }


class Losses:
    """The losses of a table under models, measured one after the other."""

    def __init__(
        self, source: Source, counted: FrequencySet, plain: Mapping[str, Any], base: Path, watch: Watch
    ) -> None:
        """Prepare a job with k-anonymity, then all models that are to be measured. Its columns were counted."""
        job = Job.from_dict(plain, base).with_search(SEARCH)
        prepared = prepare(Preparation(source, whole=counted), job, {}, watch)
        self._job, self._watch = job, watch
        work = WORK // max(1, len(prepared.problem.axes) * (len(job.models) + 1))
        most = min(MOST_RECORDS, max(FEWEST_RECORDS, isqrt(work)))
        k = max(getattr(model, "k", 1) for model in job.models)
        self.of = counted.records
        self._problem = _sampled(prepared.problem, max(most, REGIONS * CLUSTERS * k))
        self.records = self._problem.frequencies.records

    def loss(self, models: Sequence[Plain]) -> float | None:
        """Return the loss under models; None if there is no release."""
        job = self._job.model_copy(update={"models": (self._job.models[0], *map(from_dict, models))})
        problem = judged_for(job, self._problem, together(job))
        try:
            found = SEARCH.run(problem, self._watch)
        except IncrowdError:
            return None
        if not isinstance(found, GroupsOutcome):
            return None
        return float(np.average(column_losses(problem, found.groups)))


def _sampled(problem: Problem, most: int) -> Problem:
    """Return a problem of a few regions of neighboring records, about so many in all; the whole one if it has no more.

    Records with the same quasi-identifiers stay together; if these are too many, all their values become rarer alike.
    """
    frequencies = problem.frequencies
    if frequencies.records <= most:
        return problem
    classes = frequencies.classes(problem.quasi)
    first = np.empty(len(classes), dtype=np.int64)
    first[classes.of[::-1]] = np.arange(len(classes.of) - 1, -1, -1)
    measure = Measure.of(problem.axes, problem.priorities)
    middles = 2 * ranks_of(problem, problem.axes)[:, first].astype(np.int64)
    chosen = _regions(measure, middles, classes.sizes, most // REGIONS)
    share = np.zeros(len(classes), dtype=np.float64)
    for region in chosen:
        share[region] = min(1.0, most / REGIONS / int(classes.sizes[region].sum()))
    kept = share[classes.of] > 0
    counts = np.ceil(frequencies.counts[kept] * share[classes.of[kept]]).astype(np.int64)
    codes = np.ascontiguousarray(frequencies.codes[:, kept])
    return replace(problem, frequencies=FrequencySet(frequencies.names, frequencies.values, codes, counts))


def _regions(
    measure: Measure, middles: NDArray[np.int64], sizes: NDArray[np.int64], most: int
) -> list[NDArray[np.int64]]:
    """Return regions of about so many records, drawn from halves of halves of the table."""
    random = np.random.default_rng(0)
    weights = np.ones(len(middles))

    def is_large(region: NDArray[np.int64]) -> bool:
        return 2 * int(sizes[region].sum()) > 3 * most and len(region) > 1

    found = [np.arange(len(sizes), dtype=np.int64)]
    while any(map(is_large, found)):
        parted = []
        for region in found:
            both = halves(measure, middles, sizes, region, weights) if is_large(region) else (region,)
            parted += both if 2 * len(found) <= REGIONS else [both[random.integers(len(both))]]
        found = parted
    return found

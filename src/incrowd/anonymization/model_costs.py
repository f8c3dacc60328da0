"""The cost of models: the information loss of a quick local search with and without them, on a bounded sample.

All work is bounded by numbers of records and columns, not by the clock, so that equal tables have equal answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.anonymization.leaving_out import judged_for
from incrowd.anonymization.local import column_losses
from incrowd.anonymization.preparation import Preparation
from incrowd.anonymization.preparing import prepare, together
from incrowd.anonymization.run import Inputs
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.schema import Role
from incrowd.engines.source import Source
from incrowd.engines.source import count as count_columns
from incrowd.errors import UsageError
from incrowd.families import MODELS
from incrowd.jobs import Job
from incrowd.models import PrivacyModel
from incrowd.models.k_anonymity import KAnonymity
from incrowd.results import Result
from incrowd.searches import GroupsOutcome
from incrowd.searches.k_members import KMembers
from incrowd.searches.sampling import drawn, sampled
from incrowd.text import count, percent, table
from incrowd.watch import Show, Watch, all_or_nothing

if TYPE_CHECKING:
    from incrowd.charts import Chart

MOST_RECORDS = 2_000
FEWEST_RECORDS = 400
WORK = 200_000_000
"""Records by records by quasi-identifiers by runs, about a second: with many columns and models there are fewer
records."""

SEARCH = KMembers()


def sample_words(records: int, of: int) -> str:
    """Return in words which records were clustered."""
    return f"all {of:,} records" if records >= of else f"a sample of {records:,} of {of:,} records"


@dataclass(frozen=True, repr=False)
class ModelCost(Brief):
    """The information loss with k-anonymity and one more model."""

    model: str
    """The name of the model."""
    columns: tuple[str, ...]
    """The columns that it judges."""
    loss: float | None
    """None if there is no release."""


@dataclass(frozen=True, repr=False)
class ModelCosts(Brief, Result):
    """The cost of the models of a job in information loss, as a quick local search measures it."""

    records: int
    """The records that were clustered."""
    of: int
    """All records of the table."""
    without: float | None
    """The loss with k-anonymity alone; None if there is no release."""
    together: float | None
    """The loss with all models of the job."""
    each: tuple[ModelCost, ...]
    """The loss with each model beside k-anonymity alone, in the order of the job."""

    @property
    def sentence(self) -> str:
        """The loss with and without all models, in words."""
        measured = f"measured on {sample_words(self.records, self.of)}"
        if not self.each:
            return f"Information loss {_about(self.without)}, {measured}; no model asks for more than k-anonymity."
        models = "this model" if len(self.each) == 1 else "these models"
        return f"Information loss {_about(self.without)} without {models}, {_about(self.together)} with, {measured}."

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "records": self.records,
            "of": self.of,
            "without": _rounded(self.without),
            "together": _rounded(self.together),
            "models": self.to_rows(),
            "text": self.sentence,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each model."""
        return [{"model": one.model, "columns": list(one.columns), "loss": _rounded(one.loss)} for one in self.each]

    def parts(self) -> list[str]:
        """Return the sentence, and a table if there are several models."""
        if len(self.each) < 2:
            return [self.sentence]
        rows = [(one.model, ", ".join(one.columns), _about(one.loss).removeprefix("about ")) for one in self.each]
        return [self.sentence, table(("model", "column", "loss with it alone"), rows)]

    def plot(self) -> Chart:
        """Return a picture of the losses that were measured."""
        from incrowd.charts import bars

        alone = [(f"{one.model}, {', '.join(one.columns)}", one.loss) for one in self.each]
        measured = [("k-anonymity alone", self.without), *alone, ("all models", self.together)]
        return bars([(name, loss) for name, loss in measured if loss is not None], "information loss", share=True)


def _about(loss: float | None) -> str:
    return "(no release)" if loss is None else f"about {percent(loss)}"


def _rounded(loss: float | None) -> float | None:
    return None if loss is None else round(loss, 4)


def model_costs(inputs: Inputs, job: Job, progress: Show | None = None) -> ModelCosts:
    """Measure what the models of a job cost: together, and each alone."""
    with Watch(None, progress) as watch, all_or_nothing("the models were being measured"):
        needed = dict.fromkeys((*job.having(Role.QUASI), *job.person))
        needed |= dict.fromkeys(name for columns in together(job).needs for name in columns)
        losses = Losses(inputs.source, count_columns(inputs.source, [*needed], watch), job, watch)
        asked = [model for model in job.models if not isinstance(model, KAnonymity)]
        without, every = losses.loss([]), losses.loss(asked)
        alone = [every if len(asked) == 1 else losses.loss([model]) for model in asked]
    named = [
        (MODELS.name_of(model), tuple(dict.fromkeys(name for of in model.needs for name in of))) for model in asked
    ]
    each = tuple(ModelCost(name, columns, loss) for (name, columns), loss in zip(named, alone, strict=True))
    return ModelCosts(losses.records, losses.of, without, every, each)


class Losses:
    """The losses of a table under models, measured one after the other."""

    def __init__(self, source: Source, counted: FrequencySet, job: Job, watch: Watch) -> None:
        """Prepare a job with all models that are to be measured; all columns that it needs were counted."""
        self._job, self._watch = job.with_search(SEARCH), watch
        self._fixed = tuple(model for model in self._job.models if isinstance(model, KAnonymity))
        preparation = Preparation(source, whole=drawn(counted))
        prepared = prepare(preparation, self._job, {}, watch)
        work = WORK // max(1, len(prepared.problem.axes) * (len(job.models) + 1))
        most = min(MOST_RECORDS, max(FEWEST_RECORDS, isqrt(work)))
        k = max((model.k for model in self._fixed), default=1)
        self._problem = sampled(prepared.problem, most, k)
        self.of, self.records = counted.records, self._problem.frequencies.records

    def loss(self, models: Sequence[PrivacyModel]) -> float | None:
        """Return the loss with k-anonymity and some models; None if there is no release."""
        job = self._job.model_copy(update={"models": (*self._fixed, *models) or (KAnonymity(1),)})
        self._watch.tick(f"measuring what {count(len(models), 'model')} cost")
        try:
            problem = judged_for(job, self._problem, together(job))
            found = SEARCH.run(problem, self._watch)
        except UsageError:
            return None
        # A search that was stopped has a release all the same.
        self._watch.tick("models measured")
        if not isinstance(found, GroupsOutcome):
            return None
        weights = problem.priorities or None
        return float(np.average(column_losses(problem, found.groups), weights=weights))

"""Classifier accuracy: how well a classifier that learned from the release predicts the label of original records."""

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, ClassVar
from warnings import catch_warnings, simplefilter
from weakref import WeakKeyDictionary

import numpy as np

from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.release_metrics.classification import NO_LABEL
from incrowd.release_metrics.contract import NO_CLASS, SHARE, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.covers import Covers
from incrowd.release_metrics.reference import ReferenceRelease, Value
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Counts, Numbers

_EVERY = 3
"""One original record in this many is held out."""
_MOST_VALUES = 50
"""The number of values of a column without numbers that are distinguished, the most frequent ones."""
_MOST_LABELS = 100
"""A column with more values is no set of labels: each is a class of its own to a classifier."""
_MANY_CELLS = 100_000
"""A table with fewer cells is small."""
_MOST_RECORDS = 100_000
"""A classifier learns from a sample of a larger table: more records cost minutes, and hardly change its accuracy."""
_LEARNERS = ("logistic", "trees")
_USUAL: WeakKeyDictionary[FrequencySet, dict[tuple[str, str | None], float]] = WeakKeyDictionary()
"""Accuracy on the original, by original, learner and label."""


@dataclass(frozen=True)
class ClassifierAccuracy:
    """Share of held-out original records whose label is predicted right.

    Every third original record is held out, in the order of their values. One classifier learns from the rest, another
    from the release, in which the held-out records are hidden among others. Both see all other columns that are
    measured: of a cell with numbers the mean of those that it covers, of others how likely each value is. Of a table
    with more than 100,000 records a random sample is used.
    """

    learner: str = "logistic"
    """`logistic` regression, or gradient-boosted `trees`."""

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.HIGH
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "accuracy on held-out original records of a classifier trained on the release"

    def __post_init__(self) -> None:
        if self.learner not in _LEARNERS:
            raise UsageError.not_one_of("learner", self.learner, _LEARNERS)

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, for the original, and for guessing."""
        if released.label is None:
            return NO_LABEL
        if not released.published:
            return NO_CLASS
        label = released.label
        if released.codes(label) is None:
            return nothing("the labels are not published unchanged")
        if len(np.unique(released.original.codes[released.index(label)])) > _MOST_LABELS:
            return nothing(f"the column to predict has more than {_MOST_LABELS} values")
        whole, released = released, _sampled(released)
        labels = released.codes(label)
        given, held = released.original, _held_out(released)
        truth = given.codes[released.index(label)]
        if labels is None or len(np.unique(truth[held < given.counts])) < 2 or len(np.unique(labels)) < 2:
            return nothing("there are fewer than two labels")
        original, published = _features(released)
        try:
            learner = _learner(self.learner)
            with _threads_for(original.size):
                taught = _taught(learner, published, labels, released.counts)
                usual = self._usual(whole, released, original, held)
                right = float((taught.predict(original) == truth) @ held / held.sum())
        except ImportError:
            return nothing("scikit-learn is not installed; run: pip install 'incrowd[measure]'")
        most = float(np.bincount(truth, weights=held).max() / held.sum())
        parts = {"taught by the original": usual, "always the most frequent label": most}
        sample = {} if released is whole else {"records in the sample": given.records}
        return Reading(right, {**parts, **sample})

    def _usual(self, whole: Released, released: Released, features: Numbers, held: Counts) -> float:
        """Return the accuracy of a classifier trained on the original; fitted once for all releases."""
        given = released.original
        known = _USUAL.setdefault(whole.original, {})
        if (self.learner, released.label) not in known:
            truth = given.codes[released.index(str(released.label))]
            usual = _taught(_learner(self.learner), features, truth, given.counts - held)
            known[self.learner, released.label] = float((usual.predict(features) == truth) @ held / held.sum())
        return known[self.learner, released.label]

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, record by record."""
        if page.label is None or not page.published:
            return None
        if len({row[page.label] for row in page.original}) > _MOST_LABELS:
            return None
        order = {at: {value: place for place, value in enumerate(base.values)} for at, base in enumerate(page.bases)}
        rows = sorted(page.original, key=lambda row: [order[at].get(value, -1) for at, value in enumerate(row)])
        held = [row for place, row in enumerate(rows) if place % _EVERY == 0]
        rest = [row for place, row in enumerate(rows) if place % _EVERY]
        published = [
            [*group.cells, *(frozenset([value]) for value in others)]
            for group in page.classes
            for others in group.others
        ]
        labels = [next(iter(cells[page.label])) for cells in published]
        if len(set(labels)) < 2 or len({row[page.label] for row in rest}) < 2:
            return None
        try:
            learner = _learner(self.learner)
            with _threads_for(len(published) * len(page.bases)):
                taught = learner.fit([_row(page, cells) for cells in published], labels)
                predicted = taught.predict([_row(page, [frozenset([value]) for value in row]) for row in held])
        except ImportError:
            return None
        return sum(bool(guess == row[page.label]) for guess, row in zip(predicted, held, strict=True)) / len(held)


def _sampled(released: Released) -> Released:
    """Return a release with a random sample of the original and, in proportion, of the published records."""
    if released.records <= _MOST_RECORDS:
        return released
    generator = np.random.default_rng(released.seed)
    original = _drawn(released.original.counts, _MOST_RECORDS, generator)
    published = _drawn(released.counts, max(1, released.published * _MOST_RECORDS // released.records), generator)
    given = released.original
    return replace(
        released,
        original=FrequencySet(
            given.names, given.values, np.ascontiguousarray(given.codes[:, original > 0]), original[original > 0]
        ),
        cells=np.ascontiguousarray(released.cells[:, published > 0]),
        counts=published[published > 0],
    )


def _drawn(counts: Counts, records: int, generator: np.random.Generator) -> Counts:
    """Return how many records of each combination are in a sample of the table."""
    drawn: Counts = generator.multivariate_hypergeometric(counts, records, method="marginals")
    return drawn


def _learner(name: str) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    last = (
        LogisticRegression(max_iter=200, tol=1e-3)
        if name == "logistic"
        else HistGradientBoostingClassifier(random_state=0)
    )
    return make_pipeline(StandardScaler(), last)


def _threads_for(cells: int) -> AbstractContextManager[object]:
    """Learn by a single thread from a small table: there threads take longer to wait for each other than to learn.

    This reaches only libraries that are loaded, so the learner comes first.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1 if cells < _MANY_CELLS else None, "openmp")
    return limits


def _taught(learner: Any, features: Numbers, labels: Codes, counts: Counts) -> Any:
    """Return a learner trained on weighted records."""
    there = counts > 0
    weights = {f"{step}__sample_weight": counts[there].astype(np.float64) for step, _ in learner.steps}
    with catch_warnings():
        # Where it has not settled by then, more steps hardly change what it predicts.
        simplefilter("ignore")
        return learner.fit(features[there], labels[there], **weights)


def _held_out(released: Released) -> Counts:
    """Return how many records of each original combination are held out: every third, in the order of their values."""
    given = released.original
    places = [np.nan_to_num(covers.scale.positions, nan=-1.0) for covers in released.columns]
    keys = [place[codes] for place, codes in zip(places, given.codes, strict=True)]
    order = np.lexsort(keys[::-1])
    ends = np.cumsum(given.counts[order])
    # Records 0, 3, 6, ... of the sorted table are held out: so many of the first n are ceil(n / 3).
    upto = -(-ends // _EVERY)
    held = np.zeros(len(order), dtype=np.int64)
    held[order] = np.diff(upto, prepend=0)
    return held


def _features(released: Released) -> tuple[Numbers, Numbers]:
    """Return the features of the original and of the published combinations."""
    before, after = [], []
    for at, covers in enumerate(released.columns):
        if released.original.names[at] != released.label:
            values, codes = Covers.of_values(covers.scale), released.original.codes[at]
            often = np.bincount(codes, released.original.counts, len(values)).astype(np.int64)
            before.append(_of_cells(values, values, often)[codes])
            after.append(_of_cells(covers, values, often)[released.cells[at]])
    return np.hstack(before), np.hstack(after)


def _of_cells(covers: Covers, values: Covers, often: Counts) -> Numbers:
    """Return the features of cells: the number and whether it is missing, else the probability of each value."""
    scale = covers.scale
    if scale.is_numeric:
        missing = np.isnan(covers.centers)
        middle = float(np.nanmean(values.centers)) if len(scale.order) else 0.0
        return np.stack([np.where(missing, middle, covers.centers), missing.astype(np.float64)], axis=1)
    asked = scale.order[np.argsort(-often[scale.order], kind="stable")][:_MOST_VALUES]
    return np.asarray(covers.overlap(values.take(asked)).T, dtype=np.float64)


def _row(page: ReferenceRelease, cells: Sequence[frozenset[Value]]) -> list[float]:
    """Return the features of a record."""
    found: list[float] = []
    for at, base in enumerate(page.bases):
        if at == page.label:
            continue
        there = [value for value in cells[at] if value is not None]
        often = Counter(record[at] for record in page.original)
        occurring = [value for value in base.values if value is not None and often[value]]
        if base.numeric:
            found += [fmean(there or occurring or [0.0]), float(not there)]
        else:
            known = (cells[at] & frozenset(base.values)) or cells[at]
            seen = sorted(occurring, key=lambda value: -often[value])[:_MOST_VALUES]
            found += [(value in known) / len(known) for value in seen]
    return found


RELEASE_METRIC = ClassifierAccuracy

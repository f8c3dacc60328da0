"""Anatomy (Xiao and Tao 2006): buckets of records with different sensitive values, which are published apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from heapq import heapify, heappop, heappush
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, texts_of
from incrowd.core.groups import SUPPRESSED, Groups
from incrowd.core.table import Codes
from incrowd.errors import UsageError
from incrowd.models import PrivacyModel
from incrowd.models._all import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.frequency_l import FrequencyL
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.searches import Guarantee, Outcome, Problem, Served
from incrowd.watch import Stopped, Watch

Numbers = NDArray[np.int64]

_SLICE = 1 << 14
"""So many buckets are filled between two ticks."""

JUDGED = (FrequencyL, DistinctL, EntropyL, RecursiveCL)
"""The models that buckets can be made for: those that look at the values of a bucket alone."""


@dataclass(frozen=True)
class Anatomy:
    """Every bucket has at least l records, all with different sensitive values.

    Quasi-identifiers are published as they are, with the number of the bucket in place of the sensitive value; a second
    table tells the values of each bucket. Who is in the table can be seen; whose a value is cannot.
    """

    group: str = "group"
    """The column that holds the number of the bucket, in both tables."""
    count: str = "count"
    """The column of the second table that tells how many records of a bucket have a value."""

    local = True
    points: ClassVar[Served] = {}
    needs_sensitive = True
    apart = True

    def __post_init__(self) -> None:
        for option, name in (("group", self.group), ("count", self.count)):
            if not isinstance(name, str) or not name.strip():
                raise UsageError.not_one_of(f"{option} of anatomy", name, ["the name of a column"])
        if self.group == self.count:
            raise UsageError.senseless("group and count of anatomy", "both have the same name", "name them differently")

    def can_promise(self, model: PrivacyModel) -> bool:
        """Whether the values of a bucket alone decide about a model, and buckets can be made for it."""
        return isinstance(model, JUDGED)

    def run(self, problem: Problem, watch: Watch) -> Outcome:
        """As many buckets as there can be; of a value that is too frequent, what is too much is suppressed."""
        size = _size(problem.model)
        records = _Records.of(problem)
        kept = _kept(records.totals, size)
        lacking = int(records.totals.sum() - kept.sum())
        groups, stopped, buckets = None, "done", 0
        if lacking <= problem.budget:
            numbers, buckets, stopped = records.dealt(kept, size, watch)
            groups = Groups.of_pieces(
                problem.frequencies, records.combination, np.ones(len(numbers), dtype=np.int64), numbers
            )
        return Outcome(
            search="anatomy",
            guarantee=Guarantee.HEURISTIC,
            node=None,
            counted=buckets,
            lattice=0,
            stopped=stopped,
            gap=None,
            groups=groups,
            details={"l": size, "buckets": buckets} if groups else _why(problem, size, lacking),
        )


def _size(model: PrivacyModel) -> int:
    """How many different values, one record each, satisfy all models."""
    parts = model.models if isinstance(model, All) else (model,)
    # What is necessary for each of these models is enough where no value comes twice.
    sizes = [part.relaxed().l for part in parts if isinstance(part, JUDGED)]
    if len(sizes) < len(parts) or len(set(model.needs)) != 1:
        raise UsageError.senseless(
            "anatomy with these models",
            "quasi-identifiers are published as they are, and buckets have different values of one column",
            "give frequency_l, distinct_l, entropy_l or recursive_cl of one sensitive column, and no other model",
        )
    return max(sizes)


def _why(problem: Problem, size: int, lacking: int) -> dict[str, Any]:
    [column] = problem.model.needs[0]
    return {
        "would_suppress": lacking,
        "why": f"more than one record in {size} has the same value of {column!r}",
        "remedy": "allow more suppression, or ask for a smaller l",
    }


def _kept(totals: Numbers, size: int) -> Numbers:
    """How many records of each value stay: all, or as many as there can be buckets.

    Buckets exist if and only if no value has more than an l-th of all records. With at most m records of every value
    there are at least l m records for m up to some number, and too few beyond it, since their number is concave in m.
    """
    low, high = 0, int(totals.max(initial=0))
    while low < high:
        most = (low + high + 1) // 2
        low, high = (most, high) if np.minimum(totals, most).sum() >= size * most else (low, most - 1)
    return np.minimum(totals, low)


@dataclass(frozen=True, eq=False)
class _Records:
    """The records one by one, those of each value together and in random order."""

    combination: Numbers
    value: Numbers
    """Rising."""
    totals: Numbers
    """Per value its records."""
    chance: np.random.Generator

    @classmethod
    def of(cls, problem: Problem) -> "_Records":
        frequencies = problem.frequencies
        axes = [*problem.axes, *(problem.sensitive_axes[name] for name in frequencies.names[len(problem.axes) :])]
        ranks = np.array([axis.rank[codes] for axis, codes in zip(axes, frequencies.codes, strict=True)])
        # Engines count in different orders.
        order = np.lexsort(ranks[::-1])
        chance = _chance(axes, ranks[:, order], frequencies.counts[order], problem.seed)
        combination = chance.permutation(np.repeat(order, frequencies.counts[order]))
        value = ranks[-1, combination].astype(np.int64)
        by_value = np.argsort(value, kind="stable")
        totals = np.bincount(value, minlength=len(axes[-1].rank)).astype(np.int64)
        return cls(combination[by_value], value[by_value], totals, chance)

    def dealt(self, kept: Numbers, size: int, watch: Watch) -> tuple[Codes, int, str]:
        """The bucket of each record, how many there are, and whether time was up."""
        buckets, stopped = int(kept.sum()) // size, "done"
        taken = np.empty((buckets, size), dtype=np.int64)
        try:
            for filled in _fill(taken, kept):
                watch.tick(f"{filled:,} of {buckets:,} buckets filled", filled / buckets)
            numbers, values = _numbers(taken), taken.reshape(-1)
            spare = kept - np.bincount(values, minlength=len(kept))
            for value in np.flatnonzero(spare).tolist():
                # At most one of each value is left over, and for each there is a bucket without it.
                lacking = np.flatnonzero((taken != value).all(axis=1))
                numbers, values = np.append(numbers, self.chance.choice(lacking)), np.append(values, value)
        except Stopped as stop:
            stopped = stop.reason
            # One bucket after the other: no value has more records than there are buckets.
            values = np.repeat(np.arange(len(kept)), kept)
            numbers = np.arange(len(values)) % max(1, buckets)
        found = np.full(len(self.value), SUPPRESSED, dtype=np.int32)
        starts = np.append(0, np.cumsum(self.totals))[:-1]
        within = np.arange(len(self.value)) - starts[self.value]
        found[within < kept[self.value]] = numbers[np.argsort(values, kind="stable")]
        return found, buckets, stopped


def _fill(taken: Numbers, kept: Numbers) -> Iterator[int]:
    """Every bucket takes one record of each of the l values that have the most left; the first of equals."""
    left = [(-count, value) for value, count in enumerate(kept.tolist()) if count]
    heapify(left)
    size = taken.shape[1]
    for at in range(len(taken)):
        if at % _SLICE == 0:
            yield at
        largest = [heappop(left) for _ in range(size)]
        taken[at] = [value for _, value in largest]
        for count, value in largest:
            if count < -1:
                heappush(left, (count + 1, value))


def _numbers(taken: Numbers) -> Numbers:
    return np.repeat(np.arange(len(taken)), taken.shape[1])


def _chance(axes: list[Axis], ranks: Codes, counts: Numbers, seed: int) -> np.random.Generator:
    """Chance that starts from the seed and from all data.

    With the seed alone, which may be known or guessed, whoever has the quasi-identifiers could repeat the draw and see
    which of two records of a value was drawn first. So it takes the sensitive values themselves to repeat it.
    """
    digest = sha256(repr((seed, [axis.name for axis in axes])).encode())
    for axis in axes:
        texts = texts_of(axis.values)
        digest.update(repr([texts[code - 1] if code else None for code in axis.code.tolist()]).encode())
    digest.update(np.ascontiguousarray(ranks, dtype=np.int64).tobytes())
    digest.update(np.ascontiguousarray(counts, dtype=np.int64).tobytes())
    return np.random.default_rng(int.from_bytes(digest.digest()))


SEARCH = Anatomy

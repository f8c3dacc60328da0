"""Anatomy (Xiao and Tao 2006): buckets of records with different sensitive values, which are published apart.

With k alone buckets are records whose quasi-identifiers are neighbors (Loukides 2008, Tables 2.12 and 2.13).
"""

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
from incrowd.models.conjunction import All
from incrowd.models.distinct_l import DistinctL
from incrowd.models.entropy_l import EntropyL
from incrowd.models.frequency_l import FrequencyL
from incrowd.models.k_anonymity import KAnonymity
from incrowd.models.recursive_cl import RecursiveCL
from incrowd.searches import ApartOutcome, ApartSearch, Guarantee, NothingFound, Problem
from incrowd.searches.outcomes import Shared
from incrowd.watch import Stopped, Watch

Numbers = NDArray[np.int64]

_SLICE = 1 << 14
"""How many buckets are filled between two ticks."""

JUDGED = (FrequencyL, DistinctL, EntropyL, RecursiveCL)
"""The models of values that buckets can be made for: they look at a bucket alone, and hold of several together."""


@dataclass(frozen=True)
class Anatomy(ApartSearch):
    """Every bucket has at least l records, all with different sensitive values; with k alone, at least k records.

    Quasi-identifiers are published as they are, with the number of the bucket in place of the sensitive value; a second
    table tells the values of each bucket. Who is in the table can be seen; whose a value is cannot.
    """

    counts_people: ClassVar[bool] = False

    group: str = "group"
    """The column that holds the number of the bucket, in both tables."""
    count: str = "count"
    """The column of the second table that tells how many records of a bucket have a value."""

    def __post_init__(self) -> None:
        for option, name in (("group", self.group), ("count", self.count)):
            if not isinstance(name, str) or not name.strip():
                raise UsageError.not_one_of(f"{option} of anatomy", name, ["the name of a column"])
        if self.group == self.count:
            raise UsageError.invalid("group and count of anatomy", "both have the same name", "name them differently")

    def can_promise(self, model: PrivacyModel) -> bool:
        """Return whether a bucket alone decides about a model, and buckets can be made for it."""
        return isinstance(model, (*JUDGED, KAnonymity))

    def run(self, problem: Problem, watch: Watch) -> ApartOutcome | NothingFound:
        """Return as many buckets as possible; suppress the excess of a value that is too frequent."""
        k, size = _sizes(problem.model)
        records = _Records.of(problem)
        kept = records.totals if size is None else _kept(records.totals, size)
        lacking = int(records.totals.sum() - (kept.sum() if kept.sum() >= k else 0))
        groups, stopped, buckets = None, "done", 0
        if lacking <= problem.budget:
            if kept.sum() < k:
                numbers = np.full(len(records.value), SUPPRESSED, dtype=np.int32)
            elif size is None:
                numbers, buckets = records.neighbors(k)
            else:
                numbers, buckets, stopped = records.dealt(kept, size, watch)
                numbers, buckets = _joined(numbers, buckets, -(-k // size))
            groups = Groups.of_pieces(
                problem.frequencies, records.combination, np.ones(len(numbers), dtype=np.int64), numbers
            )
        asked = {"k": k} if size is None else {"l": size} | ({"k": k} if k > 1 else {})
        shared: Shared = {
            "search": "anatomy",
            "guarantee": Guarantee.HEURISTIC,
            "counted": buckets,
            "lattice": 0,
            "stopped": stopped,
            "gap": None,
            "details": {**asked, "buckets": buckets} if groups else _why(problem, k, size, lacking),
        }
        return NothingFound(**shared) if groups is None else ApartOutcome(groups=groups, **shared)


def _sizes(model: PrivacyModel) -> tuple[int, int | None]:
    """Return how many records a bucket needs, and how many different values, one record each; None if k is all."""
    parts = model.models if isinstance(model, All) else (model,)
    # What is necessary for each of these models is enough where no value comes twice.
    sizes = [part.relaxed().l for part in parts if isinstance(part, JUDGED)]
    least = [part.k for part in parts if isinstance(part, KAnonymity)]
    if len(sizes) + len(least) < len(parts) or len(set(model.needs)) > 1:
        raise UsageError.invalid(
            "anatomy with these models",
            "quasi-identifiers are published unchanged, and buckets have different values of one column",
            "give k_anonymity, frequency_l, distinct_l, entropy_l or recursive_cl of one sensitive column, and no "
            "other model",
        )
    return max(least, default=1), max(sizes) if sizes else None


def _joined(numbers: Codes, buckets: int, together: int) -> tuple[Codes, int]:
    """Join several buckets into one, which satisfies the models too, since all of them allow merging."""
    fewer = buckets // together
    joined = np.minimum(numbers // together, max(0, fewer - 1)).astype(np.int32)
    return np.where(numbers == SUPPRESSED, np.int32(SUPPRESSED), joined), fewer


def _why(problem: Problem, k: int, size: int | None, lacking: int) -> dict[str, Any]:
    if size is None or (k > size and lacking == problem.frequencies.records):
        few = f"fewer than {k} records can be in a group"
        return {"would_suppress": lacking, "why": few, "remedy": "ask for a smaller k or l"}
    [column] = problem.model.needs[0]
    return {
        "would_suppress": lacking,
        "why": f"more than one record in {size} has the same value of {column!r}",
        "remedy": "allow more suppression, or ask for a smaller l",
    }


def _kept(totals: Numbers, size: int) -> Numbers:
    """Return how many records of each value stay: all, or as many as there can be buckets.

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
    quasi: Codes
    """Quasi-identifiers x records: where each is in the order of its column."""
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
        quasi = ranks[: len(problem.axes), combination[by_value]]
        return cls(combination[by_value], value[by_value], totals, quasi, chance)

    def neighbors(self, k: int) -> tuple[Codes, int]:
        """Return the bucket of each record, of k or a few more in the order of their quasi-identifiers, and how many.

        Only quasi-identifiers decide, and chance where they are equal, so the buckets tell nothing of values.
        """
        buckets, shuffled = len(self.value) // k, self.chance.permutation(len(self.value))
        order = shuffled[np.lexsort(self.quasi[::-1, shuffled])]
        found = np.empty(len(self.value), dtype=np.int32)
        found[order] = np.arange(len(self.value)) * buckets // max(1, len(self.value))
        return found, buckets

    def dealt(self, kept: Numbers, size: int, watch: Watch) -> tuple[Codes, int, str]:
        """Return the bucket of each record, how many there are, and whether time was up."""
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
    """Fill every bucket with one record of each of the l values that have the most left, the first of equal ones."""
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
    """Return a generator seeded by the seed and by all data.

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
MEANING = "publishes sensitive values in a separate table, by groups of at least k records"
RANK = 16

"""Equal records in different pieces, where an engine holds the rows.

A join cannot tell equal records apart. So the engine numbers the records of each combination, from 0, and each piece
takes a range of these places. Places are joined by equality, as engines do quickly: the places of a combination are cut
into runs of one length for all, each piece is listed for every run of which it takes a part, and what was joined is
filtered by its range. With runs as long as pieces are on average, there are at most four times as many rows to join
with as pieces, and at most three times as many joined rows as published records, however large combinations are.

Which of equal records goes where follows from what is published of them, so that each execution of the same query gives
the same. It must not follow from it in a way that others could follow too: sorted by income, the first piece of a
combination would get the lowest ones. So the places are permuted, by numbers that depend on how many records each
original combination has, which no release discloses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts
from incrowd.core.table import Codes
from incrowd.recodings import RecodingMap

if TYPE_CHECKING:
    # Most runs hold their records in files.
    import narwhals as nw

RUN, LOW, HIGH = "run", "low", "high"
"""Columns of what is joined: the run, and the range of places in it, from low up to high."""

_PLACE = "place"
_PRIME = (1 << 31) - 1
"""More than there are places; a product of two smaller numbers fits into 64 bits."""

Numbers = NDArray[np.int64]


class Shares(NamedTuple):
    """The pieces of combinations as an engine counted them, run by run."""

    combination: Numbers
    """The engine's combination."""
    piece: Codes
    run: Numbers
    """The first place of the run."""
    low: Numbers
    high: Numbers
    weight: Numbers
    """The records of the engine's combination."""
    length: int
    """The places of a run."""

    @property
    def counts(self) -> Counts:
        """Return the number of records that are published of each."""
        return np.minimum(self.high, self.run + self.length) - np.maximum(self.low, self.run)


def surplus(recoding: RecodingMap, combination: Codes, weights: Counts) -> int:
    """Return how many records there are of these combinations beyond those that were counted."""
    combinations = recoding.combinations
    found = np.bincount(combination, weights=weights, minlength=combinations.combinations).astype(np.int64)
    return int(np.maximum(0, found - combinations.counts).sum())


def shares(recoding: RecodingMap, combination: Codes, weights: Counts) -> Shares:
    """Return the pieces of an engine's combinations, given the counted combination of each and its records.

    Several of them may be one that was counted, such as NaN and NULL: they take its pieces one after the other.
    """
    assert recoding.pieces is not None
    of, counts = recoding.pieces
    ends = np.cumsum(counts)
    starts = _begin(recoding, of, counts)[combination] + _before(combination, weights)
    # One row for each combination and each of its pieces.
    first = np.searchsorted(ends, starts, side="right")
    last = np.searchsorted(ends, starts + weights - 1, side="right")
    at, piece = _repeated(first, last)
    low = np.maximum(0, ends[piece] - counts[piece] - starts[at])
    high = np.minimum(weights[at], ends[piece] - starts[at])
    kept = recoding.kept[piece]
    at, piece, low, high = at[kept], piece[kept], low[kept], high[kept]
    # And one for each run of which a piece takes a part.
    length = max(1, int((high - low).sum()) // max(1, len(piece)))
    row, run = _repeated(low // length, (high - 1) // length)
    return Shares(at[row], piece[row].astype(np.int32), run * length, low[row], high[row], weights[at[row]], length)


def _begin(recoding: RecodingMap, of: Numbers, counts: Counts) -> Numbers:
    """Return how many records come before those of each combination, in the order of the pieces."""
    there = np.bincount(of, weights=counts, minlength=recoding.combinations.combinations).astype(np.int64)
    return np.cumsum(there) - there


def _before(combination: Codes, weights: Counts) -> Numbers:
    """Return how many records of the same combination come before each row."""
    order = np.argsort(combination, kind="stable")
    ordered, running = combination[order], np.cumsum(weights[order]) - weights[order]
    first = np.append(True, ordered[1:] != ordered[:-1])[: len(order)]
    found = np.empty(len(order), dtype=np.int64)
    found[order] = running - np.maximum.accumulate(np.where(first, running, 0))
    return found


def _repeated(first: Numbers, last: Numbers) -> tuple[Numbers, Numbers]:
    """Return each row as often as there are numbers from its first to its last, and these numbers."""
    lengths = last - first + 1
    rows = np.repeat(np.arange(len(first)), lengths)
    begun = np.cumsum(lengths) - lengths
    return rows, np.arange(len(rows)) - begun[rows] + first[rows]


@dataclass(frozen=True, eq=False)
class Parted:
    """The means by which an engine numbers equal records, and gives each piece its share."""

    shares: Shares
    order: Sequence[str]
    """Columns that are published as they are, which number the records of a combination."""
    factor: int
    shift: int
    """The numbers that permute the places of a combination."""

    @classmethod
    def of(cls, shares: Shares, recoding: RecodingMap, order: Sequence[str]) -> "Parted":
        """Return what these shares need."""
        counts = np.sort(recoding.combinations.counts), np.sort(recoding.counts)
        digest = sha256(b"".join(each.astype("<i8").tobytes() for each in counts)).digest()
        factor, shift = (int.from_bytes(part, "big") % (_PRIME - 1) + 1 for part in (digest[:8], digest[8:16]))
        return cls(shares, order, factor, shift)

    def with_runs(self, rows: "nw.LazyFrame[Any]", numbers: Sequence[str]) -> "nw.LazyFrame[Any]":
        """Return the rows with their place among those of equal numbers, and the run of that."""
        import narwhals as nw

        unsorted = (nw.Object, nw.Unknown)
        kinds = rows.collect_schema()
        order = [name for name in self.order if not kinds[name].is_nested() and not isinstance(kinds[name], unsorted)]
        place = nw.col(_PLACE)
        return (
            rows.with_columns(nw.lit(1, nw.Int64).alias(_PLACE))
            .with_columns(place.cum_sum().over(*numbers, order_by=order or numbers[:1]).cast(nw.Int64))
            .with_columns((place * self.factor + self.shift) % _PRIME)
            .with_columns(place.rank("ordinal").over(*numbers).cast(nw.Int64) - 1)
            .with_columns((place - place % self.shares.length).alias(RUN))
        )


def only_shares(rows: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
    """Return the joined rows whose place is in the range of the piece that they were joined with."""
    import narwhals as nw

    place = nw.col(_PLACE)
    return rows.filter((place >= nw.col(LOW)) & (place < nw.col(HIGH)))

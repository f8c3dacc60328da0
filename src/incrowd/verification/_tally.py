"""Counting: the distinct combinations of some columns, in the order in which they first appear.

Only distinct values become Python objects; combinations stay numbers, so a file of many millions of records fits.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.verification._columns import Observed
from incrowd.verification._rows import Cells, Rows

Numbers = NDArray[np.int64]
Value = tuple[str | None, ...]
"""The cells of a record in some columns."""

_PENDING = 1 << 20
"""The number of combinations to collect before equal ones are merged."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The number of records with each combination."""

    columns: tuple[str, ...]
    texts: tuple[list[str | None], ...]
    """Per column its values: code c stands for texts[c]."""
    codes: Numbers
    """Columns x combinations."""
    counts: Numbers

    @property
    def records(self) -> int:
        """Return how many records were counted."""
        return int(self.counts.sum())

    def numbered(self, columns: Sequence[str]) -> tuple[Numbers, list[Value]]:
        """Return the number of each combination's value in some columns, and the values in order of appearance."""
        at = [self.columns.index(name) for name in columns]
        keys = keys_of(self.codes[at])
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        place = np.argsort(first)
        rank = np.empty_like(place)
        rank[place] = np.arange(len(place))
        texts = [[self.texts[column][code] for code in self.codes[column, first[place]]] for column in at]
        values: list[Value] = list(zip(*texts, strict=True)) if at else [()] * len(first)
        return rank[inverse.reshape(-1)], values

    def merged(self) -> "Tally":
        """Return the tally with one code for each text, where different values were given the same text."""
        texts, codes = [], self.codes.copy()
        for at, of_column in enumerate(self.texts):
            code_of: dict[str | None, int] = {}
            renumbered = [code_of.setdefault(text, len(code_of)) for text in of_column]
            texts.append(list(code_of))
            codes[at] = np.array(renumbered, dtype=np.int64)[self.codes[at]]
        return Tally(self.columns, tuple(texts), codes, self.counts)

    def counter(self, columns: Sequence[str]) -> "Counter[Value]":
        """Return how often each value of some columns occurs."""
        numbers, values = self.numbered(columns)
        found: Counter[Value] = Counter()
        # Different values may have been given the same text.
        for value, total in zip(values, _totals(numbers, len(values), self.counts).tolist(), strict=True):
            found[value] += total
        return found


def tally(rows: Rows, columns: Sequence[str], observed: Observed | None = None) -> Tally:
    """Read all records once and count; `observed` looks at the cells of its own columns on the way."""
    known: list[dict[str | None, int]] = [{} for _ in columns]
    joined = (np.empty((len(columns), 0), dtype=np.int64), np.empty(0, dtype=np.int64))
    pending, waiting = [joined], 0
    read = list(dict.fromkeys([*columns, *(observed.columns if observed else ())]))
    # Without columns to look at, records are still counted, by the first one.
    for batch in rows.batches(read or rows.columns[:1]):
        if observed is not None:
            observed.add(dict(zip(read, batch, strict=False)))
        size = len(batch[0].codes)
        codes = [_everywhere(cells, of) for cells, of in zip(batch, known, strict=False)]
        pending.append(
            _joined(np.array(codes, dtype=np.int64).reshape(len(columns), size), np.ones(size, dtype=np.int64))
        )
        waiting += len(pending[-1][1])
        if waiting > max(_PENDING, len(pending[0][1])):
            pending, waiting = [_all_joined(pending)], 0
    codes_of_all, counts = _all_joined(pending)
    return Tally(tuple(columns), tuple(list(of) for of in known), codes_of_all, counts)


def _everywhere(cells: Cells, known: dict[str | None, int]) -> Numbers:
    """Return a batch's codes as codes of the whole column."""
    codes = [known.setdefault(text, len(known)) for text in cells.texts]
    return np.array(codes, dtype=np.int64)[cells.codes]


def _all_joined(parts: Sequence[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    return _joined(np.concatenate([codes for codes, _ in parts], axis=1), np.concatenate([n for _, n in parts]))


def _joined(codes: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return the combinations with equal ones merged, in the order of first appearance."""
    keys = keys_of(codes)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return codes[:, first[order]], _totals(inverse.reshape(-1), len(first), counts)[order]


def differing(one: Tally, other: Tally, columns: Sequence[str]) -> int:
    """Return how many values of some columns do not occur equally often in both."""
    codes = []
    for name in columns:
        of_one, of_other = one.columns.index(name), other.columns.index(name)
        code_of: dict[str | None, int] = {}
        first, second = (
            np.array([code_of.setdefault(text, len(code_of)) for text in texts], dtype=np.int64)
            for texts in (one.texts[of_one], other.texts[of_other])
        )
        codes.append(np.concatenate([first[one.codes[of_one]], second[other.codes[of_other]]]))
    size = len(one.counts) + len(other.counts)
    _, numbers = np.unique(keys_of(np.array(codes).reshape(len(codes), size)), return_inverse=True)
    surplus = _totals(numbers.reshape(-1), size, np.concatenate([one.counts, -other.counts]))
    return int(np.count_nonzero(surplus))


def keys_of(codes: Numbers) -> Numbers:
    """Return one number for each combination."""
    keys, span = np.zeros(codes.shape[1], dtype=np.int64), 1
    for column in codes:
        size = int(column.max(initial=0)) + 1
        if span * size >= 2**63:
            distinct, keys = np.unique(keys, return_inverse=True)
            keys, span = keys.reshape(-1), len(distinct)
        keys, span = keys * size + column, span * size
    return keys


def _totals(numbers: Numbers, n: int, counts: Numbers) -> Numbers:
    totals = np.zeros(n, dtype=np.int64)
    np.add.at(totals, numbers, counts)
    return totals

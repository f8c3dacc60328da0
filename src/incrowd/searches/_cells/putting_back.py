"""Where a wiped cell matches anything: cells are put back that others' wiped cells make needless.

`covering` looks at each record by itself. Then a record of whom two cells are wiped may match enough published rows
with one of them, or with another one, because cells of theirs are wiped. It always keeps one wiped cell at least: the
bare convention could do without, and would hide nobody.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import FrequencySet
from incrowd.core.matching import matching_records
from incrowd.core.schema import Nulls
from incrowd.searches._cells.wiping import Pattern, WipedPieces, Wiping
from incrowd.watch import Stopped, Watch

_MOST_COLUMNS = 62
"""Differing columns are bits of a number."""

_NEAR = 1e-9

_HELPERS = 100
"""How many others are asked to lose another cell."""

_WORK = 60_000_000
"""How many pairs of rows are compared in all; on Adult's eight columns that takes two seconds."""

_TRIED = 1_000_000_000
"""So often in all a row is looked up for a pattern: of many columns there are too many patterns to try them all."""


def matches(wiping: Wiping, pieces: WipedPieces) -> NDArray[np.int64]:
    """Return how many records match each published piece, wiped cells matching on either side."""
    kept = ~pieces.left_out
    codes = np.where(pieces.wiped, wiping.tops[:, None], wiping.codes[:, pieces.combination])[:, kept]
    # In a frequency set 0 matches everything; a cell that was missing is a value like others.
    codes = np.ascontiguousarray(np.where(codes == wiping.tops[:, None], 0, codes + 1), dtype=np.int32)
    names = wiping.lattice.problem.quasi
    values = tuple(range(int(row.max(initial=0))) for row in codes)
    return matching_records(FrequencySet(names, values, codes, pieces.counts[kept]), names, Nulls.MAYBE)


def put_back(wiping: Wiping, pieces: WipedPieces, watch: Watch) -> tuple[WipedPieces, str]:
    """Choose cheaper patterns with which every record still matches k, dear records first; return why it ended."""
    if len(wiping.tops) > _MOST_COLUMNS or not pieces.wiped.any():
        return pieces, "done"
    table, patterns, stopped = _Published(wiping, pieces), _Patterns(wiping), "done"
    try:
        for help_wanted in (False, True, True):
            _cheapen(wiping, table, patterns, help_wanted, watch)
    except Stopped as stop:
        stopped = stop.reason
    return WipedPieces(pieces.combination, pieces.counts, table.wiped, pieces.left_out), stopped


def _cheapen(wiping: Wiping, table: "_Published", patterns: "_Patterns", help_wanted: bool, watch: Watch) -> None:
    price = (table.wiped * wiping.prices).sum(axis=0)
    order = wiping.order[np.argsort(-price[wiping.order], kind="stable")]
    dear = [at for at in order.tolist() if np.count_nonzero(table.wiped[:, at]) > 1]
    for number, at in enumerate(dear):
        if number % 50 == 0:
            watch.tick(f"{number:,} of {len(dear):,} records that lose several cells", number / len(dear))
        if table.tired:
            return
        cheaper = patterns.below(at, float(price[at]))
        if not table.switch(at, *cheaper) and help_wanted:
            table.cheapen_with_help(at, cheaper)


class _Patterns:
    """The patterns that wipe something, from cheap to dear by weight."""

    def __init__(self, wiping: Wiping) -> None:
        self._wiping = wiping
        weight = np.array(wiping.weights)
        patterns = [pattern for pattern in wiping.patterns() if pattern]
        self._patterns = sorted(patterns, key=lambda pattern: (weight[list(pattern)].sum(), len(pattern), pattern))
        self._flags = np.zeros((len(patterns), len(weight)))
        for number, pattern in enumerate(self._patterns):
            self._flags[number, list(pattern)] = 1.0

    def below(self, at: int, price: float) -> list[Pattern]:
        """Return those that cost a combination less."""
        cheaper = self._flags @ self._wiping.prices[:, at] < price - _NEAR
        return [self._patterns[number] for number in np.flatnonzero(cheaper).tolist()]


class _Published:
    """The rows published so far, and how many records match each."""

    def __init__(self, wiping: Wiping, pieces: WipedPieces) -> None:
        self._wiping, self._counts = wiping, np.where(pieces.left_out, 0, pieces.counts)
        self.wiped = pieces.wiped.copy()
        self._tries = _WORK // max(1, len(pieces.counts))
        self._lookups = _TRIED // max(1, len(pieces.counts))
        self._open = self.wiped | wiping.wiped_already
        self._there = ~pieces.left_out
        self._rows_that_lose = self._there & pieces.wiped.any(axis=0)
        # Of rows that are left out more than enough.
        self._matches = np.full(len(pieces.counts), np.iinfo(np.int64).max // 2)
        self._matches[self._there] = matches(wiping, pieces)

    @property
    def tired(self) -> bool:
        """Whether enough rows were compared."""
        return self._tries <= 0 or self._lookups <= 0

    def switch(self, at: int, *patterns: Pattern) -> bool:
        """Wipe other columns of a row instead: the first that leave it and all others with k matching records."""
        self._tries -= 1
        differs, own = self._differs(at), self._counts[at]
        near = np.flatnonzero((differs & ~self._mask_of(at)) == 0)
        for pattern in patterns[: self._lookups]:
            self._lookups -= 1
            now = (differs & ~_mask(pattern)) == 0
            enough = int(self._counts[now].sum())
            lost = near[~now[near]]
            if enough < self._wiping.k or (self._matches[lost] - own < self._wiping.k).any():
                continue
            self._matches[near] -= own
            self._matches[now] += own
            self._matches[at] = enough
            self.wiped[:, at] = False
            self.wiped[list(pattern), at] = True
            self._open[:, at] = self.wiped[:, at] | self._wiping.wiped_already[:, at]
            return True
        return False

    def _mask_of(self, at: int) -> int:
        return _mask(np.flatnonzero(self.wiped[:, at]).tolist())

    def cheapen_with_help(self, at: int, patterns: Sequence[Pattern]) -> None:
        """Change rows that match this one with other cells wiped at the same cost."""
        for pattern in patterns:
            beyond = self._differs(at) & ~_mask(pattern)
            lacking = self._wiping.k - int(self._counts[beyond == 0].sum())
            for other in self._helpers(beyond).tolist():
                if self.tired:
                    return
                if self.switch(other, _columns(int(beyond[other]))):
                    lacking -= int(self._counts[other])
                if lacking <= 0 and self.switch(at, pattern):
                    return

    def _helpers(self, beyond: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the first rows that would match if they lost just the cells that differ, which cost them no more."""
        places = self._wiping.order[self._rows_that_lose[self._wiping.order] & (beyond[self._wiping.order] != 0)]
        flags = ((beyond[places] >> np.arange(len(self.wiped))[:, None]) & 1).astype(np.bool_)
        may_be = ~flags[[at for at in range(len(flags)) if at not in self._wiping.columns]].any(axis=0)
        prices = self._wiping.prices[:, places]
        no_dearer = (flags * prices).sum(axis=0) <= (self.wiped[:, places] * prices).sum(axis=0) + _NEAR
        found: NDArray[np.int64] = places[may_be & no_dearer][:_HELPERS]
        return found

    def _differs(self, at: int) -> NDArray[np.int64]:
        """Return per row the columns, as bits, in which it does not match this one with none of its own cells wiped."""
        codes = self._wiping.codes
        found = np.zeros(len(self._counts), dtype=np.int64)
        for column in np.flatnonzero(~self._wiping.wiped_already[:, at]).tolist():
            found |= ((codes[column] != codes[column, at]) & ~self._open[column]).astype(np.int64) << column
        return found


def _columns(bits: int) -> Pattern:
    return tuple(at for at in range(bits.bit_length()) if bits >> at & 1)


def _mask(pattern: Iterable[int]) -> int:
    return sum(1 << column for column in pattern)

"""Where a wiped cell matches anything: every published row must fit k records, and each is chosen by itself.

The bare convention (a record is safe when k published rows match it, wiped cells matching on either side) can be met by
wiping k - 1 rows wholly: everybody matches those, and nobody else is hidden. So more is asked for here, which implies
it: each row by itself, with its wiped cells open, fits at least k of the published records as they were.
"""

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from incrowd.core.kernels import total
from incrowd.searches._cells.wiping import Flags, Pattern, WipedPieces, Wiping
from incrowd.watch import Stopped, Watch

_NEAR = 1e-9
"""Prices this near are the same but for rounding."""


def covering(wiping: Wiping, watch: Watch) -> WipedPieces:
    """Return the cheapest cells to wipe for each record; suppress records that no wiping helps.

    Which cells one record loses changes nothing for the others, who are compared with records as they were. So the sum
    of the cheapest choices is the least there is, unless records are left out, which the others then lack.
    """
    n = len(wiping.counts)
    left_out = np.zeros(n, dtype=np.bool_)
    while True:
        wiped, found = _cheapest(wiping, left_out, watch)
        if (found | left_out).all():
            wiped[:, left_out] = False
            return WipedPieces(np.arange(n), wiping.counts.copy(), wiped, left_out)
        left_out |= ~found


def _cheapest(wiping: Wiping, left_out: Flags, watch: Watch) -> tuple[Flags, Flags]:
    """Return columns x combinations: what is wiped; and for which combinations there is such a choice."""
    n = len(wiping.counts)
    there = np.where(left_out, 0, wiping.counts)
    wiped = np.zeros((len(wiping.tops), n), dtype=np.bool_)
    best = np.where(left_out, -np.inf, np.inf)
    for _, patterns in groupby(_as_long_as_there_is_time(wiping, watch), key=len):
        tried = False
        for pattern in patterns:
            price = wiping.price(pattern)
            # Small patterns come first, so of equally cheap ones the one with fewer columns stays.
            cheaper = price < best - _NEAR
            if not cheaper.any():
                continue
            tried = True
            of, classes = wiping.alike(pattern)
            better = cheaper & (total(of, classes, there)[of] >= wiping.k)
            best[better] = price[better]
            wiped[:, better] = False
            wiped[np.ix_(pattern, better)] = True
        if not tried:
            # What is wiped beyond these columns costs more still.
            break
    return wiped, best < np.inf


def _as_long_as_there_is_time(wiping: Wiping, watch: Watch) -> Iterator[Pattern]:
    """Yield the patterns; if stopped, what is not hidden yet loses all it may."""
    for pattern in wiping.patterns():
        try:
            watch.tick(f"{len(pattern)} cells of a record suppressed")
        except Stopped:
            yield wiping.columns
            return
        yield pattern

"""Whether a table may be published: what the audit of its sensitive cells finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.tables.audit import Ranges, ranges, short
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.protections import Protected
from incrowd.watch import Watch

MOST_RANGES = 1_000
"""Up to so many hidden cells all of their ranges are computed; of more, only on request. Of a table without hidden
cells those of its sensitive cells, as far as that is no more work."""


@dataclass(frozen=True, eq=False)
class Audit:
    """What an attacker finds out about the sensitive cells."""

    sensitive: Numbers
    given_away: Numbers
    """Those that can be computed, or whose range is too narrow."""
    ranges: Ranges | None
    """The range of every hidden cell, or of every sensitive one where none is hidden; None where not computed."""


def audited(cells: Cells, room: Numbers, protected: Protected, in_full: bool, watch: Watch) -> Audit:
    """Ask the attacker's linear programmes about every sensitive cell, and about all hidden ones of small tables."""
    sensitive = np.flatnonzero(room)
    asked = np.flatnonzero(protected.hidden | (room > 0))
    # Two programmes for each, over all cells that are not known.
    few = len(asked) * np.count_nonzero(protected.known.open) <= MOST_RANGES**2
    found = ranges(cells, protected.known, asked, watch) if in_full or few else None
    low, high = protected.low, protected.high
    if low is None or high is None:
        # Somewhere around its value; where that fails, the range itself tells.
        low = np.maximum(protected.known.lower, cells.values - room)
        high = low + 2 * room
        given_away = short(cells, protected.known, sensitive, low, high, watch)
        own = ranges(cells, protected.known, given_away, watch)
        given_away = given_away[own.high - own.low < 2 * room[given_away]]
    else:
        given_away = short(cells, protected.known, sensitive, low, high, watch)
    published = sensitive[~protected.known.open[sensitive]]
    return Audit(sensitive, np.union1d(given_away, published), found)

"""The decision whether a table may be published, by the audit of its sensitive cells."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from incrowd.tables.audit import Knowledge, Ranges, ranges, short
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.doubts import Doubts
from incrowd.tables.insiders import adds_up, insiders
from incrowd.tables.protections import Protected
from incrowd.watch import Watch

MOST_RANGES = 1_000
"""Up to this number of suppressed cells all intervals are computed; beyond it, only on request. Of a table without
suppressed cells those of its sensitive cells, as far as that is no more work."""


@dataclass(frozen=True, eq=False)
class Audit:
    """The result of attacks on the sensitive cells."""

    sensitive: Numbers
    given_away: Numbers
    """Cells that anyone can derive, or whose interval is too narrow."""
    to_contributors: Numbers
    """Those of which that is true of some contributors only."""
    ranges: Ranges | None
    """The interval of every suppressed cell, or of every sensitive one if none is; None if not computed."""


def audited(cells: Cells, room: Numbers, protected: Protected, in_full: bool, watch: Watch) -> Audit:
    """Ask the attackers' linear programmes about every sensitive cell, and about all hidden ones of small tables."""
    sensitive = np.flatnonzero(room)
    asked = np.flatnonzero(protected.hidden | (room > 0))
    # Two programmes for each, over all cells that are not known.
    few = len(asked) * np.count_nonzero(protected.known.open) <= MOST_RANGES**2
    found = ranges(cells, protected.known, asked, watch) if in_full or few else None
    published = sensitive[~protected.known.open[sensitive] & (protected.public is None)]
    given_away = np.union1d(_given_away(cells, room, 2 * room, protected, watch), published)
    to_contributors = _to_contributors(cells, room, protected, watch)
    return Audit(sensitive, given_away, np.setdiff1d(to_contributors, given_away), found)


def _given_away(cells: Cells, room: Numbers, width: Numbers, protected: Protected, watch: Watch) -> Numbers:
    """Return the sensitive cells that this knowledge discloses: derivable, or with too narrow an interval."""
    sensitive = np.flatnonzero(room)
    low, high = protected.low, protected.high
    if low is not None and high is not None:
        return short(cells, protected.known, sensitive, low, high, watch)
    # Somewhere around its value; where that fails, the range itself tells.
    low = np.maximum(protected.known.lower, cells.values - room)
    given_away = short(cells, protected.known, sensitive, low, low + width, watch)
    own = ranges(cells, protected.known, given_away, watch)
    least = width[given_away]
    if protected.public is not None:
        anyway = ranges(cells, protected.public, given_away, watch)
        least = np.minimum(least, anyway.high - anyway.low)
    return given_away[own.high - own.low < least]


def _to_contributors(cells: Cells, room: Numbers, protected: Protected, watch: Watch) -> Numbers:
    """Return the sensitive cells that contributors can derive, or narrow down too far, with their own records."""
    known, sensitive = protected.known, np.flatnonzero(room)
    floor = known.lower if protected.floor is None else protected.floor
    additive, attackers = adds_up(cells, floor), insiders(cells, room, floor)
    low = np.maximum(known.lower, cells.values - room) if protected.low is None else protected.low
    high = low + 2 * room if protected.high is None else protected.high
    found = np.zeros(0, dtype=np.int64)
    for insider, asked in Doubts(cells, attackers, floor).about(known, sensitive, low, high):
        least = np.where(known.open, np.maximum(known.lower, insider.floor(floor, additive)), known.lower)
        lower, upper, needed = least.copy(), known.upper.copy(), np.zeros_like(room)
        needed[asked] = room[asked]
        lower[insider.whole] = upper[insider.whole] = cells.values[insider.whole]
        needed[insider.whole] = 0
        # A range need not reach below what they have themselves.
        width = needed + np.minimum(needed, cells.values - least)
        reach = None if protected.low is None else np.maximum(protected.low, least)
        public = None if protected.public is None else _with_own(protected.public, insider.floor(floor, additive))
        view = replace(protected, known=Knowledge(lower, upper), low=reach, public=public)
        found = np.union1d(found, _given_away(cells, needed, width, view, watch))
    return found


def _with_own(public: Knowledge, floor: Numbers) -> Knowledge:
    """Return public knowledge together with what contributors know of their own records."""
    return Knowledge(np.where(public.open, np.maximum(public.lower, floor), public.lower), public.upper)

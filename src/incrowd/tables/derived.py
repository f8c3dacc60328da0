"""The numbers a protected table shows: counts or sums, means, or shares in percent.

Means and shares are computed from the protected numbers alone, and from counts that are assumed public. So computing
back yields what the table of these numbers would have shown, which is what was audited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.audit import Knowledge
from incrowd.tables.cells import Cells
from incrowd.tables.needs import Mask
from incrowd.tables.protections import Protected

PERCENT_DECIMALS = 1
"""Digits after the point of a share in percent."""
MEAN_DECIMALS = 2
"""Digits of a mean beyond those of the amounts."""

Shown = tuple[int | float | None, ...]
"""None for a suppressed cell, NaN if the divisor is zero."""


def shown(cells: Cells, protected: Protected) -> Shown:
    """Return what stands in each cell."""
    if cells.measure.kind == "percent":
        hidden, base = _over(cells, protected.hidden), _over(cells, protected.published)
        pairs = zip(protected.published.tolist(), base.tolist(), strict=True)
        values = [nan if whole == 0 else round(100 * part / whole, PERCENT_DECIMALS) for part, whole in pairs]
        return _without(values, protected.hidden | hidden)
    if cells.measure.kind == "mean":
        digits, unit = cells.decimals + MEAN_DECIMALS, 10**cells.decimals
        counts = cells.counts if protected.counts is None else protected.counts
        pairs = zip(protected.published.tolist(), counts.tolist(), strict=True)
        means = [nan if records == 0 else round(total / (records * unit), digits) for total, records in pairs]
        return _without(means, protected.hidden)
    return _without([cells.shown(int(value)) for value in protected.published], protected.hidden)


def with_known_counts(cells: Cells, protected: Protected) -> Protected:
    """Return a protected table of means with what the attacker knows of it: whose cells are empty, sums 0."""
    if cells.measure.kind != "mean":
        return protected
    empty, known = cells.counts == 0, protected.known
    return replace(protected, known=Knowledge(np.where(empty, 0, known.lower), np.where(empty, 0, known.upper)))


def _over(cells: Cells, numbers: NDArray[Any]) -> NDArray[Any]:
    """Return per cell the number of the total that its share is of."""
    found = numbers.reshape(cells.shape)
    for at, axis in enumerate(cells.axes):
        if cells.measure.over in (None, axis.name):
            found = np.take(found, [-1], axis=at)
    return np.broadcast_to(found, cells.shape).ravel()


def _without(values: Sequence[int | float], hidden: Mask) -> Shown:
    return tuple(None if left_out else value for left_out, value in zip(hidden.tolist(), values, strict=True))

"""E[1/F | f]: the risk of a record when of the population only the size is known.

f records of a sample, drawn with the fraction p, share a record's values. How many of the population do, F, is then
taken to be negative binomial: P(F = h | f) = C(h-1, f-1) p^f (1-p)^(h-f) for h = f, f+1, ... (Benedetti & Franconi,
Statistical and technological solutions for controlled data dissemination, 1998). So

    E[1/F | f] = p I_f,   I_f = integral over u from 0 to 1 of u^(f-1) / (p + (1-p) u)
"""

import math

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts

_SMALL_FRACTION = 0.25
"""Up to here the recurrence divides each rounding error by three at every step."""

_SMALL_SIZE = 32
"""From here the series ends after some thirty terms, whatever the fraction."""


def expected_risks(sizes: Counts, fraction: float) -> NDArray[np.float64]:
    """Return E[1/F | f] for each sample class size f."""
    distinct, where = np.unique(sizes, return_inverse=True)
    risks = np.empty(len(distinct), dtype=np.float64)
    short = (distinct < _SMALL_SIZE) & (fraction <= _SMALL_FRACTION)
    if short.any():
        risks[short] = np.array(_by_recurrence(int(distinct[short].max()), fraction))[distinct[short] - 1]
    risks[~short] = _by_series(distinct[~short], fraction)
    return fraction * risks[where]


def _by_recurrence(largest: int, fraction: float) -> list[float]:
    """Return I_1 ... I_largest, from (1-p) I_(f+1) + p I_f = 1/f."""
    integrals = [math.log(1 / fraction) / (1 - fraction)]
    for size in range(1, largest):
        integrals.append((1 / size - fraction * integrals[-1]) / (1 - fraction))
    return integrals


def _by_series(sizes: Counts, fraction: float) -> NDArray[np.float64]:
    """Return I_f as the sum over j of (1-p)^j j! (f-1)! / (j+f)!, whose terms are all positive."""
    term = 1 / sizes.astype(np.float64)
    integrals = np.zeros(len(sizes), dtype=np.float64)
    j = 0
    while (term > 1e-18 * integrals).any():
        integrals += term
        j += 1
        term *= (1 - fraction) * j / (sizes + j)
    return integrals


def expected_risk_textbook(size: int, fraction: float) -> float:
    """Apply the definition: the sum over h of P(F = h | f) / h."""
    probability, expected, h = fraction**size, 0.0, size
    # Past the mean, size / fraction, the probabilities only fall.
    while h * fraction <= size or probability > 1e-18:
        expected += probability / h
        probability *= (1 - fraction) * h / (h - size + 1)
        h += 1
    return expected

"""Thresholds are tried out on a sample of the records (Loukides 2008, section 3.3.1)."""

from fractions import Fraction
from math import isqrt

HALVINGS = 3
"""Thresholds of quality are the middles of 2, 4 and 8 equal parts of [0, 1]."""
DOUBLINGS = 5
"""So often the least size of a subspace, k at first, is doubled at most."""
SETTLED = Fraction(1, 100)
"""A score is settled when it changes by less than this."""

_USUAL, _LARGEST = 1000, 4000


def sample_size(records: int, k: int) -> int:
    """A thousand records; more for a large k or table, where the square of it is still small."""
    return min(max(_USUAL, 20 * k, isqrt(records)), _LARGEST)

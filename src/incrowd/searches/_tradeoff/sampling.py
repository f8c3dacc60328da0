"""Thresholds are tried out on a sample of the records (Loukides 2008, section 3.3.1)."""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

HALVINGS = 3
"""Thresholds of quality are the middles of 2, 4 and 8 equal parts of [0, 1]."""
DOUBLINGS = 5
"""So often the least size of a subspace, k at first, is doubled at most."""
SETTLED = Fraction(1, 100)
"""A score no longer improves when it falls by less than this."""

_USUAL, _LARGEST = 1000, 4000


def sample_size(records: int, k: int) -> int:
    """A thousand records; more for a large k or table, where the square of it is still small."""
    return min(max(_USUAL, 20 * k, isqrt(records)), _LARGEST)


def best_size(k: int, records: int, tried: Callable[[int], Fraction | None]) -> int:
    """The best size of subspaces among k, 2k, 4k, .., of equals the least, while scores improve (Algorithm 4).

    The algorithm takes the last size tried, also where it is the worst. A size without a score is skipped.
    """
    s = best = k
    last = least = tried(k)
    for _ in range(DOUBLINGS):
        if s >= records:
            break
        s *= 2
        found = tried(s)
        if found is not None and (least is None or found < least):
            best, least = s, found
        if last is not None and found is not None and last - found < SETTLED:
            break
        last = found
    return best

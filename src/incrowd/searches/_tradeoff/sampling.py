"""Thresholds are tried out on a sample of the records (Loukides 2008, section 3.3.1)."""

from collections.abc import Callable
from fractions import Fraction

HALVINGS = 3
"""Thresholds of quality are the middles of 2, 4 and 8 equal parts of [0, 1]."""
REFINEMENTS = 2
"""So often the two parts beside the best threshold are then halved."""
DOUBLINGS = 5
"""So often the least size of a subspace, k at first, is doubled at most."""
ROUNDS = 3
"""So often both thresholds are chosen in turn, at most."""
SETTLED = Fraction(1, 100)
"""A score no longer improves when it falls by less than this."""

_LEAST, _MOST, _WORK = 1000, 1 << 14, 1 << 24


def sample_size(s: int) -> int:
    """Return how many records are tried in subspaces of s, where the work grows with both.

    In a small sample neighbors are farther apart than in the table, and thresholds come out too large.
    """
    return min(max(_LEAST, _WORK // s), _MOST)


def best_threshold(tried: Callable[[float], Fraction | None]) -> float:
    """Return the best threshold of quality (Algorithm 3), to 1/64; of equals the first tried, 1 if none has a score.

    The algorithm halves all parts of [0, 1] again and again; here the last times those beside the best only.
    """
    best: tuple[Fraction, float] | None = None
    for i in range(1, HALVINGS + REFINEMENTS + 1):
        half = 1 / 2 ** (i + 1)
        every = [(2 * at + 1) * half for at in range(2**i)] if i <= HALVINGS else _beside(best, half)
        for threshold in every:
            found = tried(threshold)
            if found is not None and (best is None or found < best[0]):
                best = found, threshold
    return 1.0 if best is None else best[1]


def _beside(best: tuple[Fraction, float] | None, half: float) -> list[float]:
    return [] if best is None else [best[1] - half, best[1] + half]


def best_size(k: int, records: int, tried: Callable[[int], Fraction | None]) -> int:
    """Return the best size of subspaces among k, 2k, 4k, .., of equals the least, while scores improve (Algorithm 4).

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

"""Widths and cut points that fit a column of numbers."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from incrowd.core.numbers import Number
from incrowd.hierarchies._agglomeration import joined_neighbors
from incrowd.hierarchies._suggestions import useful

Counted = Sequence[tuple[Number, int]]
"""Distinct numbers in ascending order, each with its records."""

_GROUPS = (20, 5)
"""About so many intervals of one width on the levels between the values and the top."""
_QUANTILES = 16
"""About so many intervals with equally many records on the first level."""
_FOLD = 4
"""Intervals of a level that the next one joins."""
_NEAR = 0.4
"""How far a cut may lie from its quantile, in intervals."""
_CROWDED = 4
"""How many times its share an interval of one width may hold before cuts at quantiles fit better."""


def round_widths(numbers: Sequence[Number]) -> list[Number]:
    """Return 1, 2 or 5 times powers of ten, each a multiple of the one before, that join something."""
    reach = max(numbers) - min(numbers)
    widths: list[Number] = []
    for groups in _GROUPS:
        fitting = (width for width in _round_numbers(reach) if width * groups >= reach)
        widths.append(next(width for width in fitting if not widths or width % widths[-1] == 0))
    return useful_widths(numbers, list(dict.fromkeys(widths)))


def useful_widths(numbers: Sequence[Number], widths: Sequence[Number]) -> list[Number]:
    """Return the widths that join something that the one before does not, and not everything."""
    return useful({width: [number // width for number in numbers] for width in widths}, len(numbers))


def is_crowded(counted: Counted, widths: Sequence[Number]) -> bool:
    """Return whether intervals of the first width are so uneven that a few hold nearly all records."""
    if not widths:
        return True
    held: dict[Number, int] = {}
    for number, records in counted:
        held[number // widths[0]] = held.get(number // widths[0], 0) + records
    numbers = [number for number, _ in counted]
    intervals = int((max(numbers) - min(numbers)) // widths[0]) + 1
    return max(held.values()) * intervals > _CROWDED * sum(held.values())


def quantile_cuts(counted: Counted) -> list[list[Number]]:
    """Return cut points at round numbers close to quantiles: many on the first level, every fourth on the next."""
    levels = [even_cuts(counted, _QUANTILES)]
    while len(levels[-1]) >= _FOLD:
        levels.append(
            levels[-1][_FOLD // 2 - 1 :: _FOLD] if len(levels[-1]) < 2 * _FOLD else levels[-1][_FOLD - 1 :: _FOLD]
        )
    return _joining(counted, levels)


def even_cuts(counted: Counted, groups: int) -> list[Number]:
    """Return cut points at round numbers that make about so many intervals with equally many records."""
    cuts: list[Number] = []
    for at in range(1, groups):
        low, high = _quantile(counted, (at - _NEAR) / groups), _quantile(counted, (at + _NEAR) / groups)
        cut = roundest(low, high)
        if (not cuts or cut > cuts[-1]) and counted[0][0] < cut <= counted[-1][0]:
            cuts.append(cut)
    return cuts


def neighbor_cuts(counted: Counted) -> list[list[Number]]:
    """Return cut points that join neighbors, the rarest first: half as many groups on each level."""
    numbers = [number for number, _ in counted]
    sizes = joined_neighbors([records for _, records in counted])
    return _joining(counted, [[numbers[at] for at in starts[1:]] for starts in sizes])


def roundest(low: Number, high: Number) -> Number:
    """Return the roundest number from `low` to `high`: a multiple of the largest 1, 2 or 5 times a power of ten."""
    if low == high:
        return high
    for width in _falling_round_numbers(high - low):
        if (cut := high // width * width) >= low:
            return cut
    return high


def _joining(counted: Counted, levels: Sequence[list[Number]]) -> list[list[Number]]:
    """Return the levels of cuts that join something that the one below does not, and not everything."""
    numbers = [number for number, _ in counted]
    groups = {at: [bisect_right(cuts, number) for number in numbers] for at, cuts in enumerate(levels)}
    return [levels[at] for at in useful(groups, len(numbers))]


def _quantile(counted: Counted, share: float) -> Number:
    """Return the least number up to which this share of the records is."""
    wanted = share * sum(records for _, records in counted)
    for number, records in counted:
        wanted -= records
        if wanted <= 0:
            return number
    return counted[-1][0]


def _round_numbers(reach: Number) -> Iterator[Number]:
    """Yield possible widths, from far below the range on."""
    power = _magnitude(reach) - 3
    while True:
        for factor in (1, 2, 5):
            yield _scaled(factor, power)
        power += 1


def _falling_round_numbers(reach: Number) -> Iterator[Number]:
    """Yield possible widths, from above the range down to what must fit into it."""
    power = _magnitude(reach) + 3
    while True:
        for factor in (5, 2, 1):
            yield _scaled(factor, power)
        power -= 1


def _magnitude(reach: Number) -> int:
    return (Decimal(reach.numerator) / Decimal(reach.denominator)).adjusted()


def _scaled(factor: int, power: int) -> Number:
    return factor * 10**power if power >= 0 else Fraction(factor, 10**-power)

"""Change of associations: how far the association of each pair of columns moves, whatever their types."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import ClassVar, NamedTuple

from incrowd.release_metrics.associations import MOST_VALUES, STILL, associations
from incrowd.release_metrics.contract import NO_CLASS, SHARE, Bounds, Goal, Reading, Side, nothing
from incrowd.release_metrics.reference import Base, ReferenceRelease, Value
from incrowd.release_metrics.released import Released


@dataclass(frozen=True)
class AssociationChange:
    """Mean over pairs of columns of |association in the release - original association|, each from 0 to 1.

    Of two columns with numbers |Pearson's r|, of numbers and values the correlation ratio eta, of values Cramér's V. A
    published cell counts as the mean of the numbers that it covers, or as each value that it covers in equal shares.
    """

    side: ClassVar[Side] = Side.UTILITY
    goal: ClassVar[Goal] = Goal.LOW
    bounds: ClassVar[Bounds] = SHARE
    meaning: ClassVar[str] = "change of associations (r, eta, Cramér's V) between columns, mean over pairs"

    def measure(self, released: Released) -> Reading:
        """Return the value for a release, and the association of each pair before and after."""
        if not released.published:
            return NO_CLASS
        found = associations(released)
        if not found:
            return nothing("fewer than two columns with values")
        parts = {
            f"{each.first} and {each.second}": {"original": each.original, "release": each.release} for each in found
        }
        return Reading(fmean(each.change for each in found), parts)

    def textbook(self, page: ReferenceRelease) -> float | None:
        """Return the definition, pair by pair and record by record."""
        before = [[frozenset([value]) for value in record] for record in page.original]
        after = [
            [*group.cells, *(frozenset([value]) for value in others)]
            for group in page.classes
            for others in group.others
        ]
        changes = []
        for pair in combinations(range(len(page.bases)), 2):
            tables = [[_Two(row[pair[0]], row[pair[1]]) for row in rows if _has(row, pair)] for rows in (before, after)]
            if all(tables):
                asked = [_frequent(page, at) for at in pair]
                values = [_by_definition(rows, tables[0], [page.bases[at] for at in pair], asked) for rows in tables]
                changes.append(abs(values[1] - values[0]))
        return fmean(changes) if changes else None


class _Two(NamedTuple):
    """The cells of a record in two columns."""

    first: frozenset[Value]
    second: frozenset[Value]


def _has(row: Sequence[frozenset[Value]], pair: tuple[int, int]) -> bool:
    return all(row[at] != {None} for at in pair)


def _frequent(page: ReferenceRelease, at: int) -> list[Value]:
    often = Counter(record[at] for record in page.original)
    there = [value for value in page.bases[at].values if value is not None and often[value]]
    return sorted(there, key=lambda value: -often[value])[:MOST_VALUES]


def _by_definition(rows: list[_Two], original: list[_Two], bases: list[Base], asked: list[list[Value]]) -> float:
    numeric = [base.numeric for base in bases]
    if not any(numeric):
        return _cramer(rows, bases, asked)
    for at in (0, 1):
        if numeric[at] and _variance(rows, at) <= STILL**2 * _variance(original, at):
            return 0.0
    if all(numeric):
        products = _mean([_number(row[0]) * _number(row[1]) for row in rows])
        covariance = products - _mean([_number(row[0]) for row in rows]) * _mean([_number(row[1]) for row in rows])
        return abs(float(covariance)) / sqrt(_variance(rows, 0) * _variance(rows, 1))
    number, group = (0, 1) if numeric[0] else (1, 0)
    return _eta(rows, number, group, bases[group], asked[group])


def _eta(rows: list[_Two], number: int, group: int, base: Base, asked: list[Value]) -> float:
    mean = _mean([_number(row[number]) for row in rows])
    between = Fraction(0)
    for shares in zip(*(_shares(row[group], base, asked) for row in rows), strict=True):
        if sum(shares):
            inside = sum(share * _number(row[number]) for share, row in zip(shares, rows, strict=True)) / sum(shares)
            between += sum(shares) * (inside - mean) ** 2
    return sqrt(between / len(rows) / _variance(rows, number))


def _cramer(rows: list[_Two], bases: list[Base], asked: list[list[Value]]) -> float:
    cells: Counter[tuple[int, int]] = Counter()
    for row in rows:
        shares = [_shares(cell, base, values) for cell, base, values in zip(row, bases, asked, strict=True)]
        for i, first in enumerate(shares[0]):
            for j, second in enumerate(shares[1]):
                cells[i, j] += first * second  # type: ignore[assignment]  # exact shares
    total = [Counter[int](), Counter[int]()]
    for place, expected in cells.items():
        for at in (0, 1):
            total[at][place[at]] += expected
    least = min(sum(bool(each) for each in of.values()) for of in total) - 1
    if least < 1:
        return 0.0
    squares = Fraction(0)
    for (i, j), observed in cells.items():
        independent = Fraction(total[0][i] * total[1][j]) / len(rows)
        squares += (observed - independent) ** 2 / independent if independent else 0
    return sqrt(squares / len(rows) / least)


def _shares(cell: frozenset[Value], base: Base, asked: list[Value]) -> list[Fraction]:
    known = (cell & frozenset(base.values)) or cell
    found = [Fraction(int(value in known), len(known)) for value in asked]
    return [*found, Fraction(1) - sum(found)]


def _number(cell: frozenset[Value]) -> Fraction:
    return _mean([Fraction(value) for value in cell if value is not None])


def _mean(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def _variance(rows: list[_Two], at: int) -> Fraction:
    mean = _mean([_number(row[at]) for row in rows])
    return _mean([(_number(row[at]) - mean) ** 2 for row in rows])


RELEASE_METRIC = AssociationChange

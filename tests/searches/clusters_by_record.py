"""K-Members and MDAV as they are written: record by record, every spread measured afresh."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np

from incrowd.core.axes import Axis, Kind
from incrowd.searches import Problem
from searches.local_problems import Told

Record = tuple[int, ...]
"""The codes of all columns."""


def units(priorities: Sequence[float]) -> list[int]:
    """What the whole domain of each column costs."""
    weights = np.array(priorities, dtype=np.float64)
    weights = weights / (weights.max() or 1.0)
    return [round(weight * min(2**20, 2**29 / max(1.0, float(weights.sum())))) for weight in weights]


def position(axis: Axis, code: int, unit: int) -> int:
    """Where a number, or an ordered value, lies."""
    beyond = axis.places[axis.rank[code]] - axis.places[1]
    return round(beyond / axis.span * unit) if axis.span else 0


def spread(axis: Axis, codes: Sequence[int], unit: int, heights: bool = False) -> int:
    """What cells span."""
    if axis.kind in (Kind.NUMBERS, Kind.ORDER):
        known = [position(axis, code, unit) for code in codes if code]
        return unit if 0 < len(known) < len(codes) else max(known, default=0) - min(known, default=0)
    every = np.array(codes, dtype=np.int32)
    cells = axis.cells(every, np.zeros(len(every), dtype=np.int32), 1)
    if heights and axis.kind == Kind.TREE:
        assert axis.ladder is not None
        return round(int(cells.level[0]) / axis.ladder.height * unit)
    return round(float(cells.spread[0]) * unit)


def in_order(problem: Problem) -> list[Record]:
    """The records, by rank in each column."""
    table = problem.frequencies
    axes = [*problem.axes, *(problem.sensitive_axes[name] for name in table.names[len(problem.axes) :])]
    rows = [(tuple(codes), count) for codes, count in zip(table.codes.T.tolist(), table.counts.tolist(), strict=True)]
    rows.sort(key=lambda row: [int(axis.rank[code]) for axis, code in zip(axes, row[0], strict=True)])
    return [row for row, count in rows for _ in range(count)]


class KMembers:
    """Byun et al., algorithm GREEDY K-MEMBER CLUSTERING; for protection what spreads is the sensitive columns, less."""

    def __init__(self, problem: Problem, k: int, heights: bool = False, protection: bool = False) -> None:
        self.problem, self.k, self.heights, self.protection = problem, k, heights, protection
        sensitive = tuple(problem.sensitive_axes.values()) if protection else ()
        self.axes = (*problem.axes, *sensitive)
        self.units = units((*(problem.priorities or [1.0] * len(problem.axes)), *[1.0] * len(sensitive)))
        names = problem.frequencies.names
        self.columns = [names.index(axis.name) for axis in self.axes]

    def _spreads(self, records: Sequence[Record]) -> list[int]:
        return [
            spread(axis, [record[c] for record in records], unit, self.heights)
            for axis, unit, c in zip(self.axes, self.units, self.columns, strict=True)
        ]

    def distance(self, one: Record, other: Record) -> int:
        """Between two records."""
        return sum(self._spreads([one, other])[: len(self.problem.axes)])

    def loss(self, cluster: Sequence[Record]) -> int:
        """What is kept low, records times spread."""
        spreads = self._spreads(cluster)
        quasi = len(self.problem.axes)
        if not self.protection:
            return len(cluster) * sum(spreads)
        return len(cluster) * sum(unit - each for unit, each in zip(self.units[quasi:], spreads[quasi:], strict=True))

    def clusters(self) -> list[list[Record]]:
        """All records in clusters."""
        left = in_order(self.problem)
        drawn = np.random.default_rng([self.problem.seed, 0, 0]).integers(len(left))
        record, found = left[drawn], []
        while len(left) >= self.k:
            record = max(left, key=lambda other: self.distance(record, other))
            cluster = [record]
            left.remove(record)
            while len(cluster) < self.k:
                record = min(left, key=lambda other: self.loss([*cluster, other]))
                cluster.append(record)
                left.remove(record)
            found.append(cluster)
        for record in left if found else ():
            min(found, key=lambda each: self.loss([*each, record]) - self.loss(each)).append(record)
        return found


class Mdav:
    """Domingo-Ferrer and Torra, algorithm MDAV-generic."""

    def __init__(self, problem: Problem, k: int) -> None:
        self.problem, self.k = problem, k
        self.units = units(problem.priorities or [1.0] * len(problem.axes))

    def apart(self, c: int, one: int, other: int) -> int:
        """What two cells of a column are apart."""
        if self.problem.axes[c].kind == Kind.SET:
            return 0 if one == other else self.units[c]
        return spread(self.problem.axes[c], [one, other], self.units[c])

    def distance(self, one: Record, other: Record) -> int:
        """Between two records."""
        return sum(self.apart(c, one[c], other[c]) ** 2 for c in range(len(self.units)))

    def from_centre(self, record: Record, all_left: Sequence[Record]) -> int:
        """From a record to the centre of all that are left."""
        return sum(self._from_centre(c, record[c], [each[c] for each in all_left]) ** 2 for c in range(len(self.units)))

    def _from_centre(self, c: int, code: int, column: Sequence[int]) -> int:
        axis, unit = self.problem.axes[c], self.units[c]
        known = sorted((each for each in column if each), key=lambda each: int(axis.rank[each]))
        if axis.kind == Kind.NUMBERS:
            if not known or not code:
                return unit if known or code else 0
            total = sum(position(axis, each, unit) for each in known)
            return abs(position(axis, code, unit) - (2 * total + len(known)) // (2 * len(known)))
        if axis.kind == Kind.ORDER:
            return self.apart(c, code, known[(len(known) - 1) // 2] if known else 0)
        often = Counter(column)
        return self.apart(c, code, min(often, key=lambda each: (-often[each], int(axis.rank[each]))))

    def clusters(self) -> list[list[Record]]:
        """All records in groups."""
        left, found = in_order(self.problem), []
        while len(left) >= 2 * self.k:
            around = max(left, key=lambda record: self.from_centre(record, left))
            two = len(left) >= 3 * self.k
            found.append(self._around(around, left))
            if two:
                found.append(self._around(max(left, key=lambda record: self.distance(around, record)), left))
        return [*found, left]

    def _around(self, record: Record, left: list[Record]) -> list[Record]:
        left.remove(record)
        group = sorted(left, key=lambda other: self.distance(record, other))[: self.k - 1]
        for each in group:
            left.remove(each)
        return [record, *group]


def told(problem: Problem, clusters: Sequence[Sequence[Record]]) -> Counter[tuple[tuple[Told, int], ...]]:
    """Clusters, as often as each occurs, by the values of their records."""
    texts = [[None, *values.to_pylist()] for values in problem.frequencies.values]
    found = [
        Counter(tuple(text[code] for text, code in zip(texts, record, strict=True)) for record in cluster)
        for cluster in clusters
    ]
    return as_told(found)


def as_told(found: Sequence[Counter[Told]]) -> Counter[tuple[tuple[Told, int], ...]]:
    """The same of groups that are known by their values."""
    return Counter(tuple(sorted(each.items(), key=str)) for each in found)


def all_records(clusters: Sequence[Sequence[Record]]) -> int:
    """How many there are."""
    return len(list(chain.from_iterable(clusters)))

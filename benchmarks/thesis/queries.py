"""The thesis' workloads of queries that count records (sections 4.5.2, 6.3.1, 6.4.1 and 6.5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from incrowd.core.table import Codes
from incrowd.release_metrics.covers import Cell, Covers
from incrowd.release_metrics.released import Released
from incrowd.release_metrics.scale import Scale, node_ends
from incrowd.release_metrics.workload import NO_CONDITION, Workload, answers

SIZE = 10_000
"""Queries of a workload (table 4.8)."""

Positions = NDArray[np.int64]
Query = Mapping[str, Positions]
"""By column the base values that are asked for, as positions on the column's scale."""

TYPES = {1: ("age", "sex", "salary-class"), 2: ("age", "sex", "salary-class", "race", "workclass")}
SELECTIVITY = {1: 0.015, 2: 0.005}
"""Table 4.8 has "0.5 or 1.5": read as percent, the smaller one for the more specific queries."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Queries that are true of some record, each once."""

    workload: Workload
    times: NDArray[np.int64]
    """How often each was drawn."""

    def errors(self, released: Released) -> NDArray[np.float64]:
        """The relative error of each query, as often as it was drawn."""
        estimated = self.workload.estimated(released.columns, released.cells, released.counts)
        return np.repeat(self.workload.errors(estimated), self.times)


def asked(released: Released, queries: Iterable[Query]) -> Asked:
    """Queries over the columns of a table; those that are true of no record are left out."""
    wanted, conditions = _conditions(released, list(queries))
    different, times = np.unique(conditions, axis=1, return_counts=True)
    workload = Workload.of_conditions(released.original, wanted, np.ascontiguousarray(different))
    often = {column.tobytes(): int(n) for column, n in zip(different.T.copy(), times, strict=True)}
    return Asked(workload, np.array([often[column.tobytes()] for column in workload.conditions.T.copy()]))


def instead(released: Released, queries: Sequence[Query], others: Sequence[Query]) -> NDArray[np.float64]:
    """The relative errors of queries where the estimates are those of others."""
    wanted, conditions = _conditions(released, queries)
    values = [Covers.of_values(covers.scale) for covers in released.columns]
    actual = answers(conditions, wanted, values, released.original.codes, released.original.counts)
    wanted, conditions = _conditions(released, others)
    estimated = answers(conditions, wanted, released.columns, released.cells, released.counts)
    there = actual > 0
    return np.abs(actual - estimated)[there] / actual[there]


def _conditions(released: Released, queries: Sequence[Query]) -> tuple[list[Covers], Codes]:
    """Per column what is asked for, and which of that each query asks."""
    names = released.original.names
    conditions = np.full((len(names), len(queries)), NO_CONDITION, dtype=np.int32)
    wanted: list[Covers] = []
    for at, covers in enumerate(released.columns):
        known: dict[bytes, int] = {}
        cells: list[Cell] = []
        for number, query in enumerate(queries):
            if names[at] in query:
                positions = np.sort(query[names[at]])
                if positions.tobytes() not in known:
                    known[positions.tobytes()] = len(cells)
                    cells.append(_cell(positions))
                conditions[at, number] = known[positions.tobytes()]
        wanted.append(Covers.of_cells(covers.scale, cells))
    return wanted, conditions


def _cell(wanted: Positions) -> Cell:
    low, high = float(wanted[0]), float(wanted[-1])
    return Cell(low, high, members=None if len(wanted) == high - low + 1 else wanted)


def of_adult(released: Released, kind: int, size: int, seed: int, shares: bool) -> list[Query]:
    """Section 4.5.2: a value in each of three or five columns, drawn uniformly; with `shares` as many values of each
    column as the estimated selectivity asks for if columns were independent."""
    random = np.random.default_rng(seed)
    scales = _scales(released)
    part = SELECTIVITY[kind] ** (1 / len(TYPES[kind])) if shares else 0.0
    return [{name: _some(random, scales[name], part) for name in TYPES[kind]} for _ in range(size)]


def _some(random: np.random.Generator, scale: Scale, part: float) -> Positions:
    """An interval of a column of numbers, a set of values of any other."""
    width = max(1, ceil(scale.size * part - 1e-9))
    if width > 1 and not scale.is_numeric:
        return random.permutation(scale.size)[:width].astype(np.int64)
    return _interval(random, scale, width)


def _interval(random: np.random.Generator, scale: Scale, width: int) -> Positions:
    first = int(random.integers(0, scale.size - width + 1))
    return np.arange(first, first + width)


def of_census(released: Released, kind: int, size: int, seed: int) -> list[Query]:
    """Figures 6.12 and 6.13: a part of one column, and eleven incomes (type 1) or one (type 2)."""
    random = np.random.default_rng(seed)
    scales = _scales(released)
    names = released.original.names[: released.quasi]
    return [_of_census(random, scales, names, kind) for _ in range(size)]


def _of_census(random: np.random.Generator, scales: Mapping[str, Scale], names: Sequence[str], kind: int) -> Query:
    name = names[int(random.integers(len(names)))]
    scale, u = scales[name], int(random.integers(0, 40))
    incomes = np.arange(u, u + (11 if kind == 1 else 1))
    if name == "age":
        return {name: _interval(random, scale, 15), "income": incomes}
    if scale.ladder is None:
        return {name: _interval(random, scale, 1), "income": incomes}
    first, last = node_ends(scale.ladder.hierarchy, 1)
    at = int(random.integers(len(first)))
    return {name: np.arange(int(first[at]), int(last[at]) + 1), "income": incomes}


def of_synthetic(released: Released, size: int, seed: int) -> Iterator[Query]:
    """Figures 6.23 and 6.31: an interval of a fifth of one quasi-identifier's domain, and a value of each sensitive
    column. Values are drawn from 0 to 19, and those that do not occur ask for nobody."""
    random = np.random.default_rng(seed)
    scales = _scales(released)
    names = released.original.names
    for _ in range(size):
        name = names[int(random.integers(released.quasi))]
        found = {name: _between(scales[name], int(random.integers(0, 17)), 4)}
        found |= {each: _between(scales[each], int(random.integers(0, 20)), 1) for each in names[released.quasi :]}
        if all(len(wanted) for wanted in found.values()):
            yield found


def _between(scale: Scale, first: int, width: int) -> Positions:
    """The positions of whole numbers, as far as the column's domain has them."""
    origin = int(scale.origin or 0)
    wanted = np.arange(first, first + width) - origin
    return wanted[(wanted >= 0) & (wanted < scale.size)]


def in_ranges(queries: Sequence[Query], released: Released, ranges: Sequence[tuple[int, int]]) -> list[Query]:
    """The same queries, asking for the sensitive range of a value in place of the value."""
    scales = _scales(released)
    names = released.original.names[released.quasi :]

    def widened(name: str, wanted: Positions) -> Positions:
        value = int(wanted[0]) + int(scales[name].origin or 0)
        low, high = next((each for each in ranges if each[0] <= value <= each[1]), (value, value))
        return _between(scales[name], low, high - low + 1)

    return [{name: widened(name, of) if name in names else of for name, of in query.items()} for query in queries]


def _scales(released: Released) -> dict[str, Scale]:
    return {covers.scale.name: covers.scale for covers in released.columns}


def spread(errors: NDArray[np.float64], steps: int = 20) -> list[float]:
    """The errors in descending order, at equal steps."""
    return [float(f"{each:.4g}") for each in np.quantile(errors, np.linspace(1, 0, steps + 1))]

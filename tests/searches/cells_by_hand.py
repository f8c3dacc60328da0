"""The fewest wiped cells by trying everything, record by record, from the definitions."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from incrowd.core.hierarchy import Hierarchy
from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches import CellsOutcome, Outcome, Problem
from searches.problems import Row, problem

Cells = tuple[str | None, ...]


def wipeable(values: Sequence[str]) -> Hierarchy:
    """A hierarchy that is nothing but a top."""
    return Hierarchy.from_rows([(value, "*") for value in values])


def partitions(members: Sequence[int]) -> Iterator[list[list[int]]]:
    """Every way to part members into groups."""
    if not members:
        yield []
        return
    first, *others = members
    for groups in partitions(others):
        yield [[first], *groups]
        for at, group in enumerate(groups):
            yield [*groups[:at], [first, *group], *groups[at + 1 :]]


def fewest_by_groups(records: Sequence[Cells], prices: Sequence[Sequence[float]], k: int) -> float:
    """Where a wiped cell is a value of its own: groups of k lose the columns in which they differ."""

    def cost(group: list[int]) -> float:
        if len(group) < k:
            return float("inf")
        differ = [len({records[at][column] for at in group}) > 1 for column in range(len(records[0]))]
        return sum(prices[at][column] for at in group for column, torn in enumerate(differ) if torn)

    return min((sum(map(cost, groups)) for groups in partitions(range(len(records)))), default=0.0)


def match(one: Cells, mine: Sequence[bool], other: Cells, theirs: Sequence[bool]) -> bool:
    """Whether two published rows agree where neither is wiped."""
    cells = zip(one, mine, other, theirs, strict=True)
    return all(a == b or wiped or wiped_there for a, wiped, b, wiped_there in cells)


def all_match(records: Sequence[Cells], wiped: Sequence[Sequence[bool]], k: int) -> bool:
    """Whether every row matches k, wiped cells matching on either side."""
    rows = list(zip(records, wiped, strict=True))
    return all(sum(match(*row, *other) for other in rows) >= k for row in rows)


def fewest_by_matching(records: Sequence[Cells], prices: Sequence[Sequence[float]], k: int) -> float:
    """Where a wiped cell matches anything, and who is not one of k equal records loses a cell at least."""
    patterns = list(product([False, True], repeat=len(records[0])))
    allowed = [[p for p in patterns if any(p) or records.count(record) >= k] for record in records]
    best = float("inf")
    for chosen in product(*allowed):
        cost = sum(
            price for of, flags in zip(prices, chosen, strict=True) for price, w in zip(of, flags, strict=True) if w
        )
        if cost < best - 1e-9 and all_match(records, chosen, k):
            best = cost
    return best


def rows_of(records: Sequence[Cells]) -> list[Row]:
    """As a problem has them."""
    return [{f"c{at}": cell for at, cell in enumerate(record)} for record in records]


def published(given: Problem, outcome: Outcome) -> list[tuple[Cells, tuple[bool, ...]]]:
    """Every published record: its cells as the table has them, and which of them are wiped."""
    assert isinstance(outcome, CellsOutcome)
    combinations = given.frequencies.project(given.quasi)
    texts = [[None, *values.to_pylist()] for values in combinations.values]
    at, counts = outcome.pieces or (np.arange(combinations.combinations), combinations.counts)
    assert (np.diff(at) >= 0).all()
    assert (np.bincount(at, counts, minlength=combinations.combinations) == combinations.counts).all()
    tops = np.array([ladder.height for ladder in given.ladders])
    found = []
    for combination, count, levels in zip(at.tolist(), counts.tolist(), outcome.own_levels.T, strict=True):
        if (levels == SUPPRESSED).any():
            assert (levels == SUPPRESSED).all()
            continue
        cells = tuple(of[code] for of, code in zip(texts, combinations.codes[:, combination].tolist(), strict=True))
        found += [(cells, tuple((levels == tops).tolist()))] * count
    return found


def is_k_anonymous(rows: Sequence[tuple[Cells, tuple[bool, ...]]], k: int) -> bool:
    """Where a wiped cell is a value of its own."""
    shown = [tuple("*" if w else ("", cell) for cell, w in zip(cells, wiped, strict=True)) for cells, wiped in rows]
    return all(shown.count(row) >= k for row in shown)


def of_records(records: Sequence[Cells], model: object, **further: object) -> Problem:
    """A problem whose columns have nothing but values and a top."""
    columns = range(len(records[0]))
    values = [sorted({str(r[at]) for r in records if r[at] is not None} | {"u"}) for at in columns]
    ladders = {f"c{at}": wipeable(values[at]) for at in columns}
    return problem(rows_of(records), ladders, model, **further)  # type: ignore[arg-type]


def shown(given: Problem, outcome: Outcome) -> list[tuple[Cells, tuple[bool, ...]]]:
    """Every published record as it looks, and which of its cells look wiped; no combination parts."""
    assert isinstance(outcome, CellsOutcome)
    assert outcome.pieces is None
    combinations = given.frequencies.project(given.quasi)
    tops = [ladder.labels(ladder.height)[1] for ladder in given.ladders]
    found = []
    for at, levels in enumerate(outcome.own_levels.T.tolist()):
        if SUPPRESSED in levels:
            continue
        codes = combinations.codes[:, at].tolist()
        cells = tuple(
            ladder.labels(level)[ladder.up[level][code]] if level else [None, *ladder.values.to_pylist()][code]
            for ladder, level, code in zip(given.ladders, levels, codes, strict=True)
        )
        wild = tuple(cell == top for cell, top in zip(cells, tops, strict=True))
        found += [(cells, wild)] * int(combinations.counts[at])
    return found

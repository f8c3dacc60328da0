"""PrivacyFrost2 without any of its shortcuts: tables are lists of published cells, checked by the definitions."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.models import Block, PrivacyModel, Reference
from incrowd.scores import Score
from incrowd.searches import CellsOutcome, NothingFound, Outcome, Problem

Cell = str | None
Published = dict[int, tuple[Cell, ...]]
"""By combination its cells; a combination that is not published is not in it."""
Levels = tuple[int, ...]


def label(problem: Problem, column: int, code: int, level: int) -> Cell:
    """What is published for a value on a level, from the rows of its hierarchy."""
    ladder = problem.ladders[column]
    if code:
        value = str(ladder.values[code - 1])
        return next(row[level] for row in ladder.hierarchy.rows if row[0] == value)
    at = ladder.hierarchy.missing[level]
    return None if at < 0 else ladder.hierarchy.labels[level][at]


def own_levels(problem: Problem, outcome: Outcome) -> NDArray[np.int16]:
    """The level of every cell: that of the node where the search tells no others."""
    if isinstance(outcome, CellsOutcome):
        return outcome.own_levels
    assert not isinstance(outcome, NothingFound)
    combinations = problem.frequencies.project(problem.quasi).combinations
    return np.repeat(np.array(outcome.node.levels, dtype=np.int16)[:, None], combinations, axis=1)


def published(problem: Problem, levels: NDArray[np.int16]) -> Published:
    """The cells of each combination on its own levels."""
    combinations = problem.frequencies.project(problem.quasi)
    return {
        at: tuple(
            label(problem, column, int(code), int(level))
            for column, (code, level) in enumerate(zip(*pair, strict=True))
        )
        for at, pair in enumerate(zip(combinations.codes.T, levels.T, strict=True))
        if -1 not in pair[1]
    }


def holds(problem: Problem, cells: Published) -> bool:
    """Whether every class, all that is published alike, satisfies the model by its definition."""
    frequencies, model = problem.frequencies, problem.model
    of = frequencies.classes(problem.quasi).of.tolist()
    values = [_values(problem, row) for row in range(frequencies.combinations)]
    counts = frequencies.counts.tolist()
    whole = Reference({columns: _spread(values, counts, columns) for columns in model.needs}, {})
    rows: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
    for row, at in enumerate(of):
        if at in cells:
            rows[cells[at]].append(row)
    return all(_block_holds(model, [(values[row], counts[row]) for row in each], whole) for each in rows.values())


def _values(problem: Problem, row: int) -> dict[str, Cell]:
    frequencies = problem.frequencies
    return {
        name: str(texts[code - 1]) if code else None
        for name, texts, code in zip(frequencies.names, frequencies.values, frequencies.codes[:, row], strict=True)
    }


def _spread(
    values: Sequence[dict[str, Cell]], counts: Sequence[int], columns: tuple[str, ...]
) -> "Counter[tuple[Cell, ...]]":
    found: Counter[tuple[Cell, ...]] = Counter()
    for row, times in zip(values, counts, strict=True):
        found[tuple(row[name] for name in columns)] += times
    return found


def _block_holds(model: PrivacyModel, rows: Sequence[tuple[dict[str, Cell], int]], whole: Reference) -> bool:
    values, counts = zip(*rows, strict=True)
    return model.textbook(Block(sum(counts), {each: _spread(values, counts, each) for each in model.needs}), whole)


def score(problem: Problem, scoring: Score, cells: Published) -> float:
    """The score of a published table; the values before are those of the records that are published."""
    combinations = problem.frequencies.project(problem.quasi).combinations
    before = published(problem, np.zeros((len(problem.ladders), combinations), dtype=np.int16))
    original = [before[at] for at in cells]
    return scoring.score(
        _different(problem, list(cells.values())),
        _different(problem, original),
        problem.priorities or (1.0,) * len(problem.ladders),
    )


def _different(problem: Problem, rows: Sequence[tuple[Cell, ...]]) -> list[int]:
    return [len({row[column] for row in rows}) for column in range(len(problem.ladders))]


def moves(problem: Problem, levels: NDArray[np.int16]) -> Iterator[tuple[int, int, NDArray[np.int16]]]:
    """Every class de-generalized by one level in one column: the rank of its first values, the column, the levels then.

    A class here is what is on the same levels and alike there.
    """
    low = problem.minimum or (0,) * len(problem.ladders)
    cells = published(problem, levels)
    finest = published(problem, np.where(levels < 0, levels, np.array(low, dtype=np.int16)[:, None]))
    in_order = sorted(finest, key=lambda at: [(cell is not None, cell or "") for cell in finest[at]])
    parts: dict[tuple[Levels, tuple[Cell, ...]], list[int]] = defaultdict(list)
    for at, row in cells.items():
        parts[tuple(levels[:, at].tolist()), row].append(at)
    for (own, _), members in parts.items():
        for column, level in enumerate(own):
            if level > low[column]:
                after = levels.copy()
                after[column, members] -= 1
                yield min(map(in_order.index, members)), column, after


def greedy(problem: Problem, scoring: Score, levels: NDArray[np.int16]) -> list[NDArray[np.int16]]:
    """The best move over and over: highest score, highest priority (of equals the last column), first class.

    Returns the levels after each of them.
    """
    priorities = problem.priorities or (1.0,) * len(problem.ladders)
    path: list[NDArray[np.int16]] = []
    while True:
        possible = [
            (-score(problem, scoring, cells), -priorities[column], -column, first, after)
            for first, column, after in moves(problem, levels)
            if holds(problem, cells := published(problem, after))
        ]
        if not possible:
            return path
        levels = min(possible, key=lambda move: move[:4])[4]
        path.append(levels)

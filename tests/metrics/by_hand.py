"""Nodes of a lattice grouped in plain Python, and small tables laid along hierarchies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.frequencies import Counting
from incrowd.core.hierarchy import Hierarchy
from incrowd.metrics import Cells, Columns, Generalized, Levels, Score

Mask = Sequence[bool] | NDArray[np.bool_]


def levels_of(columns: Columns) -> Iterator[Levels]:
    """Every node."""
    return product(*(range(ladder.height + 1) for ladder in columns.ladders))


def members(columns: Columns, levels: Levels) -> list[list[int]]:
    """The combinations of each class."""
    classes: dict[tuple[int, ...], list[int]] = {}
    for at, codes in enumerate(columns.combinations.codes.T):
        cells = zip(columns.ladders, levels, codes, strict=True)
        classes.setdefault(tuple(int(ladder.up[level][code]) for ladder, level, code in cells), []).append(at)
    return list(classes.values())


def node(
    columns: Columns, levels: Levels, kept: Callable[[NDArray[np.int64]], Mask] | None = None, origin: int = 0
) -> Generalized:
    """A node; `kept` marks classes by their sizes, `origin` chooses which combination speaks for a class."""
    classes = members(columns, levels)
    counts = columns.combinations.counts
    sizes = np.array([sum(int(counts[at]) for at in each) for each in classes], dtype=np.int64)
    origins = np.array([each[origin % len(each)] for each in classes], dtype=np.int64)
    mask = np.ones(len(sizes), dtype=np.bool_) if kept is None else np.array(kept(sizes), dtype=np.bool_)
    return Generalized(levels, sizes, mask, origins)


def records(columns: Columns, seen: Generalized) -> list[Cells]:
    """Record after record, as the textbook sees them."""
    found = []
    for classmates, kept in zip(members(columns, seen.levels), seen.kept, strict=True):
        for at in classmates:
            cells = Cells(tuple(int(code) for code in columns.combinations.codes[:, at]), not kept)
            found += [cells] * int(columns.combinations.counts[at])
    return found


def bound(score: Score, levels: Levels) -> float:
    """What a search takes for granted at a node that it has not counted."""
    total = sum(part[level] for part, level in zip(score.parts, levels, strict=True))
    return float(score.bound(np.array([total], dtype=np.float64))[0])


def laid(
    hierarchies: Mapping[str, Hierarchy], rows: Sequence[Sequence[str | None]], weights: Sequence[float] = ()
) -> Columns:
    """A small table along its hierarchies."""
    counting = Counting(tuple(hierarchies))
    cells = list(zip(*rows, strict=True)) or [()] * len(hierarchies)
    counting.add([pa.array(column, pa.string()) for column in cells])
    combinations = counting.result()
    ladders = [
        hierarchy.along(name, values)
        for (name, hierarchy), values in zip(hierarchies.items(), combinations.values, strict=True)
    ]
    return Columns(combinations, tuple(ladders), tuple(weights) or (1.0,) * len(ladders))

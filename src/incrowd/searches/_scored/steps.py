"""From table to better table: pre-computation, top-down, second top-down and bottom-up (sections 5.2 to 5.4).

Where the printed algorithm contradicts itself: generalizing goes on while any column (not: every column) may still be
generalized, and never beyond its limit; the second top-down starts from the best table for every column; bottom-up
compares with the best table that is anonymous, not with the one it just left; a table that the second top-down finds
anonymous is taken as it is.
"""

from collections.abc import Iterator

from incrowd.metrics import Levels
from incrowd.searches._scored.tables import Tables


def improving(tables: Tables, least: int) -> Iterator[Levels]:
    """Yield the initial table and then better and better ones, all of them anonymous; none if the paper's tool fails.

    `least` is what the smallest class of each single column is brought to at first (the paper's k + p).
    """
    levels = _initial(tables, least)
    if levels is None:
        return
    for step in (_top_down, _down_and_up):
        better: Levels | None = levels
        while better is not None:
            levels = better
            yield levels
            better = step(tables, levels)


def _initial(tables: Tables, least: int) -> Levels | None:
    """Return the initial levels: raise each column by itself, then all together, one level at a time."""
    levels = tuple(_single(tables, column, least) for column in range(len(tables.priorities)))
    top = tables.lattice.top
    while not tables.ok(levels):
        if levels == top:
            return None
        levels = tuple(min(level + 1, high) for level, high in zip(levels, top, strict=True))
    return levels


def _single(tables: Tables, column: int, least: int) -> int:
    """Return the lowest level on which the classes of this column alone are large enough, or the highest allowed."""
    low, high = tables.lattice.bottom[column], tables.lattice.top[column]
    return next((level for level in range(low, high) if tables.smallest(column, level) >= least), high)


def _top_down(tables: Tables, levels: Levels) -> Levels | None:
    """Return the best anonymous table one step below, if its score is better."""
    best, score = None, tables.score(levels)
    for column, finer in tables.finer(levels):
        if tables.skips(finer, column, score):
            continue
        if tables.ok(finer) and tables.score(finer) > score:
            best, score = finer, tables.score(finer)
    return best


def _down_and_up(tables: Tables, levels: Levels) -> Levels | None:
    """Return the best-scored table one step below, then upwards from it to an anonymous one that scores better than
    here."""
    score = tables.score(levels)
    better = [finer for _, finer in tables.finer(levels) if tables.score(finer) > score]
    while better:
        table = max(better, key=tables.score)
        if tables.ok(table):
            return table
        better = [coarser for coarser in tables.coarser(table) if tables.score(coarser) > score]
        better = [coarser for coarser in better if tables.ok(coarser)] or better
    return None

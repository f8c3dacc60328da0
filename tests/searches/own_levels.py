"""What every search whose levels differ from cell to cell must keep to, checked by the definitions."""

from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from incrowd.recodings.by_combination import SUPPRESSED
from incrowd.searches import CellsOutcome, NothingFound, Outcome, Problem, Search
from incrowd.watch import Watch
from searches.problems import every_node
from searches.scored_by_hand import holds, published


def check_release(given: Problem, outcome: Outcome) -> NDArray[np.int16]:
    """Within the limits, and every class of what is published satisfies the model; returns the levels."""
    assert isinstance(outcome, CellsOutcome)
    own = outcome.own_levels
    combinations = given.frequencies.project(given.quasi)
    kept = (own != SUPPRESSED).all(axis=0)
    assert (own[:, ~kept] == SUPPRESSED).all()
    low = given.minimum or (0,) * len(given.ladders)
    high = given.limit or tuple(ladder.height for ladder in given.ladders)
    for levels, least, most in zip(own[:, kept], low, high, strict=True):
        assert ((levels >= least) & (levels <= most)).all()
    assert outcome.node.suppressed == combinations.counts[~kept].sum() <= given.budget
    cells = published(given, own)
    assert holds(given, cells)
    sizes: dict[tuple[str | None, ...], int] = {}
    for at, row in cells.items():
        sizes[row] = sizes.get(row, 0) + int(combinations.counts[at])
    assert (outcome.node.classes, outcome.node.smallest) == (len(sizes), min(sizes.values(), default=0))
    return own


def check_feasible(given: Problem, outcome: Outcome) -> None:
    """There is a release where the highest levels are one, and all are published where those publish all."""
    top = given.limit or tuple(ladder.height for ladder in given.ladders)
    highest = every_node(given)[top]
    assert not highest.feasible or not isinstance(outcome, NothingFound)
    if isinstance(outcome, NothingFound):
        assert outcome.nearest is not None
        assert outcome.nearest.suppressed > given.budget
    elif given.budget == 0:
        assert outcome.node.suppressed == 0


def shuffled(given: Problem, order: list[int]) -> Problem:
    """The same table, counted in another order."""
    table = given.frequencies
    at = np.array(order, dtype=np.int64)
    return replace(
        given, frequencies=replace(table, codes=np.ascontiguousarray(table.codes[:, at]), counts=table.counts[at])
    )


def check_any_order(given: Problem, search: Search, random: Random) -> tuple[Outcome, Outcome]:
    """The order of counting does not matter for what is published; returns what was found either way."""
    order = list(range(given.frequencies.combinations))
    random.shuffle(order)
    other = shuffled(given, order)
    one, two = search.run(given, Watch()), search.run(other, Watch())
    assert (not isinstance(one, CellsOutcome)) == (not isinstance(two, CellsOutcome))
    if isinstance(one, CellsOutcome) and isinstance(two, CellsOutcome):
        assert by_values(given, one.own_levels) == by_values(other, two.own_levels)
    return one, two


def by_values(given: Problem, own: NDArray[np.int16]) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The levels of each combination, whatever its position."""
    codes = given.frequencies.project(given.quasi).codes
    return {tuple(of): tuple(levels) for of, levels in zip(codes.T.tolist(), own.T.tolist(), strict=True)}

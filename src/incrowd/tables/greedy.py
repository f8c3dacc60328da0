"""Secondary suppression for large tables: one sensitive cell after another, each with the cheapest further cells.

The further cells form a hypercube (Repsilber, 1994; Giessing, 2001): on every axis of the table one category whose
cells rise if those of the sensitive cell fall, so no total changes. If no hypercube is enough, a linear program finds
the cheapest other table. Either is a table that the attacker cannot distinguish from the real one, so the interval is
wide enough by construction. At last, cells that turned out not to be needed are published again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.audit import ceiling
from incrowd.tables.axis import Axis
from incrowd.tables.cells import Numbers
from incrowd.tables.linear_program import CellQuery, Impossible, linear
from incrowd.tables.needs import Chosen, Mask, Needs, cannot_be_hidden
from incrowd.watch import Watch

_MOST_CUBES = 500_000
"""The number of hypercubes to compare for one cell."""
_MOST_TRIALS = 60
"""The number of cells to try to publish again; fewer if that takes long."""
_MOST_TRIED = 6_000
"""Trials times hidden cells."""


def greedy(needs: Needs, watch: Watch | None = None) -> Chosen:
    """Return a safe suppression, maybe not the cheapest; raise Infeasible if suppressing everything is not safe."""
    if not needs.sensitive.any():
        return Chosen(needs.sensitive, proven=True, least=0)
    watch = watch or Watch()
    hidden = _with_company(needs, needs.sensitive, needs.primary, watch)
    return Chosen(_completed(needs, hidden, watch), proven=False)


def completed(needs: Needs, hidden: Mask, watch: Watch) -> Mask:
    """Return a safe suppression from one under which some sensitive cells are disclosed."""
    return _completed(needs, hidden, watch)


def _completed(needs: Needs, hidden: Mask, watch: Watch) -> Mask:
    """Suppress more until no attacker learns too much; then publish again what is not needed."""
    while True:
        before = hidden
        for view, lacking in needs.learned(before, watch):
            hidden = _with_company(view, hidden, lacking, watch)
        # Who is in a cell that was hidden just now is an attacker too.
        if (hidden == before).all():
            return _published_again(needs, _whole_tables(needs, hidden, watch), watch)


def _with_company(needs: Needs, hidden: Mask, lacking: Numbers, watch: Watch) -> Mask:
    hidden = hidden.copy()
    # Those that need most room find company for the others.
    order = lacking[np.argsort(-needs.room[lacking], kind="stable")]
    for done, cell in enumerate(order):
        watch.tick(f"{done:,} of {len(order):,} sensitive cells protected", done / len(order))
        found = _cheapest_cubes(needs, int(cell), hidden)
        for company in _cheapest_tables(needs, int(cell), hidden) if found is None else [found]:
            hidden[company] = True
    return hidden


def is_safe(needs: Needs, hidden: Mask, watch: Watch | None = None) -> bool:
    """Return whether the interval of every sensitive cell is wide enough against every attacker."""
    return next(needs.learned(hidden, watch), None) is None


def _cheapest_cubes(needs: Needs, cell: int, hidden: Mask) -> Numbers | None:
    """Return the cells of a hypercube that gives a cell its interval, or of one per direction; None if none does."""
    up, down = int(needs.room[cell]), int(needs.cells.values[cell] - needs.low[cell])
    found = _cheapest_cube(needs, cell, hidden, up, down)
    if found is not None or not down:
        return found
    apart = [_cheapest_cube(needs, cell, hidden, *way) for way in ((up, 0), (0, down))]
    known = [corners for corners in apart if corners is not None]
    return np.concatenate(known) if len(known) == len(apart) else None


def _cheapest_cube(needs: Needs, cell: int, hidden: Mask, up: int, down: int) -> Numbers | None:
    """Return the cheapest hypercube among those that let a cell rise and fall that far.

    A hypercube is the product of one move on each axis, so the costs of all of them are one product of tensors.
    """
    shape = needs.cells.shape
    nodes = np.unravel_index(cell, shape)
    moves = [_moves(axis, int(node)) for axis, node in zip(needs.cells.axes, nodes, strict=True)]
    moves = [_thinned(options, len(moves)) for options in moves]
    spare = needs.cells.values - needs.floor
    possible = needs.movable
    cost = np.where(hidden, 0.0, needs.weights / needs.weights.max())
    # Dearer than all cells together: what must not be hidden, and cells that cannot fall so far when it is their turn.
    ban = 2.0 * len(cost)
    with_it, against = ban * (spare < down), ban * (spare < up)
    both = cost + np.where(possible, 0.0, ban) + (with_it + against) / 2
    price = _product(both.reshape(shape), [np.abs(move) for move in moves])
    price += _product(((with_it - against) / 2).reshape(shape), moves)
    best = int(np.argmin(price))
    if price.flat[best] >= ban / 2:
        return None
    chosen = [options[at] for options, at in zip(moves, np.unravel_index(best, price.shape), strict=True)]
    corners = np.ix_(*(np.flatnonzero(move) for move in chosen))
    return np.arange(len(cost)).reshape(shape)[corners].ravel()


def _product(cells: NDArray[np.float64], moves: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the sum over cells of each combination of one move per axis."""
    for move in moves:
        # The first axis is summed, and the options of its side become the last.
        cells = np.tensordot(cells, move, axes=(0, 1))
    return cells


@lru_cache(maxsize=512)
def _moves(axis: Axis, node: int) -> NDArray[np.float64]:
    """Return options x nodes: the ways a node can rise by 1 (1 rises with it, -1 falls), with the fewest others.

    It rises with one category below it, and so do all subtotals between; another category falls with the subtotals
    above it, up to where the two meet. In the last options none falls, and the total rises.
    """
    ups = [_upward(axis, leaf) for leaf in range(axis.leaves)]
    own = [upward for upward in ups if node in upward]
    pairs = [(upward, other) for upward in own for other in ups if node not in other]
    found = np.zeros((len(pairs) + len(own), len(axis)))
    for move, (upward, other) in zip(found, pairs, strict=False):
        meet = next(step for step in upward if step in other)
        move[upward[: upward.index(meet)]] = 1.0
        move[other[: other.index(meet)]] = -1.0
    for move, upward in zip(found[len(pairs) :], own, strict=True):
        move[upward] = 1.0
    return found


def _upward(axis: Axis, leaf: int) -> list[int]:
    found = [leaf]
    while axis.parents[found[-1]] >= 0:
        found.append(axis.parents[found[-1]])
    return found


def _thinned(options: NDArray[np.float64], sides: int) -> NDArray[np.float64]:
    """Return as many options as can be compared, spread over all; the last, in which the total rises, is kept."""
    most = max(2, int(_MOST_CUBES ** (1 / sides)))
    if len(options) <= most:
        return options
    return options[np.unique(np.linspace(0, len(options) - 1, most).astype(np.int64))]


def _cheapest_tables(needs: Needs, cell: int, hidden: Mask) -> Iterator[Numbers]:
    """Yield the cells of the cheapest tables in which a cell is as high, and as low, as it must reach."""
    cost = np.where(hidden, 0.0, needs.weights)
    for target in (int(needs.high[cell]), int(needs.low[cell])):
        move = target - int(needs.cells.values[cell])
        if move:
            moved = _cheapest_move(needs, cell, move, cost)
            cost[moved] = 0.0
            yield moved


def _cheapest_move(needs: Needs, cell: int, move: int, cost: NDArray[np.float64]) -> Numbers:
    """Return the cells that change in the cheapest table whose cell has moved that far."""
    from scipy.sparse import hstack

    values, possible = needs.cells.values, needs.movable
    up = np.where(possible, ceiling(needs.cells, needs.room) - values, 0).astype(np.float64)
    down = np.where(possible, values - needs.floor, 0).astype(np.float64)
    lower = np.zeros(2 * len(values))
    lower[cell if move > 0 else cell + len(values)] = abs(move)
    # Not both up and down: what moves by the way costs a little even where it is hidden.
    price = np.concatenate([cost, cost]) + 1e-6
    upper = np.concatenate([up, down])
    upper[cell + len(values) if move > 0 else cell] = 0.0
    if upper[lower > 0] < abs(move):
        raise cannot_be_hidden(needs)
    matrix = hstack([needs.cells.equations, -needs.cells.equations])
    nothing = np.zeros(matrix.shape[0])
    try:
        found = linear(CellQuery(price, matrix, nothing, nothing, lower, np.maximum(upper, lower))).moves
    except Impossible:
        raise cannot_be_hidden(needs) from None
    return np.flatnonzero(np.abs(found[: len(values)] - found[len(values) :]) > 1e-7)


def _whole_tables(needs: Needs, hidden: Mask, watch: Watch) -> Mask:
    """Suppress more if intervals in whole numbers are too narrow: the table of a linear program may have fractions."""
    possible = needs.may_hide | needs.sensitive
    while not is_safe(needs, hidden, watch):
        more = _neighbors(needs, hidden) & possible & ~hidden
        more = more if more.any() else possible & ~hidden
        if not more.any():
            raise cannot_be_hidden(needs)
        hidden = hidden | more
    return hidden


def _neighbors(needs: Needs, hidden: Mask) -> Mask:
    """Return cells that share an equation with a suppressed one."""
    matrix = abs(needs.cells.equations)
    return np.asarray(matrix.T @ (matrix @ hidden.astype(np.float64)) > 0)


def _published_again(needs: Needs, hidden: Mask, watch: Watch) -> Mask:
    """Return the suppression without the cells, most expensive first, that no sensitive cell needs."""
    secondary = np.flatnonzero(hidden & ~needs.sensitive)
    most = min(_MOST_TRIALS, _MOST_TRIED // max(1, int(hidden.sum())))
    for cell in secondary[np.argsort(-needs.weights[secondary], kind="stable")][:most]:
        fewer = hidden.copy()
        fewer[cell] = False
        if is_safe(needs, fewer, watch):
            hidden = fewer
    return hidden

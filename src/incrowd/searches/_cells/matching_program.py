"""The fewest wiped cells as an integer program, where a wiped cell matches anything.

x[r, S] records of combination r lose the cells in columns S; y[r, S] is 1 if there are any, and then at least k
published records match them, wiped cells matching on either side. The bare convention could be met by wiping k - 1 rows
wholly, which everybody matches and which hide nobody else. So who is not one of k equal records must lose a cell at
least.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import total
from incrowd.searches._cells.linear_program import CellSolution, Solved, Until, solve
from incrowd.searches._cells.options import refuse_larger
from incrowd.searches._cells.wiping import Flags, Pattern, WipedPieces, Wiping

MOST_ROWS = 1_500
"""How many pairs of a combination and a set of wiped columns there may be: each may match each."""


def refuse_large(wiping: Wiping) -> None:
    """Refuse a table that would take too long."""
    size = len(wiping.counts) << len(wiping.columns)
    refuse_larger("fewest_cells:wiped=anything", size, MOST_ROWS, "pairs of a combination and a set of columns")


def fewest_matching(wiping: Wiping, until: Until, below: float = np.inf) -> Solved:
    """Return the cheapest choice, if it costs no more than `below`; when time is up the best one so far."""
    combination, flags = _rows(wiping)
    costs = (flags * wiping.prices[:, combination]).sum(axis=0)
    found = _solved(wiping, combination, _matching(wiping, combination, flags), costs, until, below)
    return found.solved(lambda x: _pieces(wiping, combination, flags, x), below)


def standing_out(wiping: Wiping) -> Flags:
    """Return which combinations are not one of k equal records on these levels, and show no wiped cell yet."""
    of, classes = wiping.alike(())
    found: Flags = (total(of, classes, wiping.counts)[of] < wiping.k) & ~wiping.wiped_already.any(axis=0)
    return found


def _rows(wiping: Wiping) -> tuple[NDArray[np.int64], Flags]:
    """Return each combination with each set of columns that it may lose: positions, and columns x rows."""
    alone = standing_out(wiping)
    patterns: list[Pattern] = wiping.patterns()
    rows = [(at, pattern) for at in range(len(alone)) for pattern in patterns if pattern or not alone[at]]
    flags = np.zeros((len(wiping.tops), len(rows)), dtype=np.bool_)
    for number, (_, pattern) in enumerate(rows):
        flags[list(pattern), number] = True
    return np.array([at for at, _ in rows], dtype=np.int64), flags


def _matching(wiping: Wiping, combination: NDArray[np.int64], flags: Flags) -> Flags:
    """Return rows x rows: which match."""
    found = np.ones((len(combination), len(combination)), dtype=np.bool_)
    for column, wiped in enumerate(flags):
        codes = wiping.codes[column][combination]
        anything = wiped | wiping.wiped_already[column][combination]
        found &= (codes[:, None] == codes) | anything[:, None] | anything
    return found


def _solved(
    wiping: Wiping, combination: NDArray[np.int64], matching: Flags, costs: Any, until: Until, below: float
) -> CellSolution:
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array, diags_array, hstack

    counts, n, rows = wiping.counts, len(wiping.counts), len(combination)
    # The variables are x, y and, by combination, z: it is left out.
    own = csr_array((np.ones(rows), (combination, np.arange(rows))), (n, rows))
    nothing = csr_array((rows, n))
    limits = counts[combination].astype(np.float64)
    enough = hstack([csr_array(matching.astype(np.float64)), diags_array(np.full(rows, -float(wiping.k))), nothing])
    used = hstack([diags_array(np.ones(rows)), diags_array(-limits), nothing])
    everybody = hstack([own, csr_array((n, rows)), diags_array(counts.astype(np.float64))])
    budget = np.concatenate([np.zeros(2 * rows), counts])[None, :]
    whole = wiping.price(tuple(range(len(wiping.tops)))) * counts
    return solve(
        np.concatenate([costs, np.zeros(rows), whole]),
        np.concatenate([limits, np.ones(rows + n)]),
        np.ones(2 * rows + n),
        [
            LinearConstraint(everybody, counts, counts),
            LinearConstraint(enough, 0, np.inf),
            LinearConstraint(used, -np.inf, 0),
            LinearConstraint(csr_array(budget), 0, wiping.lattice.problem.budget),
        ],
        until,
        below,
    )


def _pieces(wiping: Wiping, combination: NDArray[np.int64], flags: Flags, x: NDArray[np.float64]) -> WipedPieces:
    counts = np.round(x[: len(combination)]).astype(np.int64)
    taken = np.flatnonzero(counts)
    left_out = np.flatnonzero(np.round(x[2 * len(combination) :]) > 0)
    nothing = np.zeros((len(flags), len(left_out)), dtype=np.bool_)
    return WipedPieces.of(
        np.concatenate([combination[taken], left_out]),
        np.concatenate([counts[taken], wiping.counts[left_out]]),
        np.hstack([flags[:, taken], nothing]),
        np.arange(len(taken) + len(left_out)) >= len(taken),
    )

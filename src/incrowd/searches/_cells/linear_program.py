"""The fewest wiped cells as an integer program, where a wiped cell is a value of its own.

A class is a set of wiped columns and what the others show. x[r, c] records of combination r are published in class c;
y[c] is 1 if the class is used, and then it has at least k records. All records of a combination are published, or
none of them
(z[r] = 1), which counts as wiping all their cells. HiGHS solves it, through SciPy.

Not all classes are needed: where all combinations that could be in a class agree in a column that it wipes, the class
that leaves this column as it is has the same members for less.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.kernels import total
from incrowd.metrics import Numbers
from incrowd.searches._cells.options import refuse_larger
from incrowd.searches._cells.wiping import Pattern, Positions, WipedPieces, Wiping
from incrowd.watch import Watch, wait_for

MOST_COLUMNS = 10
"""How many columns may be wiped: each set of them is a pattern."""

MOST_VARIABLES = 200_000
"""How many pairs of a combination and a class there may be. Adult's five columns take half a minute."""

_DONE, _TIME_IS_UP, _INFEASIBLE = 0, 1, 2
"""How HiGHS ends."""

_NEAR = 1e-6
"""By so much HiGHS may miss a whole number."""


class Until(NamedTuple):
    """When to stop solving."""

    watch: Watch
    deadline: float
    """On the monotonic clock: then the best choice so far is taken."""

    @property
    def seconds(self) -> float:
        """How long HiGHS may take; shorter than the watch allows, which would not wait for what it found."""
        return max(0.01, min(self.deadline - monotonic(), 0.9 * self.watch.seconds_left))


class Solved(NamedTuple):
    """The result of a program."""

    pieces: WipedPieces | None
    """The best choice found; None if all cost more than was asked for, or none was found in time."""
    bound: float
    """No choice costs less."""
    proven: bool
    """Whether the time sufficed."""


@dataclass(frozen=True, eq=False)
class _Places:
    """Which combination can be published in which class."""

    combination: Positions
    of: Positions
    """The class of each pair."""
    costs: Numbers
    """Of one record in each pair."""
    patterns: list[Pattern]
    """By class."""


class CellSolution(NamedTuple):
    """The solution that HiGHS found."""

    x: Numbers | None
    cost: float
    bound: float
    proven: bool

    def solved(self, pieces: Callable[[Numbers], WipedPieces], below: float) -> Solved:
        """Return the solution as pieces of a table."""
        if self.x is None:
            return Solved(None, below if self.proven else self.bound, self.proven)
        return Solved(pieces(self.x), self.cost if self.proven else self.bound, self.proven)


def solve(
    costs: Numbers, most: Numbers, integrality: Numbers, constraints: list[Any], until: Until, below: float
) -> CellSolution:
    """Return the cheapest numbers from 0 to `most` under the constraints; none if all cost more than `below`."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    if not len(costs):
        return CellSolution(costs, 0.0, 0.0, True)
    cheap = [LinearConstraint(csr_array(costs[None, :]), -np.inf, below)] if below < np.inf else []

    def solved(asked: list[Any]) -> Any:
        options = {"mip_rel_gap": 0.0, "time_limit": until.seconds}
        return milp(costs, integrality=integrality, bounds=Bounds(0, most), constraints=asked, options=options)

    for asked in ([*constraints, *cheap], constraints):
        found = wait_for(partial(solved, asked), until.watch, "the integer program is being solved")
        if found.status in (_DONE, _TIME_IS_UP, _INFEASIBLE):
            break
        # HiGHS gives up where the least cost misses `below` by no more than its tolerance. Without it, it does not.
    else:
        raise AssertionError(f"HiGHS ended with status {found.status}")
    bound = found.mip_dual_bound
    return CellSolution(
        found.x,
        np.inf if found.x is None else float(found.fun),
        0.0 if bound is None else float(bound),
        found.status != _TIME_IS_UP,
    )


def refuse_large(wiping: Wiping) -> None:
    """Refuse a table that is too large: if all columns are wiped, all combinations are in one class."""
    refuse_larger("fewest_cells", len(wiping.columns), MOST_COLUMNS, "columns that may be suppressed")
    refuse_larger("fewest_cells", len(wiping.counts), MOST_VARIABLES, "different combinations")


def fewest(wiping: Wiping, until: Until, below: float = np.inf) -> Solved:
    """Return the cheapest choice, if it costs no more than `below`; when time is up the best one so far."""
    places = _places(wiping, until.watch)
    refuse_larger("fewest_cells", len(places.of), MOST_VARIABLES, "pairs of a combination and a class it may be in")
    found = _solved(wiping, places, until, below)
    return found.solved(lambda x: _pieces(wiping, places, x), below)


def _places(wiping: Wiping, watch: Watch) -> _Places:
    combination, classes, costs, patterns = [], [], [], list[Pattern]()
    for pattern in wiping.patterns():
        watch.tick(f"{len(patterns):,} classes that records may be in")
        of, n = wiping.alike(pattern)
        useful = total(of, n, wiping.counts) >= wiping.k
        for column in pattern:
            useful &= _differ(wiping.codes[column], of, n)
        at = np.flatnonzero(useful[of])
        numbers = np.cumsum(useful) - 1 + len(patterns)
        combination.append(at)
        classes.append(numbers[of[at]])
        costs.append(wiping.price(pattern)[at])
        patterns += [pattern] * int(useful.sum())
    return _Places(np.concatenate(combination), np.concatenate(classes), np.concatenate(costs), patterns)


def _differ(codes: NDArray[np.int32], of: NDArray[np.int32], n: int) -> NDArray[np.bool_]:
    """Return the classes whose members do not all have the same cell."""
    low, high = np.full(n, np.iinfo(np.int32).max), np.full(n, -1)
    np.minimum.at(low, of, codes)
    np.maximum.at(high, of, codes)
    return low < high


def _solved(wiping: Wiping, places: _Places, until: Until, below: float) -> CellSolution:
    from scipy.optimize import LinearConstraint
    from scipy.sparse import coo_array, csr_array

    counts, pairs, classes, n = wiping.counts, len(places.of), len(places.patterns), len(wiping.counts)
    # The variables are x, y and z.
    x, y, z = np.arange(pairs), pairs + np.arange(classes), pairs + classes + np.arange(n)
    width = pairs + classes + n
    whole = wiping.price(tuple(range(len(wiping.tops)))) * counts
    costs = np.concatenate([places.costs, np.zeros(classes), whole])

    def rows(values: list[Any], row: list[Any], column: list[Any], height: int) -> Any:
        at = np.concatenate(row), np.concatenate(column)
        return coo_array((np.concatenate(values), at), (height, width)).tocsr()

    everybody = rows([np.ones(pairs), counts], [places.combination, np.arange(n)], [x, z], n)
    enough = rows([np.ones(pairs), -wiping.k * np.ones(classes)], [places.of, y - pairs], [x, y], classes)
    # A record is in no class that is not used.
    used = rows([np.ones(pairs), -counts[places.combination]], [x, x], [x, pairs + places.of], pairs)
    budget = csr_array((counts, (np.zeros(n, dtype=np.int64), z)), (1, width))
    constraints = [
        LinearConstraint(everybody, counts, counts),
        LinearConstraint(enough, 0, np.inf),
        LinearConstraint(used, -np.inf, 0),
        LinearConstraint(budget, 0, wiping.lattice.problem.budget),
    ]
    most = np.concatenate([counts[places.combination], np.ones(classes + n)])
    # x needs no condition: where y and z are whole numbers it is a flow, and the corners of those are whole.
    free = np.concatenate([np.zeros(pairs), np.ones(classes + n)])
    found = solve(costs, most, free, constraints, until, below)
    if found.x is not None and np.abs(found.x - np.round(found.x)).max(initial=0.0) > _NEAR:
        # A mean of several optima: ask for one of them.
        found = solve(costs, most, np.ones(width), constraints, until, below)
    return found


def _pieces(wiping: Wiping, places: _Places, x: Numbers) -> WipedPieces:
    """Return the program's choice; columns in which all members of a class turned out to agree are not wiped."""
    pairs, classes = len(places.of), len(places.patterns)
    counts = np.round(x[:pairs]).astype(np.int64)
    taken = np.flatnonzero(counts)
    left_out = np.flatnonzero(np.round(x[pairs + classes :]) > 0)
    combination, of = places.combination[taken], places.of[taken]
    wiped = np.zeros((len(wiping.tops), len(taken)), dtype=np.bool_)
    for column in wiping.columns:
        wiped[column] = _differ(wiping.codes[column][combination], of.astype(np.int32), classes)[of]
    nothing = np.zeros((len(wiping.tops), len(left_out)), dtype=np.bool_)
    return WipedPieces.of(
        np.concatenate([combination, left_out]),
        np.concatenate([counts[taken], wiping.counts[left_out]]),
        np.hstack([wiped, nothing]),
        np.arange(len(taken) + len(left_out)) >= len(taken),
    )

"""Controlled rounding: to multiples of the base so that all parts still add up (Cox and Ernst, 1982)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.errors import Infeasible
from incrowd.models._parameters import whole_number
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.programme import integer
from incrowd.tables.protections import Protected
from incrowd.tables.protections.random_rounding import drawn, rounded
from incrowd.watch import Watch

_NEAR = 0.1
"""The table that is published is at most so much further from what chance said than the nearest one; to find that one
takes many times as long."""
_WIDEST = 3
"""A table with three columns or more may have no controlled rounding; then values may go this many multiples away."""


@dataclass(frozen=True)
class ControlledRounding:
    """Chance says where each value should go; a table that adds up, and is near to that, is published."""

    base: int = 5

    def __post_init__(self) -> None:
        whole_number("base of controlled_rounding", self.base)

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Round to an adjacent multiple, or as near as there is a table that adds up."""
        base = self.base * 10**cells.decimals
        wanted = drawn(cells.values, base, chance)
        for steps in range(1, _WIDEST + 1):
            watch.tick("looking for a rounding that adds up")
            moves = _near(cells, base, wanted, steps, watch)
            if moves is not None:
                published = (cells.values // base + moves) * base
                return rounded(cells, published, steps * base - 1, (self._words(steps),))
        raise Infeasible(
            "no table of multiples near the real numbers adds up; use random_rounding, or tabulate by fewer columns"
        )

    def _words(self, steps: int) -> str:
        near = f"by less than {self.base}" if steps == 1 else f"by less than {steps} times that"
        return f"Every number is rounded to a multiple of {self.base}, {near}, so that all parts add up."

    def remedy(self) -> str:
        """What to change."""
        return "round to a larger base, or suppress cells"


def _near(cells: Cells, base: int, wanted: Numbers, steps: int, watch: Watch) -> Numbers | None:
    """How many multiples above the one below it each value goes: near to the wanted ones, and so that they add up.

    Within one step a value goes to the multiple below or above it, and stays if it is one; None where no such table
    adds up.
    """
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import block_array, eye_array

    floor, exact = cells.values // base, cells.values % base == 0
    lowest = np.maximum(-floor, -(steps - 1))
    highest = np.where(exact, steps - 1, steps)
    number, matrix = len(floor), cells.equations
    distance = eye_array(number)
    # Beside each move stands how far it is from the wanted one; their sum is least.
    rows = block_array([[matrix, None], [distance, distance], [distance, -distance]], format="csr")
    right = -(matrix @ floor)
    open_end = np.full(number, np.inf)
    found = integer(
        watch,
        c=np.concatenate([np.zeros(number), np.ones(number)]),
        constraints=LinearConstraint(
            rows,
            np.concatenate([right, wanted, -open_end]),
            np.concatenate([right, open_end, wanted]),
        ),
        bounds=Bounds(np.concatenate([lowest, np.zeros(number)]), np.concatenate([highest, open_end])),
        integrality=np.concatenate([np.ones(number), np.zeros(number)]),
        options={"mip_rel_gap": _NEAR},
    )
    return None if found.x is None else np.round(found.x[:number]).astype(np.int64)


PROTECTION = ControlledRounding

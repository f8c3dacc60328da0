"""Controlled rounding: to multiples of the base, with all parts still adding up (Cox and Ernst, 1982)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.errors import Infeasible
from incrowd.parameters import number_from, whole_number
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.linear_program import CellQuery, Impossible, integer
from incrowd.tables.measure import MOST
from incrowd.tables.protections import Protected
from incrowd.tables.protections.random_rounding import drawn, rounded
from incrowd.watch import Watch

_NEAR = 0.1
"""The table that is published is at most so much further from what chance said than the nearest one; to find that one
takes many times as long."""


@dataclass(frozen=True)
class ControlledRounding:
    """Chance says where each value should go; a table that adds up, and is near to that, is published."""

    base: int = 5

    def __post_init__(self) -> None:
        whole_number("base of controlled_rounding", self.base)
        number_from("base of controlled_rounding", self.base, 1, MOST)

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Round to adjacent multiples that add up; Infeasible where there are none.

        Only adjacent multiples are tried: few tables have none that add up, so going further would disclose that.
        """
        base = self.base * 10**cells.decimals
        watch.tick("searching for a rounding that adds up")
        moves = _near(cells, base, drawn(cells.values, base, chance), watch)
        if moves is None:
            raise Infeasible(
                f"no rounding to adjacent multiples of {self.base} adds up; use another base or "
                "random_rounding, or tabulate by fewer columns"
            )
        words = (
            f"Every number is rounded to a multiple of {self.base}, by less than {self.base}; parts add up to totals."
        )
        return rounded(cells, (cells.values // base + moves) * base, base - 1, (words,))

    def remedy(self) -> str:
        """Return what to change."""
        return "round to a larger base, or suppress cells"


def _near(cells: Cells, base: int, wanted: Numbers, watch: Watch) -> Numbers | None:
    """Return which values go up to the next multiple: near the wanted ones, and adding up; None if there are none."""
    from scipy.sparse import block_array, eye_array

    floor, exact = cells.values // base, cells.values % base == 0
    highest = np.where(exact, 0, 1)
    number, matrix = len(floor), cells.equations
    distance = eye_array(number)
    # Beside each move stands how far it is from the wanted one; their sum is least.
    rows = block_array([[matrix, None], [distance, distance], [distance, -distance]], format="csr")
    right = -(matrix @ floor)
    open_end = np.full(number, np.inf)
    asked = CellQuery(
        cost=np.concatenate([np.zeros(number), np.ones(number)]),
        matrix=rows,
        least=np.concatenate([right, wanted, -open_end]),
        most=np.concatenate([right, open_end, wanted]),
        lower=np.zeros(2 * number),
        upper=np.concatenate([highest, open_end]),
        whole=np.arange(2 * number) < number,
    )
    try:
        found = integer(asked, watch, _NEAR).values
    except Impossible:
        return None
    return np.round(found[:number]).astype(np.int64)


PROTECTION = ControlledRounding
MEANING = "every number is rounded, and totals still add up"
RANK = 2
LABELS = {"base": "Rounding base"}

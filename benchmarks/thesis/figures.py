"""All experiments, by name."""

from collections.abc import Callable

import chapter3
import chapter4
import chapter6
from rows import Rows

FIGURES: dict[str, Callable[[], Rows]] = {
    each.__name__: each for each in (*chapter3.EXPERIMENTS, *chapter4.EXPERIMENTS, *chapter6.EXPERIMENTS)
}

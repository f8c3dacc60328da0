"""Thorough: the default search under another name."""

from dataclasses import dataclass, replace
from typing import Any

from incrowd.searches import Problem
from incrowd.searches.optimal import Optimal
from incrowd.watch import Watch


@dataclass(frozen=True)
class Thorough(Optimal):
    """Prunes as the default search does."""

    effort: int = 1

    def run(self, problem: Problem, watch: Watch) -> Any:
        """Return the best node."""
        return replace(super().run(problem, watch), search="thorough")


SEARCH = Thorough
MEANING = "as optimal, thoroughly"
ALIASES = ("careful",)

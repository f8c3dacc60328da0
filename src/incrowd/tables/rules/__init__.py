"""Primary rules: which cells of a table give somebody away. One rule a file, found by the registry.

A module declares RULE, a frozen dataclass whose fields are the rule's options. A rule sees what contributes to a cell,
and says how far an attacker's range of that cell must reach to both sides of its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from incrowd.tables.cells import Cells, Numbers


class Rule(Protocol):
    """A condition under which a cell must not be published."""

    largest: int
    """How many of the largest contributions to a cell it looks at."""
    for_counts: bool
    """Whether it means something for a table of counts."""

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Per cell how far its range must reach to both sides, in units; 0 where it may be published."""
        ...

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Whether a cell with these contributions is sensitive, by the rule's definition."""
        ...

    def words(self) -> str:
        """Which cells it makes sensitive."""
        ...

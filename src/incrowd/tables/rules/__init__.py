"""Primary rules: the sensitive cells of a table. One rule per file, found by the registry.

A module declares RULE, a frozen dataclass whose fields are the rule's options. A rule gets the contributions to a cell,
and returns how far an attacker's interval of that cell must reach to both sides of its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from incrowd.tables.cells import Cells, Numbers


class Rule(Protocol):
    """A condition under which a cell must not be published."""

    largest: int
    """The number of largest contributions to a cell that it uses."""
    for_counts: bool
    """True if it applies to a table of counts."""

    def needed(self, cells: Cells, largest: Numbers) -> Numbers:
        """Return per cell how far its interval must reach to both sides, in units; 0 if it may be published."""
        ...

    def textbook(self, contributions: Sequence[int]) -> bool:
        """Return whether a cell with these contributions is sensitive, by the rule's definition."""
        ...

    def words(self) -> str:
        """Return a description of the sensitive cells."""
        ...


CONTRACT = Rule

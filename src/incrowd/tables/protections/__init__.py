"""Protections of a table with sensitive cells. One per file, found by the registry.

A module declares PROTECTION, a frozen dataclass whose fields are the options. It returns what is published and what an
attacker who knows the method can derive; the audit decides whether that is little enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from incrowd.tables.audit import Knowledge
from incrowd.tables.cells import Cells, Numbers
from incrowd.tables.needs import Mask
from incrowd.watch import Watch


@dataclass(frozen=True, eq=False)
class Protected:
    """A protected table."""

    published: Numbers
    """The published content of each cell, in units; meaningless if suppressed."""
    hidden: Mask
    known: Knowledge
    """The attacker's knowledge of each cell of the real table."""
    low: Numbers | None = None
    """How far down the interval of each cell must reach; None if only its width counts, twice the room."""
    high: Numbers | None = None
    floor: Numbers | None = None
    """The public lower bound of each cell, whatever is published; None if `known` has it."""
    counts: Numbers | None = None
    """The records behind each published number, where they are not those of the table."""
    public: Knowledge | None = None
    """The knowledge assumed public before publication; no interval need be wider than it leaves."""
    words: tuple[str, ...] = ()
    """Public notes on the method."""
    private: dict[str, Any] = field(default_factory=dict)
    """Private details."""


class Protection(Protocol):
    """A way to protect a table."""

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """Return the protected table; `room` is above 0 for the sensitive cells."""
        ...

    def remedy(self) -> str:
        """Return what a user can change if the audit finds too little protection."""
        ...


CONTRACT = Protection

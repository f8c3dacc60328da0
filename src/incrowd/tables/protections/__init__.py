"""Protections: what becomes of a table with sensitive cells. One a file, found by the registry.

A module declares PROTECTION, a frozen dataclass whose fields are the options. It says what is published and what an
attacker who knows the method can make of it; whether that is little enough is for the audit to find out.
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
    """A table as it is to be published."""

    published: Numbers
    """What stands in each cell, in units; of no meaning where it is hidden."""
    hidden: Mask
    known: Knowledge
    """What an attacker knows of each cell of the real table."""
    low: Numbers | None = None
    """How far down the range of each cell must reach; None where only its width counts, twice the room."""
    high: Numbers | None = None
    floor: Numbers | None = None
    """What anybody knows that each cell holds at least, whatever is published; None where `known` says it."""
    counts: Numbers | None = None
    """The records behind each published number, where they are not those of the table."""
    public: Knowledge | None = None
    """What everybody is taken to know before anything is published; no range need be wider than that leaves it."""
    words: tuple[str, ...] = ()
    """What readers of the table are told about the method."""
    private: dict[str, Any] = field(default_factory=dict)
    """What they are not told."""


class Protection(Protocol):
    """A way to protect a table."""

    def protect(self, cells: Cells, room: Numbers, chance: np.random.Generator, watch: Watch) -> Protected:
        """The table as it is to be published; `room` is above 0 for the sensitive cells."""
        ...

    def remedy(self) -> str:
        """What a user can change if the audit finds that it does not protect enough."""
        ...

"""Key columns of two tables that go together, by their names and by the values of their first records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

ROWS = 1000
"""Number of records that are compared."""


@dataclass(frozen=True)
class Seen:
    """The columns of a table, and its first records."""

    inspection: dict[str, Any]
    head: dict[str, Any]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [each["name"] for each in self.inspection["columns"]]

    @property
    def unique(self) -> list[str]:
        """The columns in which every record has a value of its own."""
        records = self.inspection["records"]
        return [
            each["name"]
            for each in self.inspection["columns"]
            if records and each["distinct"] == records and not each["missing"]
        ]

    @property
    def is_whole(self) -> bool:
        """True if the first records are all."""
        return len(self.head["rows"]) == int(self.inspection["records"])

    def values(self, column: str) -> set[str]:
        """Return the values of a column in the first records."""
        at = self.head["columns"].index(column)
        return {row[at] for row in self.head["rows"] if row[at] is not None}


@dataclass(frozen=True)
class Suggestion:
    """A key column of a table, and that of the table it belongs to."""

    here: str
    there: str
    same_name: bool
    share: float
    """Share of the values compared that the other table has."""


def suggestions(child: Seen, parent: Seen) -> list[Suggestion]:
    """Return the pairs of columns that may be keys, the likeliest first."""
    found = []
    for there in parent.unique:
        known = parent.values(there)
        for here in child.columns:
            seen = child.values(here)
            share = len(seen & known) / len(seen) if seen else 0.0
            same = _plain(here) == _plain(there)
            if (share == 1 if parent.is_whole else same or share > 0) and seen:
                found.append(Suggestion(here, there, same, share))
    return sorted(found, key=lambda each: (-each.same_name, -_alike(each.here, each.there), -each.share))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _alike(one: str, other: str) -> bool:
    """Return whether one name is within the other, as id in patient_id."""
    first, second = _plain(one), _plain(other)
    return first in second or second in first

"""The drafts of the pages: plain data of one owner under names."""

from __future__ import annotations

import json
from typing import Any

from incrowd.service.ledger import Ledger, packed


class Notes:
    """Plain data under names; drafts survive a reload and a restart."""

    def __init__(self, ledger: Ledger, owner: str) -> None:
        self._ledger = ledger
        self._owner = owner

    def get(self, name: str, default: Any = None) -> Any:
        """Return the draft of a name."""
        row = self._ledger.row("SELECT value FROM notes WHERE owner = ? AND name = ?", self._owner, name)
        return default if row is None else json.loads(row["value"])

    def put(self, name: str, value: Any) -> None:
        """Store plain data."""
        self._ledger.change("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", self._owner, name, packed(value))

    def delete(self, name: str) -> None:
        """Delete a draft."""
        self._ledger.change("DELETE FROM notes WHERE owner = ? AND name = ?", self._owner, name)

    def names(self) -> list[str]:
        """Return all names."""
        rows = self._ledger.rows("SELECT name FROM notes WHERE owner = ? ORDER BY name", self._owner)
        return [row["name"] for row in rows]

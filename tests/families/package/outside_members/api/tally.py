"""A verb that counts combinations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import incrowd
from incrowd.engines.source import chosen_columns

__all__ = ["tally"]


def tally(source: Any, by: Sequence[str], missing: Sequence[str] = ()) -> dict[str, int]:
    """Count the records of a table, and the combinations of some of its columns."""
    records = incrowd.head(source, 1_000_000, missing)
    at = [records.columns.index(name) for name in chosen_columns(by, records.columns, "by")]
    return {"records": len(records.rows), "combinations": len({tuple(row[i] for i in at) for row in records.rows})}

"""Names of columns in a list; those that are numbered in a row are named by the first and the last."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LAST_NUMBER = re.compile(r"([0-9]{1,9})([^0-9]*)$")
_SHORTEST = 4
"""Columns of a run that is shortened."""


def in_runs(names: Sequence[str]) -> list[str]:
    """Return the names in their order; four or more that count up by one become `emp1 to emp52`."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _follows(runs[-1][-1], name):
            runs[-1].append(name)
        else:
            runs.append([name])
    found: list[str] = []
    for run in runs:
        found += [f"{run[0]} to {run[-1]}"] if len(run) >= _SHORTEST else run
    return found


def _follows(one: str, other: str) -> bool:
    """Return whether two names differ in their last number alone, which is one more in the other."""
    before, after = _LAST_NUMBER.search(one), _LAST_NUMBER.search(other)
    if before is None or after is None:
        return False
    is_alike = (one[: before.start()], before[2]) == (other[: after.start()], after[2])
    return is_alike and int(after[1]) == int(before[1]) + 1


def shortened(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    listed = ", ".join(names[:most])
    return listed if len(names) <= most else f"{listed} and {len(names) - most:,} more"

"""Changes to a level table by hand: a label that is called otherwise, a group that moves, values that it lacked."""

from collections.abc import Iterable, Sequence

from incrowd.core.hierarchy import Row
from incrowd.errors import UsageError

_GIVE = "choose an existing one"


def renamed(rows: Sequence[Row], level: int, label: str, new: str) -> list[Row]:
    """Return a label of a level above the values called otherwise; called like another one, the two become one."""
    _refuse_unknown(rows, level, label)
    if level == 0:
        raise UsageError.invalid("renaming a value", "it occurs in the data", "rename a label above it")
    if not new:
        raise UsageError.invalid("an empty label", "it would be published as a missing value", "give it a name")
    return [(*row[:level], new, *row[level + 1 :]) if row[level] == label else row for row in rows]


def moved(rows: Sequence[Row], level: int, label: str, parent: str) -> list[Row]:
    """Return a value or a group, with all that it holds, below another label of the next level."""
    _refuse_unknown(rows, level, label)
    height = len(rows[0]) - 1
    if level >= height - 1:
        raise UsageError.invalid("moving this label", "nothing but the top is above it", "choose one further down")
    _refuse_unknown(rows, level + 1, parent)
    above = next(tuple(row[level + 1 :]) for row in rows if row[level + 1] == parent)
    return [(*row[: level + 1], *above) if row[level] == label else row for row in rows]


def with_values(rows: Sequence[Row], values: Iterable[str]) -> list[Row]:
    """Add values that the table lacks, each a group of its own up to the top, to be moved from there."""
    height = len(rows[0]) - 1
    known = {row[0] for row in rows}
    return [*rows, *((*[value] * height, rows[0][-1]) for value in values if value not in known)]


def _refuse_unknown(rows: Sequence[Row], level: int, label: str) -> None:
    if not 0 <= level < len(rows[0]) or all(row[level] != label for row in rows):
        raise UsageError.invalid(f"level {level}", "it has no such label", _GIVE)

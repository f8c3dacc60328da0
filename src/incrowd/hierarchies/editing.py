"""Changes to a level table by hand: groups that are made, named, moved and split, values that it lacked; and undo."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

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


def grouped(rows: Sequence[Row], level: int, labels: Collection[str], name: str) -> list[Row]:
    """Return labels of a level joined under one label of the next level, which is added if only the top is above them.

    Called like a label of that level, they join its group.
    """
    if not labels:
        raise UsageError.invalid("a group", "nothing is selected", "select the labels that it joins")
    for label in labels:
        _refuse_unknown(rows, level, label)
    if not name:
        raise UsageError.invalid("a group without a name", "it would be published as a missing value", "name it")
    if level >= len(rows[0]) - 1:
        raise UsageError.invalid("grouping the top", "it joins everything already", "select labels further down")
    if level == len(rows[0]) - 2:
        rows = [(*row[: level + 1], row[level] or row[-1], *row[level + 1 :]) for row in rows]
    members = [row for row in rows if row[level + 1] == name] or [row for row in rows if row[level] in labels]
    above = members[0][level + 2 :]
    return [(*row[: level + 1], name, *above) if row[level] in labels else row for row in rows]


def split(rows: Sequence[Row], level: int, label: str) -> list[Row]:
    """Return the members of a group as labels of their own on its level; a level that joins nothing goes."""
    _refuse_unknown(rows, level, label)
    if level == 0 or level == len(rows[0]) - 1:
        what = "a value" if level == 0 else "the top"
        raise UsageError.invalid(f"splitting {what}", "it is no group of a level", "select a group between them")
    others = {row[level] for row in rows if row[level] != label}
    if any(row[level - 1] in others for row in rows if row[level] == label):
        raise UsageError.invalid(
            "splitting this group", "one of its members is called like another group", "rename that"
        )
    # A missing value has no label of its own.
    alone = [(*row[:level], row[level - 1] or label, *row[level + 1 :]) if row[level] == label else row for row in rows]
    kept = [at for at in range(len(rows[0])) if at in (0, len(rows[0]) - 1) or any(r[at] != r[at - 1] for r in alone)]
    return [tuple(row[at] for at in kept) for row in alone]


@dataclass
class History:
    """A level table that changes step by step; steps can be undone and redone."""

    rows: Sequence[Row]
    _before: list[Sequence[Row]] = field(default_factory=list)
    _after: list[Sequence[Row]] = field(default_factory=list)

    @property
    def can_undo(self) -> bool:
        """Return whether there is a step to undo."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Return whether an undone step can be made again."""
        return bool(self._after)

    def change(self, rows: Sequence[Row]) -> None:
        """Take a step; what was undone before is forgotten."""
        self._before.append(self.rows)
        self._after.clear()
        self.rows = rows

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        if self._before:
            self._after.append(self.rows)
            self.rows = self._before.pop()

    def redo(self) -> None:
        """Make the step that was undone last, if there is one."""
        if self._after:
            self._before.append(self.rows)
            self.rows = self._after.pop()


def with_values(rows: Sequence[Row], values: Iterable[str]) -> list[Row]:
    """Add values that the table lacks, each a group of its own up to the top, to be moved from there."""
    height = len(rows[0]) - 1
    known = {row[0] for row in rows}
    return [*rows, *((*[value] * height, rows[0][-1]) for value in values if value not in known)]


def _refuse_unknown(rows: Sequence[Row], level: int, label: str) -> None:
    if not 0 <= level < len(rows[0]) or all(row[level] != label for row in rows):
        raise UsageError.invalid(f"level {level}", "it has no such label", _GIVE)

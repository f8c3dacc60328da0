"""A job as it is written: plain data, and the line of every part, so that a fault can be found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from incrowd.errors import Fault, JobError

Place = tuple[str | int, ...]
"""The way from the whole to a part: names of keys and positions in lists."""

_AGAIN = -1
"""Where the value of a key that comes twice is put, so that the lines of the first stay."""


@dataclass
class Written:
    """A document as read; its faults are those that the data no longer show."""

    name: str
    """The name of the job in messages."""
    plain: Any = None
    lines: dict[Place, int | None] = field(default_factory=dict)
    """None for a part that does not stand in the text."""
    names: dict[Place, str] = field(default_factory=dict)
    """The names of parts in messages that are not keys: options, attributes of XML."""
    faults: list[Fault] = field(default_factory=list)

    def fault(self, place: Place, what: str) -> None:
        """Note a fault of the part at a place."""
        self.faults.append(Fault(self._line(place), self._where(place), what))

    def mapping(self, place: Place, entries: Iterable[tuple[str, int, Callable[[Place], Any]]]) -> dict[str, Any]:
        """Read keys with their lines and values; a key that comes twice is a fault."""
        found: dict[str, Any] = {}
        for key, line, value in entries:
            here = (*place, key)
            if key in found:
                first = self.lines[here]
                self.faults.append(Fault(line, spelled(here), f"written twice, first on line {first}; keep one"))
                value((*here, _AGAIN))
                continue
            self.lines[here] = line
            found[key] = value(here)
        return found

    def located(self, fault: Fault) -> Fault:
        """Return a fault that was found in the plain data alone, with its line."""
        lines = {spelled(place): line for place, line in self.lines.items()}
        where = fault.where
        while fault.line is None and where and where not in lines:
            where = where[: max(where.rfind("."), where.rfind("["), 0)]
        return fault if fault.line is not None else fault._replace(line=lines.get(where))

    def broken(self, line: int | None, what: str) -> JobError:
        """Return the error of a text that cannot be read at all."""
        return JobError.of(self.name, [Fault(line, "", what)])

    def _line(self, place: Place) -> int | None:
        """Return the line of a part, or of the smallest part around it that has one."""
        return next((self.lines[place[:end]] for end in range(len(place), -1, -1) if place[:end] in self.lines), None)

    def _where(self, place: Place) -> str:
        """Return what a part, or the smallest part around it that has one, is called."""
        named = (self.names[place[:end]] for end in range(len(place), 0, -1) if place[:end] in self.names)
        return next(named, spelled(place))


def lists_values(place: Place) -> bool:
    """Return whether a part lists values of columns, which are texts however they look: 010, no, 1.50."""
    if place[:1] == ("tables",):
        place = place[2:]
    if place[:1] == ("columns",):
        return place[2:5] == ("hierarchy", "tree", "groups")
    return place[:2] == ("data", "missing") or (place[:1] == ("models",) and place[3:4] == ("order",))


def spelled(place: Place) -> str:
    """Return a place in words: columns.age.priority, models[2]; a name that could be misread is quoted."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step + 1}]"
        else:
            text += ("." if text else "") + (step if step.replace("_", "a").isalnum() else repr(step))
    return text

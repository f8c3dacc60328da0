"""Undo and redo of the settings of a table: which were changed, from what to what, and in which window."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from nicegui import Client, ui

if TYPE_CHECKING:
    from incrowd.service import Workspace

MOST = 200
"""Steps that are kept."""
TYPING = 1.5
"""Seconds within which changes of the same setting in the same window are one step: letters that are typed."""

Path = tuple[str, ...]
"""Of a setting: its name, and its column if it has one by column."""


class Change(NamedTuple):
    """One setting before and after: [value], or [] if a column has none; None is a value."""

    path: Path
    before: list[Any]
    after: list[Any]


@dataclass
class Step:
    """Settings that were changed at once."""

    window: str
    at: float
    changes: list[Change]

    @property
    def paths(self) -> list[Path]:
        """The settings that were changed."""
        return [each.path for each in self.changes]


@dataclass
class Steps:
    """The steps that can be undone and redone, the latest last."""

    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    """A message for the next page of a window: `window` and `words`."""

    @classmethod
    def load(cls, space: Workspace, owner: str, file: str) -> Steps:
        """Return those of a table."""
        kept = space.notes(owner).get(_note(file)) or {}
        done, undone = ([_step(each) for each in kept.get(name, ())] for name in ("done", "undone"))
        return cls(done, undone, kept.get("said", {}))

    def keep(self, space: Workspace, owner: str, file: str) -> None:
        """Store the latest ones."""
        self.done, self.undone = self.done[-MOST:], self.undone[-MOST:]
        space.notes(owner).put(_note(file), asdict(self))

    def add(self, step: Step) -> None:
        """Add a step; what its window had undone cannot be redone any more."""
        self.undone = [each for each in self.undone if each.window != step.window]
        last = self.done[-1] if self.done else None
        if last is None or not _is_typing(last, step):
            self.done.append(step)
            return
        changes = zip(last.changes, step.changes, strict=True)
        joined = [Change(old.path, old.before, new.after) for old, new in changes if old.before != new.after]
        self.done[-1:] = [Step(step.window, step.at, joined)] if joined else []

    def latest(self, kind: str, window: str, others: Collection[str]) -> Step | None:
        """Return the step that a window would undo or redo; it leaves those of other open windows alone."""
        steps: list[Step] = getattr(self, kind)
        return next((each for each in reversed(steps) if each.window == window or each.window not in others), None)


def changes(before: Mapping[str, Any], after: Mapping[str, Any], names: Collection[str]) -> list[Change]:
    """Return what differs between two drafts as plain data; settings by column one by one."""
    found = []
    for name in names:
        old, new = before.get(name), after.get(name)
        if not (isinstance(old, dict) and isinstance(new, dict)):
            found += [Change((name,), [old], [new])] if old != new else []
            continue
        for column in [*new, *(each for each in old if each not in new)]:
            pair = [[side[column]] if column in side else [] for side in (old, new)]
            found += [Change((name, column), *pair)] if pair[0] != pair[1] else []
    return deepcopy(found)


def clashes(draft: Mapping[str, Any], step: Step, is_undo: bool) -> list[Path]:
    """Return the settings of a step that were changed again since, as in another window."""
    return [each.path for each in step.changes if _value(draft, each.path) != (each.after if is_undo else each.before)]


def changed(draft: Mapping[str, Any], step: Step, is_undo: bool) -> dict[str, Any]:
    """Return a draft with a step undone, or done again."""
    made = deepcopy(dict(draft))
    for path, before, after in step.changes:
        value = before if is_undo else after
        place = made if len(path) == 1 else made.setdefault(path[0], {})
        if value:
            place[path[-1]] = deepcopy(value[0])
        else:
            place.pop(path[-1], None)
    return made


def _value(draft: Mapping[str, Any], path: Path) -> list[Any]:
    place = draft if len(path) == 1 else draft.get(path[0]) or {}
    return [place[path[-1]]] if path[-1] in place else []


def _is_typing(last: Step, step: Step) -> bool:
    return last.window == step.window and last.paths == step.paths and step.at - last.at <= TYPING


def _step(kept: Mapping[str, Any]) -> Step:
    changes = [Change(tuple(path), before, after) for path, before, after in kept["changes"]]
    return Step(kept["window"], kept["at"], changes)


def _note(file: str) -> str:
    # Deleted with the draft of the table.
    return f"draft-{file}-steps"


def window() -> str:
    """Return the window in which somebody chooses now; it stays the same over reloads."""
    try:
        return ui.context.client.tab_id or ""
    except RuntimeError:
        return ""


def other_windows() -> set[str]:
    """Return the other windows that are open."""
    return {each.tab_id for each in Client.instances.values() if each.tab_id} - {window()}


def record(space: Workspace, owner: str, file: str, changed: list[Change]) -> None:
    """Keep as a step what was chosen; nothing if it changed nothing."""
    if changed:
        steps = Steps.load(space, owner, file)
        steps.add(Step(window(), time.time(), changed))
        steps.keep(space, owner, file)
        tell(file)


_listening: dict[str, list[Callable[[], None]]] = {}


def listen(file: str, call: Callable[[], None]) -> Callable[[], None]:
    """Call a function after each change of a table's settings; return what ends that."""
    calls = _listening.setdefault(file, [])
    calls.append(call)
    return lambda: calls.remove(call)


def tell(file: str) -> None:
    """Tell those who listen that the settings of a table were changed."""
    for call in list(_listening.get(file, ())):
        call()

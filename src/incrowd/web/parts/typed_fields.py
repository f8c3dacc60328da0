"""Fields whose content counts only once a button is pressed: until then it survives a reload all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import app
from nicegui.elements.mixins.value_element import ValueElement

from incrowd.web.parts.kept_form import KeptFields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.service import Workspace

_TYPED = "typed-"


class TypedFields(KeptFields):
    """Fields that show settings; only what differs from these is kept, because settings may change elsewhere."""

    def __init__(self, space: Workspace, owner: str, file: str, name: str) -> None:
        """`name` tells the forms of a table apart."""
        # Deleted with the draft of the table.
        super().__init__(space, owner, f"{_prefix(file)}{name}")
        self._shown: dict[int, Any] = {}

    @property
    def is_pending(self) -> bool:
        """Return whether something was typed and not yet taken over."""
        return bool(self._load())

    def _fields(self) -> Iterator[tuple[str, ValueElement[Any]]]:
        for name, field in super()._fields():
            self._shown.setdefault(field.id, field.value)
            yield name, field

    def _values(self) -> dict[str, Any]:
        fields = dict(self._fields())
        # Further fields may be on their way.
        others = {name: value for name, value in self._load().items() if name not in fields}
        typed = {name: each.value for name, each in fields.items() if each.value != self._shown[each.id]}
        return {**others, **typed}


class WindowFields(KeptFields):
    """Fields that may hold a password: kept in memory, for the window in which they were typed, and never on the disk.

    A window is known once its page is connected.
    """

    def __init__(self, space: Workspace, owner: str, name: str) -> None:
        super().__init__(space, owner, None)
        self._kept = of_window(owner, name)

    def _load(self) -> dict[str, Any]:
        return dict(self._kept)

    def _store(self, values: dict[str, Any]) -> None:
        self._kept.clear()
        self._kept.update(values)

    def forget(self) -> None:
        """Forget what the fields hold."""
        self._kept.clear()


def of_window(owner: str, name: str) -> dict[str, Any]:
    """Return what is kept in memory under a name for this window; another user of the same window has their own."""
    kept: dict[str, Any] = app.storage.tab.setdefault(f"{owner}/{name}", {})
    return kept


def typed(space: Workspace, owner: str, file: str) -> dict[str, Any]:
    """Return what was typed on the pages of a table and not yet taken over, by form."""
    notes = space.notes(owner)
    return {name: notes.get(name) for name in notes.names() if name.startswith(_prefix(file))}


def _prefix(file: str) -> str:
    return f"draft-{file}-{_TYPED}"

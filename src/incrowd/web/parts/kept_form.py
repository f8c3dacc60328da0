"""The fields of a form: what they hold survives a reload, and an answer to another question is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.choice_element import ChoiceElement
from nicegui.elements.mixins.value_element import ValueElement

from incrowd.errors import IncrowdError
from incrowd.web.parts import layout

if TYPE_CHECKING:
    from incrowd.service import Workspace

WORDS = "The settings have changed since this answer. Start again for an answer to what is set now."
_PASSES = 3
"""How often fields are looked for: a choice may bring further fields."""


class KeptFields:
    """The fields of a form, kept under a note from one change to the next visit."""

    def __init__(self, space: Workspace, owner: str, note: str | None) -> None:
        """`note` is None if the fields are settings that are kept elsewhere."""
        self._notes, self._note = space.notes(owner), note
        self._watched: set[int] = set()

    def watch(self, form: ui.element, but: ui.element | None = None) -> None:
        """Fill in what the fields held when the page was left, and listen to them from now on.

        Those within `but`, the place of the answer, are not of the form.
        """
        self._form, self._but = form, but
        kept = self._load()
        for _ in range(_PASSES):
            for name, field in self._fields():
                if name in kept and field.value != kept[name] and _takes(field, kept[name]):
                    field.value = kept[name]
        self._listen()

    def forget(self) -> None:
        """Forget what the fields hold, because it is kept elsewhere now."""
        if self._note is not None:
            self._notes.delete(self._note)

    def _load(self) -> dict[str, Any]:
        return {} if self._note is None else self._notes.get(self._note) or {}

    def _store(self, values: dict[str, Any]) -> None:
        if self._note is not None:
            self._notes.put(self._note, values)

    def _values(self) -> dict[str, Any]:
        """Return what is kept of the fields."""
        return {name: field.value for name, field in self._fields()}

    def _fields(self) -> Iterator[tuple[str, ValueElement[Any]]]:
        inside = set() if self._but is None else {each.id for each in self._but.descendants(include_self=True)}
        for each in self._form.descendants():
            if isinstance(each, ValueElement) and each.id not in inside and "data-mark" in each.props:
                yield each.props["data-mark"], each

    def _listen(self) -> None:
        """Listen to all fields, also to those that appeared since."""
        for _, field in self._fields():
            if field.id not in self._watched:
                self._watched.add(field.id)
                field.on_value_change(self._changed)

    def _changed(self) -> None:
        if self._form.is_deleted:
            return
        self._store(self._values())
        self._listen()


class KeptForm(KeptFields):
    """The fields of a question, and the answer below them, which is marked once they ask something else."""

    def __init__(
        self, space: Workspace, owner: str, note: str | None, asks: Callable[[], Any], hides: bool = False
    ) -> None:
        """`hides` if an answer to another question would mislead even if it is marked."""
        super().__init__(space, owner, note)
        self._asks, self._hides = asks, hides
        self._answered: Any = None

    def show_mark(self) -> None:
        """Show the place of the mark, above the answer."""
        self._message = layout.mark(layout.message(WORDS, "warning"), "outdated")
        self._message.set_visibility(False)

    def watch(self, form: ui.element, but: ui.element | None = None) -> None:
        """Fill in the fields, listen to them, and compare them with the answer."""
        super().watch(form, but)
        self.compare()

    def answers(self, asked: Any) -> None:
        """Note what the answer is about that is shown now; None if there is none."""
        self._answered = asked
        self.compare()

    def compare(self) -> None:
        """Mark the answer if the fields ask something else."""
        is_outdated = self._answered is not None and self._answered != self._asked_now()
        self._message.set_visibility(is_outdated)
        if self._but is not None:
            self._but.classes(**{"add" if is_outdated else "remove": "outdated"})
            self._but.set_visibility(not (is_outdated and self._hides))

    def _asked_now(self) -> Any:
        try:
            return self._asks()
        except (IncrowdError, ValueError):
            # What is written asks nothing yet.
            return None

    def _changed(self) -> None:
        super()._changed()
        if not self._message.is_deleted:
            self.compare()


def _takes(field: ValueElement[Any], value: Any) -> bool:
    """Return whether a field can hold a value; what it offers may have changed."""
    if not isinstance(field, ChoiceElement):
        return True
    chosen = value if isinstance(value, list) else [value]
    return all(each is None or each in field.options for each in chosen)

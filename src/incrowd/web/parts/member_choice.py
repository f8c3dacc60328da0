"""A choice of one member of a family, with explanations and fields for its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from nicegui import ui

from incrowd.families import Family
from incrowd.web.parts import layout, words


class MemberChoice:
    """A member of a family and its options; an empty field means the default."""

    def __init__(self, family: Family, before: Any) -> None:
        self.modules, self.kinds = family.modules(), family.known()
        self.explained = words.meanings(family)
        self.name, self.options = _parse_previous(before, self.explained)

    def show(self, label: str, mark: str) -> None:
        """Show the list and the option fields below it."""
        self.mark = mark
        self.select = words.select(self.explained, self.name, label, lambda event: self._changed(event.value))
        layout.mark(self.select.classes("wide"), mark)
        self.place = ui.element("div").classes("stack")
        self._fill()

    def choose(self, name: str) -> None:
        """Choose another member."""
        self.select.set_value(name)

    def _changed(self, name: str) -> None:
        if name != self.name:
            self.name, self.options = name, {}
            self._fill()

    def _fill(self) -> None:
        self.place.clear()
        with self.place:
            layout.hint(f"{self.name}: {self.explained[self.name].rstrip('.')}.")
            with layout.line():
                for each in fields(self.kinds[self.name]):
                    label = getattr(self.modules[self.name], "LABELS", {}).get(each.name, each.name)
                    field = ui.input(label, value=_spell(self.options.get(each.name)), placeholder=str(each.default))
                    field.on_value_change(lambda event, name=each.name: self._set(name, event.value))
                    layout.mark(field.classes("middle").props("stack-label"), f"{self.mark}-{each.name}")

    def _set(self, name: str, written: str | None) -> None:
        if (written or "").strip():
            self.options[name] = _parse_value(str(written).strip())
        else:
            self.options.pop(name, None)

    def spec(self) -> Any:
        """Return the member as a request has it."""
        return {self.name: dict(self.options)} if self.options else self.name


def _parse_previous(before: Any, known: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    if isinstance(before, Mapping):
        [(name, options)] = before.items()
    else:
        name, options = before, {}
    return (name, dict(options)) if name in known else (next(iter(known)), {})


def _spell(value: Any) -> str:
    return "" if value is None else str(value)


def _parse_value(written: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(written)
        except ValueError:
            continue
    return written

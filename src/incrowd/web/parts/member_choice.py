"""One of a family, chosen from a list that explains every one, with fields for its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from nicegui import ui

from incrowd.registry import members
from incrowd.web.parts import layout, words


class Member:
    """A member of a family and its options; what is left empty is as usual."""

    def __init__(
        self, family: str, declares: str, told: dict[str, str], labels: dict[str, dict[str, str]], before: Any
    ) -> None:
        self.labels = labels
        self.kinds = {name: getattr(module, declares) for name, module in members(family, declares).items()}
        self.told = words.explained(told, self.kinds)
        self.name, self.options = _named(before, self.told)

    def show(self, label: str, mark: str) -> None:
        """The list, and the fields below it."""
        self.mark = mark
        self.select = words.select(self.told, self.name, label, lambda event: self._changed(event.value))
        layout.marked(self.select.classes("wide"), mark)
        self.place = ui.element("div").classes("stack")
        self._fill()

    def choose(self, name: str) -> None:
        """Take another one."""
        self.select.set_value(name)

    def _changed(self, name: str) -> None:
        if name != self.name:
            self.name, self.options = name, {}
            self._fill()

    def _fill(self) -> None:
        self.place.clear()
        with self.place:
            layout.hint(f"{self.name}: {self.told[self.name]}.")
            with layout.line():
                for each in fields(self.kinds[self.name]):
                    label = self.labels.get(self.name, {}).get(each.name, each.name)
                    field = ui.input(label, value=_spelled(self.options.get(each.name)), placeholder=str(each.default))
                    field.on_value_change(lambda event, name=each.name: self._set(name, event.value))
                    layout.marked(field.classes("middle").props("stack-label"), f"{self.mark}-{each.name}")

    def _set(self, name: str, written: str | None) -> None:
        if (written or "").strip():
            self.options[name] = _read(str(written).strip())
        else:
            self.options.pop(name, None)

    def given(self) -> Any:
        """What was chosen, as a request has it."""
        return {self.name: dict(self.options)} if self.options else self.name


def _named(before: Any, known: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    if isinstance(before, Mapping):
        [(name, options)] = before.items()
    else:
        name, options = before, {}
    return (name, dict(options)) if name in known else (next(iter(known)), {})


def _spelled(value: Any) -> str:
    return "" if value is None else str(value)


def _read(written: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(written)
        except ValueError:
            continue
    return written

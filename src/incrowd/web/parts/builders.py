"""How a hierarchy is built: a short form for every builder, with the options that it has."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from incrowd.web.parts import layout


def _text(written: str) -> str:
    return written.strip()


def _number(written: str) -> Any:
    from incrowd.jobs.frozen import number

    return number(written.strip())


def _numbers(written: str) -> list[Any]:
    return [_number(each) for each in re.split(r"[\s,;/]+", written.strip()) if each]


def _levels(written: str) -> list[Any]:
    return [_numbers(each) for each in written.split("|")]


def _words(written: str) -> list[str]:
    return [each for each in re.split(r"[\s,;/]+", written.strip()) if each]


@dataclass(frozen=True)
class Option:
    """An option of a builder, as it is asked for."""

    name: str
    label: str
    example: str
    read: Callable[[str], Any] = _text


BUILDERS: dict[str, tuple[str, tuple[Option, ...]]] = {
    "automatic": ("Proposed from the values: intervals of numbers, units of time, masked codes, or the top alone.", ()),
    "intervals": (
        "Numbers become intervals, wider from level to level.",
        (
            Option("widths", "Widths, level by level", "5, 10, 20", _numbers),
            Option("cuts", "or own bounds, levels apart by |", "18, 40, 65 | 40", _levels),
            Option("origin", "Intervals begin at", "0", _number),
            Option("bottom", "All below is one", "", _number),
            Option("top", "All from here is one", "", _number),
        ),
    ),
    "dates": (
        "Dates become months, quarters, years or decades, or an age in years.",
        (
            Option("levels", "Levels: day, month, quarter, year, decade, or age", "month, year, decade", _words),
            Option("format", "How dates are written", "%d.%m.%Y"),
            Option("reference", "Age at this day", "2024-12-31"),
            Option("widths", "Widths of ages", "5, 10, 20", _numbers),
        ),
    ),
    "mask": (
        "Characters of a code are hidden one after the other.",
        (
            Option("steps", "Characters hidden, level by level", "1, 2, 3", _numbers),
            Option("from", "From the right or left", "right"),
            Option("character", "Shown instead", "*"),
        ),
    ),
    "file": ("A table with a row for each value and a column for each level (CSV), or a tree (YAML or JSON).", ()),
}
"""Every builder with one sentence and its options; a file brings a table of levels or a tree."""


class Form:
    """The choice of a builder, and its options."""

    def __init__(self, given: Any, upload: Callable[[], None]) -> None:
        self._builder, self._options = _chosen(given)
        self._fields: dict[str, ui.input] = {}
        self._upload = upload

    def show(self, built: Callable[[], Any]) -> None:
        """The fields, and a button that builds."""
        kinds = {name: name for name in BUILDERS}
        select = ui.select(kinds, value=self._builder, label="How it is built", on_change=self._changed)
        layout.marked(select.classes("middle"), "builder")
        self._place = ui.element("div").classes("stack")
        self._fill()
        with layout.line():
            button = layout.marked(ui.button("Build", on_click=built).props("no-caps unelevated"), "build")
            button.bind_visibility_from(select, "value", lambda kind: kind != "file")

    def _changed(self, event: Any) -> None:
        self._builder, self._options = event.value, {}
        self._fill()

    def _fill(self) -> None:
        self._place.clear()
        self._fields = {}
        about, options = BUILDERS[self._builder]
        with self._place:
            layout.hint(about)
            with layout.line():
                for option in options:
                    field = ui.input(
                        option.label, value=_spelled(self._options.get(option.name)), placeholder=option.example
                    )
                    self._fields[option.name] = layout.marked(field.classes("middle"), f"option-{option.name}")
            if self._builder == "file":
                self._upload()

    def spec(self) -> Any:
        """What was chosen, as a job has it."""
        read = {option.name: option.read for option in BUILDERS[self._builder][1]}
        options = {name: read[name](field.value) for name, field in self._fields.items() if (field.value or "").strip()}
        return {self._builder: options} if options else self._builder


def _chosen(given: Any) -> tuple[str, dict[str, Any]]:
    """The builder and the options of what was chosen before."""
    if given is None:
        return "automatic", {}
    if isinstance(given, str):
        return (given, {}) if given in BUILDERS else ("file", {})
    [(builder, options)] = given.items()
    return (builder, dict(options or {})) if builder in BUILDERS else ("file", {})


def _spelled(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        apart = " | " if value and isinstance(value[0], list) else ", "
        return apart.join(map(_spelled, value))
    return str(value)

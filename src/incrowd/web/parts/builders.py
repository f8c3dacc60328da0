"""A form for every hierarchy builder and its options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin

from nicegui import ui

from incrowd.families import BUILDERS
from incrowd.hierarchies import options_of
from incrowd.jobs.shorthand import PROPOSED
from incrowd.spelling import read_options
from incrowd.web.parts import layout


def _parse_text(written: str) -> str:
    return written.strip()


def _parse_number(written: str) -> Any:
    from incrowd.jobs.frozen import number

    return number(written.strip())


def _parse_numbers(written: str) -> list[Any]:
    return [_parse_number(each) for each in re.split(r"[\s,;/]+", written.strip()) if each]


def _parse_levels(written: str) -> list[Any]:
    return [_parse_numbers(each) for each in written.split("|")]


def _parse_words(written: str) -> list[str]:
    return [each for each in re.split(r"[\s,;/]+", written.strip()) if each]


FILE = "file"
_OF_FILES = "A table with a row per value and a column per level (CSV), or a tree (YAML or JSON)."


@dataclass(frozen=True)
class Option:
    """A field for an option of a builder."""

    name: str
    label: str
    example: str
    read: Callable[[str], Any]


def builders() -> list[str]:
    """Return the builders that are offered; those that read a file are one choice.

    Here the automatic one proposes from the whole table, as another one does elsewhere.
    """
    known = BUILDERS.modules()
    left_out = ("FILE_SUFFIXES", "BY_TABLE")
    return [*(name for name in BUILDERS.ranked() if not any(hasattr(known[name], each) for each in left_out)), FILE]


def meaning(builder: str) -> str:
    """Return what a builder does, in one sentence."""
    return _OF_FILES if builder == FILE else BUILDERS.meaning(builder)


def options(builder: str) -> list[Option]:
    """Return the options of a builder: those that it labels, or all."""
    if builder == FILE:
        return []
    module, types = BUILDERS.module(builder), BUILDERS.types(builder)
    labels = getattr(module, "LABELS", {name: name for name in options_of(builder)})
    examples = getattr(module, "EXAMPLES", {})
    return [Option(name, label, examples.get(name, ""), _reader(types.get(name))) for name, label in labels.items()]


def _reader(kind: Any) -> Callable[[str], Any]:
    """Return how an option is read, by its declared type."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    sequence = next((each for each in kinds if get_origin(each) in (Sequence, list, tuple)), None)
    if kind is None:
        return lambda written: read_options(f"x={written.strip()}", {})["x"]
    if sequence is None:
        return _parse_number if set(kinds) & {int, float} else _parse_text
    [of, *_] = get_args(sequence)
    return _parse_levels if get_origin(of) is Sequence else _parse_words if of is str else _parse_numbers


class BuilderForm:
    """The choice of a builder and its options."""

    def __init__(self, given: Any, upload: Callable[[], None]) -> None:
        self._builder, self._options = _parse_spec(given)
        self._fields: dict[str, ui.input] = {}
        self._upload = upload

    def show(self, built: Callable[[], Any]) -> None:
        """Show the fields and the build button."""
        kinds = {name: name for name in builders()}
        select = ui.select(kinds, value=self._builder, label="Builder", on_change=self._changed)
        layout.mark(select.classes("middle"), "builder")
        self._place = ui.element("div").classes("stack")
        self._fill()
        with layout.line():
            button = layout.mark(ui.button("Build", on_click=built).props("no-caps unelevated"), "build")
            button.bind_visibility_from(select, "value", lambda kind: kind != FILE)

    def _changed(self, event: Any) -> None:
        self._builder, self._options = event.value, {}
        self._fill()

    def _fill(self) -> None:
        self._place.clear()
        self._fields = {}
        with self._place:
            layout.hint(meaning(self._builder))
            with layout.line():
                for option in options(self._builder):
                    field = ui.input(
                        option.label, value=_spell(self._options.get(option.name)), placeholder=option.example
                    )
                    self._fields[option.name] = layout.mark(field.classes("middle"), f"option-{option.name}")
            if self._builder == FILE:
                self._upload()

    def spec(self) -> Any:
        """Return the hierarchy as a job has it."""
        read = {option.name: option.read for option in options(self._builder)}
        given = {name: read[name](field.value) for name, field in self._fields.items() if (field.value or "").strip()}
        return {self._builder: given} if given else self._builder


def _parse_spec(given: Any) -> tuple[str, dict[str, Any]]:
    """Return the builder and the options of a hierarchy as a job has it."""
    if given is None or given == PROPOSED:
        return "automatic", {}
    if isinstance(given, str):
        return (given, {}) if given in builders() else (FILE, {})
    [(builder, chosen)] = given.items()
    return (builder, dict(chosen or {})) if builder in builders() else (FILE, {})


def _spell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        apart = " | " if value and isinstance(value[0], list) else ", "
        return apart.join(map(_spell, value))
    return str(value)

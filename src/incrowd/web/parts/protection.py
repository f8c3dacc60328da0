"""The list of models for sensitive columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.families import MODELS
from incrowd.web.parts import layout, words
from incrowd.web.parts.draft import Draft, model_column, spell_column


class ModelList:
    """The models beside k-anonymity."""

    def __init__(self, draft: Draft, keep: Callable[[], None]) -> None:
        self.draft, self.keep = draft, keep
        self.sensitive = draft.columns_in_role(Role.SENSITIVE)
        draft.protect()
        self.models = draft.models

    def show(self) -> None:
        """Show the models and a line to add one."""
        if not self.sensitive:
            layout.hint("No sensitive column. Give a column the role sensitive if its values must not be disclosed.")
            return
        layout.hint(
            "A class in which all records have the same value discloses it. Models prevent that; without one, the "
            "release protects against singling out only."
        )
        self.place = ui.element("div").classes("stack")
        self._fill()
        layout.heading("Add a model", 3)
        with layout.line():
            self.kind = words.select(words.models(), "distinct_l", "Model")
            layout.mark(self.kind.classes("middle"), "model-kind")
            self.column = ui.select(self.sensitive, value=self.sensitive[0], label="Sensitive column").classes("middle")
            layout.mark(self.column, "model-column")
            layout.mark(ui.button("Add", on_click=self._add).props("outline no-caps"), "model-add")

    def _add(self) -> None:
        self.models.append(_new_model(self.kind.value, self.column.value))
        self._changed()

    def _changed(self) -> None:
        self.keep()
        self._fill()

    def _fill(self) -> None:
        self.place.clear()
        with self.place:
            for at, model in enumerate(self.models):
                self._model(at, model)

    def _model(self, at: int, model: dict[str, Any]) -> None:
        [(name, options)] = model.items()
        with layout.line():
            layout.text(f"{name} of {model_column(model)}", "b").style("min-width: 16rem")
            for parameter in required_parameters(name):
                if parameter == GUARD:
                    self._guard(at, options)
                    continue
                step = 1 if float(words.default_value(name, parameter)).is_integer() else 0.1
                field = ui.number(parameter, value=options.get(parameter), step=step)
                field.on_value_change(lambda event, of=options, what=parameter: self._set(of, what, event.value))
                layout.mark(field.classes("narrow"), f"model-{at}-{parameter}")
            self._further(at, name, options)

            def drop() -> None:
                self.models.remove(model)
                self._changed()

            layout.mark(layout.quiet_button("Remove").on_click(drop), f"model-drop-{at}")
            layout.hint(words.models().get(name, ""))

    def _guard(self, at: int, options: dict[str, Any]) -> None:
        """Show a choice of the column that holds each record's guarded value; it is never published."""
        dropped = self.draft.columns_in_role(Role.DROP)
        value = options.get(GUARD) if options.get(GUARD) in dropped else None
        field = ui.select(dropped, value=value, label="Guard column (role drop)").classes("middle")

        def choose(event: Any) -> None:
            options[GUARD] = event.value
            self.keep()

        field.on_value_change(choose)
        layout.mark(field, f"model-{at}-guard")
        layout.hint("Requires the search personalized and a hierarchy of the sensitive column.")

    def _further(self, at: int, name: str, options: dict[str, Any]) -> None:
        """Show a field for the optional parameters in the short form of the command line."""
        optional = optional_parameters(name)
        if not optional:
            return
        known = [f"{key}={_spell(value)}" for key, value in options.items() if key in optional]

        def change(event: Any) -> None:
            try:
                read = _parse_options(name, event.value or "", optional)
            except UsageError as error:
                ui.notify(str(error), type="negative")
                return
            for key in optional:
                options.pop(key, None)
            options.update(read)
            self.keep()

        field = ui.input(f"Options: {', '.join(optional)}", value=",".join(known)).classes("middle")
        layout.mark(field.props("debounce=600").on_value_change(change), f"model-{at}-further")

    def _set(self, options: dict[str, Any], name: str, value: float | None) -> None:
        if value is not None:
            options[name] = int(value) if float(value).is_integer() else value
            self.keep()


GUARD = "guard"


def optional_parameters(name: str) -> list[str]:
    """Return the optional parameters of a model."""
    needed = {*required_parameters(name), "column", "columns"}
    return [each.name for each in fields(MODELS.known()[name]) if each.name not in needed]


def _parse_options(name: str, written: str, optional: list[str]) -> dict[str, Any]:
    from incrowd.models import read

    if not written.strip():
        return {}
    [options] = read(f"{name}:{written.strip()}").values()
    unknown = [key for key in options if key not in optional]
    if unknown:
        raise UsageError.not_one_of("an option here", unknown[0], optional)
    return dict(options)


def _spell(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def required_parameters(name: str) -> list[str]:
    """Return the required parameters of a model, without its column."""
    kind = MODELS.known()[name]
    needed = [each for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]
    return [each.name for each in needed if each.name not in ("column", "columns")]


def _new_model(name: str, column: str) -> dict[str, Any]:
    needed = {
        parameter: words.default_value(name, parameter) for parameter in required_parameters(name) if parameter != GUARD
    }
    return {name: {**needed, "column": spell_column(column)}}

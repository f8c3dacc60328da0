"""Models about sensitive columns: added, set and taken away again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.errors import UsageError
from incrowd.registry import members
from incrowd.web.parts import layout, words
from incrowd.web.parts.draft import Draft, model_column, written_column


class Models:
    """The list of models beside k-anonymity."""

    def __init__(self, draft: Draft, keep: Callable[[], None]) -> None:
        self.draft, self.keep = draft, keep
        self.sensitive = draft.having(Role.SENSITIVE)
        draft.protect()
        self.models = draft.models

    def show(self) -> None:
        """The models, and a line to add one."""
        if not self.sensitive:
            layout.hint("No column has the role sensitive. Give one that role if nobody may learn its values.")
            return
        layout.hint(
            "A class in which all records have the same value discloses it. Models prevent that; without one, the "
            "release protects against singling out only."
        )
        self.place = ui.element("div").classes("stack")
        self._fill()
        layout.heading("Add another model", 3)
        with layout.line():
            self.kind = words.select(words.models(), "distinct_l", "Model")
            layout.marked(self.kind.classes("middle"), "model-kind")
            self.column = ui.select(self.sensitive, value=self.sensitive[0], label="Sensitive column").classes("middle")
            layout.marked(self.column, "model-column")
            layout.marked(ui.button("Add", on_click=self._add).props("outline no-caps"), "model-add")

    def _add(self) -> None:
        self.models.append(_made(self.kind.value, self.column.value))
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
            for parameter in parameters(name):
                if parameter == GUARD:
                    self._guard(at, options)
                    continue
                step = 1 if float(words.usual(name, parameter)).is_integer() else 0.1
                field = ui.number(parameter, value=options.get(parameter), step=step)
                field.on_value_change(lambda event, of=options, what=parameter: self._set(of, what, event.value))
                layout.marked(field.classes("narrow"), f"model-{at}-{parameter}")
            self._further(at, name, options)

            def drop() -> None:
                self.models.remove(model)
                self._changed()

            layout.marked(layout.quiet_button("Take away").on_click(drop), f"model-drop-{at}")
            layout.hint(words.models().get(name, ""))

    def _guard(self, at: int, options: dict[str, Any]) -> None:
        """The column in which each record names what it guards; it is never published."""
        dropped = self.draft.having(Role.DROP)
        value = options.get(GUARD) if options.get(GUARD) in dropped else None
        field = ui.select(dropped, value=value, label="Column of guards (role drop)").classes("middle")

        def choose(event: Any) -> None:
            options[GUARD] = event.value
            self.keep()

        field.on_value_change(choose)
        layout.marked(field, f"model-{at}-guard")
        layout.hint("Needs the search personalised, and a hierarchy of the sensitive column.")

    def _further(self, at: int, name: str, options: dict[str, Any]) -> None:
        """Options that a model may be given, in the short form of the command line."""
        optional = further(name)
        if not optional:
            return
        known = [f"{key}={_spelled(value)}" for key, value in options.items() if key in optional]

        def change(event: Any) -> None:
            try:
                read = _read(name, event.value or "", optional)
            except UsageError as error:
                ui.notify(str(error), type="negative")
                return
            for key in optional:
                options.pop(key, None)
            options.update(read)
            self.keep()

        field = ui.input(f"further: {', '.join(optional)}", value=",".join(known)).classes("middle")
        layout.marked(field.props("debounce=600").on_value_change(change), f"model-{at}-further")

    def _set(self, options: dict[str, Any], name: str, value: float | None) -> None:
        if value is not None:
            options[name] = int(value) if float(value).is_integer() else value
            self.keep()


GUARD = "guard"


def further(name: str) -> list[str]:
    """What a model may be given, beside what it must."""
    needed = {*parameters(name), "column", "columns"}
    return [each.name for each in fields(members("models", "MODEL")[name].MODEL) if each.name not in needed]


def _read(name: str, written: str, optional: list[str]) -> dict[str, Any]:
    from incrowd.models import read

    if not written.strip():
        return {}
    [options] = read(f"{name}:{written.strip()}").values()
    unknown = [key for key in options if key not in optional]
    if unknown:
        raise UsageError.not_one_of("an option here", unknown[0], optional)
    return dict(options)


def _spelled(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def parameters(name: str) -> list[str]:
    """What a model must be given, beside the column."""
    kind = members("models", "MODEL")[name].MODEL
    needed = [each for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]
    return [each.name for each in needed if each.name not in ("column", "columns")]


def _made(name: str, column: str) -> dict[str, Any]:
    needed = {parameter: words.usual(name, parameter) for parameter in parameters(name) if parameter != GUARD}
    return {name: {**needed, "column": written_column(column)}}

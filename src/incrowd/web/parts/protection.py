"""The list of models for sensitive columns: what each demands in words, and its options as fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import partial
from html import escape
from typing import Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.errors import IncrowdError, UsageError
from incrowd.families import MODELS, option_default
from incrowd.text import number, percent
from incrowd.web.parts import layout, words
from incrowd.web.parts.draft import Draft, model_column, spell_column

GUARD = "guard"
_OF_VALUES = {"distinct_l": "l", "p_sensitive": "p", "entropy_l": "l", "recursive_cl": "l"}
"""By model the option that no class can have more of than the column has different values."""


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
        for name in self.sensitive:
            about = example(self.draft, name)
            if about:
                layout.mark(layout.hint(about), f"example-{self.sensitive.index(name)}")
        self.place = ui.element("div").classes("stack")
        self.fill()
        layout.heading("Add a model", 3)
        with layout.line():
            self.kind = words.select(words.models(), "distinct_l", "Model")
            layout.mark(self.kind.classes("middle"), "model-kind")
            self.column = ui.select(self.sensitive, value=self.sensitive[0], label="Sensitive column").classes("middle")
            layout.mark(self.column, "model-column")
            layout.mark(ui.button("Add", on_click=self._add).props("outline no-caps"), "model-add")

    def _add(self) -> None:
        self.models.append(new_model(self.draft, self.kind.value, self.column.value))
        self._changed()

    def _changed(self) -> None:
        self.keep()
        self.fill()

    def fill(self) -> None:
        """Show the models as the draft has them."""
        if not self.sensitive:
            return
        self.models = self.draft.models
        self.place.clear()
        with self.place:
            for at, model in enumerate(self.models):
                _ModelFields(self.draft, at, model, self.keep, partial(self._drop, model)).show()

    def _drop(self, model: dict[str, Any]) -> None:
        self.models.remove(model)
        self._changed()


class _ModelFields:
    """One model: what it demands, and a field for each of its options."""

    def __init__(
        self, draft: Draft, at: int, model: dict[str, Any], keep: Callable[[], None], drop: Callable[[], None]
    ) -> None:
        self.draft, self.at, self.model, self.keep, self.drop = draft, at, model, keep, drop
        [(self.name, self.options)] = model.items()
        module = MODELS.module(self.name)
        self.labels: dict[str, str] = getattr(module, "LABELS", {})
        self.choices: dict[str, dict[str, str]] = getattr(module, "CHOICES", {})
        self.types = MODELS.types(self.name)

    def show(self) -> None:
        """Show the sentence, then the fields."""
        with ui.element("div").classes("stack model"):
            with layout.line():
                self.demand = layout.mark(layout.text("", "b"), f"model-words-{self.at}")
                layout.text(f"{self.name} of {model_column(self.model)}", "span", "muted")
                drop = layout.quiet_button("Remove").on_click(self.drop)
                drop.props["aria-label"] = f"Remove {self.name} of {model_column(self.model)}"
                layout.mark(drop, f"model-drop-{self.at}")
            self.doubt = layout.mark(layout.message("", "warning"), f"model-doubt-{self.at}")
            with layout.line():
                needed = required_parameters(self.name)
                for option in [*needed, *optional_parameters(self.name)]:
                    self._field(option, option in needed)
            if GUARD in needed:
                layout.hint("Requires the search personalized and a hierarchy of the sensitive column.")
        self._describe()

    def _field(self, option: str, is_needed: bool) -> None:
        label, value = self.labels.get(option, option), self.options.get(option)
        mark = f"model-{self.at}-{option}"
        if option == GUARD:
            dropped = self.draft.columns_in_role(Role.DROP)
            choice = ui.select(dropped, value=value if value in dropped else None, label=label).classes("middle")
            layout.mark(choice.on_value_change(lambda event: self._set(option, event.value)), mark)
        elif option in self.choices:
            usual = next(option_default(each) for each in fields(MODELS.known()[self.name]) if each.name == option)
            choice = ui.select(self.choices[option], value=value or usual, label=label).classes("label")
            layout.mark(choice.on_value_change(lambda event: self._choose(option, event.value, usual)), mark)
        elif self.types.get(option) in (int, float):
            self._number(option, label, value, mark)
        else:
            written = "/".join(map(str, value)) if isinstance(value, list | tuple) else value or ""
            entry = ui.input(f"{label}{'' if is_needed else ' (optional)'}", value=str(written)).classes("label")
            entry.props("debounce=600 stack-label hint='several separated by /'")
            layout.mark(entry.on_value_change(lambda event: self._read(option, event.value or "")), mark)

    def _number(self, option: str, label: str, value: Any, mark: str) -> None:
        whole = self.types[option] is int
        entry = ui.number(label, value=value, min=1 if whole and option != "level" else 0, step=1 if whole else 0.1)
        entry.props("debounce=300 stack-label")
        if whole:
            entry.precision = 0
        layout.mark(entry.classes("label").on_value_change(lambda event: self._set_number(option, event.value)), mark)

    def _set_number(self, option: str, value: float | None) -> None:
        if value is not None:
            self._set(option, int(value) if float(value).is_integer() else value)
        elif option not in required_parameters(self.name):
            self._set(option, None)

    def _choose(self, option: str, value: Any, usual: Any) -> None:
        self._set(option, None if value == usual else value)

    def _read(self, option: str, written: str) -> None:
        """Keep an option that is written as on the command line."""
        from incrowd.models import read

        try:
            given = read(f"{self.name}:{option}={written.strip()}")[self.name] if written.strip() else {}
        except UsageError as error:
            ui.notify(str(error), type="negative")
            return
        self._set(option, given.get(option))

    def _set(self, option: str, value: Any) -> None:
        if value is None:
            self.options.pop(option, None)
        else:
            self.options[option] = value
        self.keep()
        self._describe()

    def _describe(self) -> None:
        """Show what the model demands now, and whether this table can satisfy it."""
        from incrowd.models import from_dict
        from incrowd.models.of_people import promised

        try:
            said = promised(from_dict(self.model), knows=self.draft.knows if self.draft.person else None)
        except IncrowdError as error:
            said = f"Not complete: {error}."
        self.demand.set_content(escape(said))
        doubt = doubted(self.draft, self.name, self.options)
        self.doubt.set_content(escape(doubt))
        self.doubt.set_visibility(bool(doubt))


def optional_parameters(name: str) -> list[str]:
    """Return the optional parameters of a model."""
    needed = {*required_parameters(name), "column", "columns"}
    return [each.name for each in fields(MODELS.known()[name]) if each.name not in needed]


def required_parameters(name: str) -> list[str]:
    """Return the required parameters of a model, without its column."""
    kind = MODELS.known()[name]
    needed = [each for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]
    return [each.name for each in needed if each.name not in ("column", "columns")]


def new_model(draft: Draft, name: str, column: str) -> dict[str, Any]:
    """Return a model with first values that the column can satisfy."""
    needed = {
        parameter: words.default_value(name, parameter) for parameter in required_parameters(name) if parameter != GUARD
    }
    of_values, values = _OF_VALUES.get(name), draft.different_values(column)
    if of_values is not None and values is not None:
        needed[of_values] = max(1, min(needed[of_values], values))
    return {name: {**needed, "column": spell_column(column)}}


def doubted(draft: Draft, name: str, options: dict[str, Any]) -> str:
    """Return why no release of this table can satisfy a model, or only one without many records; empty if it can."""
    column = model_column({name: options})
    values, given = draft.different_values(column), options.get(_OF_VALUES.get(name, ""))
    if values is not None and isinstance(given, int | float) and given > values:
        return (
            f"{column} has {number(values)} different values, so no class can have {given:g}. Choose {values} or fewer."
        )
    share = draft.largest_share(column)
    most = {"frequency_l": 1 / max(1, options.get("l", 1)), "alpha_k": options.get("alpha", 1)}.get(name, 1)
    if share is not None and share > most:
        return (
            f"One value of {column} is in {percent(share)} of the records, more than the {percent(most)} that a class "
            "may have. Many records must be suppressed."
        )
    return ""


def example(draft: Draft, column: str) -> str:
    """Return what a model guards against, by how the values of a column are spread in this table."""
    values, share = draft.different_values(column), draft.largest_share(column)
    if values is None or share is None:
        return ""
    if values < 2:
        return f"{column} has one value: everyone in the table has it, and no model can protect it."
    chance = share**draft.k
    classes = "fewer than 0.1%" if chance < 0.001 else f"about {percent(chance)}"
    return (
        f"Example: of {number(values)} different values of {column} the most frequent is in {percent(share)} of the "
        f"records. By chance all records of {classes} of the classes of {draft.k} would have it, which discloses it."
    )

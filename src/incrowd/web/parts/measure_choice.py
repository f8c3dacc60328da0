"""The measure of a question: k, or l or t of a sensitive column."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.diagnosis.measures import K_ANONYMITY, PARAMETERS
from incrowd.web.parts import layout, words
from incrowd.web.parts.tables import format_cell

if TYPE_CHECKING:
    from incrowd.web.parts.draft import Draft

_USUAL = {"k": 5, "l": 3, "t": 0.2}
_MEASURES = {
    K_ANONYMITY: "k-anonymity",
    "distinct_l": "l-diversity (distinct)",
    "frequency_l": "l-diversity (frequency)",
    "entropy_l": "l-diversity (entropy)",
    "t_closeness": "t-closeness",
}
_LABELS = {
    K_ANONYMITY: "Smallest class (k)",
    "distinct_l": "Different sensitive values per class (l)",
    "frequency_l": "Records per occurrence of a value (l)",
    "entropy_l": "Spread of the values in a class (l)",
    "t_closeness": "Distance of a class from the table (t)",
}
_DISTANCES = {"equal": "equal between all values", "ordered": "by order", "hierarchical": "by hierarchy"}


class ChosenMeasure:
    """The chosen measure, sensitive column and distance."""

    def __init__(self, draft: Draft, chosen: dict[str, Any]) -> None:
        self._draft, self._chosen = draft, chosen
        if chosen["measure"] not in PARAMETERS:
            chosen["measure"] = K_ANONYMITY
        if chosen.get("sensitive") not in draft.roles:
            others = [
                *draft.columns_in_role(Role.SENSITIVE),
                *(name for name in draft.roles if name not in draft.quasi),
            ]
            chosen["sensitive"] = next(iter([*others, *draft.roles]), None)
        for name, value in {**_USUAL, "distance": "equal"}.items():
            chosen.setdefault(name, value)

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return str(self._chosen["measure"])

    @property
    def is_k(self) -> bool:
        """Return whether the measure is k-anonymity."""
        return self.name == K_ANONYMITY

    @property
    def parameter(self) -> str:
        """Return k, l or t."""
        return PARAMETERS[self.name]

    @property
    def label(self) -> str:
        """Return the label of the parameter."""
        return _LABELS[self.name]

    @property
    def value(self) -> float | int:
        """Return the given number, or 0 for an empty field, which is refused."""
        value = self._chosen[self.parameter] or 0
        return float(value) if self.parameter == "t" else int(value) if float(value).is_integer() else value

    def show(self, choose: Callable[[str, Any], None], redraw: Callable[[], None]) -> None:
        """Show the choice of the measure above the question."""

        def changed(name: str, value: Any) -> None:
            choose(name, value)
            if name == "measure":
                redraw()

        with layout.line():
            measure = ui.select(_MEASURES, value=self.name, label="Measure").classes("middle")
            layout.mark(measure.on_value_change(lambda event: changed("measure", event.value)), "measure")
            column = ui.select(list(self._draft.roles), value=self._chosen["sensitive"], label="Sensitive column")
            column.bind_visibility_from(measure, "value", lambda name: name != K_ANONYMITY)
            column.on_value_change(lambda event: changed("sensitive", event.value))
            layout.mark(column.classes("middle"), "question-sensitive")
            distance = ui.select(_DISTANCES, value=self._chosen["distance"], label="Distance between values")
            distance.bind_visibility_from(measure, "value", lambda name: name == "t_closeness")
            distance.on_value_change(lambda event: changed("distance", event.value))
            layout.mark(distance.classes("wide"), "question-distance")

    def field(self) -> ui.number:
        """Show the field for the parameter."""
        value = self._chosen[self.parameter]
        if self.parameter == "t":
            return ui.number("t", value=value, min=0, max=1, step=0.05)
        return ui.number(self.parameter, value=value, min=1, step=1)

    def request(self) -> dict[str, Any]:
        """Return the measure as a request has it; {} for k."""
        if self.is_k:
            return {}
        sensitive, distance = self._chosen["sensitive"], self._chosen["distance"]
        if self.name != "t_closeness" or distance == "equal":
            return {"sensitive": sensitive, "measure": self.name}
        asked = {"sensitive": sensitive, "measure": f"{self.name}:distance={distance}"}
        return {**asked, "hierarchy": self._draft.hierarchies.get(sensitive)} if distance == "hierarchical" else asked

    def question_text(self, question: str, share: str, is_threat: bool) -> str:
        """Return the question about the sensitive column in plain words."""
        name = f"{self.parameter} of {self._chosen['sensitive']}"
        side = "at most" if (self.parameter == "t") != is_threat else "at least"
        bound = f"{side} {format_cell(self._chosen[self.parameter])}"
        if is_threat:
            return f"which sets have {name} of {bound}?"
        return words.SENSITIVE_QUESTIONS[question].format(name=name, bound=bound, share=share, parameter=self.parameter)

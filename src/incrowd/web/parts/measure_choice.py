"""What a question measures: k, or how well a sensitive column is hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.diagnosis.measures import K_ANONYMITY, PARAMETERS
from incrowd.web.parts import layout, words
from incrowd.web.parts.tables import shown

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
    K_ANONYMITY: "How many must look alike (k)",
    "distinct_l": "Different sensitive values per class (l)",
    "frequency_l": "One record in so many may have a value (l)",
    "entropy_l": "Spread of the values in a class (l)",
    "t_closeness": "Distance of a class from the table (t)",
}
_DISTANCES = {"equal": "all values equally far apart", "ordered": "by their order", "hierarchical": "by the hierarchy"}


class ChosenMeasure:
    """The measure, its sensitive column and its distance, as they were chosen."""

    def __init__(self, draft: Draft, chosen: dict[str, Any]) -> None:
        self._draft, self._chosen = draft, chosen
        if chosen["measure"] not in PARAMETERS:
            chosen["measure"] = K_ANONYMITY
        if chosen.get("sensitive") not in draft.roles:
            others = [*draft.having(Role.SENSITIVE), *(name for name in draft.roles if name not in draft.quasi)]
            chosen["sensitive"] = next(iter([*others, *draft.roles]), None)
        for name, value in {**_USUAL, "distance": "equal"}.items():
            chosen.setdefault(name, value)

    @property
    def name(self) -> str:
        """The model."""
        return str(self._chosen["measure"])

    @property
    def is_k(self) -> bool:
        """Whether records are counted, whatever they say."""
        return self.name == K_ANONYMITY

    @property
    def parameter(self) -> str:
        """k, l or t."""
        return PARAMETERS[self.name]

    @property
    def label(self) -> str:
        """What its number means."""
        return _LABELS[self.name]

    @property
    def value(self) -> float | int:
        """The number that is given; an empty field is refused as 0."""
        value = self._chosen[self.parameter] or 0
        return float(value) if self.parameter == "t" else int(value) if float(value).is_integer() else value

    def show(self, choose: Callable[[str, Any], None], redraw: Callable[[], None]) -> None:
        """The line above the question."""

        def changed(name: str, value: Any) -> None:
            choose(name, value)
            if name == "measure":
                redraw()

        with layout.line():
            measure = ui.select(_MEASURES, value=self.name, label="What to measure").classes("middle")
            layout.marked(measure.on_value_change(lambda event: changed("measure", event.value)), "measure")
            column = ui.select(list(self._draft.roles), value=self._chosen["sensitive"], label="Sensitive column")
            column.bind_visibility_from(measure, "value", lambda name: name != K_ANONYMITY)
            column.on_value_change(lambda event: changed("sensitive", event.value))
            layout.marked(column.classes("middle"), "question-sensitive")
            distance = ui.select(_DISTANCES, value=self._chosen["distance"], label="Distance between values")
            distance.bind_visibility_from(measure, "value", lambda name: name == "t_closeness")
            distance.on_value_change(lambda event: changed("distance", event.value))
            layout.marked(distance.classes("wide"), "question-distance")

    def field(self) -> ui.number:
        """The field for its number."""
        value = self._chosen[self.parameter]
        if self.parameter == "t":
            return ui.number("t", value=value, min=0, max=1, step=0.05)
        return ui.number(self.parameter, value=value, min=1, step=1)

    def request(self) -> dict[str, Any]:
        """As a request says it; nothing for k."""
        if self.is_k:
            return {}
        sensitive, distance = self._chosen["sensitive"], self._chosen["distance"]
        if self.name != "t_closeness" or distance == "equal":
            return {"sensitive": sensitive, "measure": self.name}
        asked = {"sensitive": sensitive, "measure": f"{self.name}:distance={distance}"}
        return {**asked, "hierarchy": self._draft.hierarchies.get(sensitive)} if distance == "hierarchical" else asked

    def put(self, question: str, share: str, is_threat: bool) -> str:
        """A question about the sensitive column as a reader would put it."""
        name = f"{self.parameter} of {self._chosen['sensitive']}"
        side = "at most" if (self.parameter == "t") != is_threat else "at least"
        bound = f"{side} {shown(self._chosen[self.parameter])}"
        if is_threat:
            return f"You ask where {name} is {bound}."
        asked = words.SENSITIVE_QUESTIONS[question].format(
            name=name, bound=bound, share=share, parameter=self.parameter
        )
        return f"You ask: {asked}"

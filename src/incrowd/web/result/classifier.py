"""How well a classifier that learned from the release predicts a column of original records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.text import percent
from incrowd.web.parts import charting, layout
from incrowd.web.parts.background import newest
from incrowd.web.result.measured import columns_of, kept_too, measure

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_LEARNERS = {"logistic": "Logistic regression", "trees": "Gradient-boosted trees"}
_PARTS = {"taught by the original": "trained on the original", "always the most frequent label": "baseline"}


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel; without a column that is published unchanged there is none."""
    names = _unchanged(made)
    if not names:
        return
    about = (
        "Share of held-out original records whose value is predicted right from the other columns: trained on the "
        "original, trained on the release, and the baseline, which always says the most frequent value."
    )
    with layout.panel("Accuracy of a classifier", about, mark="classifier"):
        with layout.line():
            target = layout.mark(
                ui.select(names, value=names[0], label="Predict").classes("middle"), "classifier-target"
            )
            learner = ui.select(_LEARNERS, value="logistic", label="Classifier").classes("middle")
            layout.mark(learner, "classifier-learner")
            button = ui.button("Train").props("no-caps unelevated")
            layout.mark(button, "classifier-go")
        place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "classified")

    async def train() -> None:
        metric, label = f"classifier_accuracy:learner={learner.value}", target.value
        with newest(place):
            found = await measure(space, owner, made, metrics=[metric], label=label, **kept_too(made))
            if found is not None:
                [reading] = found["releases"][0]["readings"].values()
                _show(reading, label)

    button.on_click(train)


def _unchanged(made: Run) -> list[str]:
    """Return the columns that are published unchanged."""
    by_role, facts = columns_of(made), made.result or {}
    levels = facts.get("levels") or {}
    quasi = [name for name in by_role[Role.QUASI] if levels.get(name) == 0]
    return [*by_role[Role.SENSITIVE], *by_role[Role.KEEP], *quasi]


def _show(reading: dict[str, Any], label: str) -> None:
    if reading["value"] is None:
        layout.message(f"No accuracy: {reading['why']}.", "warning")
        return
    parts = reading["parts"]
    shares = {**{words: parts[name] for name, words in _PARTS.items()}, "trained on the release": reading["value"]}
    order = ("trained on the original", "trained on the release", "baseline")
    layout.mark(ui.element("div"), "accuracy")
    layout.figures({name: percent(shares[name]) for name in order})
    options, height = charting.bars(order, {"accuracy": [100 * shares[name] for name in order]}, "percent")
    options["xAxis"] |= {"min": 0, "max": 100, "interval": 20}
    options["legend"]["show"] = False
    charting.show(options, f"Accuracy of predicting {label}", "accuracy-bars", height)
    if "records in the sample" in parts:
        layout.hint(f"By a random sample of {parts['records in the sample']:,} records of the original.")

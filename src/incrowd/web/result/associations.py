"""The associations between columns before and after, as two heat maps, and those that changed most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.parts import charting, layout, tables
from incrowd.web.parts.background import newest, run_soon
from incrowd.web.result.measured import columns_of, kept_too, measure, pairs_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_METRIC = "association_change"
_CHANGED = 0.0005
"""A smaller change is not listed."""


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel."""
    about = (
        "From 0 (none) to 1: of two numbers |Pearson's r|, of a number and values the correlation ratio, of values "
        "Cramér's V. A generalized cell counts as what it covers."
    )
    with layout.panel("Associations between columns", about, mark="associations"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with newest(place):
            found = await measure(space, owner, made, metrics=[_METRIC], **kept_too(made))
            if found is not None:
                _show(found, made)

    run_soon(fill)


def _show(found: dict[str, Any], made: Run) -> None:
    reading = found["releases"][0]["readings"][_METRIC]
    names = [*found["quasi"], *found["sensitive"], *kept_too(made).get("columns", {})]
    pairs = pairs_of(reading, names)
    if not pairs:
        layout.hint(f"Nothing to compare: {reading.get('why') or 'fewer than two columns'}.")
        return
    names = [name for name in names if any(name in pair for pair in pairs)]
    layout.mark(layout.paragraph(f"Mean change: {reading['value']:.3f}.", "found"), "association-change")
    with ui.element("div").classes("two"):
        for key, title in (("original", "Original"), ("release", "Release")):
            with layout.stack():
                layout.heading(title, 3)
                options, height = charting.heat_map(names, {pair: each[key] for pair, each in pairs.items()})
                charting.show(options, f"Associations in the {key}", f"heat-{key}", height)
    changes = sorted(pairs.items(), key=lambda each: -abs(each[1]["release"] - each[1]["original"]))
    rows = [
        [*pair, *(f"{value:.3f}" for value in (each["original"], each["release"])), f"{_change(each):+.3f}"]
        for pair, each in changes
        if abs(_change(each)) >= _CHANGED
    ]
    layout.heading("Largest changes", 3)
    if rows:
        layout.mark(
            tables.show(["column", "column", "original", "release", "change"], rows, labels=2), "largest-changes"
        )
    else:
        layout.hint("No association changed.")
    beyond = len(columns_of(made)["keep"]) - len(kept_too(made).get("columns", {}))
    if beyond:
        layout.hint(f"{beyond} more kept columns are not compared here.")


def _change(each: dict[str, float]) -> float:
    return each["release"] - each["original"]

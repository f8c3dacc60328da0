"""The utility of a release: every metric, beside the original table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.pages import releases
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import fetch_result, run_soon

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel."""
    with layout.panel("Utility", "The release compared with the original by all metrics.", mark="utility"):
        _show_metrics(space, owner, made)


def _show_metrics(space: Workspace, owner: str, made: Run) -> None:
    place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            request = {"original": releases.file_of(made), **releases.reading_of(made), "releases": [made.id]}
            measured = await fetch_result(space, "measure", request, owner)
            if measured is not None:
                layout.mark(
                    tables.show(["metric", "release", "better", "meaning"], metric_rows(measured)), "utility-table"
                )

    run_soon(fill)


def metric_rows(measured: dict[str, Any]) -> list[list[Any]]:
    """Return a row for each metric with its value for each release; metrics without any value are skipped."""
    rows = []
    for name, metric in measured["yardsticks"].items():
        values = [release["readings"].get(name, {}).get("value") for release in measured["releases"]]
        if any(value is not None for value in values):
            better = {"low": "lower", "high": "higher"}.get(metric["better"], "")
            rows.append([name.replace("_", " "), *map(tables.format_cell, values), better, metric["meaning"]])
    return rows

"""The panel of neighboring nodes: one level more or less in one column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.parts import lattice, layout
from incrowd.web.parts.background import fetch_result, run_soon, starts_run, submit
from incrowd.web.parts.tables import format_cell, format_score

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_STEPS = {"chosen": "this release", "below": "more detail", "above": "less detail"}


def is_available(made: Run) -> bool:
    """Return whether the release is a node of a lattice: one level per column, no parts."""
    result = made.result or {}
    levels = result.get("levels", {})
    return bool(levels) and None not in levels.values() and not result.get("forms") and "parts" not in result["details"]


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel."""
    levels = (made.result or {})["levels"]
    about = "A release has one level for each column. Its neighbors differ by one level in one column."
    with layout.panel("Neighbors of the release", about, mark="lattice"):
        place = ui.element("div").classes("stack")

        async def fill() -> None:
            with place:
                request = {"job": made.request["job"], "levels": levels}
                found = await fetch_result(space, "neighbors", request, owner)
                if found is not None:
                    _draw(space, owner, made, found["nodes"], found["metric"])
                    _table(space, owner, made, found["nodes"], found["metric"])

        run_soon(fill)


def _draw(space: Workspace, owner: str, made: Run, nodes: list[dict[str, Any]], metric: str) -> None:
    async def picked(at: int) -> None:
        await _publish(space, owner, made, nodes[at])

    picture = lattice.draw_nodes(nodes, metric)
    if picture:
        lattice.show(picture, "lattice-picture", picked)
        layout.hint("Above: less detail. Below: more detail. Dashed: suppresses more records than the limit allows.")


def _table(space: Workspace, owner: str, made: Run, nodes: list[dict[str, Any]], metric: str) -> None:
    with ui.element("div").classes("scroll low"), ui.element("table").classes("plain"):
        numbers = (metric.replace("_", " "), "suppressed", "smallest class")
        layout.table_head(("neighbor", "levels", *numbers, "action"), numbers)
        with ui.element("tbody"):
            for at in range(len(nodes)):
                _row(space, owner, made, nodes, metric, at)


def _row(space: Workspace, owner: str, made: Run, nodes: list[dict[str, Any]], metric: str, at: int) -> None:
    chosen, node = nodes[0], nodes[at]
    row = ui.element("tr")
    layout.mark(row.classes("chosen") if node["step"] == "chosen" else row, f"node-{at}")
    with row:
        layout.text(_STEPS[node["step"]], "td")
        layout.text(_levels(chosen, node), "td")
        score = "" if node["score"] is None else format_score(metric, node["score"])
        for cell in (score, format_cell(node["suppressed"]), format_cell(node["smallest"])):
            layout.text(cell, "td", "number")
        with ui.element("td"):
            if node["step"] != "chosen" and node["feasible"]:
                _publish_button(space, owner, made, node, at)
            elif not node["feasible"]:
                layout.text("exceeds the suppression limit", "span", "muted")


def _levels(chosen: dict[str, Any], node: dict[str, Any]) -> str:
    """Return all levels of the chosen node, or the difference of another one."""
    name = node["column"]
    if name is None:
        return ", ".join(f"{each} {level}" for each, level in node["levels"].items())
    return f"{name}: {node['levels'][name]} instead of {chosen['levels'][name]}"


def _publish_button(space: Workspace, owner: str, made: Run, node: dict[str, Any], at: int) -> None:
    """Show a button that creates the release at this node."""

    async def take() -> Run | None:
        return await _publish(space, owner, made, node)

    layout.mark(starts_run(ui.button("Create").props("flat dense no-caps"), take), f"take-{at}")


async def _publish(space: Workspace, owner: str, made: Run, node: dict[str, Any]) -> Run | None:
    job = made.request["job"]
    columns = {
        name: {**column, "limit": node["levels"][name], "minimum": node["levels"][name]}
        if name in node["levels"]
        else column
        for name, column in job["columns"].items()
    }
    try:
        return await submit(space, "anonymize", {"job": {**job, "columns": columns}}, owner)
    except IncrowdError as error:
        ui.notify(str(error), type="negative")
        return None

"""The lattice around the chosen node: what one step more or less in one column would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.parts import lattice, layout
from incrowd.web.parts.background import found, later, submitted
from incrowd.web.parts.tables import scored, shown

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_STEPS = {"chosen": "the release", "below": "more detail", "above": "less detail"}


def is_there(made: Run) -> bool:
    """Of a release by parts, or whose levels differ from cell to cell, there is no such lattice."""
    result = made.result or {}
    levels = result.get("levels", {})
    return bool(levels) and None not in levels.values() and not result.get("forms") and "parts" not in result["details"]


def show(space: Workspace, owner: str, made: Run) -> None:
    """The panel."""
    levels = (made.result or {})["levels"]
    about = "Every release has a level for each column. Its neighbours differ by one step in one column."
    with layout.panel("The release and its neighbours", about, mark="lattice"):
        place = ui.element("div").classes("stack")

        async def fill() -> None:
            with place:
                request = {"job": made.request["job"], "levels": levels}
                around = await found(space, "neighbours", request, owner)
                if around is not None:
                    _draw(space, owner, made, around["nodes"], around["metric"])
                    _table(space, owner, made, around["nodes"], around["metric"])

        later(fill)


def _draw(space: Workspace, owner: str, made: Run, nodes: list[dict[str, Any]], metric: str) -> None:
    async def picked(at: int) -> None:
        await _taken(space, owner, made, nodes[at])

    picture = lattice.of_nodes(nodes, metric)
    if picture:
        lattice.shown(picture, "lattice-picture", picked)
        layout.hint("Above: less detail; below: more. Dashed: too many records would have to be left out.")


def _table(space: Workspace, owner: str, made: Run, nodes: list[dict[str, Any]], metric: str) -> None:
    with ui.element("div").classes("scroll low"), ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for name in ("", "levels", metric, "left out", "smallest group", ""):
                number = "number" if name in (metric, "left out", "smallest group") else ""
                layout.text(name, "th", number).props("scope=col")
        with ui.element("tbody"):
            for at in range(len(nodes)):
                _row(space, owner, made, nodes, metric, at)


def _row(space: Workspace, owner: str, made: Run, nodes: list[dict[str, Any]], metric: str, at: int) -> None:
    chosen, node = nodes[0], nodes[at]
    row = ui.element("tr")
    layout.marked(row.classes("chosen") if node["step"] == "chosen" else row, f"node-{at}")
    with row:
        layout.text(_STEPS[node["step"]], "td")
        layout.text(_levels(chosen, node), "td")
        score = "" if node["score"] is None else scored(metric, node["score"])
        for cell in (score, shown(node["suppressed"]), shown(node["smallest"])):
            layout.text(cell, "td", "number")
        with ui.element("td"):
            if node["step"] != "chosen" and node["feasible"]:
                _take(space, owner, made, node, at)
            elif not node["feasible"]:
                layout.text("too many left out", "span", "muted")


def _levels(chosen: dict[str, Any], node: dict[str, Any]) -> str:
    """All levels of the chosen node; of another one, what is different."""
    name = node["column"]
    if name is None:
        return ", ".join(f"{each} {level}" for each, level in node["levels"].items())
    return f"{name}: {node['levels'][name]} instead of {chosen['levels'][name]}"


def _take(space: Workspace, owner: str, made: Run, node: dict[str, Any], at: int) -> None:
    """A button that makes the release at this node."""

    async def take() -> None:
        await _taken(space, owner, made, node)

    layout.marked(ui.button("Take this one", on_click=take).props("flat dense no-caps"), f"take-{at}")


async def _taken(space: Workspace, owner: str, made: Run, node: dict[str, Any]) -> None:
    job = made.request["job"]
    columns = {
        name: {**column, "limit": node["levels"][name], "minimum": node["levels"][name]}
        if name in node["levels"]
        else column
        for name, column in job["columns"].items()
    }
    try:
        other = await submitted(space, "anonymize", {"job": {**job, "columns": columns}}, owner)
    except IncrowdError as error:
        ui.notify(str(error), type="negative")
        return
    ui.navigate.to(f"/runs/{other.id}")

"""The panel of one node of the lattice: this release or another one, its neighbors, and records as published there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.text import count
from incrowd.web.parts import lattice, layout, tables
from incrowd.web.parts.background import fetch_result, newest, run_soon, starts_run, submit
from incrowd.web.parts.tables import format_cell, format_score

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_STEPS = {"below": "more detail", "above": "less detail"}
_ROWS = 10


def is_available(made: Run) -> bool:
    """Return whether the release is a node of a lattice: one level per column, no parts."""
    result = made.result or {}
    levels = result.get("levels", {})
    return bool(levels) and None not in levels.values() and not result.get("forms") and "parts" not in result["details"]


def show(space: Workspace, owner: str, made: Run) -> NodePanel:
    """Show the panel, first at this release."""
    about = (
        "One node of the lattice has one level for each column. Its neighbors differ by one level in one column. "
        "Nothing is created until you press Create."
    )
    with layout.panel("Neighbors of the release", about, mark="lattice"):
        return NodePanel(space, owner, made)


class NodePanel:
    """The panel at one node."""

    def __init__(self, space: Workspace, owner: str, made: Run) -> None:
        self.space, self.owner, self.made = space, owner, made
        self.own: dict[str, int] = (made.result or {})["levels"]
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "node")
        run_soon(lambda: self.go(self.own))

    async def go(self, levels: dict[str, int]) -> dict[str, Any] | None:
        """Count a node and those around it, and show them."""
        with newest(self.place):
            request = {"job": self.made.request["job"], "levels": levels, "rows": _ROWS}
            found = await fetch_result(self.space, "neighbors", request, self.owner)
            if found is not None:
                self._show(found)
        return found

    def _show(self, found: dict[str, Any]) -> None:
        nodes, metric = found["nodes"], found["metric"]
        layout.mark(layout.paragraph(self._sentence(nodes[0], metric), "found"), "node-sentence")
        if nodes[0]["levels"] != self.own:
            with layout.line():
                if nodes[0]["feasible"]:
                    layout.mark(self._create_button("Create this release", nodes[0]["levels"]), "node-create")
                back = layout.quiet_button("Back to this release").on_click(lambda: self.go(self.own))
                layout.mark(back, "node-back")
        self._draw(nodes, metric)
        self._table(nodes, metric)
        with layout.mark(ui.expansion("First records, before and as published here"), "node-records"):
            _sample(found["sample"])

    def _sentence(self, node: dict[str, Any], metric: str) -> str:
        name = "This release" if node["levels"] == self.own else "The chosen node"
        levels = ", ".join(f"{column} {level}" for column, level in node["levels"].items())
        facts = f"{count(node['suppressed'], 'record')} suppressed, smallest class {node['smallest']:,}"
        if not node["feasible"]:
            return f"{name} ({levels}) does not satisfy the models: {facts}, more than the suppression limit."
        return f"{name} ({levels}): {metric.replace('_', ' ')} {format_score(metric, node['score'])}, {facts}."

    def _draw(self, nodes: list[dict[str, Any]], metric: str) -> None:
        async def picked(at: int) -> None:
            await self.go(nodes[at]["levels"])

        picture = lattice.draw_nodes(nodes, metric, "this release" if nodes[0]["levels"] == self.own else "this node")
        if picture:
            lattice.show(picture, "lattice-picture", picked)
            layout.hint(
                "Above: less detail. Below: more detail. Dashed: suppresses more records than the limit allows. Click "
                "a node to go there."
            )

    def _table(self, nodes: list[dict[str, Any]], metric: str) -> None:
        with ui.element("div").classes("scroll low").props("tabindex=0"), ui.element("table").classes("plain"):
            numbers = (metric.replace("_", " "), "suppressed", "smallest class")
            layout.table_head(("neighbor", "levels", *numbers, "action"), numbers)
            with ui.element("tbody"):
                for at in range(len(nodes)):
                    self._row(nodes, metric, at)

    def _row(self, nodes: list[dict[str, Any]], metric: str, at: int) -> None:
        chosen, node = nodes[0], nodes[at]
        row = ui.element("tr")
        layout.mark(row.classes("chosen") if at == 0 else row, f"node-{at}")
        with row:
            own = "this release" if node["levels"] == self.own else "this node"
            layout.text(_STEPS.get(node["step"], own), "td")
            layout.text(_levels(chosen, node), "td")
            score = "" if node["score"] is None else format_score(metric, node["score"])
            for cell in (score, format_cell(node["suppressed"]), format_cell(node["smallest"])):
                layout.text(cell, "td", "number")
            with ui.element("td"):
                if at and node["feasible"]:
                    layout.mark(self._create_button("Create", node["levels"]), f"take-{at}")
                elif not node["feasible"]:
                    layout.text("exceeds the suppression limit", "span", "muted")

    def _create_button(self, words: str, levels: dict[str, int]) -> ui.button:
        """Return a button that creates the release at a node."""

        async def take() -> Run | None:
            try:
                request = {"job": job_at(self.made.request["job"], {name: (at, at) for name, at in levels.items()})}
                return await submit(self.space, "anonymize", request, self.owner)
            except IncrowdError as error:
                ui.notify(str(error), type="negative")
                return None

        return starts_run(ui.button(words).props("flat dense no-caps"), take)


def job_at(job: dict[str, Any], levels: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """Return a job whose columns are on these levels, from the lowest to the highest."""
    columns = {}
    for name, column in job["columns"].items():
        settings = {"role": column} if isinstance(column, str) else column
        low, high = levels.get(name, (None, None))
        columns[name] = column if low is None else {**settings, "minimum": low, "limit": high}
    return {**job, "columns": columns}


def _levels(chosen: dict[str, Any], node: dict[str, Any]) -> str:
    """Return all levels of the chosen node, or the difference of another one."""
    name = node["column"]
    if name is None:
        return ", ".join(f"{each} {level}" for each, level in node["levels"].items())
    return f"{name}: {node['levels'][name]} instead of {chosen['levels'][name]}"


def _sample(sample: list[dict[str, Any]]) -> None:
    """Show records before and as published; those of suppressed classes are not in the release."""
    rows = [
        [
            *(
                f"{original or '(missing)'} → {each['published'][name] or '(missing)'}"
                if original != each["published"][name]
                else original or "(missing)"
                for name, original in each["original"].items()
            ),
            each["records"],
            "suppressed" if each["suppressed"] else "published",
        ]
        for each in sample
    ]
    headers = [*(sample[0]["original"] if sample else ()), "records of its class", "state"]
    layout.mark(tables.show(headers, rows, "records"), "node-sample")

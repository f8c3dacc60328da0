"""The panel of the searches that were tried to choose one: what each would lose, ten records as each would publish
them, and the column that costs most."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.jobs.families import SEARCHES
from incrowd.service.references import PREVIEWS
from incrowd.text import attributes, percent
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import starts_run, submit

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel if the job left the choice of the search open, or if a column costs much."""
    details = (made.result or {}).get("details", {})
    tried, costs = details.get("tried", ()), details.get("costliest")
    if not tried and costs is None:
        return
    about = "Searches that were tried, and the column that costs most. Create starts a run of its own."
    with layout.panel("Alternatives", about, mark="tried"):
        place = ui.element("div")
        panel = _Panel(space, owner, made.request["job"], place)
        if tried:
            panel.searches(tried, str((made.result or {})["metric"]))
            _records(space, owner, made, tried)
        if costs is not None:
            panel.column(costs)


def _records(space: Workspace, owner: str, made: Run, tried: list[dict[str, Any]]) -> None:
    """Show the same few records as each search would publish them, the release first, then the others, best first."""
    if PREVIEWS not in [each.name for each in made.artifacts]:
        return
    previews = json.loads(space.artifact(made.id, PREVIEWS, owner).read_text("utf-8"))
    columns = previews["columns"]
    shown = [each for each in tried if each["search"] in previews["alternatives"] and each["score"] is not None]
    with layout.mark(ui.expansion("Records in each alternative"), "previews"):
        layout.hint(
            f"{len(previews['originals'])} records, in the same order in each table: a preview, not verified. Keep it "
            "secret: it shows what is published beside the original."
        )
        with ui.element("div").classes("two"):
            _table("Original (keep secret)", columns, previews["originals"], "original")
            for each in sorted(shown, key=lambda one: (not one["taken"], float(one["score"]))):
                title = f"{each['search']}: {each['cells']}" + (" (this release)" if each["taken"] else "")
                _table(title, columns, previews["alternatives"][each["search"]], each["search"])


def _table(title: str, columns: list[str], rows: list[list[str | None] | None], mark: str) -> None:
    with layout.stack():
        layout.heading(title, 3)
        cells = [["suppressed", *[None] * (len(columns) - 1)] if row is None else row for row in rows]
        layout.mark(tables.show(columns, cells, labels=len(columns)), f"preview-{mark}")


class _Panel:
    def __init__(self, space: Workspace, owner: str, job: dict[str, Any], place: ui.element) -> None:
        self._space, self._owner, self._job, self._place = space, owner, job, place

    def searches(self, tried: list[dict[str, Any]], metric: str) -> None:
        """Show what each search would lose, the best first."""
        self._metric = metric
        with ui.element("div").classes("scroll").props("tabindex=0"), ui.element("table").classes("plain"):
            layout.table_head(("search", "cells", metric.replace("_", " "), "action"), (metric.replace("_", " "),))
            with ui.element("tbody"):
                found = [each for each in tried if each["score"] is not None]
                for each in sorted(found, key=lambda one: float(one["score"])):
                    self._row(each)
        others = [f"{each['search']}: {each['why']}" for each in tried if each["score"] is None]
        if others:
            layout.hint(f"Without a release: {'; '.join(others)}.")

    def _row(self, each: dict[str, Any]) -> None:
        with ui.element("tr") as row:
            layout.mark(row, f"tried-{each['search']}")
            layout.text(each["search"], "td")
            layout.text(each["cells"], "td")
            layout.text(tables.format_score(self._metric, float(each["score"])), "td", "number")
            with ui.element("td"):
                if each["taken"]:
                    layout.text("this release", "span", "muted")
                else:
                    job = {**self._job, "search": SEARCHES.to_plain(SEARCHES.member(each["search"]))}
                    layout.mark(self._button("Create", job), f"create-{each['search']}")

    def column(self, costs: dict[str, Any]) -> None:
        """Show the column that costs most, with a button that omits it."""
        fall = f"from {percent(costs['loss'])} to {percent(costs['without'])}"
        with layout.line():
            layout.mark(layout.hint(f"Without {attributes([costs['column']])} the loss falls {fall}."), "costliest")
            columns = {**self._job["columns"], costs["column"]: "drop"}
            self._button("Create without it", {**self._job, "columns": columns})

    def _button(self, label: str, job: dict[str, Any]) -> ui.button:
        async def create() -> Run | None:
            try:
                return await submit(self._space, "anonymize", {"job": job}, self._owner)
            except IncrowdError as error:
                with self._place:
                    layout.message(str(error), "error")
                return None

        return starts_run(ui.button(label).props("flat dense no-caps"), create)

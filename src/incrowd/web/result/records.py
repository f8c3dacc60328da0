"""The data of a release beside the original: two grids that are sorted, filtered and scrolled together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count, number
from incrowd.web.pages import releases
from incrowd.web.parts import layout, preview
from incrowd.web.parts.background import fetch_run, run_in_thread, run_soon, stop_if_gone
from incrowd.web.result.record_pages import SCRIPT

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

KIND = "records"
_CELLS = 4000
"""Cells that one answer holds, of each table."""
_WHICH = {"all": "All", "published": "Published", "suppressed": "Suppressed"}


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show both tables, or their first records if it is not known which record became which."""
    with layout.panel("Original and release", mark="records"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            listed = await run_in_thread(_listed, space, owner, made)
            if listed is None:
                request = {"release": made.id, "original": releases.file_of(made), "rows": 1}
                listed = await fetch_run(space, KIND, request, owner)
            stop_if_gone(place)
            if listed is not None:
                _grids(listed)
            elif (made.result or {}).get("records"):
                _heads(space, owner, made)

    run_soon(fill)


def add_script() -> None:
    """Add what both grids have in common to the page."""
    ui.add_head_html(SCRIPT)


def _listed(space: Workspace, owner: str, made: Run) -> Run | None:
    """Return the run that listed the records of a release before."""
    of = [each for each in space.runs(owner) if each.kind == KIND and each.uses[0] == made.id and each.state == "done"]
    return space.run(of[0].id, owner) if of else None


def _grids(listed: Run) -> None:
    found = listed.result or {}
    layout.hint(
        "Each line is one record: on the left as it was, on the right as it is published. The smallest classes, which "
        "are at highest risk, come first; suppressed records come last. The release itself has another order."
    )
    if found["kept"] < found["records"]:
        most, everything = count(found["kept"], "record"), number(found["records"])
        words = f"A part is shown: {most} of {everything}, those at highest risk and some of the suppressed ones."
        layout.mark(layout.message(words, "warning"), "records-sample")
    if found["not_listed"]:
        layout.hint(
            f"The table is large: {count(len(found['not_listed']), 'column')} of the original are left out here."
        )
    # Lists of an older version have none.
    if found.get("note"):
        layout.mark(layout.hint(found["note"]), "records-note")
    with layout.line():
        layout.text("Records:", "span")
        which = ui.toggle(_WHICH, value="all").props("no-caps unelevated dense padding='xs md'")
        layout.mark(which, "records-which")
        which.on_value_change(lambda event: ui.run_javascript(f"pairedGrids.choose({event.value!r})"))
    pages = f"/runs/{listed.id}/records"
    unit = found["unit"]
    with ui.element("div").classes("two"):
        with layout.stack():
            layout.heading("Original (keep secret)", 3)
            before = {"field": "before", "headerName": f"class ({unit})", **_NUMBER}
            _grid("original", pages, [before, *_columns("o", found["columns"])])
        with layout.stack():
            layout.heading("Release", 3)
            after = {"field": "after", "headerName": f"class ({unit})", **_NUMBER, ":valueFormatter": _SIZE}
            risk = {"colId": "risk", "headerName": "risk", "sortable": False, "width": 90, ":valueGetter": _RISK}
            _grid("release", pages, [after, risk, *_columns("p", found["published"])])


_NUMBER = {"filter": "agNumberColumnFilter", "filterParams": {"maxNumConditions": 1}, "width": 135}
_TEXT = {
    "filter": "agTextColumnFilter",
    "filterParams": {"filterOptions": ["contains", "blank"], "maxNumConditions": 1},
}
_SIZE = "(p) => p.value === 0 ? 'suppressed' : p.value"
_RISK = "(p) => p.data && p.data.after ? `${(100 / p.data.after).toFixed(1)}%` : ''"


def _columns(side: str, names: list[str]) -> list[dict[str, Any]]:
    return [{"field": f"{side}{at}", "headerName": name, **_TEXT} for at, name in enumerate(names)]


def _grid(side: str, pages: str, columns: list[dict[str, Any]]) -> None:
    options = {
        "columnDefs": columns,
        "defaultColDef": {"floatingFilter": True, "sortable": True, "width": 125, "suppressHeaderMenuButton": True},
        "rowHeight": 32,
        "headerHeight": 36,
        "floatingFiltersHeight": 40,
        "rowModelType": "infinite",
        "cacheBlockSize": max(20, min(100, _CELLS // len(columns))),
        "maxBlocksInCache": 20,
        "rowClassRules": {"not-published": "data && data.after === 0"},
        "ensureDomOrder": True,
        "enableCellTextSelection": True,
        ":datasource": f"pairedGrids.source('{side}', '{pages}')",
        ":onGridReady": f"(event) => pairedGrids.ready('{side}', event.api)",
        ":onSortChanged": "(event) => pairedGrids.sorted(event)",
        ":onFilterChanged": f"(event) => pairedGrids.filtered('{side}', event)",
        ":onBodyScroll": f"(event) => pairedGrids.scrolled('{side}', event)",
    }
    layout.mark(ui.aggrid(options, auto_size_columns=False).classes("records-grid"), f"records-{side}")


def _heads(space: Workspace, owner: str, made: Run) -> None:
    """Show the first records of both."""
    layout.hint(
        "Instead, the first records of both tables. The release has its own order, because the original order may "
        "re-identify people: rows side by side are not the same record."
    )
    with ui.element("div").classes("two"):
        original = {"file": releases.file_of(made), **releases.reading_of(made)}
        for title, request, mark in (
            ("Original (keep secret)", original, "original"),
            ("Release", {"file": made.id}, "release"),
        ):
            with layout.stack():
                layout.heading(title, 3)
                layout.mark(preview.show(space, owner, request), f"records-{mark}")

"""The page that tries many releases: information loss and risk of each, and the recommended one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.frontiers.options import USUAL_K
from incrowd.jobs.suppression import in_words
from incrowd.text import percent
from incrowd.web.parts import choices, layout, pictures, words
from incrowd.web.parts.background import run_in_thread, starts_run, stop_if_gone
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.parts.tables import format_cell
from incrowd.web.parts.variants import make_release

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

TOOL = (2, "Frontier")

_RISKS = {"highest": "highest risk of a record", "average": "average risk of all records"}
_HEADERS = (
    "rating",
    "k",
    "search",
    "suppression limit",
    "smallest class",
    "suppressed",
    "loss",
    "highest risk",
    "average risk",
    "action",
)
_NUMBERS = {*_HEADERS} - {"rating", "search", "action"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    draft = Draft.load(space, owner, file.id)
    lead = (
        "Compare releases for several k and searches by information loss and risk. Nothing is created until you choose."
    )
    helps = ("Pareto-optimal", "Information loss", "Re-identification risk", "Search", "Suppress")
    with layout.page("Frontier of loss and risk", lead, (file.id, file.name), "frontier", helps):
        if not draft.quasi:
            layout.no_quasi_message(file.id)
            return
        with layout.panel("Releases to try", mark="frontier-form"):
            FrontierView(space, owner, draft).form()


class FrontierView:
    """Every k with every search, and the result."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.latest = LatestRun(space, owner, draft.file, "frontier", self._shown)

    def form(self) -> None:
        """Show what to try; models, hierarchies and limits come from the other pages."""
        before = self.latest.request
        layout.hint("Roles, hierarchies, models and limits come from the other pages of this table.")
        with layout.line():
            ks = ", ".join(map(str, before.get("k", USUAL_K)))
            self.k = layout.mark(ui.input("Values of k", value=ks).classes("middle"), "frontier-k")
            shares = before.get("suppress", [self.draft.suppress])
            written = ", ".join(f"{share * 100:g}" for share in shares)
            self.shares = ui.input("Suppression limits (%)", value=written).classes("middle")
            layout.mark(self.shares, "frontier-suppress")
        known = words.searches()
        usual = [name for name in dict.fromkeys((self.draft.search, "optimal", "mondrian")) if name in known]
        chosen = [name for name in before.get("searches", usual) if name in known]
        self.searches = layout.mark(
            words.select_several(known, chosen, "Searches").classes("wide"), "frontier-searches"
        )
        with layout.line():
            self.risk = ui.select(_RISKS, value=before.get("risk", "highest"), label="Risk to weigh against loss")
            layout.mark(self.risk.classes("wide"), "frontier-risk")
            self.time = choices.time_limit(before.get("time"))
            layout.hint("The limit applies to each search.")
        with layout.line():
            layout.mark(ui.button("Try all releases", on_click=self.ask).props("no-caps unelevated"), "frontier-go")
        self.latest.place_result("frontier-found", self.request)

    async def ask(self) -> None:
        """Start the run."""
        try:
            asked = self.request()
        except ValueError:
            self.latest.refuse("Enter numbers, such as 2, 5, 10 for k and 0, 2 for the suppression limits.")
            return
        await self.latest.start(asked)

    def request(self) -> dict[str, Any]:
        """Return what the fields ask; raise ValueError if something else than numbers is written."""
        ks, shares = choices.parse_numbers(self.k.value), choices.parse_numbers(self.shares.value, float)
        return choices.drop_empty(
            job=self.draft.job(),
            k=ks,
            suppress=[round(share / 100, 6) for share in shares],
            searches=self.searches.value,
            risk=self.risk.value,
            time=self.time.value,
        )

    async def _shown(self, over: Run) -> None:
        frontier = over.result or {}
        layout.mark(layout.paragraph(frontier["why"], "found"), "frontier-why")
        if frontier["stopped"] is not None:
            layout.message("Stopped early: not all releases were tried.", "warning")
        self._table(over.request["job"], frontier)
        above = layout.hint("Pareto-optimal: no other release tried is better in both loss and risk.")
        picture = await run_in_thread(pictures.draw_frontier, frontier)
        stop_if_gone(above)
        if picture:
            layout.mark(ui.html(picture, sanitize=False).classes("chart"), "frontier-map")

    def _table(self, job: dict[str, Any], frontier: dict[str, Any]) -> None:
        with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
            layout.table_head(_HEADERS, _NUMBERS)
            with ui.element("tbody"):
                for at, tried in enumerate(frontier["runs"]):
                    # Of releases of equal worth one is shown; results of an older version have all.
                    if tried.get("same_as") is not None:
                        continue
                    with ui.element("tr") as row:
                        layout.mark(row, f"frontier-row-{at}")
                        if at == frontier["recommended"]:
                            row.classes("chosen")
                        self._row(job, tried, at, _row_label(frontier, at), _equal(frontier, at))

    def _row(self, job: dict[str, Any], tried: dict[str, Any], at: int, about: str, equal: str) -> None:
        cells = [about, format_cell(tried["k"]), tried["search"], in_words(tried["suppress"])]
        if tried["feasible"]:
            average = tried["average_risk"]
            cells += [format_cell(tried["k_reached"]), format_cell(tried["suppressed"]), percent(tried["loss"])]
            cells += [percent(tried["highest_risk"]), "" if average is None else percent(average)]
        for at_cell, cell in enumerate(cells):
            layout.text(cell, "td", "number" if _HEADERS[at_cell] in _NUMBERS else "")
        with ui.element("td").props("" if tried["feasible"] else "colspan=6"):
            if not tried["feasible"]:
                layout.text(tried["reason"] or "infeasible", "span", "muted")
                return
            publish = ui.button("Create").props("flat dense no-caps")
            layout.mark(starts_run(publish, lambda: self._make(job, tried)), f"frontier-make-{at}")
            if equal:
                layout.text(equal, "div", "muted")
            if tried["left_out"]:
                layout.text(f"without {', '.join(tried['left_out'])}", "div", "muted")

    async def _make(self, job: dict[str, Any], tried: dict[str, Any]) -> Run | None:
        try:
            return await make_release(self.space, self.owner, job, tried)
        except IncrowdError as error:
            ui.notify(str(error), type="negative")
            return None


def _equal(frontier: dict[str, Any], at: int) -> str:
    """Return which other runs have a release of the same loss and risks."""
    others = [run for run in frontier["runs"] if run.get("same_as") == at]
    named = [f"k = {run['k']:,} with {run['search']} (limit {in_words(run['suppress'])})" for run in others]
    return f"the same as {'; '.join(named)}" if named else ""


def _row_label(frontier: dict[str, Any], at: int) -> str:
    if at == frontier["recommended"]:
        return "recommended"
    return "Pareto-optimal" if at in frontier["front"] else ""

"""Many releases at once: what each would cost and protect, which are worth having, and which one to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.frontiers.options import USUAL_K
from incrowd.text import percent
from incrowd.web.parts import choices, layout, pictures, words
from incrowd.web.parts.background import run_in_thread
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.parts.tables import shown
from incrowd.web.parts.variants import make

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

_RISKS = {"highest": "of the record found most easily", "average": "on average over all records"}
_HEADERS = (
    "",
    "k",
    "search",
    "may be left out",
    "smallest group",
    "left out",
    "loss",
    "highest risk",
    "average risk",
    "",
)
_NUMBERS = {*_HEADERS} - {"", "search"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    draft = Draft.of(space, owner, file.id)
    lead = "Tries the job of this table under several k and searches. Nothing is published until you choose a release."
    with layout.page("Which release is worth having?", lead, (file.id, file.name), "frontier"):
        if not draft.quasi:
            layout.without_quasi(file.id)
            return
        with layout.panel("What to try", mark="frontier-form"):
            FrontierView(space, owner, draft).form()


class FrontierView:
    """Every k with every search."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.standing = LatestRun(space, owner, draft.file, "frontier", self._shown)

    def form(self) -> None:
        """What is tried; models, hierarchies and limits are those of the other pages."""
        before = self.standing.request
        layout.hint("Roles, hierarchies, models and limits are those that you chose for this table on the other pages.")
        with layout.line():
            ks = ", ".join(map(str, before.get("k", USUAL_K)))
            self.k = layout.marked(ui.input("Every k", value=ks).classes("middle"), "frontier-k")
            shares = before.get("suppress", [self.draft.suppress])
            written = ", ".join(f"{share * 100:g}" for share in shares)
            self.shares = ui.input("Left out at most, in percent", value=written).classes("middle")
            layout.marked(self.shares, "frontier-suppress")
        told = words.searches()
        usual = [name for name in dict.fromkeys((self.draft.search, "optimal", "mondrian")) if name in told]
        chosen = [name for name in before.get("searches", usual) if name in told]
        self.searches = layout.marked(words.several(told, chosen, "Searches").classes("wide"), "frontier-searches")
        with layout.line():
            self.risk = ui.select(_RISKS, value=before.get("risk", "highest"), label="Risk that is kept low")
            layout.marked(self.risk.classes("wide"), "frontier-risk")
            self.time = choices.seconds(before.get("time"))
            layout.hint("for each search")
        with layout.line():
            layout.marked(ui.button("Try them all", on_click=self.ask).props("no-caps unelevated"), "frontier-go")
        self.standing.here("frontier-found")

    async def ask(self) -> None:
        """Try them."""
        try:
            ks, shares = choices.numbers(self.k.value), choices.numbers(self.shares.value, float)
        except ValueError:
            self.standing.say("Write numbers, such as 2, 5, 10 for k and 0, 2 for the percentage.")
            return
        await self.standing.ask(
            choices.given(
                job=self.draft.job(),
                k=ks,
                suppress=[round(share / 100, 6) for share in shares],
                searches=self.searches.value,
                risk=self.risk.value,
                time=self.time.value,
            )
        )

    async def _shown(self, over: Run) -> None:
        swept = over.result or {}
        layout.marked(layout.paragraph(swept["why"], "found"), "frontier-why")
        if swept["stopped"] is not None:
            layout.message("Stopped early: not everything was tried.", "warning")
        self._table(over.request["job"], swept)
        layout.hint(
            "Worth having: no other release tried has both less loss and less risk. Loss is the share of detail that "
            "is gone."
        )
        picture = await run_in_thread(pictures.of_sweep, swept)
        if picture:
            layout.marked(ui.html(picture, sanitize=False).classes("chart"), "frontier-map")

    def _table(self, job: dict[str, Any], swept: dict[str, Any]) -> None:
        with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
            with ui.element("thead"), ui.element("tr"):
                for name in _HEADERS:
                    layout.text(name, "th", "number" if name in _NUMBERS else "").props("scope=col")
            with ui.element("tbody"):
                for at, tried in enumerate(swept["runs"]):
                    with ui.element("tr") as row:
                        layout.marked(row, f"frontier-row-{at}")
                        if at == swept["recommended"]:
                            row.classes("chosen")
                        self._row(job, tried, at, _standing(swept, at))

    def _row(self, job: dict[str, Any], tried: dict[str, Any], at: int, about: str) -> None:
        cells = [about, shown(tried["k"]), tried["search"], percent(float(tried["suppress"]))]
        if tried["feasible"]:
            average = tried["average_risk"]
            cells += [shown(tried["k_reached"]), shown(tried["suppressed"]), percent(tried["loss"])]
            cells += [percent(tried["highest_risk"]), "" if average is None else percent(average)]
        for at_cell, cell in enumerate(cells):
            layout.text(cell, "td", "number" if _HEADERS[at_cell] in _NUMBERS else "")
        with ui.element("td").props("" if tried["feasible"] else "colspan=6"):
            if not tried["feasible"]:
                layout.text(tried["reason"] or "there is none", "span", "muted")
                return
            publish = ui.button("Publish this one", on_click=lambda: self._make(job, tried)).props("flat dense no-caps")
            layout.marked(publish, f"frontier-make-{at}")
            if tried["left_out"]:
                layout.text(f"without {', '.join(tried['left_out'])}", "div", "muted")

    async def _make(self, job: dict[str, Any], tried: dict[str, Any]) -> None:
        try:
            made = await make(self.space, self.owner, job, tried)
        except IncrowdError as error:
            ui.notify(str(error), type="negative")
            return
        ui.navigate.to(f"/runs/{made.id}")


def _standing(swept: dict[str, Any], at: int) -> str:
    if at == swept["recommended"]:
        return "recommended"
    return "worth having" if at in swept["front"] else ""

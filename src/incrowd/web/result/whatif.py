"""The panel that tries another k, suppression limit or search for a finished job."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.grid import allowed_by
from incrowd.errors import IncrowdError
from incrowd.jobs.families import SEARCHES, model
from incrowd.jobs.grid import usual_search
from incrowd.jobs.suppression import in_words, suppression, with_amount
from incrowd.models.consistent_k import ConsistentK
from incrowd.models.k_anonymity import KAnonymity
from incrowd.text import percent
from incrowd.web.parts import layout
from incrowd.web.parts.background import fetch_result, starts_run
from incrowd.web.parts.tables import format_cell
from incrowd.web.parts.variants import make_release

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_HEADERS = ("k", "suppression limit", "search", "smallest class", "suppressed", "loss", "highest risk", "action")
_LOCAL_SEARCH = "mondrian"
"""The search offered if one level per column loses too much."""


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel."""
    about = "Try another k, suppression limit or search. Nothing is created until you press Create."
    with layout.panel("Variants", about, mark="whatif"):
        WhatIf(space, owner, made).show()


class WhatIf:
    """Variants of one job."""

    def __init__(self, space: Workspace, owner: str, made: Run) -> None:
        self.space, self.owner, self.made = space, owner, made
        self.job = made.request["job"]
        self.search = self.job.get("search") or SEARCHES.to_plain(usual_search(self.job))

    def show(self) -> None:
        """Show the fields and the place for the results."""
        with layout.line():
            k = self._k()
            self.k = layout.mark(ui.number("k", value=k, min=2, step=1, precision=0).classes("narrow"), "whatif-k")
            allowed = allowed_by(suppression(self.job.get("suppress", 0)))
            # Neither a word such as "row" nor a number of records is a share.
            share = float(allowed) * 100 if isinstance(allowed, Decimal) or allowed == 0 else None
            field = ui.number("Suppression limit (%)", value=share, min=0, max=100, step=0.5).classes("middle")
            self.share = layout.mark(field, "whatif-suppress")
            button = ui.button("Try", on_click=self._try_one).props("no-caps unelevated")
            layout.mark(button, "whatif-try")
            layout.mark(layout.quiet_button("Try k = 2, 5, 10, 25, 50").on_click(self._try_many), "whatif-many")
            if self.search != _LOCAL_SEARCH:
                local = layout.quiet_button(f"Try the search {_LOCAL_SEARCH}").on_click(self._try_local)
                layout.mark(local, "whatif-mondrian")
        self.place = ui.element("div").classes("stack").props("aria-live=polite")
        with ui.element("div").classes("scroll low") as self.box, ui.element("table").classes("plain"):
            layout.table_head(_HEADERS, {*_HEADERS} - {"search", "action"})
            self.rows = ui.element("tbody")
        self.box.set_visibility(False)
        self.count = 0
        self.trying = 0

    def _k(self) -> int:
        # A job that did not come from these pages may have its models as texts.
        asked = [each.k for each in map(model, self.job["models"]) if isinstance(each, KAnonymity | ConsistentK)]
        return asked[0] if asked else 2

    async def _try_one(self) -> None:
        if self.k.value:
            await self._try_variants([int(self.k.value)], self.search)

    async def _try_many(self) -> None:
        await self._try_variants([2, 5, 10, 25, 50], self.search)

    async def _try_local(self) -> None:
        if self.k.value:
            await self._try_variants([int(self.k.value)], _LOCAL_SEARCH)

    async def _try_variants(self, ks: list[int], search: Any) -> None:
        request = {"job": self.job, "k": ks, "searches": [search]}
        if self.share.value is not None:
            request["suppress"] = [round(self.share.value / 100, 6)]
        if not self.trying:
            self.place.clear()
        self.trying += 1
        try:
            with self.place:
                frontier = await fetch_result(self.space, "frontier", request, self.owner)
        finally:
            self.trying -= 1
        if frontier is not None:
            self.box.set_visibility(True)
            for tried in frontier["runs"]:
                self._row(tried)

    def _row(self, tried: dict[str, Any]) -> None:
        with self.rows, ui.element("tr") as row:
            layout.mark(row, f"whatif-row-{self.count}")
            limit = in_words(with_amount(self.job.get("suppress", 0), tried["suppress"]))
            cells = [format_cell(tried["k"]), limit, str(tried["search"])]
            if tried["feasible"]:
                cells += [format_cell(tried["k_reached"]), format_cell(tried["suppressed"]), percent(tried["loss"])]
                cells += [percent(tried["highest_risk"])]
            for name, cell in zip(_HEADERS, cells, strict=False):
                layout.text(cell, "td", "" if name == "search" else "number")
            with ui.element("td").props("" if tried["feasible"] else "colspan=5"):
                if tried["feasible"]:
                    make = ui.button("Create").props("flat dense no-caps")
                    layout.mark(starts_run(make, lambda: self._make(tried)), f"whatif-make-{self.count}")
                else:
                    layout.text(tried["reason"] or "infeasible", "span", "muted")
        self.count += 1

    async def _make(self, tried: dict[str, Any]) -> Run | None:
        try:
            return await make_release(self.space, self.owner, self.job, tried)
        except IncrowdError as error:
            with self.place:
                layout.message(str(error), "error")
            return None

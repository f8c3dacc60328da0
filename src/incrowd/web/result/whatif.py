"""What if k or suppression were different: tried beside the result, without starting over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.grid import Suppress
from incrowd.errors import IncrowdError
from incrowd.jobs.families import SEARCHES
from incrowd.jobs.grid import usual_search
from incrowd.jobs.parts import suppression
from incrowd.text import percent
from incrowd.web.parts import layout
from incrowd.web.parts.background import found
from incrowd.web.parts.tables import shown
from incrowd.web.parts.variants import make

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_HEADERS = ("k", "may be left out", "search", "smallest group", "left out", "loss", "highest risk", "")
_BY_GROUPS = "mondrian"
"""The search that keeps detail group by group, where one level for a whole column costs too much."""
_OF_K = ("k_anonymity", "consistent_k")
"""The models whose k is tried."""


def show(space: Workspace, owner: str, made: Run) -> None:
    """Two fields, and a table of what they would give."""
    about = "Try another k or share; nothing is published until you press Make it. Loss is the share of detail gone."
    with layout.panel("What if?", about, mark="whatif"):
        WhatIf(space, owner, made).show()


class WhatIf:
    """Variants of one job."""

    def __init__(self, space: Workspace, owner: str, made: Run) -> None:
        self.space, self.owner, self.made = space, owner, made
        self.job = made.request["job"]
        self.search = self.job.get("search") or SEARCHES.to_plain(usual_search(self.job))

    def show(self) -> None:
        """The fields and the place for the table."""
        with layout.line():
            k = self._k()
            self.k = layout.marked(ui.number("k", value=k, min=2, step=1, precision=0).classes("narrow"), "whatif-k")
            allowed = suppression(self.job.get("suppress", 0))
            # What a word allows is no share.
            share = None if isinstance(allowed, Suppress) else float(allowed) * 100
            field = ui.number("left out at most, in percent", value=share, min=0, max=99, step=0.5).classes("middle")
            self.share = layout.marked(field, "whatif-suppress")
            button = ui.button("What if?", on_click=self._one).props("no-caps unelevated")
            layout.marked(button, "whatif-try")
            layout.marked(layout.quiet_button("Try k = 2, 5, 10, 25, 50").on_click(self._many), "whatif-many")
            if self.search != _BY_GROUPS:
                by_groups = layout.quiet_button(f"Try the search {_BY_GROUPS}").on_click(self._by_groups)
                layout.marked(by_groups, "whatif-mondrian")
        self.place = ui.element("div").classes("stack").props("aria-live=polite")
        with ui.element("div").classes("scroll low") as self.box, ui.element("table").classes("plain"):
            with ui.element("thead"), ui.element("tr"):
                for name in _HEADERS:
                    layout.text(name, "th", "" if name == "search" else "number").props("scope=col")
            self.rows = ui.element("tbody")
        self.box.set_visibility(False)
        self.count = 0

    def _k(self) -> int:
        asked = [each[name]["k"] for each in self.job["models"] for name in _OF_K if name in each]
        return int(asked[0] if asked else 2)

    async def _one(self) -> None:
        if self.k.value:
            await self._try([int(self.k.value)], self.search)

    async def _many(self) -> None:
        await self._try([2, 5, 10, 25, 50], self.search)

    async def _by_groups(self) -> None:
        if self.k.value:
            await self._try([int(self.k.value)], _BY_GROUPS)

    async def _try(self, ks: list[int], search: Any) -> None:
        self.place.clear()
        request = {"job": self.job, "k": ks, "searches": [search]}
        if self.share.value is not None:
            request["suppress"] = [round(self.share.value / 100, 6)]
        with self.place:
            swept = await found(self.space, "frontier", request, self.owner)
        if swept is not None:
            self.box.set_visibility(True)
            for tried in swept["runs"]:
                self._row(tried)

    def _row(self, tried: dict[str, Any]) -> None:
        with self.rows, ui.element("tr") as row:
            layout.marked(row, f"whatif-row-{self.count}")
            allowed = tried["suppress"]
            share = allowed if isinstance(allowed, str) else percent(float(allowed))
            cells = [shown(tried["k"]), share, str(tried["search"])]
            if tried["feasible"]:
                cells += [shown(tried["k_reached"]), shown(tried["suppressed"]), percent(tried["loss"])]
                cells += [percent(tried["highest_risk"])]
            for name, cell in zip(_HEADERS, cells, strict=False):
                layout.text(cell, "td", "" if name == "search" else "number")
            with ui.element("td").props("" if tried["feasible"] else "colspan=5"):
                if tried["feasible"]:
                    make = ui.button("Make it", on_click=lambda: self._make(tried)).props("flat dense no-caps")
                    layout.marked(make, f"whatif-make-{self.count}")
                else:
                    layout.text(tried["reason"] or "there is none", "span", "muted")
        self.count += 1

    async def _make(self, tried: dict[str, Any]) -> None:
        try:
            other = await make(self.space, self.owner, self.job, tried)
        except IncrowdError as error:
            with self.place:
                layout.message(str(error), "error")
            return
        ui.navigate.to(f"/runs/{other.id}")

"""The nodes of a lattice with their filter: a picture, and a list in pages; only what is shown is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

from nicegui import ui

from incrowd.anonymization.lattice_nodes import LatticeNodes, NodeFilter, State, spelled
from incrowd.text import count
from incrowd.web.parts import charting, layout, sorting
from incrowd.web.parts.background import newest, run_in_thread, stop_if_gone
from incrowd.web.parts.tables import format_cell, format_score
from incrowd.web.result import node_chart

SHOWN = (State.SATISFIED, State.NOT_SATISFIED, State.UNKNOWN)
"""The states in the order of a reader."""
_PAGE = 50
"""Nodes of a page of the list."""
Levels = dict[str, int]
Box = dict[str, tuple[int, int]]


class NodeList:
    """The nodes that a filter leaves."""

    def __init__(
        self,
        nodes: LatticeNodes,
        own: Levels,
        go: Callable[[Levels], Awaitable[dict[str, Any] | None]],
        count_more: Callable[[Box], Awaitable[LatticeNodes | None]],
    ) -> None:
        self.nodes, self.own, self._go, self._count_more = nodes, nodes.number(own), go, count_more
        self.score = nodes.metric.replace("_", " ")
        self.chosen = self.own
        self.order = ("score", False)
        self.height: int | None = None
        self.page = 0

    def show(self) -> None:
        """Show the numbers of nodes, the filter, and the place for picture and list."""
        self.about = layout.mark(layout.paragraph(self._sentence(), "found"), "lattice-sentence")
        with layout.mark(ui.expansion("Filter", value=False), "lattice-filter"):
            self._filter()
        self.place = layout.mark(ui.element("div").classes("stack"), "lattice-nodes")
        ui.timer(0, self._fill, once=True)

    def _sentence(self) -> str:
        summary = self.nodes.summary()
        states = summary["states"]
        words = ", ".join(f"{states[name]:,} {name}" for name in (State.SATISFIED, State.NOT_SATISFIED, State.UNKNOWN))
        early = " Stopped early; count further below." if states[State.UNKNOWN] else ""
        return f"{count(len(self.nodes), 'node')}: {words}.{early}"

    def _filter(self) -> None:
        with layout.line():
            self.states = {
                state: layout.mark(ui.checkbox(str(state), value=True, on_change=self._refilter), f"state-{at}")
                for at, state in enumerate(SHOWN)
            }
        with layout.line():
            unit = " (%)" if self.nodes.metric == "loss" else ""
            self.bounds = [
                layout.mark(ui.number(f"{words} {self.score}{unit}", min=0).classes("middle"), f"score-{key}")
                for key, words in (("low", "Lowest"), ("high", "Highest"))
            ]
            for each in self.bounds:
                each.on_value_change(self._refilter)
        layout.hint("Of a node whose score is not known, the least that it can be counts.")
        self.levels = {}
        with ui.element("div").classes("levels"):
            for at, name in enumerate(self.nodes.columns):
                low, high = self.nodes.bottom[at], self.nodes.top[at]
                with layout.line("low"):
                    layout.text(name, "span", "column-name")
                    both = []
                    for words, value in (("from", low), ("to", high)):
                        field = ui.select(list(range(low, high + 1)), value=value, label=words.capitalize())
                        field.props["aria-label"] = f"{name}: level {words}"
                        layout.mark(field.classes("tiny"), f"level-{at}-{words}").on_value_change(self._refilter)
                        both.append(field)
                    self.levels[name] = both
        with layout.line():
            layout.mark(layout.quiet_button("Reset the filter").on_click(self._reset), "lattice-reset")

    def _reset(self) -> None:
        self.height = None
        for box in self.states.values():
            box.value = True
        for each in self.bounds:
            each.value = None
        for at, fields in enumerate(self.levels.values()):
            fields[0].value, fields[1].value = self.nodes.bottom[at], self.nodes.top[at]

    @property
    def _box(self) -> Box:
        return {name: (int(low.value), int(high.value)) for name, (low, high) in self.levels.items()}

    @property
    def wanted(self) -> NodeFilter:
        """Return the filter as the fields have it."""
        per = 100 if self.nodes.metric == "loss" else 1
        low, high = (None if each.value is None else float(each.value) / per for each in self.bounds)
        return NodeFilter(
            self._box,
            [state for state, box in self.states.items() if box.value],
            (-inf if low is None else low, inf if high is None else high),
            self.height,
            *self.order,
        )

    async def _refilter(self) -> None:
        self.page = 0
        await self._fill()

    async def _fill(self) -> None:
        with newest(self.place) as box:
            wanted = self.wanted
            found = await run_in_thread(self.nodes.select, wanted)
            unknown = await run_in_thread(self.nodes.select, NodeFilter(wanted.levels, [State.UNKNOWN]))
            stop_if_gone(box)
            layout.mark(layout.hint(f"{count(len(found), 'node')} in the filter."), "in-filter")
            if self.height is not None:
                with layout.line():
                    layout.text(f"Only nodes whose levels add up to {self.height}.", "span", "muted")
                    layout.mark(layout.quiet_button("Show all").on_click(self._all_heights), "all-heights")
            if len(unknown):
                with layout.line():
                    words = f"Count {count(len(unknown), 'unknown node')} within these levels"
                    more = ui.button(words, on_click=self._learn).props("outline no-caps")
                    layout.mark(more, "count-more")
            if not len(found):
                return
            self._picture(found)
            self._table(found)

    async def _all_heights(self) -> None:
        self.height = None
        await self._refilter()

    async def _learn(self) -> None:
        with newest(self.place):
            more = await self._count_more(self._box)
        if more is not None:
            self.nodes.learn(more)
            self.about.set_content(self._sentence())
            await self._fill()

    def _picture(self, found: Any) -> None:
        if len(found) <= node_chart.MOST:
            options, height = node_chart.of_nodes(self.nodes, found, self.own, self.chosen)
            charting.show(options, "Nodes of the lattice", "lattice-graph", height, self._picked)
            layout.hint("Above: less detail. Lines join neighbors. Large: this release. Click a node to see it below.")
            return
        options, height = node_chart.of_rows(self.nodes.by_height(found))
        charting.show(options, "Nodes by the sum of their levels", "lattice-rows", height, self._picked_row)
        layout.hint(
            f"Up to {node_chart.MOST} nodes are drawn one by one: click a bar to see the nodes of one sum of levels, "
            "or use the filter."
        )

    async def _picked(self, event: Any) -> None:
        if event.series_type == "scatter":
            await self._choose(int(event.value[2]))

    async def _picked_row(self, event: Any) -> None:
        self.height = int(event.name)
        await self._refilter()

    async def _choose(self, number: int) -> None:
        self.chosen = number
        await self._go(self.nodes.node(number)["levels"])

    def _table(self, found: Any) -> None:
        pages = -(-len(found) // _PAGE)
        self.page = min(self.page, pages - 1)
        shown = found[self.page * _PAGE : (self.page + 1) * _PAGE].tolist()
        headers: dict[str, str | None] = {
            "node": None,
            "state": None,
            self.score: "score",
            "suppressed": "suppressed",
            "smallest class": "smallest",
            "sum of levels": "height",
            **dict.fromkeys(f"{name} level" for name in self.nodes.columns),
        }
        with ui.element("div").classes("scroll low").props("tabindex=0") as box:
            layout.mark(box, "lattice-list")
            with ui.element("table").classes("plain"):
                sorting.head(headers, self.order, self._sort, [*headers][2:])
                with ui.element("tbody"):
                    for number in shown:
                        self._row(number)
        with layout.line():
            first = self.page * _PAGE
            layout.mark(layout.text(f"{first + 1:,} to {first + len(shown):,} of {len(found):,}", "span"), "list-range")
            for words, step, mark in (("Previous", -1, "list-previous"), ("Next", 1, "list-next")):
                button = layout.quiet_button(words).on_click(lambda _, step=step: self._turn(step))
                button.set_enabled(0 <= self.page + step < pages)
                layout.mark(button, mark)

    def _row(self, number: int) -> None:
        node = self.nodes.node(number)
        metric = self.nodes.metric
        bound = f"≥ {format_score(metric, node['bound'])}" if node["state"] != State.NOT_SATISFIED else ""
        score = bound if node["score"] is None else format_score(metric, node["score"])
        with ui.element("tr") as row:
            if number == self.own:
                row.classes("chosen")
            with ui.element("td"):
                button = ui.button("Show").props("flat dense no-caps")
                button.props["aria-label"] = f"Show {spelled(node['levels'])}"
                layout.mark(button, f"show-{number}").on_click(lambda _, number=number: self._choose(number))
            layout.text(f"{node['state']}{' (this release)' if number == self.own else ''}", "td")
            sums = sum(node["levels"].values())
            cells = (score, *map(format_cell, (node["suppressed"], node["smallest"], sums)))
            for cell in (*cells, *map(str, node["levels"].values())):
                layout.text(cell, "td", "number")

    async def _sort(self, key: str) -> None:
        self.order = sorting.next_order(self.order, key)
        await self._refilter()

    async def _turn(self, step: int) -> None:
        self.page += step
        await self._fill()

"""How much privacy, at what price: models, limits, priorities and the search, each with a sensible default."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.web.parts import choices, details, expert, layout, words
from incrowd.web.parts.background import tried
from incrowd.web.parts.draft import METRIC, SEARCH, Draft
from incrowd.web.parts.protection import Models
from incrowd.web.parts.scoring import Scoring

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

FORMATS = {".csv": "CSV", ".tsv": "TSV", ".parquet": "Parquet", ".xlsx": "Excel", ".jsonl": "JSON lines", ".xml": "XML"}


_USUAL_METRIC = "loss, or weighted_loss where levels have declared losses"
_MANY = 15
"""With more columns there may be too many releases to look through."""


def _too_many(columns: int) -> str:
    return (
        f"{columns} columns that outsiders may know are many: to find the best release may take very long. Drop what "
        "nobody needs, set a time, or take the search mondrian."
    )


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    draft = Draft.of(space, owner, file.id)
    lead = "The defaults are a good start. You can change k and what may be left out later, beside the result."
    with layout.page("How much privacy?", lead, (file.id, file.name), "privacy"):
        if not draft.quasi:
            layout.without_quasi(file.id)
            return
        settings = Settings(space, owner, draft)
        with ui.element("div").classes("two"):
            with layout.panel("k-anonymity", mark="k-panel"):
                settings.groups()
            with layout.panel("Leave out what stands out most", mark="suppress-panel"):
                settings.left_out()
        with layout.panel("Protect sensitive values", mark="models-panel"):
            Models(draft, settings.keep).show()
        with ui.element("div").classes("two"):
            with layout.panel("What matters most", mark="columns-panel"):
                settings.columns()
            with layout.panel("How the best release is found", mark="search-panel"):
                settings.searching()
        with layout.panel(mark="details-panel"), layout.marked(ui.expansion("More about single columns"), "details"):
            details.show(draft, settings.keep)
        with layout.panel(mark="expert-panel"), layout.marked(ui.expansion("For experts"), "expert"):
            settings.scoring = expert.show(space, owner, draft)
        settings.go()


class Settings:
    """What a job needs beside its columns."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.scoring: Scoring | None = None

    def keep(self) -> None:
        """Keep the draft."""
        self.draft.keep(self.space, self.owner)

    def _set(self, name: str, value: Any) -> None:
        if value is not None or name == "time":
            setattr(self.draft, name, value)
            self.keep()

    def groups(self) -> None:
        """k."""
        layout.hint(
            "Every record shares its quasi-identifiers with at least k - 1 others. 5 is common, 2 is the least."
        )
        k = ui.number("k", value=self.draft.k, min=2, step=1, precision=0).classes("narrow")
        layout.marked(k.on_value_change(lambda event: self._set("k", event.value and int(event.value))), "k")

    def left_out(self) -> None:
        """Suppression."""
        layout.hint("A few records that are like no others cost all others their detail; so many may be left out.")
        share = ui.number("at most, in percent", value=self.draft.suppress * 100, min=0, max=99, step=0.5)
        layout.marked(
            share.classes("middle").on_value_change(
                lambda event: self._set("suppress", None if event.value is None else round(event.value / 100, 6))
            ),
            "suppress",
        )

    def columns(self) -> None:
        """Priorities and limits."""
        layout.hint(
            "A higher priority keeps more detail (1 is usual); levels stay between the coarsest and the finest "
            "(0: as it is)."
        )
        with ui.element("div").classes("scroll low"), ui.element("table").classes("plain"):
            with ui.element("thead"), ui.element("tr"):
                for name in ("column", "priority", "coarsest level", "finest level"):
                    layout.text(name, "th").props("scope=col")
            with ui.element("tbody"):
                for at, name in enumerate(self.draft.quasi):
                    with ui.element("tr"):
                        layout.text(name, "td", "column-name")
                        self._of_column(name, self.draft.priorities, "priority", at, "1")
                        self._of_column(name, self.draft.limits, "limit", at, "any")
                        self._of_column(name, self.draft.minimums, "minimum", at, "0")

    def _of_column(self, name: str, chosen: dict[str, Any], what: str, at: int, usual: str) -> None:
        def change(event: Any) -> None:
            if event.value is None:
                chosen.pop(name, None)
            else:
                chosen[name] = float(event.value) if what == "priority" else int(event.value)
            self.keep()

        with ui.element("td"):
            precision = None if what == "priority" else 0
            field = ui.number(value=chosen.get(name), min=0, placeholder=usual, precision=precision, on_change=change)
            layout.marked(field.props("dense").classes("tiny"), f"{what}-{at}").props["aria-label"] = (
                f"{what} of {name}"
            )

    def searching(self) -> None:
        """Search, metric, time and format."""
        layout.hint("Of all releases that protect enough, the search takes the one that loses least.")
        if len(self.draft.quasi) > _MANY and self.draft.search == SEARCH:
            layout.marked(layout.message(_too_many(len(self.draft.quasi)), "warning"), "many-columns")
        self._select("search", "Search", words.searches(), self.draft.search)
        self._select("metric", "Metric to minimize", {METRIC: _USUAL_METRIC, **words.metrics()}, self.draft.metric)
        with layout.line():
            time = choices.seconds(self.draft.time).on_value_change(lambda event: self._set("time", event.value))
            layout.marked(time, "time")
            output = ui.select(FORMATS, value=self.draft.output, label="File format").classes("middle")
            layout.marked(output.on_value_change(lambda event: self._set("output", event.value)), "output")
        safe = ui.checkbox("Make cells harmless that a spreadsheet would run as formulas")
        safe.value = self.draft.spreadsheet_safe
        layout.marked(
            safe.on_value_change(lambda event: self._set("spreadsheet_safe", event.value)), "spreadsheet-safe"
        )

    def _select(self, name: str, label: str, told: dict[str, str], value: Any) -> None:
        """A choice, with the sentence that explains what is chosen below it."""

        def choose(event: Any) -> None:
            self._set(name, event.value)
            about.set_content(escape(f"{event.value}: {told[event.value]}."))
            if name == "search" and self.scoring is not None:
                self.scoring.fill()

        select = words.select(told, value if value in told else next(iter(told)), label, choose)
        layout.marked(select.classes("wide"), name)
        about = layout.hint(f"{select.value}: {told[select.value]}.")

    def go(self) -> None:
        """The button that starts."""
        with ui.element("div").classes("next"):
            layout.marked(ui.button("Make the release", on_click=self._start).props("no-caps unelevated"), "go")
            if not self.draft.having(Role.SENSITIVE):
                layout.hint("No sensitive column: the release protects against singling out only.")
        self.place = ui.element("div")

    async def _start(self) -> None:
        self.place.clear()
        with self.place:
            made = await tried(self.space.submit, "anonymize", {"job": self.draft.job()}, self.owner)
        if made is not None:
            ui.navigate.to(f"/runs/{made.id}")

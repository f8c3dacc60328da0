"""The privacy page: models, suppression limit, priorities and search, each with a default."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.families import MODELS, Family
from incrowd.formats import outputs
from incrowd.jobs.families import METRICS, SEARCHES
from incrowd.profiles import Profile
from incrowd.text import percent
from incrowd.web.parts import choices, details, expert, help, layout, profile_choice, tables, words
from incrowd.web.parts.background import fetch_result, newest, stop_if_gone
from incrowd.web.parts.creating import CreateButton, ManyColumns
from incrowd.web.parts.draft import METRIC, Draft
from incrowd.web.parts.protection import ModelList
from incrowd.web.parts.scoring import Scoring

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

STEP = (4, "Privacy")

_DEFAULT_METRIC = "loss, or weighted_loss if levels have declared losses"
_UNITS = {"records": "records", "people": "people who lose a record"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    draft = Draft.load(space, owner, file.id)
    lead = "The defaults are a good start. You can try another k or suppression limit later, on the result page."
    with layout.page("Privacy", lead, (file.id, file.name), "privacy", ("Privacy model", "Guarantee", "Release")):
        if not draft.quasi:
            layout.no_quasi_message(file.id)
            return
        settings = PrivacyForm(space, owner, draft)
        with layout.panel("Requirements", mark="asked-panel"):
            profile_choice.AskedWords(space, owner, draft).show()
            settings.profiles()
        with ui.element("div").classes("two"):
            people = ("Person",) if draft.person else ()
            known = ("k-anonymity", "Equivalence class", "Single out", *people)
            with layout.panel("k-anonymity", mark="k-panel", helps=known):
                settings.k_field()
                if draft.person:
                    settings.knows_field()
            with layout.panel("Suppression", mark="suppress-panel", helps=("Suppress", "Relax", "Infeasible")):
                settings.suppression_field()
                if draft.person:
                    settings.people_fields()
        guarded = ("Sensitive column", "Attribute disclosure")
        with layout.panel("Sensitive values", mark="models-panel", helps=guarded, family=MODELS):
            settings.models = ModelList(draft, settings.keep)
            settings.models.show()
            settings.costs()
        with ui.element("div").classes("two"):
            with layout.panel(
                "Priorities and levels", mark="columns-panel", helps=("Generalize", "Hierarchy", "Level")
            ):
                settings.column_fields()
            searched = ("Search", "Metric", "Information loss", "Global recoding", "Local recoding", "Time limit")
            with layout.panel("Search and output", mark="search-panel", helps=searched):
                settings.search_fields()
        with layout.panel(mark="details-panel"), layout.mark(ui.expansion("Column settings"), "details"):
            details.show(draft, settings.keep)
        with layout.panel(mark="expert-panel"), layout.mark(ui.expansion("Expert settings"), "expert"):
            settings.scoring = expert.show(space, owner, draft)
        settings.start_button()


class PrivacyForm:
    """Settings of a job beside its columns."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.scoring: Scoring | None = None
        self.models: ModelList | None = None

    def profiles(self) -> None:
        """Show the profiles to start from."""

        def use(profile: Profile) -> None:
            self.draft.start_from(profile)
            self.keep()
            # Fields all over the page have other values now.
            ui.navigate.reload()

        with layout.mark(ui.expansion("Start from a profile, by recipient"), "profiles"):
            profile_choice.show(self.draft, use)

    def keep(self) -> None:
        """Save the draft."""
        self.draft.keep(self.space, self.owner)

    def _set(self, name: str, value: Any) -> None:
        if value is not None or name == "time":
            setattr(self.draft, name, value)
            self.keep()

    def k_field(self) -> None:
        """Show the field for k."""
        layout.hint(
            "Every record shares its quasi-identifiers with at least k - 1 others. 5 is common; 2 is the minimum."
        )
        k = ui.number("k", value=self.draft.k, min=2, step=1, precision=0).classes("narrow")
        layout.mark(k.on_value_change(lambda event: self._set("k", event.value and int(event.value))), "k")

    def knows_field(self) -> None:
        """Show how much an attacker knows of a person, if a column tells the person."""
        layout.hint("People are counted. An attacker may know more than one record of a person.")
        choices.knows(self.draft.knows).on_value_change(lambda event: self._set("knows", event.value))

    def people_fields(self) -> None:
        """Show what the suppression limit counts, if a column tells the person."""
        unit = ui.select(_UNITS, value=self.draft.suppress_of, label="The limit counts").classes("middle")
        layout.mark(unit.on_value_change(lambda event: self._set("suppress_of", event.value)), "suppress-of")
        whole = ui.checkbox("A person who loses a record loses all of them", value=self.draft.suppress_whole)
        layout.mark(whole.on_value_change(lambda event: self._set("suppress_whole", event.value)), "suppress-whole")

    def suppression_field(self) -> None:
        """Show the suppression limit."""
        layout.hint("A few outliers cost every record detail. Set how many may be suppressed.")
        share = ui.number("Suppression limit (%)", value=self.draft.suppress * 100, min=0, max=100, step=0.5)
        layout.mark(
            share.classes("middle").on_value_change(
                lambda event: self._set("suppress", None if event.value is None else round(event.value / 100, 6))
            ),
            "suppress",
        )

    def costs(self) -> None:
        """Show a button that measures what the models cost in information loss, and the answer below it."""
        if not self.draft.columns_in_role(Role.SENSITIVE):
            return
        layout.mark(ui.button("Measure their cost", on_click=self._measure).props("outline no-caps"), "model-costs")
        self.place = ui.element("div").classes("stack").props("aria-live=polite")

    async def _measure(self) -> None:
        with newest(self.place) as box:
            found = await fetch_result(self.space, "costs", {"job": self.draft.job()}, self.owner)
            stop_if_gone(box)
            if found is not None:
                layout.mark(layout.paragraph(found["text"]), "costs-words")
                rows = [
                    [
                        each["model"],
                        ", ".join(each["columns"]),
                        "no release" if each["loss"] is None else percent(each["loss"]),
                    ]
                    for each in found["models"]
                ]
                if len(rows) > 1:
                    layout.mark(tables.show(["model", "column", "loss with it alone"], rows), "costs-table")

    def column_fields(self) -> None:
        """Show priority and level limits of each quasi-identifier."""
        layout.hint(
            "A higher priority keeps more detail (default: 1). Level 0 is the original value; higher levels are more "
            "general."
        )
        with ui.element("div").classes("scroll low"), ui.element("table").classes("plain"):
            layout.table_head(("column", "priority", "highest level", "lowest level"))
            with ui.element("tbody"):
                for at, name in enumerate(self.draft.quasi):
                    with ui.element("tr"):
                        layout.text(name, "td", "column-name")
                        self._column_field(name, self.draft.priorities, "priority", at, "1")
                        self._column_field(name, self.draft.limits, "limit", at, "any")
                        self._column_field(name, self.draft.minimums, "minimum", at, "0")

    def _column_field(self, name: str, chosen: dict[str, Any], what: str, at: int, usual: str) -> None:
        def change(event: Any) -> None:
            if event.value is None:
                chosen.pop(name, None)
            else:
                chosen[name] = float(event.value) if what == "priority" else int(event.value)
            self.keep()

        with ui.element("td"):
            precision = None if what == "priority" else 0
            field = ui.number(value=chosen.get(name), min=0, placeholder=usual, precision=precision, on_change=change)
            layout.mark(field.props("dense").classes("tiny"), f"{what}-{at}").props["aria-label"] = f"{what} of {name}"

    def search_fields(self) -> None:
        """Show search, metric, time limit and output format."""
        layout.hint("Of the releases that satisfy the models, the search looks for the one with the lowest metric.")
        self.many = ManyColumns(self.draft)
        self.many.show()
        self._select("search", "Search", words.searches(), self.draft.search, SEARCHES)
        metrics = {METRIC: _DEFAULT_METRIC, **words.metrics()}
        self._select("metric", "Metric to minimize", metrics, self.draft.metric, METRICS)
        with layout.line():
            time = choices.time_limit(self.draft.time).on_value_change(lambda event: self._set("time", event.value))
            layout.mark(time, "time")
            output = ui.select(outputs(), value=self.draft.output, label="File format").classes("middle")
            layout.mark(output.on_value_change(lambda event: self._set("output", event.value)), "output")
        safe = ui.checkbox("Escape cells that a spreadsheet would run as formulas")
        safe.value = self.draft.spreadsheet_safe
        layout.mark(safe.on_value_change(lambda event: self._set("spreadsheet_safe", event.value)), "spreadsheet-safe")

    def _select(self, name: str, label: str, explained: dict[str, str], value: Any, family: Family) -> None:
        """Show a choice with the explanation of the chosen entry below it, and help beside it with those of all."""

        def choose(event: Any) -> None:
            self._set(name, event.value)
            about.set_content(escape(f"{event.value}: {explained[event.value].rstrip('.')}."))
            if name == "search":
                self.many.follow()
                if self.scoring is not None:
                    self.scoring.fill()

        with layout.line():
            select = words.select(explained, value if value in explained else next(iter(explained)), label, choose)
            layout.mark(select.classes("wide"), name)
            help.button(label, (name.capitalize(),), family)
        about = layout.hint(f"{select.value}: {explained[select.value].rstrip('.')}.")

    def start_button(self) -> None:
        """Show the button that starts the run."""
        create = CreateButton(self.space, self.owner, self.draft)
        with ui.element("div").classes("next"):
            create.show()
        create.show_place()

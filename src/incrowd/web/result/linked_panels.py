"""Panels beside a release of several tables: attacks, measures, reports, and its recoding for new tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.formats import outputs
from incrowd.text import percent
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.background import fetch_result, fetch_run, newest, starts_run, stop_if_gone, try_in_thread
from incrowd.web.parts.linked_draft import table_name
from incrowd.web.result import report

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


@dataclass(frozen=True)
class GivenSet:
    """A release of several tables: of a run, or uploaded."""

    names: tuple[str, ...]
    """The names of the tables."""
    run: str | None = None
    files: Mapping[str, str] | None = None
    """The uploaded tables by their names."""
    manifest: str | None = None
    record: str | None = None
    """The private record of uploaded tables."""

    @classmethod
    def of_run(cls, made: Run) -> GivenSet:
        """Return the release of a run."""
        return cls(tuple((made.result or {})["tables"]), made.id)

    @classmethod
    def of_files(cls, files: Mapping[str, str], manifest: str, record: str | None) -> GivenSet:
        """Return a release that was uploaded."""
        return cls(tuple(files), None, files, manifest, record)

    def request(self, of_run: str) -> dict[str, Any]:
        """Return it as a request has it; `of_run` is the key of a run."""
        if self.files is None:
            return {of_run: self.run}
        return {"tables": dict(self.files), "manifest": self.manifest}

    @property
    def private(self) -> dict[str, Any]:
        """Return the private record as a request has it; that of a run is known."""
        return {} if self.record is None else {"record": self.record}


def show(space: Workspace, owner: str, given: GivenSet) -> None:
    """Show the panels of a release that was uploaded."""
    show_attack(space, owner, given)
    show_utility(space, owner, given)
    with layout.panel("Report", "Settings, results, and what is and is not guaranteed.", mark="reports"):
        _Reports(space, owner, given).form()
    show_apply(space, owner, given)


def show_attack(space: Workspace, owner: str, given: GivenSet) -> None:
    """Show the panel that simulates attacks."""
    with layout.panel("Attack simulation", "Looks for people in the release by linkage.", mark="attack"):
        _Attack(space, owner, given).form()


def show_utility(space: Workspace, owner: str, given: GivenSet) -> None:
    """Show the panel that measures what is kept."""
    with layout.panel("Utility", "Detail kept of the original tables.", mark="utility"):
        _Measure(space, owner, given).form()


def show_apply(space: Workspace, owner: str, given: GivenSet) -> None:
    """Show the panel that recodes new tables alike, if the private record is there."""
    if given.run is not None or given.record is not None:
        about = "Creates a release of new tables with the recoding of this one. Both then use the same labels."
        with layout.panel("New tables", about, mark="apply-set"):
            _Apply(space, owner, given).form()


class _Originals:
    """A choice of a stored table for each table of a release."""

    def __init__(self, space: Workspace, owner: str, names: Sequence[str], mark: str) -> None:
        stored = choices.tables_of(space, owner)
        by_name = {table_name(file, ()): file.id for file in reversed(space.files(owner)) if file.id in stored}
        with layout.line():
            self.fields = {
                name: layout.mark(
                    ui.select(stored, value=by_name.get(name), label=name, clearable=True).classes("wide"),
                    f"{mark}-{at}",
                )
                for at, name in enumerate(names)
            }

    def chosen(self) -> dict[str, str] | None:
        """Return the tables by their names; None if one is not chosen."""
        found = {name: field.value for name, field in self.fields.items()}
        return found if all(found.values()) else None


class _Attack:
    """How much an attacker knows, and whom that singles out."""

    def __init__(self, space: Workspace, owner: str, given: GivenSet) -> None:
        self.space, self.owner, self.given = space, owner, given

    def form(self) -> None:
        """Show the fields."""
        with layout.line():
            self.knows = choices.attackers()
            self.k = ui.number("k", value=2, min=2, step=1, precision=0).classes("narrow")
            layout.mark(self.k, "attack-k")
        layout.hint(
            "By default one attacker knows a record of each table, one as much as the release assumes, and one all "
            "records. A person is exposed if something may be known of the person that is true of fewer than k people."
        )
        with layout.line():
            layout.mark(ui.button("Run attacks", on_click=self.ask).props("outline no-caps"), "attack-go")
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "attacked")

    async def ask(self) -> None:
        """Run the attacks and show whom they single out."""
        with newest(self.place) as box:
            request = {
                **self.given.request("release"),
                "attacks": [{"linkage": {"k": int(self.k.value or 2)}}],
                **choices.drop_empty(knows=list(self.knows.value or ())),
            }
            found = await fetch_result(self.space, "attack", request, self.owner)
            stop_if_gone(box)
            if found is not None:
                _show_attack(found)


def _show_attack(found: dict[str, Any]) -> None:
    words = "Somebody is exposed." if found["exposed"] else "None of the attackers tried exposes anybody."
    layout.mark(layout.message(words, "warning" if found["exposed"] else "good"), "attack-found")
    headers = ["knows", "people exposed", "of these alone", "fewest people", "highest risk", "average risk"]
    rows = [
        [
            choices.describe_knows(each["knows"]),
            *(each[key] for key in ("exposed", "alone", "fewest")),
            percent(each["highest"]),
            percent(each["average"]),
        ]
        for each in found["linkage"]
    ]
    layout.mark(tables.show(headers, rows), "exposures")
    with ui.expansion("Text version"):
        layout.text(found["text"], "pre")


class _Measure:
    """The original tables of an uploaded release, and what is kept of them."""

    def __init__(self, space: Workspace, owner: str, given: GivenSet) -> None:
        self.space, self.owner, self.given = space, owner, given
        self.originals: _Originals | None = None

    def form(self) -> None:
        """Show a field for each original table that is not known."""
        if self.given.run is None:
            layout.hint("Choose the original of each table.")
            self.originals = _Originals(self.space, self.owner, self.given.names, "measure-original")
        with layout.line():
            layout.mark(ui.button("Measure", on_click=self.ask).props("outline no-caps"), "measure-go")
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "measured")

    async def ask(self) -> None:
        """Measure the release and show what is kept."""
        with newest(self.place) as box:
            chosen = None if self.originals is None else self.originals.chosen()
            if self.originals is not None and chosen is None:
                layout.message("Choose an original for every table first.", "error")
                return
            release = self.given.run or {**self.given.request(""), **self.given.private}
            request = {**choices.drop_empty(original=chosen), "releases": [release]}
            found = await fetch_result(self.space, "measure", request, self.owner)
            stop_if_gone(box)
            if found is not None:
                _show_measures(found)


def _show_measures(found: dict[str, Any]) -> None:
    before, [release] = found["original"]["tables"], found["releases"]
    rows = [
        [name, of["people"], before[name]["people"], of["records"], before[name]["records"]]
        for name, of in release["tables"].items()
    ]
    layout.mark(tables.show(["table", "people", "before", "records", "before"], rows), "measured-people")
    with ui.expansion("All metrics"):
        layout.text(found["text"], "pre")


class _Reports:
    """Reports on a release that was uploaded."""

    def __init__(self, space: Workspace, owner: str, given: GivenSet) -> None:
        self.space, self.owner, self.given = space, owner, given

    def form(self) -> None:
        """Show a field for each original table: an internal report counts them too."""
        with ui.expansion("Original tables (for the internal report)"):
            self.originals = _Originals(self.space, self.owner, self.given.names, "report-original")
        with layout.line():
            layout.mark(ui.button("Make the reports", on_click=self.ask).props("outline no-caps"), "report-go")
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "reported")

    async def ask(self) -> None:
        """Make both reports and show links to them."""
        with newest(self.place) as box:
            # Without its private record nothing says how the originals are read.
            before = self.originals.chosen() if self.given.record is not None else None
            request = {**self.given.request("file"), **self.given.private, **choices.drop_empty(original=before)}
            made = await fetch_run(self.space, "report", request, self.owner)
            stop_if_gone(box)
            if made is None:
                return
            for audience, sentence in report.AUDIENCES.items():
                with layout.line():
                    layout.text(audience.capitalize(), "span")
                    report.show_downloads(made, audience)
                layout.hint(sentence)


class _Apply:
    """New tables for the recoding of a release."""

    def __init__(self, space: Workspace, owner: str, given: GivenSet) -> None:
        self.space, self.owner, self.given = space, owner, given

    def form(self) -> None:
        """Show a field for each new table, and the file format."""
        with layout.mark(ui.expansion("Choose the new tables"), "apply-more"):
            self.tables = _Originals(self.space, self.owner, self.given.names, "apply-table")
            with layout.line():
                self.output = ui.select(outputs(), value=".csv", label="File format").classes("middle")
                layout.mark(self.output, "apply-output")
                button = ui.button("Create the release").props("no-caps outline")
                layout.mark(starts_run(button, self.ask), "apply-go")
            self.place = ui.element("div")

    async def ask(self) -> Run | None:
        """Start the run; None if it is not started, and the page says why."""
        with newest(self.place):
            chosen = self.tables.chosen()
            if chosen is None:
                layout.message("Choose every table first.", "error")
            else:
                record = self.given.record or self.given.run
                request = {"record": record, "tables": chosen, "output": self.output.value.lstrip(".")}
                return await try_in_thread(self.space.submit, "apply", request, self.owner)
        return None

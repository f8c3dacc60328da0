"""Check a release that somebody handed out: is it what its manifest claims?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count, number
from incrowd.verification import WORDS
from incrowd.web.pages import releases
from incrowd.web.parts import choices, imports, layout, tables
from incrowd.web.parts.background import found

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_KINDS = {"holds": "good", "empty": "warning", "does not hold": "error", "not proven": "warning"}


def show(space: Workspace, owner: str) -> None:
    """The page."""
    lead = "Reads a release afresh and judges it anew: does it keep every promise that its manifest makes?"
    with layout.page("Does this release keep its promises?", lead):
        with layout.panel("The release", mark="check-form"):
            Check(space, owner).form()
        with layout.panel("Manifests and records that you brought", mark="brought"):
            imports.kept_files(space, owner)


class Check:
    """What belongs to a release, and the verdict."""

    def __init__(self, space: Workspace, owner: str) -> None:
        self.space, self.owner = space, owner

    def form(self) -> None:
        """A place to drop what was handed out, and lists to choose from what is kept."""
        imports.drop(
            self.space,
            self.owner,
            "Drop the data and their .manifest.json here; a .record.json too, if you have it",
            "check-drop",
            self._arrived,
        )
        with layout.line():
            self.release = ui.select(self._releases(), label="Release", clearable=True).classes("wide")
            layout.marked(self.release, "check-release")
            self.manifest = self._list("manifest", "Manifest")
        with ui.expansion("With the private record, more is checked exactly"):
            with layout.line():
                self.record = self._list("record", "Private record")
                others = choices.tables_of(self.space, self.owner)
                self.population = ui.select(others, label="Population, for k_map and delta_presence", clearable=True)
                layout.marked(self.population.classes("wide"), "check-population")
            layout.hint("A release that was made here has its manifest and its record with it.")
        with layout.line():
            layout.marked(ui.button("Check it", on_click=self.ask).props("no-caps unelevated"), "check")
        self.place = layout.marked(ui.element("div").classes("stack").props("aria-live=polite"), "verdict-place")

    def _list(self, kind: str, label: str) -> ui.select:
        select = ui.select(imports.of_kind(self.space, self.owner, kind), label=label, clearable=True)
        return layout.marked(select.classes("wide"), f"check-{kind}")

    def _releases(self) -> dict[str, str]:
        return {**choices.tables_of(self.space, self.owner), **releases.ready(self.space, self.owner)}

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        fields = {"data": self.release, "manifest": self.manifest, "record": self.record}
        options = self._releases() if purpose == "data" else imports.of_kind(self.space, self.owner, purpose)
        fields[purpose].set_options(options, value=file.id)

    async def ask(self) -> None:
        """Ask for the verdict."""
        self.place.clear()
        with self.place:
            if not self.release.value:
                layout.message("Drop or choose a release first.", "error")
                return
            request = choices.given(
                file=self.release.value,
                manifest=self.manifest.value,
                record=self.record.value,
                population=self.population.value,
            )
            verdict = await found(self.space, "verify", request, self.owner)
            if verdict is not None:
                _shown(verdict)


def _shown(verdict: dict[str, Any]) -> None:
    layout.marked(layout.message(f"The verdict: {verdict['verdict']}.", _KINDS[verdict["verdict"]]), "check-verdict")
    groups = count(verdict["classes"], "group")
    layout.paragraph(
        f"{count(verdict['records'], 'record')} in {groups}, the smallest of {number(verdict['smallest'])}.", "found"
    )
    rows = [[WORDS[each["holds"]], each["name"], each["detail"]] for each in verdict["checks"]]
    layout.marked(tables.show(["", "what was checked", "what was found"], rows), "checks")
    if verdict["failing"]:
        failing = [[each["class"] or "", each["size"]] for each in verdict["failing"]]
        layout.heading("Groups that break a promise", 3)
        tables.show(["group, by its first record", "records"], failing)
    for warning in verdict["warnings"]:
        layout.message(warning, "warning")

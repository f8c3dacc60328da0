"""New data with the recoding of an earlier release: the same labels as before, checked as any release is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.web.pages import releases
from incrowd.web.pages.privacy import FORMATS
from incrowd.web.parts import imports, layout
from incrowd.web.parts.background import tried

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    lead = "Publish this table with the recoding of an earlier release, so that both can be read side by side."
    with (
        layout.page("Recode as before", lead, (file.id, file.name), "apply"),
        layout.panel("As which release?", mark="apply-form"),
    ):
        Recode(space, owner, file).form()


class Recode:
    """Which recoding, and how the release is written."""

    def __init__(self, space: Workspace, owner: str, file: StoredFile) -> None:
        self.space, self.owner, self.file = space, owner, file

    def form(self) -> None:
        """A release that was made here, or the private record of one made elsewhere."""
        layout.hint(
            "The table needs the columns of the earlier one. Values that its hierarchies do not know are refused."
        )
        options = self._records()
        self.record = ui.select(options, value=next(iter(options), None), label="Earlier release, or private record")
        layout.marked(self.record.classes("wide"), "apply-record")
        imports.drop(
            self.space,
            self.owner,
            "Or drop the private record (.record.json) of a release",
            "record-drop",
            self._arrived,
        )
        with layout.line():
            self.output = ui.select(FORMATS, value=".csv", label="File format").classes("middle")
            layout.marked(self.output, "apply-output")
            self.safe = ui.checkbox("Make cells harmless that a spreadsheet would run as formulas")
            layout.marked(self.safe, "apply-safe")
        with layout.line():
            layout.marked(ui.button("Make the release", on_click=self.ask).props("no-caps unelevated"), "apply")
        self.place = ui.element("div")

    def _records(self) -> dict[str, str]:
        return {**releases.ready(self.space, self.owner), **imports.of_kind(self.space, self.owner, "record")}

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        self.place.clear()
        if purpose == "record":
            self.record.set_options(self._records(), value=file.id)
            return
        with self.place:
            layout.message("This is no private record: its name ends in .record.json.", "error")

    async def ask(self) -> None:
        """Begin; the page of the run shows what comes of it."""
        self.place.clear()
        with self.place:
            if not self.record.value:
                layout.message("Choose an earlier release, or drop its private record.", "error")
                return
            request = {
                "record": self.record.value,
                "file": self.file.id,
                "output": self.output.value.lstrip("."),
                "spreadsheet_safe": self.safe.value,
            }
            made = await tried(self.space.submit, "apply", request, self.owner)
        if made is not None:
            ui.navigate.to(f"/runs/{made.id}")

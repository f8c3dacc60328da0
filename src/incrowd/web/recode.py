"""New data with the recoding of an earlier release: the same labels as before, checked as any release is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.web import brought, frame, runs
from incrowd.web.privacy import FORMATS
from incrowd.web.working import tried

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    lead = "Publish this table with the recoding of an earlier release, so that both can be read side by side."
    with (
        frame.page("Recode as before", lead, (file.id, file.name), "apply"),
        frame.panel("As which release?", mark="apply-form"),
    ):
        Recode(space, owner, file).form()


class Recode:
    """Which recoding, and how the release is written."""

    def __init__(self, space: Workspace, owner: str, file: StoredFile) -> None:
        self.space, self.owner, self.file = space, owner, file

    def form(self) -> None:
        """A release that was made here, or the private record of one made elsewhere."""
        frame.hint(
            "The table needs the columns of the earlier one. Values that its hierarchies do not know are refused."
        )
        options = self._records()
        self.record = ui.select(options, value=next(iter(options), None), label="Earlier release, or private record")
        frame.marked(self.record.classes("wide"), "apply-record")
        brought.drop(
            self.space,
            self.owner,
            "Or drop the private record (.record.json) of a release",
            "record-drop",
            self._arrived,
        )
        with frame.line():
            self.output = ui.select(FORMATS, value=".csv", label="File format").classes("middle")
            frame.marked(self.output, "apply-output")
            self.safe = ui.checkbox("Make cells harmless that a spreadsheet would run as formulas")
            frame.marked(self.safe, "apply-safe")
        with frame.line():
            frame.marked(ui.button("Make the release", on_click=self.ask).props("no-caps unelevated"), "apply")
        self.place = ui.element("div")

    def _records(self) -> dict[str, str]:
        return {**runs.ready(self.space, self.owner), **brought.of_kind(self.space, self.owner, "record")}

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        self.place.clear()
        if purpose == "record":
            self.record.set_options(self._records(), value=file.id)
            return
        with self.place:
            frame.message("This is no private record: its name ends in .record.json.", "error")

    async def ask(self) -> None:
        """Begin; the page of the run shows what comes of it."""
        self.place.clear()
        with self.place:
            if not self.record.value:
                frame.message("Choose an earlier release, or drop its private record.", "error")
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

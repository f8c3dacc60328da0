"""The page that applies the recoding of an earlier release to new data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.formats import outputs
from incrowd.web.pages import releases
from incrowd.web.parts import imports, layout
from incrowd.web.parts.background import starts_run, try_in_thread
from incrowd.web.parts.kept_form import KeptFields

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace


TOOL = (3, "Apply a recoding")


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    lead = "Create a release of this table with the recoding of an earlier release. Both then use the same labels."
    with (
        layout.page("Apply a recoding", lead, (file.id, file.name), "apply"),
        layout.panel("Earlier release", mark="apply-form"),
    ):
        ApplyForm(space, owner, file).form()


class ApplyForm:
    """Choice of the recoding and of the output format."""

    def __init__(self, space: Workspace, owner: str, file: StoredFile) -> None:
        self.space, self.owner, self.file = space, owner, file

    def form(self) -> None:
        """Show the fields: a release made here, or the private record of one made elsewhere."""
        layout.hint(
            "The table must have the columns of the earlier one. Values that are missing from its hierarchies are "
            "refused, unless a rule such as intervals gives their labels."
        )
        options = self._records()
        self.record = ui.select(options, value=next(iter(options), None), label="Earlier release or private record")
        layout.mark(self.record.classes("wide"), "apply-record")
        imports.drop_zone(
            self.space,
            self.owner,
            "Drop the private record (.record.json) of a release made elsewhere, or click to choose one",
            "record-drop",
            self._arrived,
        )
        with layout.line():
            self.output = ui.select(outputs(), value=".csv", label="File format").classes("middle")
            layout.mark(self.output, "apply-output")
            self.safe = ui.checkbox("Escape cells that a spreadsheet would run as formulas")
            layout.mark(self.safe, "apply-safe")
        with layout.line():
            layout.mark(starts_run(ui.button("Create the release").props("no-caps unelevated"), self.ask), "apply")
        kept = KeptFields(self.space, self.owner, f"draft-{self.file.id}-apply_form")
        kept.watch(ui.context.slot.parent)
        self.place = ui.element("div")

    def _records(self) -> dict[str, str]:
        return {
            **releases.ready_releases(self.space, self.owner),
            **imports.files_of_kind(self.space, self.owner, "record"),
        }

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        self.place.clear()
        if purpose == "record":
            self.record.set_options(self._records(), value=file.id)
            return
        with self.place:
            layout.message("Not a private record: its name must end in .record.json.", "error")

    async def ask(self) -> Run | None:
        """Return the run that was started; if none was, show why."""
        self.place.clear()
        with self.place:
            if not self.record.value:
                layout.message("Choose an earlier release or drop its private record.", "error")
                return None
            request = {
                "record": self.record.value,
                "file": self.file.id,
                "output": self.output.value.lstrip("."),
                "spreadsheet_safe": self.safe.value,
            }
            return await try_in_thread(self.space.submit, "apply", request, self.owner)

"""The page that verifies a release against its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count, number
from incrowd.verification import WORDS, verdict_word
from incrowd.web.pages import releases
from incrowd.web.parts import choices, imports, layout, tables
from incrowd.web.parts.background import fetch_result, newest, stop_if_gone, try_in_thread
from incrowd.web.parts.kept_form import KeptForm
from incrowd.web.result import linked_panels

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_VERDICTS = {
    "holds": ("every check against the manifest passed.", "good"),
    "empty": ("the release has no records.", "warning"),
    "does not hold": ("the release does not match its manifest.", "error"),
    "not proven": ("no check failed, but some could not be run.", "warning"),
}
"""By verdict: an explanation and the kind of message."""
_NEXT = {
    "holds": "You can rely on what the manifest claims, for the columns that it names. Nothing else is guaranteed.",
    "empty": "There is nothing to use. Ask the sender for a release with records.",
    "does not hold": "Do not use or pass on this release. The failed checks above show what differs. Ask the sender "
    "for the data and the manifest again.",
    "not proven": "No check failed, but do not rely on claims that were not checked.",
}
_MORE = {"manifest": "the manifest", "record": "the private record", "original": "the original table"}
"""By field what would make more checks possible."""


def show(space: Workspace, owner: str) -> None:
    """Show the page."""
    lead = "Re-reads a release and checks every manifest claim."
    with layout.page("Verify a release", lead, helps=("Check", "Verdict", "Manifest", "Private record", "Recipient")):
        with layout.panel("Release", mark="check-form"):
            Check(space, owner).form()
        with layout.panel("Uploaded manifests and private records", mark="uploads"):
            imports.list_imports(space, owner)


class Check:
    """The files of a release and its verdict."""

    def __init__(self, space: Workspace, owner: str) -> None:
        self.space, self.owner = space, owner

    def form(self) -> None:
        """Show a drop zone and lists of the files that are stored here."""
        imports.drop_zone(
            self.space,
            self.owner,
            "Drop the data and their .manifest.json here, and the .record.json if you have it, or click to choose them",
            "check-drop",
            self._arrived,
        )
        with layout.line():
            self.release = ui.select(self._releases(), label="Release", clearable=True).classes("wide")
            layout.mark(self.release, "check-release")
            self.manifest = self._list("manifest", "Manifest")
        with ui.expansion("Private record, original table and population (for more exact checks)"):
            with layout.line():
                self.record = self._list("record", "Private record")
                self.original = self._table("original", "Original table (to count people again)")
                self.population = self._table("population", "Population (for k_map, delta_presence)")
            layout.hint(
                "For a release created here, its own manifest, private record and table are used; choose one only to "
                "verify against another."
            )
        layout.hint("Of several tables, drop all of them with their manifest.json: they are found by their names.")
        with layout.line():
            layout.mark(ui.button("Verify", on_click=self.ask).props("no-caps unelevated"), "check")
        form = ui.context.slot.parent
        # What was chosen for another release must not be taken for this one.
        self.kept = KeptForm(self.space, self.owner, None, self._chosen, hides=True)
        self.kept.show_mark()
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "verdict-place")
        self.kept.watch(form, self.place)

    def _list(self, kind: str, label: str) -> ui.select:
        select = ui.select(imports.files_of_kind(self.space, self.owner, kind), label=label, clearable=True)
        return layout.mark(select.classes("wide"), f"check-{kind}")

    def _table(self, key: str, label: str) -> ui.select:
        select = ui.select(choices.tables_of(self.space, self.owner), label=label, clearable=True)
        return layout.mark(select.classes("wide"), f"check-{key}")

    def _releases(self) -> dict[str, str]:
        return {
            **choices.tables_of(self.space, self.owner),
            **releases.ready_releases(self.space, self.owner, several=True),
        }

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        fields = {"data": self.release, "manifest": self.manifest, "record": self.record}
        options = self._releases() if purpose == "data" else imports.files_of_kind(self.space, self.owner, purpose)
        fields[purpose].set_options(options, value=file.id)

    def _chosen(self) -> list[Any]:
        """Return what is to be verified, and against what."""
        return [each.value for each in (self.release, self.manifest, self.record, self.original, self.population)]

    def _show_next(self, verdict: dict[str, Any], several: Mapping[str, str]) -> None:
        """Show what the verdict means for who has the release, and what can be done next."""
        with layout.mark(ui.element("div").classes("stack"), "check-next"):
            layout.heading("Next steps", 3)
            layout.paragraph(_NEXT[verdict["verdict"]])
            lacking = [key for key in _MORE if not getattr(self, key).value]
            if verdict["verdict"] == "not proven" and lacking:
                layout.hint(f"To check more, choose or drop {', '.join(_MORE[key] for key in lacking)} above.")
            release = self.release.value
            if release is None or several:
                return
            with layout.line():
                if release.startswith("r"):
                    layout.mark(layout.button_link("Go to the release", f"/runs/{release}"), "check-to-run")
                else:
                    layout.mark(
                        layout.button_link("Diagnose it as a table", f"/files/{release}/columns"), "check-to-table"
                    )
                    measured = self.original.value
                    if measured:
                        link = layout.button_link("Compare it with the original", f"/files/{measured}/measure")
                        layout.mark(link.props("outline"), "check-to-measure")

    def _several(self) -> dict[str, str]:
        """Return the files of several tables by their names, if the manifest is of several."""
        manifest = self.manifest.value
        return imports.tables_of_manifest(self.space, self.owner, manifest) if manifest else {}

    async def ask(self) -> None:
        """Verify the release and show the verdict."""
        self.kept.answers(None)
        chosen = self._chosen()
        with newest(self.place) as box:
            several = await try_in_thread(self._several)
            stop_if_gone(box)
            if several is None:
                return
            if not self.release.value and not several:
                layout.message("Choose or drop a release first.", "error")
                return
            request = choices.drop_empty(
                file=None if several else self.release.value,
                tables=several,
                manifest=self.manifest.value,
                record=self.record.value,
                original=self.original.value,
                population=self.population.value,
            )
            verdict = await fetch_result(self.space, "verify", request, self.owner)
            stop_if_gone(box)
            if verdict is not None:
                self.kept.answers(chosen)
                _show_verdict(verdict)
                self._show_next(verdict, several)
            if several:
                given = linked_panels.GivenSet.of_files(several, self.manifest.value, self.record.value)
                linked_panels.show(self.space, self.owner, given)


def _found(verdict: dict[str, Any]) -> str:
    records, smallest = count(verdict["records"], "record"), number(verdict["smallest"])
    if "people" in verdict:
        return f"{records} of {number(verdict['people'])} people; what is known of one is true of at least {smallest}."
    return f"{records} in {count(verdict['classes'], 'class')}; smallest class: {smallest}."


def _show_verdict(verdict: dict[str, Any]) -> None:
    explanation, kind = _VERDICTS[verdict["verdict"]]
    words = f"{verdict_word(verdict['verdict']).capitalize()}: {explanation}"
    layout.mark(layout.message(words, kind), "check-verdict")
    layout.paragraph(_found(verdict), "found")
    rows = [[WORDS[each["holds"]], each["name"], each["detail"]] for each in verdict["checks"]]
    layout.mark(tables.show(["result", "check", "details"], rows), "checks")
    if verdict["failing"]:
        failing = [[each["class"] or "", each["size"]] for each in verdict["failing"]]
        layout.heading("Classes that fail", 3)
        tables.show(["class (counted from 1)", "records"], failing)
    for warning in verdict["warnings"]:
        layout.message(warning, "warning")

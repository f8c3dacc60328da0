"""The page that builds, shows, edits, uploads and downloads the hierarchy of each column."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from incrowd.core.schema import Role
from incrowd.errors import IncrowdError
from incrowd.hierarchies.editing import History
from incrowd.text import count
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import (
    fetch_run,
    newest,
    run_in_thread,
    run_soon,
    stop_if_gone,
    try_in_thread,
)
from incrowd.web.parts.builders import BuilderForm
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.grouping import GroupingEditor, to_csv
from incrowd.web.parts.kept_form import KeptFields

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

STEP = (3, "Hierarchies")

_NAMED = 20
"""Largest number of missing values to name."""
_LONGEST = 40
"""Largest number of characters of an example label."""


def show(space: Workspace, owner: str, file: StoredFile, at: int = 0) -> None:
    """Show the page for one of the columns."""
    draft = Draft.load(space, owner, file.id)
    lead = (
        "A hierarchy has a label for each value on each level; higher levels are more general. Suggested hierarchies "
        "are used unless you change them."
    )
    with layout.page("Hierarchies", lead, (file.id, file.name), "hierarchies", ("Hierarchy", "Level", "Generalize")):
        if not draft.quasi:
            layout.no_quasi_message(file.id)
            return
        columns = [*draft.quasi, *draft.columns_in_role(Role.SENSITIVE)]
        at = at if 0 <= at < len(columns) else 0
        with ui.element("div").classes("side"):
            _column_links(draft, columns, at)
            with layout.stack():
                editor = HierarchyEditor(space, owner, draft, columns[at])
                editor.show()
                place = ui.element("div")
        run_soon(lambda: editor.propose_others(place))
        layout.hint("Few models need a hierarchy of a sensitive column. It has none until you build one.")
        layout.next_step("Next: privacy", file.id, "privacy")


def _column_links(draft: Draft, columns: list[str], chosen: int) -> None:
    with ui.element("nav").classes("panel").props('aria-label="Columns"'):
        for at, name in enumerate(columns):
            label = name if at < len(draft.quasi) else f"{name} (sensitive)"
            link = ui.link(label, f"/files/{draft.file}/hierarchies?column={at}").classes("choice")
            if at == chosen:
                link.props("aria-current=true")
            layout.mark(link, f"hierarchy-of-{at}")


class HierarchyEditor:
    """The hierarchy of one column."""

    def __init__(self, space: Workspace, owner: str, draft: Draft, column: str) -> None:
        self.space, self.owner, self.draft, self.column = space, owner, draft, column
        self.groups: GroupingEditor | None = None

    def show(self) -> None:
        """Show the form and below it the hierarchy built from the data."""
        with layout.panel(self.column, mark="builder-panel") as panel:
            self.form = BuilderForm(self.draft.hierarchies.get(self.column), self._upload)
            self.form.show(self._use_form)
        # The names of columns may be long, and are no names of notes.
        column = sha256(self.column.encode()).hexdigest()[:16]
        self.kept = KeptFields(self.space, self.owner, f"draft-{self.draft.file}-builder_{column}")
        self.kept.watch(panel)
        self.place = ui.element("div").classes("stack").props("aria-live=polite")
        run_soon(lambda: self.build(self.draft.hierarchies.get(self.column)))

    async def propose_others(self, place: ui.element) -> None:
        """Keep proposals for the quasi-identifiers that have no hierarchy yet, learned from the whole table."""
        if not set(self.draft.quasi) - {*self.draft.hierarchies, *self.draft.proposals, self.column}:
            return
        with place:
            over = await fetch_run(self.space, "init", self.draft.reading, self.owner)
        if over is not None and over.result is not None:
            columns = over.result["job"]["columns"]
            known = {*self.draft.proposals, self.column}
            found = {name: of["hierarchy"] for name, of in columns.items() if _has_hierarchy(of) and name not in known}
            await run_in_thread(self.space.delete_run, over.id)
            self.draft.propose(found)
            self.draft.keep(self.space, self.owner)

    async def _use_form(self) -> None:
        try:
            await self.use(self.form.spec())
        except (IncrowdError, ValueError):
            self.place.clear()
            with self.place:
                layout.message("Invalid option: enter numbers such as 5, 10, 20.", "error")

    async def use(self, spec: Any) -> None:
        """Build another hierarchy and keep it if it fits the data."""
        if await self.build(spec):
            self.draft.hierarchies[self.column] = spec
            self.draft.limits.pop(self.column, None)
            self.draft.minimums.pop(self.column, None)
            self.draft.keep(self.space, self.owner)
            self.kept.forget()

    async def build(self, spec: Any) -> bool:
        """Build and show a hierarchy; return whether it fits the data."""
        request = {**self.draft.reading_columns, "column": self.column, "spec": spec, "show_values": True}
        with newest(self.place) as box:
            over = await fetch_run(self.space, "hierarchy", request, self.owner)
            if over is None or over.result is None:
                return False
            fits = over.result["hierarchy"] is not None
            text = await run_in_thread(self._read_levels_of_run, over.id) if fits else ""
            await run_in_thread(self.space.delete_run, over.id)
            stop_if_gone(box)
            if fits:
                self._keep_proposal(spec, over.result["hierarchy"])
                self._show_levels(over.result, text)
            else:
                self._show_lacking(over.result, spec)
        return fits

    def _keep_proposal(self, spec: Any, built: Any) -> None:
        """Keep what was built without a description: a release must have the levels that are shown here."""
        if spec is None and "automatic" not in built and self.draft.proposals.get(self.column) != built:
            self.draft.propose({self.column: built})
            self.draft.keep(self.space, self.owner)

    def _read_levels_of_run(self, run_id: str) -> str:
        return self.space.artifact(run_id, "hierarchy.csv").read_text("utf-8")

    def _show_levels(self, facts: dict[str, Any], text: str) -> None:
        with layout.panel("Levels", _describe_values(facts), mark="levels"):
            headers = ["level", "labels", "most values per label", "loss", "smallest class", "examples"]
            rows = [
                [each["level"], each["labels"], each["covers"], each["loss"], each["smallest_class"], _examples(each)]
                for each in facts["levels"]
            ]
            layout.mark(tables.show(headers, rows), "levels-table")
            with layout.line():
                export = layout.quiet_button("Download the levels (CSV)")
                layout.mark(export.on_click(lambda: ui.download(text.encode(), "hierarchy.csv")), "export")
        self._show_groups(_parse_rows(text))

    def _show_groups(self, rows: list[tuple[str | None, ...]]) -> None:
        """Show the groups to be edited; after saving, earlier steps can still be undone."""
        before = self.groups
        same = before is not None and before.history.rows == rows
        history, level = (before.history, before.level) if before is not None and same else (History(rows), 0)
        self.groups = GroupingEditor(history, self.keep_rows, level)
        explained = (
            "Select values or labels, then group, rename, move or split them. Nothing is used before you save it. "
            "Ctrl+Z undoes a step."
        )
        with layout.panel("Group by hand", explained, mark="tree"):
            self.groups.show()

    def _show_lacking(self, facts: dict[str, Any], spec: Any) -> None:
        """Name the values that the hierarchy lacks; only the owner of the data sees them."""
        layout.message(facts["fault"], "error")
        lacking = facts["lacking"]
        named = ", ".join(lacking[:_NAMED])
        more = f" and {len(lacking) - _NAMED:,} more" if len(lacking) > _NAMED else ""
        layout.mark(layout.paragraph(f"Missing from the hierarchy: {named}{more}"), "lacking")
        if isinstance(spec, str) and self.read_levels(spec):
            rows = self.read_levels(spec)
            button = ui.button("Add each as its own label").props("no-caps unelevated")
            layout.mark(button.on_click(lambda: self._add(rows, lacking)), "add-lacking")

    def read_levels(self, file: str) -> list[tuple[str | None, ...]]:
        """Return the rows of an uploaded table of levels, or [] if the file is a tree."""
        held = self.space.held(file, self.owner)
        if held is None or held.suffix not in (".csv", ".tsv", ".txt"):
            return []
        return _parse_rows(held.path.read_text(encoding="utf-8-sig"))

    async def _add(self, rows: list[tuple[str | None, ...]], lacking: list[str]) -> None:
        from incrowd.hierarchies.editing import with_values

        await self.keep_rows([tuple(row) for row in with_values(rows, lacking)])

    async def keep_rows(self, rows: list[tuple[str | None, ...]]) -> None:
        """Store edited rows as a table of levels in the workspace."""
        await self._store(f"{Path(self.column).name or 'column'}-hierarchy.csv", to_csv(rows))

    def _upload(self) -> None:
        async def arrived(event: events.UploadEventArguments) -> None:
            await self._store(event.file.name, await event.file.read())

        layout.upload("Drop a hierarchy here, or click to choose one", "hierarchy-drop", arrived).classes("small")

    async def _store(self, name: str, content: bytes) -> None:
        with newest(self.place) as box:
            stored = await try_in_thread(self.space.add_file, name, BytesIO(content), self.owner, "hierarchy")
            stop_if_gone(box)
        if stored is not None:
            await self.use(stored.id)


def _examples(level: dict[str, Any]) -> list[str]:
    """Return some labels of a level; long ones are truncated."""
    return [label if len(label) <= _LONGEST else f"{label[:_LONGEST]} ..." for label in map(str, level["examples"])]


def _describe_values(facts: dict[str, Any]) -> str:
    values = count(facts["values"], "different value")
    missing = f", {count(facts['missing'], 'missing value')}" if facts["missing"] else ""
    return f"{count(facts['records'], 'record')}, {values}{missing}. {_describe_builder(facts)}"


def _describe_builder(facts: dict[str, Any]) -> str:
    from incrowd.hierarchies import spell

    [(builder, options)] = facts["hierarchy"].items()
    if facts.get("reason") is not None:
        return f"Proposed: {facts['reason']}."
    if builder == "automatic":
        return "There is no level between the values and the top. Upload a file to add some."
    return "Built from a file." if "path" in (options or {}) else f"Builder: {spell({builder: options})}."


def _has_hierarchy(column: Any) -> bool:
    return isinstance(column, Mapping) and column.get("hierarchy") is not None


def _parse_rows(text: str) -> list[tuple[str | None, ...]]:
    """Return the rows of a table of levels; an empty first cell is a missing value."""
    delimiter = next((sign for sign in (";", "\t", ",", "|") if sign in text.partition("\n")[0]), ";")
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    return [(row[0] or None, *row[1:]) for row in rows if row]

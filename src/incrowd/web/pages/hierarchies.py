"""How the values of each column are made coarser: build, look at as a tree, change, bring along, take away."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from incrowd.core.schema import Role
from incrowd.errors import IncrowdError
from incrowd.text import count
from incrowd.web.parts import layout, tables, trees
from incrowd.web.parts.background import ended, later, run_in_thread, submitted, tried, why_not
from incrowd.web.parts.builders import Form
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace

_NAMED = 20
"""So many of the values that a hierarchy lacks are named."""
_LONGEST = 40
"""So many characters of a label are shown as an example."""


def show(space: Workspace, owner: str, file: StoredFile, at: int) -> None:
    """The page, at one of the quasi-identifiers."""
    draft = Draft.of(space, owner, file.id)
    lead = (
        "Each column that outsiders may know has a ladder: the higher its level, the coarser and the safer. "
        "What is proposed is used where you change nothing."
    )
    with layout.page("How are values made coarser?", lead, (file.id, file.name), "hierarchies"):
        if not draft.quasi:
            layout.without_quasi(file.id)
            return
        columns = [*draft.quasi, *draft.having(Role.SENSITIVE)]
        at = at if 0 <= at < len(columns) else 0
        with ui.element("div").classes("side"):
            _choice(draft, columns, at)
            with layout.stack():
                Ladder(space, owner, draft, columns[at]).show()
        layout.hint("A sensitive column needs one for few models only, and has none until you build it.")
        layout.next_step("Next: how much privacy?", file.id, "privacy")


def _choice(draft: Draft, columns: list[str], chosen: int) -> None:
    with ui.element("nav").classes("panel").props('aria-label="Columns"'):
        for at, name in enumerate(columns):
            called = name if at < len(draft.quasi) else f"{name} (sensitive)"
            link = ui.link(called, f"/files/{draft.file}/hierarchies?column={at}").classes("choice")
            if at == chosen:
                link.props("aria-current=true")
            layout.marked(link, f"ladder-{at}")


class Ladder:
    """The hierarchy of one column on its page."""

    def __init__(self, space: Workspace, owner: str, draft: Draft, column: str) -> None:
        self.space, self.owner, self.draft, self.column = space, owner, draft, column
        self.rows: list[tuple[str | None, ...]] = []

    def show(self) -> None:
        """The form, and below it what it makes of the data."""
        with layout.panel(self.column, mark="builder-panel"):
            self.form = Form(self.draft.hierarchies.get(self.column), self._upload)
            self.form.show(self._chosen)
        self.place = ui.element("div").classes("stack").props("aria-live=polite")
        later(self.build)

    async def _chosen(self) -> None:
        try:
            await self.use(self.form.spec())
        except (IncrowdError, ValueError):
            self.place.clear()
            with self.place:
                layout.message("An option cannot be read: write numbers such as 5, 10, 20.", "error")

    async def use(self, spec: Any) -> None:
        """Take another hierarchy and show it; what does not fit is shown and not kept."""
        before = self.draft.hierarchies.get(self.column)
        self.draft.hierarchies[self.column] = spec
        if await self.build():
            self.draft.limits.pop(self.column, None)
            self.draft.minimums.pop(self.column, None)
            self.draft.keep(self.space, self.owner)
        elif before is None:
            del self.draft.hierarchies[self.column]
        else:
            self.draft.hierarchies[self.column] = before

    async def build(self) -> bool:
        """Build it along the data."""
        self.place.clear()
        request = {
            **self.draft.reading,
            "column": self.column,
            "spec": self.draft.hierarchies.get(self.column),
            "show_values": True,
        }
        with self.place:
            waiting = layout.message("Building ...")
            try:
                made = await submitted(self.space, "hierarchy", request, self.owner)
                over = await ended(self.space, made.id)
            except IncrowdError as error:
                layout.message(str(error), "error")
                return False
            finally:
                waiting.delete()
            if over.state != "done" or over.result is None:
                layout.message(why_not(over), "error")
                return False
            if over.result["hierarchy"] is None:
                self._lacks(over.result)
                return False
            text = await run_in_thread(self.space.artefact(over.id, "hierarchy.csv").read_text, "utf-8")
            self.rows = _read(text)
            await run_in_thread(self.space.delete_run, over.id)
            self._facts(over.result, text)
        return True

    def _facts(self, facts: dict[str, Any], text: str) -> None:
        with layout.panel("Levels", _built(facts), mark="levels"):
            headers = ["level", "labels", "values per label, at most", "loss", "smallest group", "for example"]
            rows = [
                [each["level"], each["labels"], each["covers"], each["loss"], each["smallest_class"], _examples(each)]
                for each in facts["levels"]
            ]
            layout.marked(tables.show(headers, rows), "levels-table")
            with layout.line():
                export = layout.quiet_button("Download as a table of levels (CSV)")
                layout.marked(export.on_click(lambda: ui.download(text.encode(), "hierarchy.csv")), "export")
        with layout.panel("Tree", "Choose a label to rename it, or to move it below another one.", mark="tree"):
            trees.show(self.rows, self.keep_rows)

    def _lacks(self, facts: dict[str, Any]) -> None:
        """What does not fit, counted and named: this is the owner's own screen."""
        layout.message(facts["fault"], "error")
        lacking = facts["lacking"]
        named = ", ".join(lacking[:_NAMED])
        more = f" and {count(len(lacking) - _NAMED, 'other')}" if len(lacking) > _NAMED else ""
        layout.marked(layout.paragraph(f"The values are: {named}{more}"), "lacking")
        spec = self.draft.hierarchies.get(self.column)
        if isinstance(spec, str) and self.rows_of(spec):
            rows = self.rows_of(spec)
            button = ui.button("Add them, each as a group of its own").props("no-caps unelevated")
            layout.marked(button.on_click(lambda: self._add(rows, lacking)), "add-lacking")

    def rows_of(self, file: str) -> list[tuple[str | None, ...]]:
        """The rows of a table of levels that was brought along; none where it is a tree."""
        held = self.space.held(file, self.owner)
        if held is None or held.suffix not in (".csv", ".tsv", ".txt"):
            return []
        return _read(held.path.read_text(encoding="utf-8-sig"))

    async def _add(self, rows: list[tuple[str | None, ...]], lacking: list[str]) -> None:
        from incrowd.hierarchies.editing import with_values

        await self.keep_rows([tuple(row) for row in with_values(rows, lacking)])

    async def keep_rows(self, rows: list[tuple[str | None, ...]]) -> None:
        """Rows that were changed by hand become a table of levels in the workspace."""
        out = StringIO(newline="")
        csv.writer(out, delimiter=";", lineterminator="\n").writerows([cell or "" for cell in row] for row in rows)
        await self._stored(f"{Path(self.column).name or 'column'}-hierarchy.csv", out.getvalue().encode())

    def _upload(self) -> None:
        async def arrived(event: events.UploadEventArguments) -> None:
            await self._stored(event.file.name, await event.file.read())

        drop = ui.upload(label="Drop a hierarchy here, or press +", auto_upload=True, on_upload=arrived).classes(
            "small"
        )
        layout.marked(drop, "hierarchy-drop")

    async def _stored(self, name: str, content: bytes) -> None:
        with self.place:
            stored = await tried(self.space.add_file, name, BytesIO(content), self.owner, "hierarchy")
        if stored is not None:
            await self.use(stored.id)


def _examples(level: dict[str, Any]) -> list[str]:
    """Some labels of a level; long ones are cut."""
    return [label if len(label) <= _LONGEST else f"{label[:_LONGEST]} ..." for label in map(str, level["examples"])]


def _built(facts: dict[str, Any]) -> str:
    values = count(facts["values"], "different value")
    missing = f"; {count(facts['missing'], 'cell')} missing" if facts["missing"] else ""
    return f"{count(facts['records'], 'record')} with {values}{missing}. {_by(facts['hierarchy'])}"


def _by(spec: Any) -> str:
    from incrowd.hierarchies import spell

    [(builder, options)] = spec.items()
    if builder == "automatic":
        return "Nothing lies between the values and the top; bring a file to have groups between them."
    return "Built by a file." if "path" in (options or {}) else f"Built by {spell(spec)}."


def _read(text: str) -> list[tuple[str | None, ...]]:
    """The rows of a table of levels; an empty first cell is missing."""
    delimiter = next((sign for sign in (";", "\t", ",", "|") if sign in text.partition("\n")[0]), ";")
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    return [(row[0] or None, *row[1:]) for row in rows if row]

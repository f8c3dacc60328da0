"""Releases of any make beside the original: what they are worth, and how well they protect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.registry import members
from incrowd.web.pages import releases
from incrowd.web.parts import choices, imports, layout, tables
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.result.risk import worth

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    lead = "Holds releases of this table against it, whichever tool made them: what is lost, and what protects."
    with (
        layout.page("What are releases worth?", lead, (file.id, file.name), "measure"),
        layout.panel("Which releases", mark="measure-form"),
    ):
        Measured(space, owner, Draft.of(space, owner, file.id)).form()


class Measured:
    """Which releases are measured, by which columns."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.standing = LatestRun(space, owner, draft.file, "measure", self._shown)

    def form(self) -> None:
        """Releases that are kept, those brought along, and what each column is for."""
        before = self.standing.request
        imports.drop(
            self.space, self.owner, "Drop a release that another tool made, as a table", "measure-drop", self._arrived
        )
        known = self._releases()
        chosen = [each for each in before.get("releases", ()) if each in known]
        self.releases = ui.select(known, value=chosen, multiple=True, label="Releases").classes("full")
        layout.marked(self.releases.props("use-chips options-dense"), "measure-releases")
        given = before.get("columns", {})
        quasi = [name for name, of in given.items() if of.get("role") == Role.QUASI]
        sensitive = [name for name, of in given.items() if of.get("role") == Role.SENSITIVE]
        with layout.line():
            self.quasi = choices.columns(
                self.space, self.owner, self.draft, "Columns that outsiders know", quasi, "measure-quasi"
            )
            self.sensitive = ui.select(
                list(self.draft.roles),
                value=sensitive or self.draft.having(Role.SENSITIVE),
                multiple=True,
                label="Columns that nobody may learn",
            ).classes("wide")
            layout.marked(self.sensitive.props("use-chips options-dense"), "measure-sensitive")
        layout.hint(
            "Cells may hold values, ranges such as 20-29, sets, masks such as 12** or labels of the hierarchies."
        )
        with ui.expansion("Further yardsticks"):
            with layout.line():
                columns = list(self.draft.roles)
                label = before.get("label") if before.get("label") in columns else None
                self.label = ui.select(columns, value=label, label="Column to predict", clearable=True).classes(
                    "middle"
                )
                layout.marked(self.label, "measure-label")
                self.queries = choices.table(
                    self.space, self.owner, self.draft.file, "Table of queries to answer", before.get("queries")
                )
                layout.marked(self.queries, "measure-queries")
                self.seed = ui.number("Seed of chance", value=before.get("seed"), min=0, precision=0, placeholder="0")
                layout.marked(self.seed.classes("narrow"), "measure-seed")
            names = {name: name.replace("_", " ") for name in members("release_metrics", "RELEASE_METRIC")}
            before_only = [name for name in before.get("yardsticks", ()) if name in names]
            self.only = ui.select(names, value=before_only, multiple=True, label="These yardsticks alone (all if none)")
            layout.marked(self.only.classes("wide").props("use-chips options-dense"), "measure-only")
            layout.hint(
                "A classifier is trained on each release to predict the column. A table of queries has a row for each; "
                "an empty cell asks nothing."
            )
        with layout.line():
            layout.marked(ui.button("Measure", on_click=self.ask).props("no-caps unelevated"), "measure-go")
        self.standing.here("measured")

    def _releases(self) -> dict[str, str]:
        return {
            **releases.ready(self.space, self.owner, self.draft.file),
            **choices.tables_of(self.space, self.owner, self.draft.file),
        }

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        if purpose == "data":
            self.releases.set_options(self._releases(), value=[*self.releases.value, file.id])

    async def ask(self) -> None:
        """Measure them."""
        if not self.releases.value:
            self.standing.say("Drop or choose a release first.")
            return
        reading = self.draft.reading
        original = reading.pop("file")
        await self.standing.ask(
            choices.given(
                original=original,
                **reading,
                releases=self.releases.value,
                columns={
                    **{name: self._column(name, Role.QUASI) for name in self.quasi.value},
                    **{name: self._column(name, Role.SENSITIVE) for name in self.sensitive.value},
                },
                label=self.label.value,
                queries=self.queries.value,
                yardsticks=self.only.value,
                seed=self.seed.value and int(self.seed.value),
            )
        )

    def _column(self, name: str, role: Role) -> dict[str, Any]:
        """What is known of it from the other pages."""
        said = {"hierarchy": self.draft.hierarchies.get(name), **self.draft.details.get(name, {})}
        known = {key: said[key] for key in ("hierarchy", "scale", "domain") if said.get(key) is not None}
        return {"role": str(role), **known}

    def _shown(self, over: Run) -> None:
        known = self._releases()
        names = [known.get(each, "a release that was deleted") for each in over.request["releases"]]
        found = over.result or {}
        layout.marked(tables.show(["", *names, "better", "which is"], worth(found)), "measured-table")
        with ui.expansion("The same in words"):
            layout.text(found["text"], "pre")

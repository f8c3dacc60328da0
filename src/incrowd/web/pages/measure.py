"""The page that compares releases of any tool with the original by utility and privacy metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.families import RELEASE_METRICS
from incrowd.web.pages import releases
from incrowd.web.parts import choices, imports, layout, tables
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun
from incrowd.web.result.utility import metric_rows

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace


TOOL = (4, "Measure releases")


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    lead = "Compare releases of this table, made by any tool, with the original by utility and privacy metrics."
    with (
        layout.page(
            "Measure releases", lead, (file.id, file.name), "measure", ("Utility", "Metric", "Information loss")
        ),
        layout.panel("Releases and columns", mark="measure-form"),
    ):
        MeasureForm(space, owner, Draft.load(space, owner, file.id)).form()


class MeasureForm:
    """Releases to measure, columns and metrics."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.latest = LatestRun(space, owner, draft.file, "measure", self._shown)

    def form(self) -> None:
        """Show the releases, a drop zone, and the role of each column."""
        before = self.latest.request
        imports.drop_zone(
            self.space,
            self.owner,
            "Drop a release made by another tool, or click to choose one",
            "measure-drop",
            self._arrived,
        )
        known = self._releases()
        chosen = [each for each in before.get("releases", ()) if each in known]
        self.releases = ui.select(known, value=chosen, multiple=True, label="Releases").classes("full")
        layout.mark(self.releases.props("use-chips options-dense"), "measure-releases")
        given = before.get("columns", {})
        quasi = [name for name, of in given.items() if of.get("role") == Role.QUASI]
        sensitive = [name for name, of in given.items() if of.get("role") == Role.SENSITIVE]
        with layout.line():
            self.quasi = choices.columns(
                self.space, self.owner, self.draft, "Quasi-identifiers", quasi, "measure-quasi"
            )
            self.sensitive = ui.select(
                list(self.draft.roles),
                value=sensitive or self.draft.columns_in_role(Role.SENSITIVE),
                multiple=True,
                label="Sensitive columns",
            ).classes("wide")
            layout.mark(self.sensitive.props("use-chips options-dense"), "measure-sensitive")
        layout.hint(
            "Cells may contain values, ranges such as 20-29, sets, masks such as 12**, or labels of the hierarchies."
        )
        with layout.mark(ui.expansion("More metrics"), "measure-further"):
            with layout.line():
                columns = list(self.draft.roles)
                label = before.get("label") if before.get("label") in columns else None
                self.label = ui.select(columns, value=label, label="Column to predict", clearable=True).classes(
                    "middle"
                )
                layout.mark(self.label, "measure-label")
                self.queries = choices.table(
                    self.space, self.owner, self.draft.file, "Table of queries", before.get("queries")
                )
                layout.mark(self.queries, "measure-queries")
                self.seed = ui.number("Random seed", value=before.get("seed"), min=0, precision=0, placeholder="0")
                layout.mark(self.seed.classes("narrow"), "measure-seed")
            names = {name: name.replace("_", " ") for name in RELEASE_METRICS.modules()}
            before_only = [name for name in before.get("metrics", ()) if name in names]
            self.only = ui.select(names, value=before_only, multiple=True, label="Metrics (default: all)")
            layout.mark(self.only.classes("wide").props("use-chips options-dense"), "measure-only")
            layout.hint(
                "A classifier is trained on each release to predict the column. A table of queries has one row per "
                "query; an empty cell sets no condition."
            )
        with layout.line():
            layout.mark(ui.button("Measure", on_click=self.ask).props("no-caps unelevated"), "measure-go")
        self.latest.place_result("measured", self.request)

    def _releases(self) -> dict[str, str]:
        return {
            **releases.ready_releases(self.space, self.owner, self.draft.file),
            **choices.tables_of(self.space, self.owner, self.draft.file),
        }

    def _arrived(self, file: StoredFile, purpose: str) -> None:
        if purpose == "data":
            self.releases.set_options(self._releases(), value=[*self.releases.value, file.id])

    async def ask(self) -> None:
        """Start the run."""
        if not self.releases.value:
            self.latest.refuse("Drop or choose a release first.")
            return
        await self.latest.start(self.request())

    def request(self) -> dict[str, Any]:
        """Return what the fields ask."""
        reading = self.draft.reading
        original = reading.pop("file")
        return choices.drop_empty(
            original=original,
            **reading,
            releases=self.releases.value,
            columns={
                **{name: self._column(name, Role.QUASI) for name in self.quasi.value},
                **{name: self._column(name, Role.SENSITIVE) for name in self.sensitive.value},
            },
            label=self.label.value,
            queries=self.queries.value,
            metrics=self.only.value,
            seed=self.seed.value and int(self.seed.value),
        )

    def _column(self, name: str, role: Role) -> dict[str, Any]:
        """Return the column as a request has it, with its settings from the other pages."""
        settings = {"hierarchy": self.draft.hierarchies.get(name), **self.draft.details.get(name, {})}
        known = {key: settings[key] for key in ("hierarchy", "scale", "domain") if settings.get(key) is not None}
        return {"role": str(role), **known}

    def _shown(self, over: Run) -> None:
        known = self._releases()
        names = [known.get(each, "deleted release") for each in over.request["releases"]]
        found = over.result or {}
        layout.mark(tables.show(["metric", *names, "better", "meaning"], metric_rows(found)), "measured-table")
        with ui.expansion("Text version"):
            layout.text(found["text"], "pre")

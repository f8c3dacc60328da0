"""The page that publishes tables of counts, sums, means or percentages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.families import PROTECTIONS, RULES
from incrowd.formats import outputs
from incrowd.text import attributes, count
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun, show_downloads
from incrowd.web.parts.member_choice import MemberChoice

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

TOOL = (5, "Tables of counts")

_HELPS = ("Primary suppression", "Secondary suppression", "Interval", "Random seed")
CONTRIBUTORS = {1: "single contributors, who know their own record", 2: "any two contributors who cooperate"}
MEASURES = {"count": "counts", "sum": "sums", "mean": "means", "percent": "percentages"}
AMOUNTS = ("sum", "mean")
"""Measures that need a column with amounts."""
_WIDEST = 12
"""Largest number of columns of a pivoted table."""


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    lead = (
        "Publish a table of counts, sums, means or percentages whose sensitive cells are protected, also against "
        "derivation from totals."
    )
    with (
        layout.page("Tables of counts and sums", lead, (file.id, file.name), "table", _HELPS),
        layout.panel("Table", mark="table-form"),
    ):
        TableForm(space, owner, Draft.load(space, owner, file.id)).form()


class TableForm:
    """Settings of a table and its result."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.latest = LatestRun(space, owner, draft.file, "table", _show_result)

    def form(self) -> None:
        """Show columns, measure, rule and protection."""
        before = self.latest.request
        first = before.get("by") or _columns_with_fewest_values(self.draft)
        self.by = choices.columns(self.space, self.owner, self.draft, "Columns of the table", first, "table-by")
        with layout.line():
            kind, _, column = before.get("measure", "count").partition(":")
            layout.text("Cell values", "span", "label")
            self.measure = choices.toggle(MEASURES, kind, "Cell values", "measure")
            known = list(self.draft.roles)
            self.summed = ui.select(known, value=column if column in known else None, label="Column with amounts")
            layout.mark(self.summed.classes("middle"), "summed")
            self.summed.bind_visibility_from(self.measure, "value", lambda kind: kind in AMOUNTS)
            self.over = ui.select(known, value=column if column in known else None, label="Percentages add up over")
            layout.mark(self.over.classes("middle").props("clearable hint='default: all columns'"), "over")
            self.over.bind_visibility_from(self.measure, "value", lambda kind: kind == "percent")
        self._subtotals(before.get("hierarchies", {}))
        layout.heading("Sensitive cells", 3)
        self.rule = MemberChoice(RULES, (before.get("rules") or ["threshold"])[0])
        self.rule.show("Rule", "rule")
        self.measure.on_value_change(
            lambda event: self.rule.choose("p_percent" if event.value in AMOUNTS else "threshold")
        )
        layout.hint("Sums and means must also meet the threshold rule.")
        layout.heading("Protection", 3)
        self.protection = MemberChoice(PROTECTIONS, before.get("protect", "suppression"))
        self.protection.show("Protection", "protection")
        self.contributors = ui.select(
            CONTRIBUTORS, value=before.get("contributors", 1), label="Attackers among contributors"
        ).classes("wide")
        layout.mark(self.contributors, "table-contributors")
        if self.draft.person:
            who = attributes(self.draft.person)
            layout.mark(
                layout.hint(f"Contributors are people, identified by {who}: each with all their records."),
                "table-person",
            )
        with layout.line():
            self.output = ui.select(_formats(), value=before.get("output", "csv"), label="File format").classes(
                "middle"
            )
            layout.mark(self.output, "table-output")
            self.seed = ui.number("Random seed", value=before.get("seed"), min=0, precision=0, placeholder="random")
            layout.mark(self.seed.classes("narrow").props("stack-label"), "table-seed")
            self.time = choices.time_limit(before.get("time"))
        layout.hint("Keep the random seed secret: it can reverse the rounding.")
        with layout.line():
            layout.mark(ui.button("Create the table", on_click=self.ask).props("no-caps unelevated"), "tabulate")
        self.latest.place_result("table-found", self.request)

    def _subtotals(self, before: dict[str, Any]) -> None:
        """Show a choice of the columns with a hierarchy, which can have subtotals."""
        known = list(self.draft.hierarchies)
        self.subtotals = ui.select(
            known,
            value=[name for name in before if name in known],
            multiple=True,
            label="Columns with subtotals (by hierarchy)",
        ).classes("wide")
        layout.mark(self.subtotals.props("use-chips options-dense"), "subtotals")
        self.subtotals.set_visibility(bool(known))

    async def ask(self) -> None:
        """Start the run."""
        if not self.by.value:
            self.latest.refuse("Choose at least one column of the table.")
            return
        if self.measure.value in AMOUNTS and not self.summed.value:
            self.latest.refuse("Choose the column with amounts.")
            return
        await self.latest.start(self.request())

    def request(self) -> dict[str, Any]:
        """Return what the fields ask."""
        rules = [self.rule.spec()]
        if self.measure.value in AMOUNTS and self.rule.name != "threshold":
            rules.append("threshold")
        return choices.drop_empty(
            **self.draft.reading_columns,
            by=self.by.value,
            measure=self._measure(),
            rules=rules,
            protect=self.protection.spec(),
            hierarchies={name: self.draft.hierarchies[name] for name in self.subtotals.value if name in self.by.value},
            contributors=self.contributors.value,
            person=self.draft.person,
            seed=None if self.seed.value is None else int(self.seed.value),
            time=self.time.value,
            output=self.output.value,
            details=True,
        )

    def _measure(self) -> str:
        kind = str(self.measure.value)
        column = self.summed.value if kind in AMOUNTS else self.over.value if kind == "percent" else None
        return f"{kind}:{column}" if column else kind


def _formats() -> dict[str, str]:
    """Return the formats of a table, by their endings."""
    return {ending.removeprefix("."): label for ending, label in outputs().items()} | {"json": "JSON with notes"}


def _columns_with_fewest_values(draft: Draft) -> list[str]:
    """Return the two quasi-identifiers with the fewest values, because their table is easy to read."""
    columns = (draft.inspection or {}).get("columns", ())
    values = {each["name"]: each["distinct"] for each in columns if each["distinct"] > 1}
    return sorted(sorted(draft.quasi, key=lambda name: values.get(name, float("inf")))[:2], key=draft.quasi.index)


def _show_result(over: Run) -> None:
    facts = over.result or {}
    layout.heading("Table to publish", 2)
    headers, rows = _pivot(facts)
    layout.mark(
        tables.show(headers, rows, labels=max(1, len(facts["by"]) - (facts["columns"] != headers))), "table-cells"
    )
    for note in facts["notes"]:
        layout.hint(note)
    layout.mark(layout.message(facts["audit"], "good"), "audit")
    show_downloads(over)
    with layout.mark(ui.expansion("Private details"), "table-private"):
        _show_private(facts["by"], facts["private"])


def _pivot(facts: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Return headers and rows with the last column across if it has few labels; x is a suppressed cell."""
    cells = facts["cells"]
    across = list(dict.fromkeys(row[-2] for row in cells))
    if len(facts["by"]) == 1 or len(across) > _WIDEST:
        return facts["columns"], [[*row[:-1], _format_number(row[-1])] for row in cells]
    rows = [
        [*cells[at][:-2], *(_format_number(row[-1]) for row in cells[at : at + len(across)])]
        for at in range(0, len(cells), len(across))
    ]
    return [*facts["by"][:-1], *across], rows


def _format_number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _show_private(by: list[str], private: dict[str, Any]) -> None:
    layout.message("Keep secret: this reveals the protected cells.", "warning")
    facts = {
        "rules": "; ".join(private["rules"]),
        "protection": private["protection"],
        "seed": private["seed"],
        "sensitive cells": private["sensitive"],
        "primary suppressions": private.get("primary"),
        "secondary suppressions": private.get("secondary"),
        "records that swapped a value": private.get("swapped_records"),
    }
    tables.show(["property", "value"], [[name, str(value)] for name, value in facts.items() if value is not None])
    if "optimal" in private:
        layout.hint(
            "Optimal: no cheaper protection is safe."
            if private["optimal"]
            else "Found by a heuristic: a cheaper protection may exist."
        )
    ranges = private["ranges"] or []
    if ranges:
        layout.heading("Attacker's intervals", 3)
        layout.hint(f"{count(len(ranges), 'cell')}: true value, and the bounds that an attacker can derive.")
        rows = [[*each["cell"], each["value"], each["low"], each["high"], each["sensitive"]] for each in ranges]
        layout.mark(tables.show([*by, "true value", "lower bound", "upper bound", "sensitive"], rows), "table-ranges")

"""Tables of counts, sums, means and shares: which cells disclose something, and the table to hand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun, downloads
from incrowd.web.parts.member_choice import Member

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

RULES = {
    "threshold": "a cell with fewer than n records",
    "p_percent": "a sum from which one contributor can tell another's amount to within p percent",
    "dominance": "a sum of which the n largest amounts are more than k percent",
    "pq": "as p_percent, where everybody knows the amounts to within q percent already",
}
PROTECTIONS = {
    "suppression": "sensitive cells are left out, and others with them so that none can be computed",
    "controlled_rounding": "every number is rounded, and all parts still add up",
    "random_rounding": "every number is rounded by chance; parts may not add up",
    "confidentiality_edit": "some records swap a value before the table is made",
    "sampling": "the table is made of some records, drawn by chance",
}
FORMATS = {"csv": "CSV", "json": "JSON, with its notes", "xlsx": "Excel", "parquet": "Parquet", "tsv": "TSV"}
CONTRIBUTORS = {1: "each one, who knows their own record", 2: "any two, who combine what they know"}
OPTIONS = {
    "threshold": {
        "n": "n: fewer records than",
        "room": "room: records more or less, for outsiders",
        "percent": "the same of a sum, in percent",
        "zeros": "empty cells: safe or sensitive",
    },
    "p_percent": {"p": "p, in percent"},
    "dominance": {"n": "n: so many largest", "k": "k: more than so many percent"},
    "pq": {"p": "p, in percent", "q": "q, in percent"},
    "suppression": {
        "search": "search: auto, exact or heuristic",
        "zeros": "empty cells: keep or hide",
        "cost": "kept low: cells or values",
        "seconds": "seconds for the exact search",
    },
    "controlled_rounding": {"base": "to multiples of"},
    "random_rounding": {"base": "to multiples of"},
    "confidentiality_edit": {
        "share": "share of records that swap",
        "column": "column that is swapped",
        "totals": "totals: protected or public",
    },
    "sampling": {"share": "share of records"},
}
"""What the options of rules and protections mean; an empty field is as usual."""
MEASURES = {"count": "count records", "sum": "sum a column", "mean": "mean of a column", "percent": "shares in percent"}
AMOUNTS = ("sum", "mean")
"""Measures of a column with amounts."""
_WIDEST = 12
"""Tables with more labels in their last column are listed, a row a cell."""


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    lead = (
        "Publish a table of numbers instead of records: nobody's cell in it can be computed, also not from its margins."
    )
    with (
        layout.page("Counts and sums", lead, (file.id, file.name), "table"),
        layout.panel("What is tabulated", mark="table-form"),
    ):
        Tabulate(space, owner, Draft.of(space, owner, file.id)).form()


class Tabulate:
    """What table is wanted, and what came of it."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.standing = LatestRun(space, owner, draft.file, "table", _shown)

    def form(self) -> None:
        """Columns, measure, rule, protection."""
        before = self.standing.request
        first = before.get("by") or _smallest(self.draft)
        self.by = choices.columns(self.space, self.owner, self.draft, "Columns of the table", first, "table-by")
        with layout.line():
            kind, _, column = before.get("measure", "count").partition(":")
            self.measure = choices.toggle(MEASURES, kind, "Cells hold", "measure")
            known = list(self.draft.roles)
            self.summed = ui.select(known, value=column if column in known else None, label="Column with amounts")
            layout.marked(self.summed.classes("middle"), "summed")
            self.summed.bind_visibility_from(self.measure, "value", lambda kind: kind in AMOUNTS)
            self.over = ui.select(known, value=column if column in known else None, label="Shares add up over")
            layout.marked(self.over.classes("middle").props("clearable hint='all columns when empty'"), "over")
            self.over.bind_visibility_from(self.measure, "value", lambda kind: kind == "percent")
        self._subtotals(before.get("hierarchies", {}))
        layout.heading("Which cells are sensitive", 3)
        self.rule = Member("tables.rules", "RULE", RULES, OPTIONS, (before.get("rules") or ["threshold"])[0])
        self.rule.show("Rule", "rule")
        self.measure.on_value_change(
            lambda event: self.rule.choose("p_percent" if event.value in AMOUNTS else "threshold")
        )
        layout.hint("A sum or mean is always held to the threshold too.")
        layout.heading("What becomes of them", 3)
        self.protection = Member(
            "tables.protections", "PROTECTION", PROTECTIONS, OPTIONS, before.get("protect", "suppression")
        )
        self.protection.show("Protection", "protection")
        self.contributors = ui.select(
            CONTRIBUTORS, value=before.get("contributors", 1), label="Contributors as attackers"
        ).classes("wide")
        layout.marked(self.contributors, "table-contributors")
        with layout.line():
            self.output = ui.select(FORMATS, value=before.get("output", "csv"), label="File format").classes("middle")
            layout.marked(self.output, "table-output")
            self.seed = ui.number("Seed of chance", value=before.get("seed"), min=0, precision=0, placeholder="drawn")
            layout.marked(self.seed.classes("narrow").props("stack-label"), "table-seed")
            self.time = choices.seconds(before.get("time"))
        layout.hint("The seed is what chance starts from. Who knows it can undo a rounding: keep it to yourself.")
        with layout.line():
            layout.marked(ui.button("Make the table", on_click=self.ask).props("no-caps unelevated"), "tabulate")
        self.standing.here("table-found")

    def _subtotals(self, before: dict[str, Any]) -> None:
        """Columns with a hierarchy can have subtotals."""
        known = list(self.draft.hierarchies)
        self.subtotals = ui.select(
            known,
            value=[name for name in before if name in known],
            multiple=True,
            label="Subtotals along the hierarchy of",
        ).classes("wide")
        layout.marked(self.subtotals.props("use-chips options-dense"), "subtotals")
        self.subtotals.set_visibility(bool(known))

    async def ask(self) -> None:
        """Make it."""
        if not self.by.value:
            self.standing.say("Choose at least one column of the table.")
            return
        if self.measure.value in AMOUNTS and not self.summed.value:
            self.standing.say("Choose the column with amounts.")
            return
        rules = [self.rule.given()]
        if self.measure.value in AMOUNTS and self.rule.name != "threshold":
            rules.append("threshold")
        await self.standing.ask(
            choices.given(
                **self.draft.reading,
                by=self.by.value,
                measure=self._measure(),
                rules=rules,
                protect=self.protection.given(),
                hierarchies={
                    name: self.draft.hierarchies[name] for name in self.subtotals.value if name in self.by.value
                },
                contributors=self.contributors.value,
                seed=None if self.seed.value is None else int(self.seed.value),
                time=self.time.value,
                output=self.output.value,
                details=True,
            )
        )

    def _measure(self) -> str:
        kind = str(self.measure.value)
        column = self.summed.value if kind in AMOUNTS else self.over.value if kind == "percent" else None
        return f"{kind}:{column}" if column else kind


def _smallest(draft: Draft) -> list[str]:
    """The two columns with the fewest values: a table of them can be read."""
    columns = (draft.inspection or {}).get("columns", ())
    values = {each["name"]: each["distinct"] for each in columns if each["distinct"] > 1}
    return sorted(sorted(draft.quasi, key=lambda name: values.get(name, float("inf")))[:2], key=draft.quasi.index)


def _shown(over: Run) -> None:
    facts = over.result or {}
    layout.heading("The table to hand out", 2)
    headers, rows = _across(facts)
    layout.marked(
        tables.show(headers, rows, labels=max(1, len(facts["by"]) - (facts["columns"] != headers))), "table-cells"
    )
    for note in facts["notes"]:
        layout.hint(note)
    layout.marked(layout.message(facts["audit"], "good"), "audit")
    downloads(over)
    with layout.marked(ui.expansion("Private: what only you may know"), "table-private"):
        _private(facts["by"], facts["private"])


def _across(facts: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """The labels of the last column stand across where they are few; x is a cell that is left out."""
    cells = facts["cells"]
    across = list(dict.fromkeys(row[-2] for row in cells))
    if len(facts["by"]) == 1 or len(across) > _WIDEST:
        return facts["columns"], [[*row[:-1], _number(row[-1])] for row in cells]
    rows = [
        [*cells[at][:-2], *(_number(row[-1]) for row in cells[at : at + len(across)])]
        for at in range(0, len(cells), len(across))
    ]
    return [*facts["by"][:-1], *across], rows


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _private(by: list[str], private: dict[str, Any]) -> None:
    layout.message("Do not hand this out: it tells what the table hides.", "warning")
    facts = {
        "rules": "; ".join(private["rules"]),
        "protection": private["protection"],
        "seed": private["seed"],
        "sensitive cells": private["sensitive"],
        "left out because they are sensitive": private.get("primary"),
        "left out with them": private.get("secondary"),
        "records that swapped a value": private.get("swapped_records"),
    }
    tables.show(["", ""], [[name, str(value)] for name, value in facts.items() if value is not None])
    if "optimal" in private:
        layout.hint(
            "Nothing cheaper is safe." if private["optimal"] else "Found by a heuristic: there may be a cheaper one."
        )
    ranges = private["ranges"] or []
    if ranges:
        layout.heading("What an attacker can tell", 3)
        layout.hint(
            f"{count(len(ranges), 'cell')} with its value, and the least and most that it can hold for outsiders."
        )
        rows = [[*each["cell"], each["value"], each["low"], each["high"], each["sensitive"]] for each in ranges]
        layout.marked(tables.show([*by, "value", "at least", "at most", "sensitive"], rows), "table-ranges")

"""The risk of a table as it is: what three kinds of attackers find, and which columns and records give most away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.text import count, number, percent
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.latest_run import LatestRun

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

_KINDS = {"none": "not known", "size": "how many people it has", "file": "a table of it"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    lead = "How easily is somebody found in this table as it is, by who knows some columns about them?"
    with (
        layout.page("What would an attacker find?", lead, (file.id, file.name), "risk"),
        layout.panel("Who looks, and where", mark="risk-form"),
    ):
        Assess(space, owner, Draft.of(space, owner, file.id)).form()


class Assess:
    """What is asked about the risk, and what was found."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.standing = LatestRun(space, owner, draft.file, "risk", _shown)

    def form(self) -> None:
        """Columns, population, threshold."""
        before = self.standing.request
        self.columns = choices.columns(
            self.space, self.owner, self.draft, "Columns that an attacker knows", before.get("quasi"), "risk-columns"
        )
        people = before.get("population")
        with layout.line():
            layout.text("The population that the table was drawn from", "span", "label")
            kind = "none" if people is None else "size" if isinstance(people, int) else "file"
            self.kind = choices.toggle(_KINDS, kind, "Population", "population-kind")
            size = people if kind == "size" else None
            self.size = ui.number("people", value=size, min=1, step=1, precision=0).classes("narrow")
            layout.marked(self.size, "population-size").bind_visibility_from(
                self.kind, "value", lambda at: at == "size"
            )
            self.register = choices.table(self.space, self.owner, self.draft.file, "Table of the population", people)
            layout.marked(self.register, "population-file")
            self.register.bind_visibility_from(self.kind, "value", lambda at: at == "file")
        layout.hint(
            "With it the risk is also told for who does not know whether a person is in the table. Of its size alone, "
            "an estimate follows."
        )
        with layout.line():
            accepted = float(before.get("threshold", 0.2)) * 100
            self.threshold = ui.number("Risk still accepted, in percent", value=accepted, min=0.01, max=100)
            layout.marked(self.threshold.classes("middle"), "threshold")
            self.most = ui.number(
                "Sets of columns up to",
                value=before.get("max_size"),
                min=1,
                precision=0,
                placeholder="all that is quick",
            )
            layout.marked(self.most.classes("middle").props("stack-label"), "max-size")
            self.time = choices.seconds(before.get("time"))
        layout.hint("One in five (20 %) is common: it asks for five people who look the same.")
        with layout.line():
            layout.marked(ui.button("Assess the risk", on_click=self.ask).props("no-caps unelevated"), "assess")
        self.standing.here("risk-found")

    async def ask(self) -> None:
        """Ask for everything that can be told."""
        if not self.columns.value:
            self.standing.say("Choose at least one column that an attacker knows.")
            return
        population = {"size": self.size.value and int(self.size.value), "file": self.register.value}.get(
            self.kind.value
        )
        if self.kind.value != "none" and not population:
            self.standing.say("Say how large the population is, or choose its table.")
            return
        await self.standing.ask(
            choices.given(
                **self.draft.reading,
                quasi=self.columns.value,
                sensitive=[name for name in self.draft.having(Role.SENSITIVE) if name not in self.columns.value],
                threshold=round((self.threshold.value or 20) / 100, 6),
                population=population,
                max_size=self.most.value and int(self.most.value),
                time=self.time.value,
                rows=True,
            )
        )


def _shown(over: Run) -> None:
    facts = over.result or {}
    if not facts["records"]:
        layout.message("The table has no records, so there is nobody to find.")
        return
    layout.marked(layout.paragraph(_sentence(facts), "found"), "risk-sentence")
    above = f"records above {percent(facts['threshold'])}"
    headers = ["the attacker", "highest risk", "average risk", above]
    layout.marked(tables.show(headers, _attackers(facts)), "attackers")
    if facts["estimated"]:
        layout.hint("What is said of the population is an estimate: it takes the table for a random sample.")
    _special(facts)
    _models(facts["models"])
    with ui.expansion("The same in words"):
        layout.marked(layout.text(facts["text"], "pre"), "risk-text")


def _sentence(facts: dict[str, Any]) -> str:
    alone, records = facts["uniques"]["sample"], facts["records"]
    return (
        f"{number(alone)} of {count(records, 'record')} ({percent(alone / records)}) can be told from all others by "
        "these columns."
    )


def _attackers(facts: dict[str, Any]) -> list[list[Any]]:
    """One row an attacker: who they are, and what they find."""

    def found(attack: dict[str, Any]) -> list[Any]:
        return [percent(attack["highest"]), percent(attack["average"]), number(attack["at_risk"])]

    rows = [["Prosecutor: knows that the person is in the table", *found(facts["prosecutor"])]]
    if facts["journalist"] is not None:
        rows.append(["Journalist: does not know that, and looks among all people", *found(facts["journalist"])])
    marketer = facts["marketer"]
    rows.append(
        ["Marketer: matches everybody with a list of the same people", "", percent(marketer["same_people"]), ""]
    )
    if marketer["population"] is not None:
        rows.append(["Marketer: matches everybody with the population", "", percent(marketer["population"]), ""])
    return rows


def _models(strengths: list[dict[str, Any]]) -> None:
    """How far each privacy model holds for the sensitive columns."""
    if not strengths:
        return
    layout.heading("How far each privacy model holds", 3)
    layout.hint("For every group of records that look alike, in the table as it is.")
    rows = [[each["model"], each["column"] or "", each["words"]] for each in strengths]
    layout.marked(tables.show(["model", "column", "holds with"], rows), "strengths")


def _special(facts: dict[str, Any]) -> None:
    """Who is singled out by few columns already, by column and by record."""
    special = facts["special_uniques"]
    if special is None:
        return
    layout.heading("Records that few columns single out", 3)
    if not special["records"]:
        layout.hint(f"No record is unique by {count(special['max_size'], 'column')} or fewer.")
        return
    layout.hint(
        f"{count(special['records'], 'record')} stand out by {special['max_size']} or fewer columns. A column with a "
        "large share of the score is the first to make coarser."
    )
    with ui.element("div").classes("two"):
        parts = sorted(special["by_column"], key=lambda part: -part["share"])
        rows = [[part["column"], part["minimal_uniques"], percent(part["share"])] for part in parts]
        layout.marked(tables.show(["column", "sets that single out", "share of the score"], rows), "special-columns")
        places = [[number(each["row"] + 1), each["score"]] for each in facts.get("rows", ())]
        layout.marked(tables.show(["record (the first is 1)", "score"], places), "special-rows")
    layout.heading("How many columns it takes", 3)
    sizes = [[count(each["columns"], "column"), each["minimal_uniques"]] for each in special["by_size"]]
    tables.show(["this many suffice", "sets that single somebody out"], sizes)
    if special["reduced"] or not special["complete"]:
        layout.message("Not all sets of columns were looked at: the numbers can only grow.", "warning")

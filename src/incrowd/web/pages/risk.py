"""The page that measures the re-identification risk of a table: attackers, columns and records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.knowledge import known_records
from incrowd.core.schema import Role
from incrowd.text import attributes, count, number, percent
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.draft import KNOWS, Draft
from incrowd.web.parts.latest_run import LatestRun

if TYPE_CHECKING:
    from incrowd.service import Run, StoredFile, Workspace

TOOL = (1, "Risk")

_HELPS = ("Re-identification risk", "Prosecutor risk", "Journalist risk", "Marketer risk", "Population", "Single out")
_KINDS = {"none": "unknown", "size": "size", "file": "table"}


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    lead = "Re-identification risk from an attacker who knows these columns, in the table before anonymization."
    with (
        layout.page("Re-identification risk", lead, (file.id, file.name), "risk", _HELPS),
        layout.panel("Attacker and population", mark="risk-form"),
    ):
        RiskForm(space, owner, Draft.load(space, owner, file.id)).form()


class RiskForm:
    """Columns, population and threshold, and the result."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft
        self.latest = LatestRun(space, owner, draft.file, "risk", _show_result)

    def form(self) -> None:
        """Show columns, population and threshold."""
        before = self.latest.request
        self.columns = choices.columns(
            self.space, self.owner, self.draft, "Columns that the attacker knows", before.get("quasi"), "risk-columns"
        )
        people = before.get("population")
        with layout.line():
            layout.text("The population this table was drawn from", "span", "label")
            kind = "none" if people is None else "size" if isinstance(people, int) else "file"
            self.kind = choices.toggle(_KINDS, kind, "Population", "population-kind")
            size = people if kind == "size" else None
            self.size = ui.number("Size (people)", value=size, min=1, step=1, precision=0).classes("narrow")
            layout.mark(self.size, "population-size").bind_visibility_from(self.kind, "value", lambda at: at == "size")
            self.register = choices.table(self.space, self.owner, self.draft.file, "Table of the population", people)
            layout.mark(self.register, "population-file")
            self.register.bind_visibility_from(self.kind, "value", lambda at: at == "file")
        layout.hint(
            "Adds journalist risk: the attacker does not know who is in the table. With the size alone, that risk is "
            "estimated."
        )
        with layout.line():
            accepted = float(before.get("threshold", 0.2)) * 100
            self.threshold = ui.number("Risk threshold (%)", value=accepted, min=0.01, max=100)
            layout.mark(self.threshold.classes("middle"), "threshold")
            self.most = ui.number(
                "Largest set (columns)",
                value=before.get("max_size"),
                min=1,
                precision=0,
                placeholder="automatic",
            )
            layout.mark(self.most.classes("middle").props("stack-label"), "max-size")
            self.time = choices.time_limit(before.get("time"))
        units = "people" if self.draft.person else "records"
        layout.hint(f"A threshold of 20% is common: it corresponds to classes of at least five {units}.")
        if self.draft.person:
            layout.mark(
                layout.hint(f"People are counted, identified by {attributes(self.draft.person)}."), "risk-person"
            )
            self.knows = choices.knows(str(before.get("knows", self.draft.knows)))
            layout.hint("Special uniques and models are measured for one known record only.")
        with layout.line():
            layout.mark(ui.button("Assess the risk", on_click=self.ask).props("no-caps unelevated"), "assess")
        self.latest.place_result("risk-found", self.request)

    async def ask(self) -> None:
        """Start the run with every part of the result."""
        if not self.columns.value:
            self.latest.refuse("Choose at least one column that the attacker knows.")
            return
        if self.kind.value != "none" and not self._population():
            self.latest.refuse("Enter the size of the population or choose its table.")
            return
        await self.latest.start(self.request())

    def _population(self) -> Any:
        sizes = {"size": self.size.value and int(self.size.value), "file": self.register.value}
        return sizes.get(self.kind.value)

    def request(self) -> dict[str, Any]:
        """Return what the fields ask."""
        knows = self.knows.value if self.draft.person else KNOWS
        sensitive = [name for name in self.draft.columns_in_role(Role.SENSITIVE) if name not in self.columns.value]
        return choices.drop_empty(
            **self.draft.reading_columns,
            quasi=self.columns.value,
            sensitive=sensitive if knows == KNOWS else [],
            person=self.draft.person,
            knows=knows if self.draft.person else None,
            threshold=round((self.threshold.value or 20) / 100, 6),
            population=self._population(),
            max_size=self.most.value and int(self.most.value),
            time=self.time.value,
            rows=knows == KNOWS,
        )


def _show_result(over: Run) -> None:
    facts = over.result or {}
    if not facts["records"]:
        layout.message("The table has no records, so there is no risk to measure.")
        return
    layout.mark(layout.paragraph(_sentence(facts), "found"), "risk-sentence")
    above = f"{'people' if _unit(facts) == 'person' else 'records'} above {percent(facts['threshold'])}"
    headers = ["attacker", "highest risk", "average risk", above]
    layout.mark(tables.show(headers, _attackers(facts)), "attackers")
    if _knows_several(facts):
        layout.hint("Other figures are omitted: they assume that one record of a person is known.")
    if facts["estimated"]:
        layout.hint("Population figures are estimates that assume the table is a random sample.")
    _show_special_uniques(facts)
    _show_models(facts["models"])
    with ui.expansion("Text version"):
        layout.mark(layout.text(facts["text"], "pre"), "risk-text")


def _sentence(facts: dict[str, Any]) -> str:
    alone, unit = facts["uniques"]["sample"], _unit(facts)
    whole = facts["people" if unit == "person" else "records"]
    are = "is" if alone == 1 else "are"
    by = f"singled out by {known_records(facts['knows'])}" if _knows_several(facts) else "unique in these columns"
    return f"{number(alone)} of {count(whole, unit)} ({percent(alone / whole)}) {are} {by}."


def _knows_several(facts: dict[str, Any]) -> bool:
    """Return whether several records of a person are known: other figures are left out."""
    return facts["marketer"]["same_people"] is None


def _unit(facts: dict[str, Any]) -> str:
    """Return what was counted: people if some have several records."""
    return "record" if facts.get("people") in (None, facts["records"]) else "person"


def _attackers(facts: dict[str, Any]) -> list[list[Any]]:
    """Return a table row for each attacker."""

    def figures(attack: dict[str, Any]) -> list[Any]:
        return [percent(attack["highest"]), percent(attack["average"]), number(attack["at_risk"])]

    rows = [["Prosecutor: knows that the person is in the table", *figures(facts["prosecutor"])]]
    if facts["journalist"] is not None:
        rows.append(["Journalist: does not know whether the person is in the table", *figures(facts["journalist"])])
    marketer = facts["marketer"]
    if marketer["same_people"] is not None:
        rows.append(
            ["Marketer: matches all records with a list of the same people", "", percent(marketer["same_people"]), ""]
        )
    if marketer["population"] is not None:
        rows.append(["Marketer: matches all records with the population", "", percent(marketer["population"]), ""])
    return rows


def _show_models(strengths: list[dict[str, Any]]) -> None:
    """Show the strength of each privacy model for the sensitive columns."""
    if not strengths:
        return
    layout.heading("Privacy models", 3)
    layout.hint("The strongest parameter that every class of the table satisfies, before anonymization.")
    rows = [[each["model"], each["column"] or "", each["words"]] for each in strengths]
    layout.mark(tables.show(["model", "column", "satisfied with"], rows), "strengths")


def _show_special_uniques(facts: dict[str, Any]) -> None:
    """Show which columns and records have the highest special-unique scores."""
    special = facts["special_uniques"]
    if special is None:
        return
    unit = _unit(facts)
    layout.heading("Records unique in few columns" if unit == "record" else "People unique in few columns", 3)
    if not special["records"]:
        layout.hint(f"No {unit} is unique in {count(special['max_size'], 'column')} or fewer.")
        return
    singled = special.get("people", special["records"])
    are = "is" if singled == 1 else "are"
    layout.hint(
        f"{count(singled, unit)} {are} unique in {special['max_size']} or fewer columns. Generalize "
        "columns with a large share of the score first."
    )
    with ui.element("div").classes("two"):
        parts = sorted(special["by_column"], key=lambda part: -part["share"])
        rows = [[part["column"], part["minimal_uniques"], percent(part["share"])] for part in parts]
        layout.mark(tables.show(["column", "minimal unique sets", "share of score"], rows), "special-columns")
        # As everywhere, the first record is number 0.
        places = [[number(each["row"]), each["score"]] for each in facts.get("rows", ())]
        layout.mark(tables.show(["record (counted from 0)", "score"], places), "special-rows")
    layout.heading(f"Number of columns that single out a {unit}", 3)
    sizes = [[count(each["columns"], "column"), each["minimal_uniques"]] for each in special["by_size"]]
    tables.show(["size of set", "minimal unique sets"], sizes)
    if special["reduced"] or not special["complete"]:
        layout.message("Not all sets of columns were examined; these numbers are lower bounds.", "warning")

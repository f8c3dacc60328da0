"""The panel that simulates attacks on a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.text import number
from incrowd.web.pages import releases
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.background import fetch_result, newest
from incrowd.web.parts.draft import KNOWS
from incrowd.web.parts.kept_form import KeptForm

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel."""
    about = "Simulates attacks with the release alone, or with additional knowledge that you give the attacker."
    with layout.panel("Attack simulation", about, mark="attack"):
        AttackForm(space, owner, made).form()


class AttackForm:
    """Knowledge of the attacker and the result of the attacks."""

    def __init__(self, space: Workspace, owner: str, made: Run) -> None:
        self.space, self.owner, self.made = space, owner, made

    def form(self) -> None:
        """Show fields for an outside table, another release, and statements."""
        with layout.mark(ui.expansion("Attacker's knowledge"), "attack-besides"):
            with layout.line():
                self.outside = choices.table(self.space, self.owner, "", "Table of people to re-identify", None)
                layout.mark(self.outside, "attack-outside")
            self.knows_of_person = None
            if _person(self.made):
                layout.hint("With the original table, people are counted as the job says who a record is about.")
                self.knows_of_person = choices.knows(_knows(self.made))
                layout.hint("If you choose otherwise than the job, linkage alone is run.")
            with layout.line():
                others = releases.ready_releases(self.space, self.owner)
                others.pop(self.made.id, None)
                tables_kept = choices.tables_of(self.space, self.owner)
                self.other = ui.select({**others, **tables_kept}, label="Another release of the same people")
                layout.mark(self.other.classes("wide").props("clearable"), "attack-other")
            self.knows = ui.textarea("Known facts (one per line)", placeholder="illness!=flu")
            layout.mark(self.knows.classes("wide"), "attack-knows")
            layout.hint(
                "A fact about all people (illness!=flu) or about one person (age=34,town=Graz: illness in flu/asthma)."
            )
            self.shares = ui.textarea(
                "Shares in the population (one column per line)", placeholder="illness=flu:0.05,diabetes:0.2"
            )
            layout.mark(self.shares.classes("wide"), "attack-shares")
            with layout.line():
                self.shares_file = choices.table(self.space, self.owner, "", "Table of shares in the population", None)
                layout.mark(self.shares_file, "attack-shares-file")
            layout.hint(
                "Frequencies of values in the population, which the skewness attack compares with. A table needs the "
                "sensitive column and a column named share."
            )
        with layout.line():
            layout.mark(ui.button("Run attacks", on_click=self.ask).props("outline no-caps"), "attack-go")
        form = ui.context.slot.parent
        self.kept = KeptForm(self.space, self.owner, f"draft-{releases.file_of(self.made)}-attack_form", self.request)
        self.kept.show_mark()
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "attacked")
        self.kept.watch(form, self.place)

    async def ask(self) -> None:
        """Run every attack that the given knowledge allows."""
        self.kept.answers(None)
        asked = self.request()
        with newest(self.place):
            result = await fetch_result(self.space, "attack", asked, self.owner)
            if result is not None:
                self.kept.answers(asked)
                _show_exposures(result)

    def request(self) -> dict[str, Any]:
        """Return what the fields ask."""
        return choices.drop_empty(
            release=self.made.id,
            outside=self.outside.value,
            person=_person(self.made) if self.outside.value == _original(self.made) else [],
            attacks=self._attacks(),
            other=self.other.value,
            knows=_lines(self.knows.value),
            shares=[*_lines(self.shares.value), *([self.shares_file.value] if self.shares_file.value else [])],
        )

    def _attacks(self) -> list[Any]:
        """Return linkage alone if more or less is known of a person than the job says; else none, for all."""
        if self.knows_of_person is None or self.outside.value != _original(self.made):
            return []
        known = self.knows_of_person.value
        return [] if known == _knows(self.made) else [{"linkage": {"knows": known}}]


def _knows(made: Run) -> str:
    """Return how much of a person the job of a release takes for known."""
    return str((made.request.get("job") or {}).get("knows", KNOWS))


def _original(made: Run) -> str | None:
    """Return the file that a release was made from."""
    data = (made.request.get("job") or {}).get("data")
    return data.get("source") if isinstance(data, dict) else data


def _person(made: Run) -> list[str]:
    """Return the columns that tell the person, as the job of a release says."""
    columns = (made.request.get("job") or {}).get("columns") or {}
    return [name for name, of in columns.items() if _is_person(of)] if isinstance(columns, dict) else []


def _is_person(column: Any) -> bool:
    """Return whether a column of a job tells the person, alone or with others."""
    if not isinstance(column, dict):
        return bool(column == Role.PERSON)
    return column.get("role") == Role.PERSON or bool(column.get("person"))


def _lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def _show_exposures(result: dict[str, Any]) -> None:
    if result["exposed"]:
        layout.mark(layout.message("Some attacks expose records, or may.", "warning"), "attack-found")
    else:
        layout.mark(layout.message("None of the attacks tried exposes a record.", "good"), "attack-found")
    headers = ["attack", "column", "exposed", "classes", "attacker's knowledge", "prevented by"]
    layout.mark(tables.show(headers, [_row(each) for each in result["exposures"]]), "exposures")
    for each in result["exposures"]:
        if each["note"]:
            layout.hint(f"{each['attack']}: {each['note']}.")
    if result["untried"]:
        with ui.expansion("Attacks not tried"):
            tables.show(["attack", "requires"], [[name, why] for name, why in result["untried"].items()])
    with ui.expansion("Text version"):
        layout.text(result["text"], "pre")


def _row(each: dict[str, Any]) -> list[Any]:
    exposed = each["why"] if each["records"] is None else number(each["records"])
    if each["at_most"] not in (None, each["records"]) and each["records"] is not None:
        exposed = f"{number(each['records'])} to {number(each['at_most'])}"
    if each["records"] is not None:
        exposed += " records" if each["among"] is None else " people"
    return [each["attack"], each["column"] or "", exposed, each["classes"], each["knows"], each["stopped_by"]]

"""Attacks on a release: what somebody who has it, and perhaps more, can learn about the people in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import number
from incrowd.web.pages import releases
from incrowd.web.parts import choices, layout, tables
from incrowd.web.parts.background import found

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """The panel."""
    about = "Tries what an attacker would: with the release alone, or with what you let the attacker have besides."
    with layout.panel("Attack it", about, mark="attack"):
        Attacked(space, owner, made).form()


class Attacked:
    """What the attacker has, and what was learned."""

    def __init__(self, space: Workspace, owner: str, made: Run) -> None:
        self.space, self.owner, self.made = space, owner, made

    def form(self) -> None:
        """An outside table, another release, statements."""
        with layout.marked(ui.expansion("What the attacker has besides"), "attack-besides"):
            with layout.line():
                self.outside = choices.table(self.space, self.owner, "", "A table of people to look for", None)
                layout.marked(self.outside, "attack-outside")
            with layout.line():
                others = releases.ready(self.space, self.owner)
                others.pop(self.made.id, None)
                tables_kept = choices.tables_of(self.space, self.owner)
                self.other = ui.select({**others, **tables_kept}, label="Another release of the same people")
                layout.marked(self.other.classes("wide").props("clearable"), "attack-other")
            self.knows = ui.textarea("What is known, one statement in a line", placeholder="illness!=flu")
            layout.marked(self.knows.classes("wide"), "attack-knows")
            layout.hint(
                "A statement about everybody (illness!=flu) or somebody (age=34,town=Graz: illness in flu/asthma)."
            )
            self.shares = ui.textarea(
                "Shares in the population, one column in a line", placeholder="illness=flu:0.05,diabetes:0.2"
            )
            layout.marked(self.shares.classes("wide"), "attack-shares")
            with layout.line():
                self.shares_file = choices.table(self.space, self.owner, "", "A table of such shares", None)
                layout.marked(self.shares_file, "attack-shares-file")
            layout.hint(
                "How frequent values are among all people: skewness compares with these shares. A table has the "
                "sensitive column and a column share."
            )
        with layout.line():
            layout.marked(ui.button("Attack it", on_click=self.ask).props("outline no-caps"), "attack-go")
        self.place = layout.marked(ui.element("div").classes("stack").props("aria-live=polite"), "attacked")

    async def ask(self) -> None:
        """Try everything that can be tried."""
        self.place.clear()
        with self.place:
            told = await found(
                self.space,
                "attack",
                choices.given(
                    release=self.made.id,
                    outside=self.outside.value,
                    other=self.other.value,
                    knows=_lines(self.knows.value),
                    shares=[*_lines(self.shares.value), *([self.shares_file.value] if self.shares_file.value else [])],
                ),
                self.owner,
            )
            if told is not None:
                _shown(told)


def _lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def _shown(told: dict[str, Any]) -> None:
    if told["exposed"]:
        layout.marked(layout.message("Some attacks expose somebody, or may.", "warning"), "attack-found")
    else:
        layout.marked(layout.message("No attack that was tried exposes anybody.", "good"), "attack-found")
    headers = ["attack", "about", "exposed", "groups", "the attacker knows", "would be stopped by"]
    layout.marked(tables.show(headers, [_row(each) for each in told["exposures"]]), "exposures")
    for each in told["exposures"]:
        if each["note"]:
            layout.hint(f"{each['attack']}: {each['note']}.")
    if told["untried"]:
        with ui.expansion("Not tried"):
            tables.show(["attack", "because it needs"], [[name, why] for name, why in told["untried"].items()])
    with ui.expansion("The same in words"):
        layout.text(told["text"], "pre")


def _row(each: dict[str, Any]) -> list[Any]:
    exposed = each["why"] if each["records"] is None else number(each["records"])
    if each["at_most"] not in (None, each["records"]) and each["records"] is not None:
        exposed = f"{number(each['records'])} to {number(each['at_most'])}"
    return [each["attack"], each["column"] or "", exposed, each["classes"], each["knows"], each["stopped_by"]]

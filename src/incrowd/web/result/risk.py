"""Risk before and after, and what the release is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import number, percent
from incrowd.web.pages import releases
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import found, later, tried
from incrowd.web.result.facts import facts_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Both panels."""
    about = "Somebody who knows these columns of a person looks for the person's record."
    with layout.panel("Risk, before and after", about, mark="risk"):
        _risk(space, made)
    with layout.panel("What it is worth", "The release held against the original, by every yardstick.", mark="utility"):
        _worth(space, owner, made)


def _risk(space: Workspace, made: Run) -> None:
    place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            facts = await tried(facts_of, space, made)
            if facts is not None:
                _figures(facts)

    later(fill)


def _figures(facts: dict[str, Any]) -> None:
    before, after = facts["risk_before"], facts["risk_after"]
    rows = [[name, told(before), told(after)] for name, told in _FIGURES.items() if told(after)]
    layout.marked(tables.show(["", "original", "release"], rows), "risk-table")
    if after["journalist"] is None:
        layout.hint(
            "Who does not know whether somebody is in the table, and looks among all people, finds no more than that. "
            "How much less is told where a population is given (Privacy, For experts)."
        )


_FIGURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "risk of the record found most easily": lambda found: percent(found["highest"]),
    "risk on average": lambda found: percent(found["average"]),
    "records above a risk of one in five": lambda found: number(found["at_risk"]),
    "highest risk for who looks among all people": lambda found: _journalist(found, "highest"),
    "that risk on average": lambda found: _journalist(found, "average"),
    "records that are the only ones of their kind": lambda found: number(found["unique"]),
    "different combinations": lambda found: number(found["classes"]),
}
"""What an attacker finds, by what it is called."""


def _journalist(found: dict[str, Any], what: str) -> str:
    return "" if found["journalist"] is None else percent(found["journalist"][what])


def _worth(space: Workspace, owner: str, made: Run) -> None:
    place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            request = {"original": releases.file_of(made), **releases.reading_of(made), "releases": [made.id]}
            measured = await found(space, "measure", request, owner)
            if measured is not None:
                layout.marked(tables.show(["", "release", "better", "which is"], worth(measured)), "worth")

    later(fill)


def worth(measured: dict[str, Any]) -> list[list[Any]]:
    """Every yardstick with its value for each release; those that could not be read are left out."""
    rows = []
    for name, told in measured["yardsticks"].items():
        values = [release["readings"].get(name, {}).get("value") for release in measured["releases"]]
        if any(value is not None for value in values):
            better = {"low": "lower", "high": "higher"}.get(told["better"], "")
            rows.append([name.replace("_", " "), *map(tables.shown, values), better, told["meaning"]])
    return rows

"""The lattice of column sets: how one column more or less changes k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.text import count
from incrowd.web.parts import lattice, layout
from incrowd.web.parts.background import fetch_result, newest, run_soon
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import Workspace


_NONE = {"without": "Only one column is left.", "with": "No further columns."}
"""Texts shown if there is no step in that direction."""


def show(space: Workspace, owner: str, draft: Draft) -> None:
    """Show the panel at the column set explored last."""
    about = "Remove or add a column to see how k, the size of the smallest class, changes."
    with layout.panel("Explore sets of columns", about, mark="explore"):
        _walk(space, owner, draft)


def _walk(space: Workspace, owner: str, draft: Draft) -> None:
    place = ui.element("div").classes("stack").props("aria-live=polite")

    async def go(columns: list[str]) -> None:
        draft.explored = columns
        draft.keep(space, owner)
        hidden = (Role.IDENTIFIER, Role.PERSON, Role.DROP)
        among = [name for name, role in draft.roles.items() if role not in hidden or name in columns]
        drawn = [name for name in among if name in draft.quasi or name in columns]
        drawn = drawn if len(drawn) <= lattice.MOST else []
        request = {**draft.reading_columns, "quasi": columns, "among": among, "lattice": drawn, "person": draft.person}
        with newest(place):
            explored = await fetch_result(space, "explore", request, owner)
            if explored is not None:
                noun = "person" if explored.get("unit") == "people" else "record"
                _show(explored["sets"], noun, go)
                if drawn:
                    _draw(drawn, explored["lattice"], columns, draft.k, noun, go)

    known = [name for name in draft.explored if name in draft.roles]
    run_soon(lambda: go(known or draft.quasi[:2]))


def _show(sets: list[dict[str, Any]], noun: str, go: Any) -> None:
    chosen = sets[0]
    layout.mark(layout.paragraph(_sentence(chosen, noun), "found"), "explored")
    with ui.element("div").classes("two"):
        _side("Remove a column", [each for each in sets if each["step"] == "less"], "without", go)
        _side("Add a column", [each for each in sets if each["step"] == "more"], "with", go)


def _draw(names: list[str], sets: list[dict[str, Any]], chosen: list[str], k: int, noun: str, go: Any) -> None:
    async def picked(at: int) -> None:
        await go(sets[at]["quasi"])

    layout.heading("All sets of columns", 3)
    lattice.show(lattice.draw_sets(names, sets, chosen, k), "all-sets", picked)
    layout.hint(
        f"Blue circle: every class has at least {count(k, noun)}. Yellow square: some class is smaller. Orange "
        f"square: some {noun} is unique. Click a set to explore it."
    )


def _sentence(chosen: dict[str, Any], noun: str) -> str:
    columns = ", ".join(chosen["quasi"])
    if chosen["k"] == 1:
        unique = chosen["unique"]
        return f"{columns}: k = 1. {count(unique, noun)} {'is' if unique == 1 else 'are'} unique in these columns."
    return f"{columns}: k = {chosen['k']:,}. Every record is in a class of at least {count(chosen['k'], noun)}."


def _side(title: str, sets: list[dict[str, Any]], word: str, go: Any) -> None:
    with layout.stack():
        layout.heading(title, 3)
        if not sets:
            layout.hint(_NONE[word])
        with ui.element("div").classes("set low"):
            for at, each in enumerate(sorted(sets, key=lambda one: (-one["k"], one["unique"] or 0))):
                _step(each, f"{word}-{at}", word, go)


def _step(each: dict[str, Any], mark: str, word: str, go: Any) -> None:
    unique = f", {each['unique']:,} unique" if each["k"] == 1 and each["unique"] else ""

    async def clicked() -> None:
        await go(each["quasi"])

    button = ui.button(f"{word} {each['column']}: k = {each['k']:,}{unique}", on_click=clicked)
    layout.mark(button.props("outline no-caps").classes("node"), mark)

"""Sets of columns as a lattice to click through: what one column more or less does to k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import count
from incrowd.web.parts import lattice, layout
from incrowd.web.parts.background import found, later
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import Workspace


_NONE = {"without": "It is the last column.", "with": "There is no further column."}
"""Why there is no step."""


def show(space: Workspace, owner: str, draft: Draft) -> None:
    """The panel, at the set that was looked at last."""
    about = (
        "A step to the left forgets a column, a step to the right adds one. k is the smallest group of equal records."
    )
    with layout.panel("Walk through the sets of columns", about, mark="explore"):
        _walk(space, owner, draft)


def _walk(space: Workspace, owner: str, draft: Draft) -> None:
    place = ui.element("div").classes("stack").props("aria-live=polite")

    async def go(columns: list[str]) -> None:
        draft.explored = columns
        draft.keep(space, owner)
        among = [name for name, role in draft.roles.items() if role not in ("identifier", "drop") or name in columns]
        drawn = [name for name in among if name in draft.quasi or name in columns]
        drawn = drawn if len(drawn) <= lattice.MOST else []
        request = {**draft.reading, "quasi": columns, "among": among, "lattice": drawn}
        place.clear()
        with place:
            around = await found(space, "explore", request, owner)
            if around is not None:
                _show(around["sets"], go)
                if drawn:
                    _draw(drawn, around["lattice"], columns, draft.k, go)

    known = [name for name in draft.explored if name in draft.roles]
    later(lambda: go(known or draft.quasi[:2]))


def _show(sets: list[dict[str, Any]], go: Any) -> None:
    chosen = sets[0]
    layout.marked(layout.paragraph(_told(chosen), "found"), "explored")
    with ui.element("div").classes("two"):
        _side("One column less", [each for each in sets if each["step"] == "less"], "without", go)
        _side("One column more", [each for each in sets if each["step"] == "more"], "with", go)


def _draw(names: list[str], sets: list[dict[str, Any]], chosen: list[str], k: int, go: Any) -> None:
    async def picked(at: int) -> None:
        await go(sets[at]["quasi"])

    layout.heading("All sets at a glance", 3)
    lattice.shown(lattice.of_sets(names, sets, chosen, k), "all-sets", picked)
    layout.hint(
        f"Blue circles: every record has {count(k - 1, 'other')} or more. Yellow squares: a record has fewer. Orange: "
        "a record is unique. Click to go there."
    )


def _told(chosen: dict[str, Any]) -> str:
    columns = ", ".join(chosen["quasi"])
    if chosen["k"] == 1:
        return f"{columns}: k = 1. {count(chosen['unique'], 'record')} can be told from all others by these columns."
    others = count(chosen["k"] - 1, "other")
    look = "looks" if chosen["k"] == 2 else "look"
    return f"{columns}: k = {chosen['k']:,}. Every record has at least {others} that {look} the same."


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
    layout.marked(button.props("outline no-caps").classes("node"), mark)

"""Releases side by side: what was asked for, what came of it, what they are worth, and how risky they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.pages import releases
from incrowd.web.parts import layout, pictures, tables
from incrowd.web.parts.background import found, later, run_in_thread
from incrowd.web.parts.listing import when
from incrowd.web.result.risk import worth

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def show(space: Workspace, owner: str, chosen: Sequence[str]) -> None:
    """The page; runs that are not there, not done or of another table are left out."""
    made = _made(space, owner, chosen)
    lead = "The same table in several versions. Lower loss keeps more detail; a larger smallest group is safer."
    file = releases.table_of(space, owner, made[0]) if made else None
    with layout.page("Releases compared", lead, file, "releases"):
        if len(made) < 2:
            layout.message("Choose two or more releases of the same table that are ready.", "warning")
            return
        with layout.panel("What they are", mark="compared"):
            headers = ["", "made", "asked for", "search", "smallest group", "left out", "loss"]
            tables.show(headers, [_row(letter, each) for letter, each in zip(_LETTERS, made, strict=False)])
        with layout.panel("Risk and utility", "To the left is more detail, down is less risk.", mark="map"):
            _later(lambda: _map(made))
        with layout.panel("What they are worth", "By every yardstick that can be read off them.", mark="yardsticks"):
            _later(lambda: _measured(space, owner, made))


def _made(space: Workspace, owner: str, chosen: Sequence[str]) -> list[Run]:
    made: list[Run] = []
    for run_id in chosen[: len(_LETTERS)]:
        try:
            each = space.run(run_id, owner)
        except IncrowdError:
            continue
        same = not made or releases.file_of(each) == releases.file_of(made[0])
        if each.kind in releases.MAKE and each.state == "done" and same:
            made.append(each)
    return made


def _row(letter: str, each: Run) -> list[Any]:
    facts = each.result or {}
    loss = facts["scores"].get("loss")
    return [
        letter,
        when(each.submitted),
        releases.asked(each),
        facts["search"],
        facts["smallest"],
        facts["suppressed"],
        None if loss is None else tables.scored("loss", loss),
    ]


def _later(fill: Any) -> None:
    place = ui.element("div").classes("stack")

    async def filled() -> None:
        with place:
            await fill()

    later(filled)


async def _map(made: Sequence[Run]) -> None:
    picture = await run_in_thread(pictures.of_releases, _LETTERS, [each.result or {} for each in made])
    layout.marked(ui.html(picture, sanitize=False).classes("chart"), "risk-map")


async def _measured(space: Workspace, owner: str, made: Sequence[Run]) -> None:
    request = {
        "original": releases.file_of(made[0]),
        **releases.reading_of(made[0]),
        "releases": [each.id for each in made],
    }
    measured = await found(space, "measure", request, owner)
    if measured is not None:
        letters = list(_LETTERS[: len(made)])
        layout.marked(tables.show(["", *letters, "better", "which is"], worth(measured)), "yardsticks-table")

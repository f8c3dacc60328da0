"""The page that compares releases: models, results, metrics and risk side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.pages import releases
from incrowd.web.parts import layout, pictures, tables
from incrowd.web.parts.background import fetch_result, run_in_thread, run_soon
from incrowd.web.parts.listing import format_time
from incrowd.web.result.utility import metric_rows

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


_SAME = "Releases of the same table. Lower loss means more detail; a larger smallest class means lower risk."
_OTHER = (
    "Releases of different tables. Requests, classes, suppression and risk can be compared; loss and other metrics "
    "measure each release against its own table, so compare them only within one table."
)


def show(space: Workspace, owner: str, chosen: Sequence[str]) -> None:
    """Show the page; runs that are missing, unfinished or of several tables are skipped, and it says so."""
    made = _load_runs(space, owner, chosen)
    tables_of = {releases.file_of(each): releases.table_of(space, owner, each) for each in made}
    several = len(tables_of) > 1
    file = None if several or not made else tables_of[releases.file_of(made[0])]
    helps = ("Information loss", "Metric", "Utility")
    with layout.page("Compare releases", _OTHER if several else _SAME, file, "releases", helps):
        if len(made) < len(chosen):
            words = "Releases that are not finished, were deleted, or are of several tables are left out."
            layout.mark(layout.message(words), "left-out")
        if len(made) < 2:
            layout.message("Select two or more finished releases.", "warning")
            back = "/" if file is None else f"/files/{file[0]}/releases"
            layout.mark(layout.button_link("Choose releases", back), "choose-releases")
            return
        letters = dict(zip((each.id for each in made), _LETTERS, strict=False))
        names = {id: found[1] if found else "deleted table" for id, found in tables_of.items()}
        with layout.panel("Releases", mark="compared"):
            headers = ["release", "table", "created", "request", "search", "smallest class", "suppressed", "loss"]
            tables.show(headers, [_row(letters[each.id], names[releases.file_of(each)], each) for each in made])
        if not several:
            with layout.panel("Risk and information loss", "Left: less loss. Down: less risk.", mark="map"):
                _fill_soon(lambda: _show_map(made))
        for at, (id, name) in enumerate(names.items()):
            of_table = [each for each in made if releases.file_of(each) == id]
            title = f"Metrics of releases of {name}" if several else "Metrics"
            with layout.panel(title, "All metrics that can be computed for these releases.", mark=f"metrics-{at}"):
                if tables_of[id] is None:
                    layout.hint("The table was deleted, so its releases cannot be measured against it.")
                else:
                    _fill_soon(lambda of_table=of_table: _show_metrics(space, owner, of_table, letters))


def _load_runs(space: Workspace, owner: str, chosen: Sequence[str]) -> list[Run]:
    made: list[Run] = []
    for run_id in chosen[: len(_LETTERS)]:
        try:
            each = space.run(run_id, owner)
        except IncrowdError:
            continue
        if each.kind in releases.MAKE and each.state == "done" and not releases.is_of_several(each):
            made.append(each)
    return made


def _row(letter: str, table: str, each: Run) -> list[Any]:
    facts = each.result or {}
    loss = facts["scores"].get("loss")
    return [
        letter,
        table,
        format_time(each.submitted),
        releases.describe_request(each),
        facts["search"],
        facts["smallest"],
        facts["suppressed"],
        None if loss is None else tables.format_score("loss", loss),
    ]


def _fill_soon(fill: Any) -> None:
    place = ui.element("div").classes("stack")

    async def filled() -> None:
        with place:
            await fill()

    run_soon(filled)


async def _show_map(made: Sequence[Run]) -> None:
    picture = await run_in_thread(pictures.draw_releases, _LETTERS, [each.result or {} for each in made])
    layout.mark(ui.html(picture, sanitize=False).classes("chart"), "risk-map")


async def _show_metrics(space: Workspace, owner: str, made: Sequence[Run], letters: Mapping[str, str]) -> None:
    request = {
        "original": releases.file_of(made[0]),
        **releases.reading_of(made[0]),
        "releases": [each.id for each in made],
    }
    measured = await fetch_result(space, "measure", request, owner)
    if measured is not None:
        headers = ["metric", *(letters[each.id] for each in made), "better", "meaning"]
        layout.mark(tables.show(headers, metric_rows(measured)), "metrics-table")

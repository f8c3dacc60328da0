"""The page that compares releases: models, results, metrics and risk side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.pages import releases
from incrowd.web.parts import layout, pictures, tables
from incrowd.web.parts.background import fetch_result, run_in_thread, run_soon
from incrowd.web.parts.listing import format_time
from incrowd.web.result.risk import metric_rows

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def show(space: Workspace, owner: str, chosen: Sequence[str]) -> None:
    """Show the page; runs that are missing, unfinished or of another table are skipped."""
    made = _load_runs(space, owner, chosen)
    lead = "Releases of the same table. Lower loss means more detail; a larger smallest class means lower risk."
    file = releases.table_of(space, owner, made[0]) if made else None
    with layout.page(
        "Compare releases", lead, file, "releases", ("Information loss", "Metric", "Re-identification risk")
    ):
        if len(made) < 2:
            layout.message("Select two or more finished releases of the same table.", "warning")
            return
        with layout.panel("Releases", mark="compared"):
            headers = ["release", "created", "request", "search", "smallest class", "suppressed", "loss"]
            tables.show(headers, [_row(letter, each) for letter, each in zip(_LETTERS, made, strict=False)])
        with layout.panel("Risk and information loss", "Left: less loss. Down: less risk.", mark="map"):
            _fill_soon(lambda: _show_map(made))
        with layout.panel("Metrics", "All metrics that can be computed for these releases.", mark="metrics"):
            _fill_soon(lambda: _show_metrics(space, owner, made))


def _load_runs(space: Workspace, owner: str, chosen: Sequence[str]) -> list[Run]:
    made: list[Run] = []
    for run_id in chosen[: len(_LETTERS)]:
        try:
            each = space.run(run_id, owner)
        except IncrowdError:
            continue
        same = not made or releases.file_of(each) == releases.file_of(made[0])
        if each.kind in releases.MAKE and each.state == "done" and same and not releases.is_of_several(each):
            made.append(each)
    return made


def _row(letter: str, each: Run) -> list[Any]:
    facts = each.result or {}
    loss = facts["scores"].get("loss")
    return [
        letter,
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


async def _show_metrics(space: Workspace, owner: str, made: Sequence[Run]) -> None:
    request = {
        "original": releases.file_of(made[0]),
        **releases.reading_of(made[0]),
        "releases": [each.id for each in made],
    }
    measured = await fetch_result(space, "measure", request, owner)
    if measured is not None:
        letters = list(_LETTERS[: len(made)])
        layout.mark(tables.show(["metric", *letters, "better", "meaning"], metric_rows(measured)), "metrics-table")

"""The page that lists releases: finished, failed or still running."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError, InUse
from incrowd.formats.options import OF_FILES
from incrowd.jobs.suppression import in_words
from incrowd.text import count
from incrowd.web.parts import layout
from incrowd.web.parts.background import ENDED, LAST, forget, run_in_thread
from incrowd.web.parts.draft import SEARCH as USUAL_SEARCH
from incrowd.web.parts.listing import delete_button, format_time

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

STEP = (5, "Releases")

STATES = {
    "queued": "waiting",
    "running": "running",
    "done": "ready",
    "failed": "failed",
    "cancelled": "canceled",
}

MAKE = ("anonymize", "apply")
"""Kinds of runs that create a release."""

_NAMED = 3
"""Models of a request that are named; a table may have one for each of many columns."""
_SHOWN = 50
"""Largest number of releases to list; requests and results may be long."""


def releases(space: Workspace, owner: str, file: str | None) -> list[Run]:
    """Return the runs that create releases of one table or of all, latest first, without requests and results."""
    made = [each for each in space.runs(owner) if each.kind in MAKE]
    return [each for each in made if file in (None, file_of(each))]


def is_of_several(each: Run) -> bool:
    """Return whether a run makes a release of several tables; a list of runs tells it of those that are done."""
    return "tables" in each.request.get("job", ()) or any(part.kind == "table" for part in each.artifacts)


def ready_releases(space: Workspace, owner: str, file: str | None = None, several: bool = False) -> dict[str, str]:
    """Return the label of each finished release of one table or of all, by run id; also those of `several` tables."""
    names = {each.id: each.name for each in space.files(owner)}
    made = [each for each in releases(space, owner, file) if each.state == "done"]
    made = [each for each in made if several or not is_of_several(each)]
    return {
        each.id: f"Release of {names.get(file_of(each), 'a table')} ({format_time(each.submitted)})" for each in made
    }


def file_of(made: Run) -> str:
    """Return the id of the table that a run reads."""
    return made.uses[0]


def is_reapplied(each: Run) -> bool:
    """Return whether a run applies the recoding of an earlier release, so it has no job."""
    return each.kind == "apply"


def table_of(space: Workspace, owner: str, made: Run) -> tuple[str, str] | None:
    """Return the id and name of the table that a run reads, or None if it was deleted."""
    try:
        file = space.file(file_of(made), owner)
    except IncrowdError:
        return None
    return file.id, file.name


def reading_of(made: Run) -> dict[str, Any]:
    """Return the reading options of that table as a request has them."""
    if is_reapplied(made):
        return {"missing": list((made.result or {}).get("missing", ()))}
    data = made.request["job"]["data"]
    options = data if isinstance(data, dict) else {}
    return {key: options[key] for key in OF_FILES if key in options}


def runs_from_table(space: Workspace, owner: str, file: str) -> list[Run]:
    """Return the runs that read a table or a result of such a run, latest first."""
    found: dict[str, Run] = {}
    for each in reversed(space.runs(owner)):
        # A release that reuses the recoding of another table is not a release of that table.
        read = each.uses[:1] if is_reapplied(each) else each.uses
        if any(id == file or id in found for id in read):
            found[each.id] = each
    return [*reversed(found.values())]


def delete_all(space: Workspace, owner: str, file: str) -> None:
    """Delete a table, its draft and everything made from it; raise InUse while a release is being created."""
    until = time.monotonic() + LAST
    while True:
        its = runs_from_table(space, owner, file)
        if any(each.kind in MAKE and not each.is_over for each in its):
            raise InUse("a release of this table is being created; stop it first (under Releases), or wait")
        try:
            for each in its:
                # Runs that only filled a page need not finish.
                forget(space, each.id)
            space.delete_file(file, owner)
            break
        except InUse:
            # A page that is being left may have started another run meanwhile.
            if time.monotonic() > until:
                raise
    notes = space.notes(owner)
    for name in notes.names():
        if name.startswith(f"draft-{file}"):
            notes.delete(name)


def show(space: Workspace, owner: str, file: Any) -> None:
    """Show all releases of one table."""
    lead = "All releases of this table. Choose two or more to compare them."
    helps = ("Release", "Manifest", "Private record")
    with layout.page("Releases", lead, (file.id, file.name), "releases", helps), layout.panel():
        list_releases(space, owner, file.id)


def list_releases(space: Workspace, owner: str, file: str | None) -> None:
    """Show the runs as a table with checkboxes."""
    made = releases(space, owner, file)
    if not made:
        layout.hint("No releases yet. Create one under Columns or Privacy.")
        return
    names = {each.id: each.name for each in space.files(owner)}
    boxes: dict[str, ui.checkbox] = {}
    with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
        layout.table_head(("compare", "release", "table", "request", "result", "state", "action"))
        with ui.element("tbody"):
            for at, each in enumerate(made[:_SHOWN]):
                _row(space, space.run(each.id), names.get(file_of(each), "deleted"), boxes, at)
    if len(made) > _SHOWN:
        layout.hint(f"Latest {_SHOWN} of {len(made):,} releases. Delete some to see older ones.")
    if len(boxes) > 1:
        with layout.line():
            compare = layout.quiet_button("Compare selected releases")
            layout.mark(compare.on_click(lambda: _compare(boxes)), "compare")


def _row(space: Workspace, each: Run, table: str, boxes: dict[str, ui.checkbox], at: int) -> None:
    label = format_time(each.submitted)
    with ui.element("tr"):
        with ui.element("td"):
            if each.state == "done" and not is_of_several(each):
                boxes[each.id] = layout.mark(ui.checkbox().props(f'dense aria-label="Compare {label}"'), f"choose-{at}")
        with ui.element("td"):
            layout.mark(ui.link(label, f"/runs/{each.id}"), f"open-run-{at}")
        layout.text(table, "td")
        layout.text(describe_request(each), "td")
        layout.text(describe_outcome(each), "td")
        layout.text(STATES[each.state] if each.imported is None else f"{STATES[each.state]}, imported", "td")
        with ui.element("td"):

            async def delete() -> None:
                await run_in_thread(_delete, space, each)
                ui.navigate.reload()

            if each.state in ENDED:
                delete_button(
                    f"Delete the release of {label}",
                    "Delete this release? This cannot be undone.",
                    delete,
                    f"delete-run-{at}",
                )


def _delete(space: Workspace, release: Run) -> None:
    """Delete a release; its page may just be asking for the list of its records."""
    for each in space.runs(release.owner):
        if each.kind == "records" and release.id in each.uses and not each.is_over:
            forget(space, each.id)
    space.delete_run(release.id)


def _compare(boxes: dict[str, ui.checkbox]) -> None:
    chosen = [run_id for run_id, box in boxes.items() if box.value]
    if len(chosen) < 2:
        ui.notify("Select two or more releases first.", type="info")
    else:
        ui.navigate.to(f"/compare/{','.join(chosen)}")


def describe_request(each: Run) -> str:
    """Return the models, suppression limit and search of a run in short."""
    if is_reapplied(each):
        return "recoding of an earlier release"
    job = each.request["job"]
    search = job.get("search") or USUAL_SEARCH
    by = "" if search == USUAL_SEARCH else f"; search {search if isinstance(search, str) else next(iter(search))}"
    limit = f"suppression limit {in_words(job.get('suppress', 0))}"
    models, more = job["models"][:_NAMED], len(job["models"]) - _NAMED
    named = [*map(describe_model, models), *([count(more, "more model")] if more > 0 else [])]
    return f"{', '.join(named)}; {limit}{by}"


def describe_model(model: Any) -> str:
    """Return a model of a job in short, such as k = 5."""
    if isinstance(model, str):
        return model
    [(name, options)] = model.items()
    given = ", ".join(f"{option} = {value}" for option, value in (options or {}).items() if option != "column")
    column = (options or {}).get("column")
    about = " and ".join(column) if isinstance(column, list) else column
    return given if name == "k_anonymity" else f"{name} of {about} ({given})" if about else f"{name} ({given})"


def describe_outcome(each: Run) -> str:
    """Return the smallest class and the suppressed records of a run in short."""
    from incrowd.text import number

    found = each.result
    if each.state != "done" or not found:
        return ""
    if is_of_several(each):
        least, left = number(found["smallest"]), number(found["suppressed"])
        return f"{len(found['tables'])} tables; what is known is true of at least {least} people; {left} suppressed"
    if "people" in found.get("details", {}):
        least = number(found["details"]["people"])
        return f"every original record matches at least {least} released; {number(found['suppressed'])} suppressed"
    return f"smallest class: {number(found['smallest'])}; {number(found['suppressed'])} suppressed"

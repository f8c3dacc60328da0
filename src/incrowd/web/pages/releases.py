"""Releases that were made or are being made: to look at, to compare, to delete for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError, InUse
from incrowd.formats.options import OF_FILES
from incrowd.web.parts import layout
from incrowd.web.parts.background import ENDED, forget, run_in_thread
from incrowd.web.parts.draft import SEARCH as USUAL_SEARCH
from incrowd.web.parts.listing import confirmed, when

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

STATES = {
    "queued": "waiting",
    "running": "running",
    "done": "ready",
    "failed": "no release",
    "cancelled": "cancelled",
}

MAKE = ("anonymize", "apply")
"""The kinds of runs that make a release."""

_SHOWN = 50
"""So many releases are listed; what each was asked for and found may be long."""


def releases(space: Workspace, owner: str, file: str | None) -> list[Run]:
    """The runs that make releases, of one table or of all, the latest first, without requests and results."""
    made = [each for each in space.runs(owner) if each.kind in MAKE]
    return [each for each in made if file in (None, file_of(each))]


def ready(space: Workspace, owner: str, file: str | None = None) -> dict[str, str]:
    """The releases that were made, of one table or of all, by the id of their run, as lists name them."""
    names = {each.id: each.name for each in space.files(owner)}
    made = [each for each in releases(space, owner, file) if each.state == "done"]
    return {each.id: f"Release of {names.get(file_of(each), 'a table')} ({when(each.submitted)})" for each in made}


def file_of(made: Run) -> str:
    """The id of the table that a run reads, whatever it was asked by."""
    return made.uses[0]


def made_before(each: Run) -> bool:
    """Whether the recoding is that of an earlier release, so that there is no job to change."""
    return each.kind == "apply"


def table_of(space: Workspace, owner: str, made: Run) -> tuple[str, str] | None:
    """The id and the name of the table that a run reads; None where it was deleted."""
    try:
        file = space.file(file_of(made), owner)
    except IncrowdError:
        return None
    return file.id, file.name


def reading_of(made: Run) -> dict[str, Any]:
    """How that table is read, as a request has it."""
    if made_before(made):
        return {"missing": list((made.result or {}).get("missing", ()))}
    data = made.request["job"]["data"]
    told = data if isinstance(data, dict) else {}
    return {key: told[key] for key in OF_FILES if key in told}


def made_from(space: Workspace, owner: str, file: str) -> list[Run]:
    """The runs that read a table, or what another one of them made, the latest first."""
    found: dict[str, Run] = {}
    for each in reversed(space.runs(owner)):
        # A recoding that is taken over does not make it a release of that table.
        read = each.uses[:1] if made_before(each) else each.uses
        if any(id == file or id in found for id in read):
            found[each.id] = each
    return [*reversed(found.values())]


def delete_all(space: Workspace, owner: str, file: str) -> None:
    """Delete a table with all that was made from it and its draft; nothing of it while a release is being made."""
    its = made_from(space, owner, file)
    if any(each.kind in MAKE and not each.is_over for each in its):
        raise InUse("a release of this table is being made; stop it first (under Releases), or wait")
    for each in its:
        # What pages looked up in passing has not to be waited for.
        space.delete_run(each.id, owner) if each.is_over else forget(space, each.id)
    notes = space.notes(owner)
    for name in notes.names():
        if name.startswith(f"draft-{file}"):
            notes.delete(name)
    space.delete_file(file, owner)


def page(space: Workspace, owner: str, file: Any) -> None:
    """All releases of one table."""
    lead = "Everything that was made from this table. Choose two or more to compare them."
    with layout.page("Releases", lead, (file.id, file.name), "releases"), layout.panel():
        listed(space, owner, file.id)


def listed(space: Workspace, owner: str, file: str | None) -> None:
    """The runs as a table with boxes to choose some."""
    made = releases(space, owner, file)
    if not made:
        layout.hint("None yet. A release is made on the page Privacy of a table.")
        return
    names = {each.id: each.name for each in space.files(owner)}
    boxes: dict[str, ui.checkbox] = {}
    with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for name in ("compare", "release", "table", "asked for", "found", "state", ""):
                layout.text(name, "th").props("scope=col")
        with ui.element("tbody"):
            for at, each in enumerate(made[:_SHOWN]):
                _row(space, space.run(each.id), names.get(file_of(each), "deleted"), boxes, at)
    if len(made) > _SHOWN:
        layout.hint(f"The latest {_SHOWN} of {len(made):,} are listed. Delete some to see older ones.")
    if len(boxes) > 1:
        with layout.line():
            compare = layout.quiet_button("Compare the chosen")
            layout.marked(compare.on_click(lambda: _compare(boxes)), "compare")


def _row(space: Workspace, each: Run, table: str, boxes: dict[str, ui.checkbox], at: int) -> None:
    called = when(each.submitted)
    with ui.element("tr"):
        with ui.element("td"):
            if each.state == "done":
                boxes[each.id] = layout.marked(
                    ui.checkbox().props(f'dense aria-label="Compare {called}"'), f"choose-{at}"
                )
        with ui.element("td"):
            layout.marked(ui.link(called, f"/runs/{each.id}"), f"open-run-{at}")
        layout.text(table, "td")
        layout.text(asked(each), "td")
        layout.text(outcome(each), "td")
        layout.text(STATES[each.state], "td")
        with ui.element("td"):

            async def delete() -> None:
                await run_in_thread(space.delete_run, each.id)
                ui.navigate.reload()

            if each.state in ENDED:
                confirmed(
                    f"Delete the release of {called}", "Delete this release for good?", delete, f"delete-run-{at}"
                )


def _compare(boxes: dict[str, ui.checkbox]) -> None:
    chosen = [run_id for run_id, box in boxes.items() if box.value]
    if len(chosen) < 2:
        ui.notify("Choose two or more releases first.", type="info")
    else:
        ui.navigate.to(f"/compare/{','.join(chosen)}")


def asked(each: Run) -> str:
    """What was asked for, in short."""
    if made_before(each):
        return "the recoding of an earlier release"
    job = each.request["job"]
    search = job.get("search") or USUAL_SEARCH
    by = "" if search == USUAL_SEARCH else f"; search {search if isinstance(search, str) else next(iter(search))}"
    return f"{', '.join(map(model_words, job['models']))}; up to {share(job.get('suppress', 0))} left out{by}"


def model_words(model: Any) -> str:
    """A model of a job in short: k = 5."""
    if isinstance(model, str):
        return model
    [(name, options)] = model.items()
    given = ", ".join(f"{option} = {value}" for option, value in (options or {}).items() if option != "column")
    column = (options or {}).get("column")
    about = " and ".join(column) if isinstance(column, list) else column
    return given if name == "k_anonymity" else f"{name} of {about} ({given})" if about else f"{name} ({given})"


def share(value: Any) -> str:
    """Suppression as a job has it."""
    from incrowd.text import count, percent

    return count(value, "record") if isinstance(value, int) and value >= 1 else percent(float(value))


def outcome(each: Run) -> str:
    """What came of it, in short."""
    from incrowd.text import number

    found = each.result
    if each.state != "done" or not found:
        return ""
    if "people" in found.get("details", {}):
        return f"every record fits {number(found['details']['people'])} or more, {number(found['suppressed'])} left out"
    return f"classes of at least {number(found['smallest'])}, {number(found['suppressed'])} left out"

"""The page that assigns a role to every column; roles are suggested from names and values."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from incrowd.core.schema import Role
from incrowd.text import count, percent
from incrowd.web.parts import (
    job_import,
    layout,
    noticed,
    preview,
    profile_choice,
    reading_options,
    role_groups,
    words,
)
from incrowd.web.parts.background import newest, run_soon, stop_if_gone, try_in_thread
from incrowd.web.parts.column_grid import ColumnGrid
from incrowd.web.parts.creating import CreateButton, ManyColumns
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.inspected import accept_suggestions, inspected
from incrowd.web.parts.preparing import Preparing
from incrowd.web.parts.role_groups import RoleGroups

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


STEP = (1, "Columns")


HELPS = ("Direct identifier", "Person", "Quasi-identifier", "Sensitive column", "Drop", "Missing value")


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """Show the page."""
    draft = Draft.load(space, owner, file.id)
    lead = "Check each suggested role, the unsure ones first."
    with layout.page("Column roles", lead, (file.id, file.name), "columns", HELPS):
        body = ui.element("div").classes("stack")

        async def load() -> None:
            with newest(body) as box:
                several = await try_in_thread(space.tables, file.id, owner)
                stop_if_gone(box)
                if several is None or len(several) > 1:
                    _choose_table(space, owner, file, several or [])
                    return
                if not await inspected(space, owner, draft):
                    with layout.panel("Reading options"):
                        Preparing(space, owner, draft, load).show_changes()
                        reading_options.show(space, owner, draft, file, load)
                    return
                _body(space, owner, draft, file, load)

        run_soon(load)


def _choose_table(space: Workspace, owner: str, file: StoredFile, tables: list[str]) -> None:
    """Show a choice of the file's tables or sheets."""
    if not tables:
        return
    with layout.panel("Choose a table", f"{file.name} has {count(len(tables), 'table')}. Choose the one about people."):
        select = ui.select(tables, value=tables[0], label="Table").classes("middle")
        layout.mark(select, "which-table")

        async def take() -> None:
            if await try_in_thread(space.choose_table, file.id, str(select.value), owner) is not None:
                ui.navigate.reload()

        with layout.line():
            layout.mark(ui.button("Use this table", on_click=take).props("no-caps unelevated"), "take-table")


def _body(space: Workspace, owner: str, draft: Draft, file: StoredFile, again: Any) -> None:
    inspection = draft.inspection
    assert inspection is not None
    summary = layout.mark(layout.paragraph("", "found"), "summary")
    warnings = ui.element("div")
    create, many = CreateButton(space, owner, draft), ManyColumns(draft)

    async def reset() -> None:
        draft.chosen = {}
        accept_suggestions(draft, inspection)
        draft.keep(space, owner)
        await again()

    def summarize() -> None:
        summary.set_content(_summary(draft, inspection["records"]))
        warnings.clear()
        with warnings:
            _show_people(space, owner, draft, again)
            if unique := _unique_kept(draft):
                layout.mark(layout.message(unique, "warning"), "kept-unique")
        if groups is not None:
            groups.follow()
        create.follow()
        many.follow()

    if not inspection["records"]:
        _show_no_records(draft)
    _show_opened_job(draft)
    noticed.show(space, owner, draft, again)
    columns = ColumnGrid(space, owner, draft, summarize)
    groups = RoleGroups(draft, columns.choose) if role_groups.is_shown(inspection["columns"], draft) else None
    if groups is None:
        with layout.panel(mark="columns"):
            _explain()
            columns.show()
    else:
        with layout.panel(mark="groups"):
            _explain()
            groups.show()
    with layout.panel(mark="create-panel"):
        profile_choice.AskedWords(space, owner, draft).show()
        many.show()
        with layout.line():
            create.show()
            link = layout.button_link("Next: diagnose", f"/files/{file.id}/diagnose").props("outline")
            layout.mark(link, "next")
        create.show_place()
    if groups is not None:
        # Of many columns the groups are what is reviewed; each one is below what leads on.
        with layout.panel("Column by column", mark="columns"):
            columns.show()
    with layout.panel(mark="more"):
        # It stays open after a change.
        preparing = Preparing(space, owner, draft, again)
        is_open = bool(draft.prepare) or preparing.is_pending
        change = ui.expansion("Change the table: rename, recode, convert, choose rows", value=is_open)
        with layout.mark(change, "prepare"):
            preparing.show()
        is_typed = reading_options.kept(space, owner, file).is_pending
        options = ui.expansion("Reading options: missing values, delimiter, encoding", value=is_typed)
        with layout.mark(options, "missing-texts"):
            reading_options.show(space, owner, draft, file, again)
        with ui.expansion("First records of the table"):
            preview.show(space, owner, draft.reading)
        with layout.mark(ui.expansion("Open a job file or an ANON definition"), "open-job"):
            _open_job(space, owner, draft, again)
        layout.mark(layout.quiet_button("Reset to suggested roles").on_click(reset), "reset-roles")
    summarize()


def _explain() -> None:
    """Show what roles and figures mean, once it is opened."""
    with layout.mark(ui.expansion("Roles and figures explained"), "meanings"):
        layout.mark(_explain_roles(), "roles")
        layout.hint(
            "Unique alone: share of records that this column alone makes unique. "
            "Unique added: average share of records that become unique when this column is added to others."
        )


def _show_no_records(draft: Draft) -> None:
    """Show why a table has no records, and what can be done."""
    if "rows" in draft.prepare:
        words = "No record satisfies the conditions on rows. Change or undo them below, under Change the table."
    else:
        words = (
            "The file has a header and no records. If its first line is a record, say so below, under Reading options. "
            "Otherwise choose roles now, and open the file again once it has records."
        )
    with layout.line():
        layout.mark(layout.message(words, "warning"), "no-records")
        layout.mark(layout.button_link("Open another file", "/").props("flat"), "to-tables")


def _show_people(space: Workspace, owner: str, draft: Draft, again: Any) -> None:
    """Show who has several records, with a button that gives the columns that tell the person their role."""
    assert draft.inspection is not None
    # An inspection by an older version did not look for people.
    people = draft.inspection.get("people")
    if people is None:
        return

    async def take() -> None:
        for each in draft.inspection["columns"] if draft.inspection else ():
            if each["name"] in people["columns"]:
                draft.roles[each["name"]] = each["role"]
                draft.also_person |= {each["name"]: True} if each["role"] == Role.QUASI else {}
        draft.keep(space, owner)
        await again()

    then = "Records are counted: a class may hold records of fewer people."
    if draft.person:
        then = f"People are counted by {' and '.join(draft.person)}."
    as_found = draft.person == people["columns"]
    with layout.line():
        layout.mark(layout.message(f"{people['summary']} {then}", "" if draft.person else "warning"), "people")
        if not as_found:
            layout.mark(
                layout.quiet_button(f"Count people by {' and '.join(people['columns'])}").on_click(take), "count-people"
            )


def _open_job(space: Workspace, owner: str, draft: Draft, again: Any) -> None:
    """Show a drop zone for a job file, which fills in this page and the following ones."""
    layout.hint(
        "A YAML, JSON or XML file sets roles, hierarchies, privacy models, limits and the search. Columns that it does "
        "not mention are dropped."
    )
    place = ui.element("div").classes("stack full")

    async def arrived(event: events.UploadEventArguments) -> None:
        upload.reset()
        place.clear()
        with place:
            if event.file.size() > job_import.LARGEST:
                layout.message(f"{event.file.name} is too large for a job file.", "error")
                return
            text = (await event.file.read()).decode("utf-8-sig", errors="replace")
            opened = job_import.JobImport(draft, lambda name: space.held(name, owner))
            if await try_in_thread(opened.fill, text, event.file.name) is None:
                return
        draft.inspection, draft.opened, draft.chosen = None, opened.notes, None
        draft.keep(space, owner)
        await again()

    upload = layout.upload("Drop a job file here, or click to choose one", "job-drop", arrived).classes("small")


def _show_opened_job(draft: Draft) -> None:
    """Show the notes of an opened job file."""
    if draft.opened is not None:
        layout.mark(layout.message("Job file opened. Check columns, hierarchies and privacy.", "good"), "opened")
        for note in draft.opened:
            layout.mark(layout.message(note, "warning"), "opened-note")


_MANY = 0.01
"""Share of unique records from which a kept column is warned about."""


def _unique_kept(draft: Draft) -> str:
    """Return a warning about the kept columns that alone make many records unique; empty if there are none."""
    assert draft.inspection is not None
    found = [
        f"{each['name']} ({percent(each['unique_share'])} of records)"
        for each in draft.inspection["columns"]
        if draft.roles[each["name"]] == Role.KEEP and each["unique_share"] >= _MANY
    ]
    if not found:
        return ""
    one = len(found) == 1
    return (
        f"Published unchanged, and alone {'makes' if one else 'make'} records unique: {', '.join(found)}. Another file "
        f"that has {'it' if one else 'one'} re-identifies people. Choose drop or quasi, unless no other file has it."
    )


def _explain_roles() -> ui.html:
    """Show what each role means."""
    meanings = "; ".join(f"<b>{role}</b>: {meaning.replace(';', ',')}" for role, meaning in words.ROLES.items())
    hint = "Each quasi-identifier costs the others detail. Drop what you don't need."
    return ui.html(f"{meanings}.<br>{hint}", sanitize=False, tag="p").classes("hint").style("max-width: none")


def _summary(draft: Draft, records: int) -> str:
    """Return the number of records and of columns per role as a sentence."""
    roles = Counter(draft.roles.values())
    parts = {
        Role.IDENTIFIER: count(roles[Role.IDENTIFIER], "direct identifier"),
        Role.PERSON: f"{roles[Role.PERSON]} for the person",
        Role.QUASI: count(roles[Role.QUASI], "quasi-identifier"),
        Role.SENSITIVE: f"{roles[Role.SENSITIVE]} sensitive",
        Role.KEEP: f"{roles[Role.KEEP]} published unchanged",
        Role.DROP: f"{roles[Role.DROP]} dropped",
    }
    listed = ", ".join(parts[role] for role in Role if roles[role])
    need = "" if roles[Role.QUASI] else " Choose at least one quasi-identifier: a column that an attacker may know."
    return f"{count(records, 'record')}, {count(len(draft.roles), 'column')}: {listed}.{need}"

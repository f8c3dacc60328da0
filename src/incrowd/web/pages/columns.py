"""What each column is for: what a first look suggests, to accept or to change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from incrowd.core.schema import Normalize, Role
from incrowd.text import count, number, percent
from incrowd.web.parts import job_import, layout, preview, reading_options, words
from incrowd.web.parts.background import found, later, tried
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


def show(space: Workspace, owner: str, file: StoredFile) -> None:
    """The page."""
    draft = Draft.of(space, owner, file.id)
    lead = "Check what each column is for. What is suggested comes from names and values; you know better."
    with layout.page("What is each column for?", lead, (file.id, file.name), "columns"):
        body = ui.element("div").classes("stack")

        async def load() -> None:
            body.clear()
            with body:
                several = await tried(space.tables, file.id, owner)
                if several is None or len(several) > 1:
                    _which(space, owner, file, several or [])
                    return
                if draft.inspection is None:
                    draft.inspection = await found(space, "inspect", draft.reading, owner)
                    if draft.inspection is None:
                        with layout.panel("How the file is read"):
                            reading_options.show(space, owner, draft, file, load)
                        return
                    _accept(draft, draft.inspection)
                    draft.keep(space, owner)
                _body(space, owner, draft, file, load)

        later(load)


def _which(space: Workspace, owner: str, file: StoredFile, tables: list[str]) -> None:
    """Which of its tables, or sheets, a file stands for."""
    if not tables:
        return
    with layout.panel(
        "Which table?", f"{file.name} holds {count(len(tables), 'table')}. Choose the one with the people."
    ):
        select = ui.select(tables, value=tables[0], label="Table").classes("middle")
        layout.marked(select, "which-table")

        async def take() -> None:
            if await tried(space.choose_table, file.id, str(select.value), owner) is not None:
                ui.navigate.reload()

        with layout.line():
            layout.marked(ui.button("Take this table", on_click=take).props("no-caps unelevated"), "take-table")


def _accept(draft: Draft, inspection: dict[str, Any]) -> None:
    """The suggested roles, where none was chosen before."""
    draft.roles = {each["name"]: draft.roles.get(each["name"], each["role"]) for each in inspection["columns"]}


def _body(space: Workspace, owner: str, draft: Draft, file: StoredFile, again: Any) -> None:
    inspection = draft.inspection
    assert inspection is not None
    summary = layout.marked(layout.paragraph("", "found"), "summary")
    warned = ui.element("div")

    def told() -> None:
        summary.set_content(_summary(draft, inspection["records"]))
        warned.clear()
        with warned:
            for words in _kept_though_unique(draft):
                layout.marked(layout.message(words, "warning"), "kept-unique")

    _opened(draft)
    _placeholders(space, owner, draft, again)
    _spellings(space, owner, draft, again)
    with layout.panel(mark="columns"):
        layout.marked(_meanings(), "roles")
        _roles(space, owner, draft, told)
        layout.hint(
            "Singles out: the share of records that the column alone makes unique. "
            "Adds: the share that becomes unique when the column joins others, on average."
        )
        with layout.marked(ui.expansion("How the file is read: missing cells, delimiter, encoding"), "missing-texts"):
            reading_options.show(space, owner, draft, file, again)
        with ui.expansion("The first records of the table"):
            preview.show(space, owner, draft.reading)
        with layout.marked(ui.expansion("Open a job file or an ANON definition"), "open-job"):
            _open_job(space, owner, draft, again)
    told()
    layout.next_step("Next: who stands out?", file.id, "diagnose")


def _open_job(space: Workspace, owner: str, draft: Draft, again: Any) -> None:
    """A place for a job: it fills in this page and the next ones."""
    layout.hint(
        "YAML, JSON or XML: roles, hierarchies, privacy models, limits and the search are taken from it. Columns that "
        "it does not mention are left out."
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
            opened = job_import.Opened(draft, lambda name: space.held(name, owner))
            if await tried(opened.fill, text, event.file.name) is None:
                return
        draft.inspection, draft.opened = None, opened.notes
        draft.keep(space, owner)
        await again()

    upload = ui.upload(label="Drop a job file here, or press + to choose one", auto_upload=True, on_upload=arrived)
    layout.marked(upload.classes("small"), "job-drop")


def _opened(draft: Draft) -> None:
    """Say what an opened job did, once."""
    if draft.opened is not None:
        layout.marked(
            layout.message("The job was opened: check the columns, hierarchies and privacy.", "good"), "opened"
        )
        for note in draft.opened:
            layout.marked(layout.message(note, "warning"), "opened-note")


def _placeholders(space: Workspace, owner: str, draft: Draft, again: Any) -> None:
    """What may stand for missing, to be taken so by one button."""
    assert draft.inspection is not None
    found: dict[str, list[str]] = {}
    for each in draft.inspection["columns"]:
        for text in each.get("placeholders", ()):
            found.setdefault(text, []).append(each["name"])

    async def take() -> None:
        draft.missing, draft.inspection = [*draft.missing, *found], None
        draft.keep(space, owner)
        await again()

    if found:
        told = "; ".join(f"{text!r} in {', '.join(names)}" for text, names in found.items())
        with layout.line():
            layout.marked(layout.message(f"This may stand for a missing cell: {told}.", "warning"), "placeholders")
            layout.marked(layout.quiet_button("Yes, it is missing").on_click(take), "take-missing")


def _spellings(space: Workspace, owner: str, draft: Draft, again: Any) -> None:
    """Columns with several spellings of a value; one button makes them one, or several again."""
    assert draft.inspection is not None
    for at, each in enumerate(draft.inspection["columns"]):
        # A look of an older version did not count them.
        if each.get("spellings") and draft.roles[each["name"]] in (Role.QUASI, Role.SENSITIVE):
            _spelling(space, owner, draft, each, at, again)


def _spelling(space: Workspace, owner: str, draft: Draft, column: dict[str, Any], at: int, again: Any) -> None:
    name, found = column["name"], column["spellings"]
    merged = name in draft.normalize

    async def change() -> None:
        draft.normalize = {of: steps for of, steps in draft.normalize.items() if of != name}
        if not merged:
            draft.normalize[name] = [*Normalize]
        draft.keep(space, owner)
        await again()

    are = "is" if found == 1 else "are"
    what = f"{name}: {number(found)} of {count(column['distinct'], 'value')} {are} another spelling of a value"
    how = "blanks, case, Unicode form, invisible characters"
    then = "They are merged before anything is counted." if merged else "Each counts as a value of its own."
    with layout.line():
        layout.marked(layout.message(f"{what} ({how}). {then}", "" if merged else "warning"), f"spellings-{at}")
        button = layout.quiet_button("Keep them apart" if merged else "Merge them").on_click(change)
        layout.marked(button, f"merge-{at}")


_MANY = 0.01
"""The share of records that a column may single out alone, and still be called harmless."""


def _kept_though_unique(draft: Draft) -> list[str]:
    """What is published as it is and singles people out: nothing protects whoever is known by it."""
    assert draft.inspection is not None
    return [
        f"{each['name']} is published as it is, and alone makes {percent(each['unique_share'])} of the records unique: "
        "who finds it in another file finds the person. Drop it, or make it quasi, unless nobody else has it."
        for each in draft.inspection["columns"]
        if draft.roles[each["name"]] == Role.KEEP and each["unique_share"] >= _MANY
    ]


def _meanings() -> ui.html:
    """Every role with what it means."""
    told = "; ".join(f"<b>{role}</b>: {meaning.replace(';', ',')}" for role, meaning in words.ROLES.items())
    hint = "Every column that outsiders may know costs the others some of their detail: drop what nobody needs."
    return ui.html(f"{told}.<br>{hint}", sanitize=False, tag="p").classes("hint").style("max-width: none")


def _summary(draft: Draft, records: int) -> str:
    """How many columns have which role, in words."""
    roles = Counter(draft.roles.values())
    parts = {
        Role.IDENTIFIER: "{} never published",
        Role.QUASI: "{} that outsiders may know",
        Role.SENSITIVE: "{} to be protected",
        Role.KEEP: "{} published as it is",
        Role.DROP: "{} left out",
    }
    if roles[Role.KEEP] > 1:
        parts[Role.KEEP] = "{} published as they are"
    told = ", ".join(parts[role].format(roles[role]) for role in Role if roles[role])
    need = "" if roles[Role.QUASI] else " At least one column must be quasi: what may an outsider know?"
    return f"{count(records, 'record')}, {count(len(draft.roles), 'column')}: {told}.{need}"


def _roles(space: Workspace, owner: str, draft: Draft, told: Any) -> None:
    assert draft.inspection is not None
    records = max(1, draft.inspection["records"])
    with ui.element("div").classes("scroll whole"), ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for name in ("column", "role", "why this is suggested", "holds"):
                layout.text(name, "th").props("scope=col")
            for name in ("different", "missing", "singles out", "adds"):
                layout.text(name, "th", "number").props("scope=col")
        with ui.element("tbody"):
            for at, column in enumerate(draft.inspection["columns"]):
                with ui.element("tr"):
                    _role(space, owner, draft, column, at, told)
                    gain = column["unique_gain"]
                    cells = (
                        f"{column['distinct']:,}",
                        percent(column["missing_share"]),
                        percent(column["unique_share"]),
                        "" if gain is None else percent(gain / records),
                    )
                    for cell in (column["reason"], str(column["type"])):
                        layout.text(cell, "td")
                    for cell in cells:
                        layout.text(cell, "td", "number")


def _role(space: Workspace, owner: str, draft: Draft, column: dict[str, Any], at: int, told: Any) -> None:
    name = column["name"]
    layout.marked(layout.text(name, "td", "column-name"), f"column-{at}").style("font-weight: 600")

    def choose(event: Any) -> None:
        draft.roles[name] = event.value
        draft.keep(space, owner)
        told()

    with ui.element("td"):
        options = {
            role: f"{role}: {meaning}" if role != column["role"] else f"{role} (suggested)"
            for role, meaning in words.ROLES.items()
        }
        select = ui.select(options, value=draft.roles[name], label=f"Role of {name}", on_change=choose)
        select.props("dense outlined options-dense").classes("unlabelled")
        layout.marked(select, f"role-{at}")

"""Reading options of a file: missing-value markers, header, delimiter, encoding."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.jobs.names import listed, quoted
from incrowd.service.uploads import takes
from incrowd.web.parts import layout
from incrowd.web.parts.draft import Draft
from incrowd.web.parts.typed_fields import TypedFields

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


_FIRST_LINE = {"": "detected", "header": "header", "record": "record (the file has no header)"}


def show(space: Workspace, owner: str, draft: Draft, file: StoredFile, again: Callable[[], Awaitable[None]]) -> None:
    """Show the fields; an empty field means that the option is detected."""
    with layout.stack() as form:
        _show(space, owner, draft, file, again, kept(space, owner, file), form)


def kept(space: Workspace, owner: str, file: StoredFile) -> TypedFields:
    """Return what was typed and not yet read."""
    return TypedFields(space, owner, file.id, "reading")


def _show(
    space: Workspace,
    owner: str,
    draft: Draft,
    file: StoredFile,
    again: Callable[[], Awaitable[None]],
    typed: TypedFields,
    form: ui.element,
) -> None:
    with layout.line():
        missing = ui.input("Missing-value markers", value=" ".join(draft.missing), placeholder="? n/a")
        layout.mark(missing.classes("middle"), "missing")
        delimiter = ui.input("Field delimiter", value=draft.delimiter.replace("\t", "\\t"), placeholder="detected")
        layout.mark(delimiter.classes("middle"), "delimiter")
        encoding = ui.input("Encoding", value=draft.encoding, placeholder="detected").classes("middle")
        layout.mark(encoding, "encoding")
        delimiter.set_visibility(takes(file.kind, "delimiter"))
        encoding.set_visibility(takes(file.kind, "encoding"))
    with layout.line():
        first = {None: "", True: "header", False: "record"}[draft.header]
        line = ui.select(_FIRST_LINE, value=first, label="First line").classes("middle")
        layout.mark(line, "first-line")
        names = ui.input("Column names", value=",".join(map(quoted, draft.names)), placeholder="age,sex,postcode")
        layout.mark(names.classes("middle"), "names")
        widths = ui.input("Column widths (characters)", value=",".join(map(str, draft.widths)), placeholder="4,8,2")
        layout.mark(widths.classes("middle"), "widths")
        for each in (line, names):
            each.set_visibility(takes(file.kind, "header"))
        widths.set_visibility(takes(file.kind, "widths"))
    layout.hint(
        "Empty cells are always missing values. Separate several markers with spaces; write a tab as \\t. "
        "Give column names only if the file has no header, and widths only if it has no delimiter."
    )

    async def look() -> None:
        draft.missing, draft.inspection = (missing.value or "").split(), None
        draft.delimiter, draft.encoding = (delimiter.value or "").replace("\\t", "\t"), (encoding.value or "").strip()
        draft.header = {"": None, "header": True, "record": False}[line.value or ""]
        draft.names = listed(names.value or "") or []
        draft.widths = [int(part) for part in (widths.value or "").split(",") if part.strip().isdecimal()]
        draft.keep(space, owner)
        typed.forget()
        await again()

    with layout.line():
        layout.mark(layout.quiet_button("Read again").on_click(look), "look-again")
    typed.watch(form)

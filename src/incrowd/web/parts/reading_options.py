"""How a file is read: what stands for missing, whether it has a header, and of texts the delimiter and encoding."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.jobs.names import listed, quoted
from incrowd.service.uploads import WITH_HEADER
from incrowd.web.parts import layout
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import StoredFile, Workspace


_FIRST_LINE = {"": "judged by its cells", "header": "a header", "record": "a record: the file has no header"}


def show(space: Workspace, owner: str, draft: Draft, file: StoredFile, again: Callable[[], Awaitable[None]]) -> None:
    """The fields; what is left empty is found by looking."""
    with layout.line():
        missing = ui.input("Texts that stand for a missing cell", value=" ".join(draft.missing), placeholder="? n/a")
        layout.marked(missing.classes("middle"), "missing")
        delimiter = ui.input(
            "Cells are separated by", value=draft.delimiter.replace("\t", "\\t"), placeholder="found by looking"
        )
        layout.marked(delimiter.classes("middle"), "delimiter")
        encoding = ui.input("Encoding", value=draft.encoding, placeholder="found by looking").classes("middle")
        layout.marked(encoding, "encoding")
        delimiter.set_visibility(file.kind == "delimited")
        encoding.set_visibility(file.kind == "delimited")
    with layout.line():
        first = {None: "", True: "header", False: "record"}[draft.header]
        line = ui.select(_FIRST_LINE, value=first, label="First line").classes("middle")
        layout.marked(line, "first-line")
        names = ui.input("Column names", value=",".join(map(quoted, draft.names)), placeholder="age,sex,postcode")
        layout.marked(names.classes("middle"), "names")
        widths = ui.input("Column widths", value=",".join(map(str, draft.widths)), placeholder="4,8,2")
        layout.marked(widths.classes("middle"), "widths")
        for each in (line, names):
            each.set_visibility(file.kind in WITH_HEADER)
        widths.set_visibility(file.kind == "delimited")
    layout.hint(
        "Empty cells are missing anyway. Separate several texts by blanks; write a tabulator as \\t. "
        "Column names are needed only if the file has no header, widths (in characters) only if it has no delimiter."
    )

    async def look() -> None:
        draft.missing, draft.inspection = (missing.value or "").split(), None
        draft.delimiter, draft.encoding = (delimiter.value or "").replace("\\t", "\t"), (encoding.value or "").strip()
        draft.header = {"": None, "header": True, "record": False}[line.value or ""]
        draft.names = listed(names.value or "") or []
        draft.widths = [int(part) for part in (widths.value or "").split(",") if part.strip().isdecimal()]
        draft.keep(space, owner)
        await again()

    layout.marked(layout.quiet_button("Look again").on_click(look), "look-again")

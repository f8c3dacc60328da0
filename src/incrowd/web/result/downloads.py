"""Downloads of a run: data, reports, job, and the equivalent command and script."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from nicegui import ui

from incrowd.web.pages import releases
from incrowd.web.parts import layout
from incrowd.web.parts.background import run_soon, try_in_thread
from incrowd.web.result import report

if TYPE_CHECKING:
    from incrowd.service import Artifact, Run, Workspace

_MEANT = {
    "table": "one of the tables",
    "sensitive": "sensitive values by group, a part of the data",
    "manifest": "guarantees of the data: share it with them, so recipients can verify the release",
    "job": "settings, to run the job again",
    "record": "private record: reverses the release, and repeats it on new data",
    "command": "equivalent command",
    "script": "equivalent Python script",
    "hierarchy": "hierarchy: keep it in the same folder as job, command and script",
    "mapping": "published form of each value",
    "previews": "records as each search would publish them, not verified",
}
_OF_RELEASE = ("release", "manifest")
_SHARED = ("table", "sensitive", "manifest")
_FIRST = ("table", "sensitive", "manifest", "job", "record", "command", "script", "hierarchy")


_PRIVATE = ("record", "mapping", "previews")
_WHY = (
    "Anyone with one of these files can undo the release: they contain the original values, or say how each "
    "was published. Keep them where only you can read them; they are never a part of what you share."
)


def show_all(space: Workspace, made: Run) -> None:
    """Show everything that can be downloaded or copied: what is shared first, apart from what is secret."""
    show(made)
    if not releases.is_reapplied(made):
        show_command_and_script(space, made)


def show_shared(made: Run) -> None:
    """Show a button for each file that belongs to what is shared."""
    files = [each for each in made.artifacts if each.kind in _OF_RELEASE]
    with layout.panel("Download to share", mark="get"), layout.line():
        for each in sorted(files, key=lambda one: _OF_RELEASE.index(one.kind)):
            label = "Data" if each.kind == "release" else "Manifest, to verify them"
            button = layout.button_link(f"{label} ({each.name})", _address(made, each)).props("download outline")
            layout.mark(button, f"get-{each.kind}")


def show(made: Run) -> None:
    """Show links to the files of the run: those to share, those to keep secret, and those to keep for yourself."""
    order = {kind: at for at, kind in enumerate(_FIRST)}
    files = sorted(made.artifacts, key=lambda one: (order.get(one.kind, 9), one.name))
    about = "The data, the manifest that recipients verify them with, and a report without any value of a record."
    with layout.panel("To share", about, mark="downloads"):
        for each in files:
            if each.kind == "release":
                with layout.line():
                    button = layout.button_link(f"Download the data ({each.name})", _address(made, each))
                    layout.mark(button.props("download"), _mark(each.name))
        _list(made, [each for each in files if each.kind in _SHARED])
        _show_report(made, "external")
    with layout.panel("Keep secret", _WHY, mark="secret") as box:
        box.classes("secret")
        _list(made, [each for each in files if each.kind in _PRIVATE])
    with layout.panel(
        "For you", "Files that name or describe your table: do not share them with the data.", mark="own-files"
    ):
        _show_report(made, "internal")
        _list(made, [each for each in files if each.kind not in ("release", "report", *_SHARED, *_PRIVATE)])


def _show_report(made: Run, audience: str) -> None:
    """Show links that open or download a report."""
    with layout.line():
        address = f"/runs/{made.id}/report?audience={audience}"
        read = layout.button_link(f"Read the report ({audience})", address).props("outline")
        layout.mark(read, f"read-{audience}")
        report.show_downloads(made, audience)
    layout.hint(report.AUDIENCES[audience])


def _list(made: Run, files: list[Artifact]) -> None:
    with ui.element("ul").classes("files"):
        for each in files:
            with ui.element("li"):
                link = ui.link(each.name, _address(made, each)).props("download")
                layout.mark(link, _mark(each.name))
                meant = _MEANT.get(each.name) or _MEANT.get(each.kind, "")
                layout.text(f" - {meant}" if meant else "", "span", "muted")


def _address(made: Run, file: Artifact) -> str:
    return f"/runs/{made.id}/files/{quote(file.name)}"


def _mark(name: str) -> str:
    return f"download-{name.replace('.', '-').replace('/', '-')}"


def show_command_and_script(space: Workspace, made: Run) -> None:
    """Show the equivalent command and Python script."""
    about = "Run this in a folder with your table and the files that it names to create the same release."
    with layout.panel("Command and script", about, mark="code"):
        place = ui.element("div").classes("stack")

        async def fill() -> None:
            with place:
                for name, title in (("command.txt", "Command line"), ("script.py", "Python")):
                    if name in [each.name for each in made.artifacts]:
                        text = await try_in_thread(space.artifact(made.id, name).read_text, "utf-8")
                        if text is not None:
                            layout.heading(title, 3)
                            layout.mark(layout.text(text.rstrip(), "pre"), name.partition(".")[0])

        run_soon(fill)

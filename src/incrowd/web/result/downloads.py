"""Downloads of a run: data, reports, job, and the equivalent command and script."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.background import run_soon, try_in_thread
from incrowd.web.result import report

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_MEANT = {
    "table": "one of the tables",
    "sensitive": "sensitive values by group, a part of the data",
    "manifest": "guarantees of the data: share it with them, so recipients can verify the release",
    "job": "settings, to run the job again",
    "record": "private record: keep it secret, it can reverse the release",
    "command": "equivalent command",
    "script": "equivalent Python script",
    "hierarchy": "hierarchy: keep it in the same folder as job, command and script",
    "mapping": "published form of each value: keep it secret",
    "previews": "records as each search would publish them, not verified: keep it secret",
}
_FIRST = ("table", "sensitive", "manifest", "job", "record", "command", "script", "hierarchy")


def show(made: Run) -> None:
    """Show links to the files of the run."""
    with layout.panel("Download", mark="downloads"):
        order = {kind: at for at, kind in enumerate(_FIRST)}
        for each in made.artifacts:
            if each.kind == "release":
                address = f"/runs/{made.id}/files/{quote(each.name)}"
                with layout.line():
                    button = layout.button_link(f"Download the data ({each.name})", address).props("download")
                    layout.mark(button, _mark(each.name))
        others = [each for each in made.artifacts if each.kind not in ("report", "release")]
        with ui.element("ul").style("margin: 0; padding-left: 1.2rem"):
            for each in sorted(others, key=lambda one: (order.get(one.kind, 9), one.name)):
                with ui.element("li"):
                    link = ui.link(each.name, f"/runs/{made.id}/files/{quote(each.name)}").props("download")
                    layout.mark(link, _mark(each.name))
                    meant = _MEANT.get(each.name) or _MEANT.get(each.kind, "")
                    layout.text(f" - {meant}" if meant else "", "span", "muted")


def _mark(name: str) -> str:
    return f"download-{name.replace('.', '-').replace('/', '-')}"


def show_reports(made: Run) -> None:
    """Show links that open or download the reports."""
    about = "Settings, results, and what is and is not guaranteed, in text and charts."
    with layout.panel("Report", about, mark="reports"):
        for audience, sentence in report.AUDIENCES.items():
            with layout.line():
                read = layout.button_link(f"Read ({audience})", f"/runs/{made.id}/report?audience={audience}")
                layout.mark(read.props("outline") if audience == "external" else read, f"read-{audience}")
                report.show_downloads(made, audience)
            layout.hint(sentence)


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

"""What can be taken away: data, reports, the job, and the command and the script that do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from nicegui import ui

from incrowd.web.parts import layout
from incrowd.web.parts.background import later, tried
from incrowd.web.result import report

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_MEANT = {
    "sensitive": "the sensitive values by group, which belong to the data",
    "manifest": "what the data promise, to hand out beside them: with it anybody can check them",
    "job": "the job, to run it again",
    "record": "how it was made: keep it to yourself, it would undo the release",
    "command": "the same as a command",
    "script": "the same as a Python script",
    "hierarchy": "a hierarchy: job, command and script look for it beside them",
    "mapping": "what became of each value: keep it to yourself",
}
_FIRST = ("sensitive", "manifest", "job", "record", "command", "script", "hierarchy")


def show(made: Run) -> None:
    """Links to all that the run made."""
    with layout.panel("Download", mark="downloads"):
        order = {kind: at for at, kind in enumerate(_FIRST)}
        for each in made.artefacts:
            if each.kind == "release":
                address = f"/runs/{made.id}/files/{quote(each.name)}"
                with layout.line():
                    button = layout.button_link(f"Download the data ({each.name})", address).props("download")
                    layout.marked(button, f"download-{each.name.replace('.', '-')}")
        others = [each for each in made.artefacts if each.kind not in ("report", "release")]
        with ui.element("ul").style("margin: 0; padding-left: 1.2rem"):
            for each in sorted(others, key=lambda one: (order.get(one.kind, 9), one.name)):
                with ui.element("li"):
                    link = ui.link(each.name, f"/runs/{made.id}/files/{quote(each.name)}").props("download")
                    layout.marked(link, f"download-{each.name.replace('.', '-')}")
                    meant = _MEANT.get(each.name) or _MEANT.get(each.kind, "")
                    layout.text(f" - {meant}" if meant else "", "span", "muted")


def reports(made: Run) -> None:
    """The reports: to read here, and to take away."""
    about = "What was asked, what was found, what is promised and what is not, in words and pictures."
    with layout.panel("The report", about, mark="reports"):
        for audience, sentence in report.AUDIENCES.items():
            with layout.line():
                read = layout.button_link(f"Read it ({audience})", f"/runs/{made.id}/report?audience={audience}")
                layout.marked(read.props("outline") if audience == "external" else read, f"read-{audience}")
                report.downloads(made, audience)
            layout.hint(sentence)


def equal(space: Workspace, made: Run) -> None:
    """The command line and the script that do the same."""
    about = "What you clicked, for a terminal or a program, to be run in a folder with your table and what it names."
    with layout.panel("The same without the browser", about, mark="equal"):
        place = ui.element("div").classes("stack")

        async def fill() -> None:
            with place:
                for name, title in (("command.txt", "Command line"), ("script.py", "Python")):
                    if name in [each.name for each in made.artefacts]:
                        text = await tried(space.artefact(made.id, name).read_text, "utf-8")
                        if text is not None:
                            layout.heading(title, 3)
                            layout.marked(layout.text(text.rstrip(), "pre"), name.partition(".")[0])

        later(fill)

"""What every page has: the way through the app at the top, a heading, one sentence, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TypeVar

from nicegui import ui

Made = TypeVar("Made", bound=ui.element)

STEPS = {
    "columns": "Columns",
    "diagnose": "Diagnose",
    "hierarchies": "Hierarchies",
    "privacy": "Privacy",
    "releases": "Releases",
}
"""The steps of a table's way, by the last part of their address."""

TOOLS = {
    "risk": "Risk",
    "frontier": "Many releases at once",
    "apply": "Recode as before",
    "measure": "Measure releases",
    "table": "Counts and sums",
}
"""What else can be done with a table, in any order."""


@contextmanager
def page(title: str, lead: str, file: tuple[str, str] | None = None, step: str | None = None) -> Iterator[ui.element]:
    """A page with its heading; `file` is the id and the name of the table that it is about."""
    ui.page_title(f"{title} - Incrowd")
    ui.link("Skip to the content", "#content").classes("skip")
    with ui.element("header").classes("top"), ui.element("div").classes("top-inner"):
        marked(ui.link("Incrowd", "/").classes("brand"), "home")
        if file is not None:
            _steps(file, step)
        marked(ui.link("Check a release", "/check").classes("to-check"), "to-check")
        _who()
    with ui.element("main").classes("page").props("id=content tabindex=-1 inert") as main:
        # What is chosen before the server listens would be shown, and lost.
        ui.timer(0, lambda: main.props(remove="inert"), once=True)
        with ui.element("div"):
            heading(title, 1)
            marked(paragraph(lead, "lead"), "lead")
        yield main


def _who() -> None:
    """Who is signed in, and the way out; nobody is where nobody is asked who they are."""
    request = ui.context.client.request
    kind, _, name = str(getattr(request.state, "owner", "")).partition(":")
    if not name:
        return
    with ui.element("div").classes("who"):
        marked(text(name, "span"), "who")
        if kind == "key":
            # A form, so that the session ends also where a script does not run.
            with ui.element("form").props('method=post action="/logout"'):
                marked(ui.button("Sign out").props("type=submit flat dense no-caps"), "sign-out")


def _steps(file: tuple[str, str], step: str | None) -> None:
    marked(text(file[1], "span", "of-file"), "file-name")
    with ui.element("nav").props('aria-label="Steps"'), ui.element("ol").classes("steps"):
        for at, (address, called) in enumerate(STEPS.items()):
            with ui.element("li"):
                link = marked(ui.link(f"{at + 1} {called}", f"/files/{file[0]}/{address}"), f"step-{address}")
                if address == step:
                    link.props("aria-current=step")
    with ui.element("nav").props('aria-label="More"').classes("tools"):
        text("More:", "span", "muted")
        for address, called in TOOLS.items():
            link = marked(ui.link(called, f"/files/{file[0]}/{address}"), f"tool-{address}")
            if address == step:
                link.props("aria-current=page")


def marked(element: Made, name: str) -> Made:
    """An element with a name of its own, by which tests and scripts find it."""
    element.props(f'data-mark="{name}"')
    return element


def text(words: str, tag: str = "div", classes: str = "") -> ui.html:
    """Words in an element of a kind, whatever is in them."""
    return ui.html(escape(words), sanitize=False, tag=tag).classes(classes)


def heading(words: str, level: int = 2) -> ui.html:
    """A heading."""
    return text(words, f"h{level}")


def paragraph(words: str, classes: str = "") -> ui.html:
    """A paragraph."""
    return text(words, "p", classes)


def hint(words: str) -> ui.html:
    """One plain sentence that explains something."""
    return paragraph(words, "hint")


def message(words: str, kind: str = "") -> ui.html:
    """Something that was found or went wrong; kind is good, warning or error."""
    role = "alert" if kind == "error" else "status"
    return marked(text(words, "div", f"message {kind}").props(f"role={role}"), f"message-{kind or 'plain'}")


@contextmanager
def panel(title: str | None = None, explained: str | None = None, mark: str = "") -> Iterator[ui.element]:
    """A box with a heading of its own."""
    with ui.element("section").classes("panel") as box:
        if mark:
            marked(box, mark).props(f"id={mark}")
        if title is not None:
            heading(title)
        if explained is not None:
            hint(explained)
        yield box


@contextmanager
def stack() -> Iterator[ui.element]:
    """Things below each other."""
    with ui.element("div").classes("stack") as box:
        yield box


@contextmanager
def line(classes: str = "") -> Iterator[ui.element]:
    """Things beside each other."""
    with ui.element("div").classes(f"line {classes}") as box:
        yield box


def figures(named: dict[str, str]) -> None:
    """A few numbers that matter, each with what it is."""
    with ui.element("div").classes("figures"):
        for name, value in named.items():
            ui.html(f"<b>{escape(value)}</b><span>{escape(name)}</span>", sanitize=False).classes("figure")


def next_step(words: str, file_id: str, step: str) -> None:
    """The link to what comes next."""
    with ui.element("div").classes("next"):
        marked(button_link(words, f"/files/{file_id}/{step}"), "next")


def without_quasi(file_id: str) -> None:
    """In place of a page that needs to know what outsiders know."""
    message("No column is quasi yet: choose first what outsiders may know.", "warning")
    next_step("Back to the columns", file_id, "columns")


def button_link(words: str, address: str) -> ui.button:
    """A link that looks like a button."""
    return ui.button(words, color="primary").props(f'href="{address}" no-caps unelevated')


def quiet_button(words: str) -> ui.button:
    """A button that is not the main one."""
    return ui.button(words, color="primary").props("flat no-caps")

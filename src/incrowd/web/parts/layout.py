"""The frame of every page: navigation, heading, introduction, next step."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, TypeVar

from nicegui import ui

from incrowd.families import Family

Made = TypeVar("Made", bound=ui.element)

TURNS = "turns"
"""The place for undo and redo on the pages of a table."""


@contextmanager
def page(
    title: str,
    lead: str,
    file: tuple[str, str] | None = None,
    step: str | None = None,
    helps: Iterable[str] = (),
) -> Iterator[ui.element]:
    """Show a page with its heading; `file` is the id and the name of its table, `helps` names terms of the glossary."""
    ui.page_title(f"{title} - Incrowd")
    ui.link("Skip to content", "#content").classes("skip")
    with ui.element("header").classes("top"), ui.element("div").classes("top-inner"):
        mark(ui.link("Incrowd", "/").classes("brand"), "home")
        if file is not None:
            _steps(file, step)
        mark(ui.link("Verify a release", "/check").classes("to-check"), "to-check")
        _signed_in_user()
    # NiceGUI puts every page into a main element.
    with ui.element("div").classes("page").props("id=content tabindex=-1 inert") as content:
        # A choice made before the server listens would be shown, and lost.
        ui.timer(0, lambda: content.props(remove="inert"), once=True)
        with ui.element("div"):
            headed(title, 1, helps)
            if lead:
                mark(paragraph(lead, "lead"), "lead")
        yield content


def _signed_in_user() -> None:
    """Show the signed-in user, if any, and sign-out."""
    request = ui.context.client.request
    kind, _, name = str(getattr(request.state, "owner", "")).partition(":")
    if not name:
        return
    with ui.element("div").classes("who"):
        mark(text(name, "span"), "who")
        if kind == "key":
            # A form ends the session even if no script runs.
            with ui.element("form").props('method=post action="/logout"'):
                mark(ui.button("Sign out").props("type=submit flat dense no-caps"), "sign-out")


def _steps(file: tuple[str, str], step: str | None) -> None:
    # Pages import this module.
    from incrowd.web import pages

    mark(text(file[1], "span", "of-file"), "file-name")
    with ui.element("nav").props('aria-label="Steps"'), ui.element("ol").classes("steps"):
        for at, (address, module) in enumerate(pages.steps().items()):
            with ui.element("li"):
                label = f"{at + 1} {module.STEP[1]}"
                link = mark(ui.link(label, f"/files/{file[0]}/{address}"), f"step-{address}")
                if address == step:
                    link.props("aria-current=step")
    tools = pages.tools()
    with ui.element("nav").props('aria-label="More"'), ui.element("details").classes("tools"):
        # On a tool's own page, its name takes the place of the word.
        summary = mark(text(tools[step].TOOL[1] if step in tools else "More", "summary"), "more-tools")
        if step in tools:
            summary.props("aria-current=page")
        with ui.element("ul"):
            for address, module in tools.items():
                with ui.element("li"):
                    link = mark(ui.link(module.TOOL[1], f"/files/{file[0]}/{address}"), f"tool-{address}")
                    if address == step:
                        link.props("aria-current=page")
    if step is not None:
        ui.element("div").classes("turns").mark(TURNS)


def mark(element: Made, name: str) -> Made:
    """Name an element for tests and scripts; return it."""
    element.props(f'data-mark="{name}"')
    return element


def text(words: str, tag: str = "div", classes: str = "") -> ui.html:
    """Show escaped text in an element of the given tag."""
    return ui.html(escape(words), sanitize=False, tag=tag).classes(classes)


def heading(words: str, level: int = 2) -> ui.html:
    """Show a heading."""
    return text(words, f"h{level}")


def headed(words: str, level: int, helps: Iterable[str] = (), family: Family | None = None) -> None:
    """Show a heading, and beside it a button that opens help about terms."""
    # Help is made of the parts of this module.
    from incrowd.web.parts import help

    named = list(helps)
    with ui.element("div").classes("headed"):
        heading(words, level)
        if named or family is not None:
            help.button(words, named, family)


def paragraph(words: str, classes: str = "") -> ui.html:
    """Show a paragraph."""
    return text(words, "p", classes)


def hint(words: str) -> ui.html:
    """Show a short explanation."""
    return paragraph(words, "hint")


def message(words: str, kind: str = "") -> ui.html:
    """Show a result or a problem; kind is good, warning or error."""
    role = "alert" if kind == "error" else "status"
    return mark(text(words, "div", f"message {kind}").props(f"role={role}"), f"message-{kind or 'plain'}")


@contextmanager
def panel(
    title: str | None = None,
    explained: str | None = None,
    mark: str = "",
    helps: Iterable[str] = (),
    family: Family | None = None,
) -> Iterator[ui.element]:
    """Show a box with a heading; `helps` names terms of the glossary that its help has, and members of a family."""
    with ui.element("section").classes("panel") as box:
        if mark:
            box.props(f'data-mark="{mark}" id={mark}')
        if title is not None:
            headed(title, 2, helps, family)
        if explained is not None:
            hint(explained)
        yield box


@contextmanager
def stack() -> Iterator[ui.element]:
    """Show elements below each other."""
    with ui.element("div").classes("stack") as box:
        yield box


@contextmanager
def line(classes: str = "") -> Iterator[ui.element]:
    """Show elements beside each other."""
    with ui.element("div").classes(f"line {classes}") as box:
        yield box


def figures(named: dict[str, str]) -> None:
    """Show key numbers with their labels."""
    with ui.element("div").classes("figures"):
        for name, value in named.items():
            ui.html(f"<b>{escape(value)}</b><span>{escape(name)}</span>", sanitize=False).classes("figure")


def next_step(words: str, file_id: str, step: str) -> None:
    """Show a link to the next step."""
    with ui.element("div").classes("next"):
        mark(button_link(words, f"/files/{file_id}/{step}"), "next")


def no_quasi_message(file_id: str) -> None:
    """Show that a page needs at least one quasi-identifier."""
    message(
        "No quasi-identifier yet. Give at least one column the role quasi: one that an attacker may know.", "warning"
    )
    next_step("Go to columns", file_id, "columns")


def button_link(words: str, address: str) -> ui.button:
    """Show a link that looks like a button."""
    return ui.button(words, color="primary").props(f'href="{address}" no-caps unelevated')


def upload(label: str, name: str, arrived: Callable[..., Any], multiple: bool = False) -> ui.upload:
    """Show a drop zone for files."""
    return mark(ui.upload(label=label, auto_upload=True, multiple=multiple, on_upload=arrived), name)


LABEL_UPLOADS = """<script>
new MutationObserver(() => {
  for (const field of document.querySelectorAll(".q-uploader__input:not([aria-label])")) {
    field.setAttribute("aria-label", field.closest(".q-uploader").querySelector(".q-uploader__title").textContent);
    field.tabIndex = 0;
    for (const name of ["role", "tabindex"]) field.closest(".q-btn").removeAttribute(name);
  }
}).observe(document, {childList: true, subtree: true});
addEventListener("click", ({target}) => {
  const box = target.closest?.(".q-uploader");
  if (box && !target.closest("input, a, .q-btn")) box.querySelector(".q-uploader__input").click();
});
</script>"""
"""Quasar puts the file field of an uploader, without a name, into a button: make it one named, focusable field, which a
click anywhere in the drop area opens."""


def table_head(names: Iterable[str], numbers: Container[str] = ()) -> None:
    """Show the header row of a table; those of numbers are aligned right."""
    with ui.element("thead"), ui.element("tr"):
        for name in names:
            text(name, "th", "number" if name in numbers else "").props("scope=col")


def quiet_button(words: str) -> ui.button:
    """Show a secondary button."""
    return ui.button(words, color="primary").props("flat no-caps")

"""The panel that shows original and release side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.web.pages import releases
from incrowd.web.parts import layout, preview

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the first records of both."""
    about = (
        "The release has its own order, because the original order may re-identify people: rows side by side are not "
        "the same record."
    )
    with layout.panel("Original and release", about, mark="records"), ui.element("div").classes("two"):
        original = {"file": releases.file_of(made), **releases.reading_of(made)}
        _head(space, owner, "Original (keep secret)", original, "original")
        _head(space, owner, "Release", {"file": made.id}, "release")


def _head(space: Workspace, owner: str, title: str, request: dict[str, Any], mark: str) -> None:
    with layout.stack():
        layout.heading(title, 3)
        layout.mark(preview.show(space, owner, request), f"records-{mark}")

"""What lists of tables and releases have in common: sizes, moments, and a button that deletes for good."""

from __future__ import annotations

from datetime import datetime

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.parts import layout


def confirmed(label: str, question: str, act: object, mark: str) -> None:
    """A button that asks before it does something for good."""

    async def ask() -> None:
        with ui.dialog() as dialog, ui.card():
            layout.paragraph(question)
            with layout.line():
                keep = ui.button("Keep it", on_click=lambda: dialog.submit(False)).props("flat no-caps autofocus")
                layout.marked(keep, "keep")
                sure = ui.button("Delete for good", color="negative", on_click=lambda: dialog.submit(True))
                layout.marked(sure.props("no-caps unelevated"), "sure")
        if await dialog:
            try:
                await act()  # type: ignore[operator]
            except IncrowdError as error:
                ui.notify(str(error), type="negative")

    button = ui.button("Delete", on_click=ask).props("flat no-caps dense")
    layout.marked(button, mark)
    button.props["aria-label"] = label


def size(of_bytes: int | None) -> str:
    """A number of bytes as people say it."""
    if of_bytes is None:
        return ""
    for unit in ("bytes", "KB", "MB", "GB"):
        if of_bytes < 1000 or unit == "GB":
            return f"{of_bytes:,.0f} {unit}"
        of_bytes = round(of_bytes / 1000)
    return ""


def when(moment: float) -> str:
    """A moment to the minute."""
    return datetime.fromtimestamp(moment).strftime("%Y-%m-%d %H:%M")

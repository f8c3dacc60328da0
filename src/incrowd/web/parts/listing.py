"""Shared parts of lists: sizes, times, and a delete button."""

from __future__ import annotations

from datetime import datetime

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.parts import layout


def delete_button(label: str, question: str, act: object, mark: str) -> None:
    """Show a button that asks for confirmation before it deletes."""

    async def ask() -> None:
        with ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = label
            layout.paragraph(question)
            with layout.line():
                keep = ui.button("Cancel", on_click=lambda: dialog.submit(False)).props("flat no-caps autofocus")
                layout.mark(keep, "keep")
                sure = ui.button("Delete permanently", color="negative", on_click=lambda: dialog.submit(True))
                layout.mark(sure.props("no-caps unelevated"), "sure")
        if await dialog:
            try:
                await act()  # type: ignore[operator]
            except IncrowdError as error:
                ui.notify(str(error), type="negative")

    button = ui.button("Delete", on_click=ask).props("flat no-caps dense")
    layout.mark(button, mark)
    button.props["aria-label"] = label


def format_size(of_bytes: int | None) -> str:
    """Return a number of bytes in readable units."""
    if of_bytes is None:
        return ""
    for unit in ("bytes", "KB", "MB", "GB"):
        if of_bytes < 1000 or unit == "GB":
            return f"{of_bytes:,.0f} {unit}"
        of_bytes = round(of_bytes / 1000)
    return ""


def format_time(moment: float) -> str:
    """Return a time to the minute."""
    return datetime.fromtimestamp(moment).strftime("%Y-%m-%d %H:%M")

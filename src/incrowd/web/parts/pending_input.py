"""Saves text typed just before a page is left or reloaded, and shows it on the next page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

FLUSH = """<script>
addEventListener("beforeunload", () => document.activeElement?.blur());
</script>"""
"""A debounced field sends its text when it loses the focus, which leaving a page alone does not cause."""


def show_again_if_changed(kept: Callable[[], Any]) -> None:
    """Load the page anew if what is kept changes between showing it and the browser's being there.

    The last words of the page before come by its socket; the request for this page may overtake them.
    """
    shown = kept()

    def compare() -> None:
        if kept() != shown:
            ui.navigate.reload()

    ui.timer(0, compare, once=True)

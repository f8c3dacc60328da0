"""Tabs of a page: the open one is in the address, and the work of each starts when it is first opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from nicegui import ui

from incrowd.web.parts import layout


class Tab(NamedTuple):
    """A tab."""

    label: str
    show: Callable[[], None]
    """Show its content."""


class Tabs:
    """Several tabs by their names in the address; they may be linked before they are shown."""

    def __init__(self, tabs: Mapping[str, Tab], opened: str = "") -> None:
        self._of = tabs
        self._first = next(iter(tabs))
        self._addressed = self._known(opened)
        self._filled: set[str] = set()

    def _known(self, name: Any) -> str:
        return name if name in self._of else self._first

    def link(self, words: str, tab: str, at: str = "") -> ui.link:
        """Show a link that opens a tab, at the part with the id `at`; a new window opens it there."""
        link = ui.link(words, f"?tab={tab}#{at}" if at else f"?tab={tab}")
        return link.on("click", lambda: self.open(tab, at), js_handler=_PLAIN_CLICK)

    def open(self, tab: str, at: str = "") -> None:
        """Open a tab and go to the part with that id, once it is there."""
        self._tabs.value = self._known(tab)
        if at:
            ui.run_javascript(f"({_GO_TO})({json.dumps(at)})")

    def show(self) -> None:
        """Show the tabs and the content of the open one."""
        self._tabs = ui.tabs(value=self._addressed, on_change=lambda event: self._opened(str(event.value)))  # type: ignore[arg-type]
        self._tabs.props("no-caps dense align=left narrow-indicator").classes("tabs")
        with self._tabs:
            for name, tab in self._of.items():
                layout.mark(ui.tab(name, tab.label), f"tab-{name}")
        with ui.tab_panels(self._tabs, value=self._addressed, animated=False).classes("tab-panels"):
            self._panels = {name: layout.mark(ui.tab_panel(name), f"panel-{name}") for name in self._of}
        self._fill(self._addressed)
        ui.add_body_html(_ON_RETURN)
        ui.on("tab", lambda event: self._returned(event.args))
        ui.timer(0, lambda: ui.run_javascript(f"if (location.hash) ({_GO_TO})(location.hash.slice(1))"), once=True)

    def _opened(self, name: str) -> None:
        self._fill(name)
        if name != self._addressed:
            self._addressed = name
            ui.navigate.history.push(f"?tab={name}")

    def _returned(self, name: Any) -> None:
        """Show the tab of the address that the browser went back or forward to."""
        self._addressed = self._known(name)
        self._tabs.value = self._addressed

    def _fill(self, name: str) -> None:
        if name not in self._filled:
            self._filled.add(name)
            with self._panels[name]:
                self._of[name].show()


_PLAIN_CLICK = """(event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  emit();
}"""
_GO_TO = """(id) => {
  const end = performance.now() + 10000;
  const look = () => {
    const part = document.getElementById(id);
    if (part?.checkVisibility()) {
      part.tabIndex = -1;
      part.focus({preventScroll: true});
      part.scrollIntoView();
    } else if (performance.now() < end) requestAnimationFrame(look);
  };
  look();
}"""
"""The content of a tab comes a moment after the tab itself."""
_ON_RETURN = """<script>
addEventListener("popstate", () => emitEvent("tab", new URLSearchParams(location.search).get("tab")));
</script>"""

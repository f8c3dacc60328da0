"""The buttons that undo and redo changes of a table's settings, and their keys."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ElementFilter, core, ui

from incrowd.text import count
from incrowd.web.parts import history, layout
from incrowd.web.parts.draft import Draft

if TYPE_CHECKING:
    from incrowd.service import Workspace

KEYS = """<script>
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase(), field = event.target.closest?.("input, textarea, [contenteditable=true]");
  const kind = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
  if (!kind || event.altKey || !(event.ctrlKey || event.metaKey) || (field && !field.readOnly)) return;
  const able = (mark) => document.querySelector(`button[data-mark="${mark}"]:not([disabled])`);
  // What is grouped by hand has steps of its own.
  const button = able(kind) ? null : able(`${kind}-settings`);
  if (button) { event.preventDefault(); button.click(); }
});
</script>"""
"""Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, except where text is typed; there they are the browser's."""

_WORDS = {
    "roles": "role",
    "missing_in": "codes for missing",
    "normalize": "spelling",
    "suppress": "suppression limit",
    "suppress_of": "unit of the suppression limit",
    "suppress_whole": "suppression of whole people",
    "limits": "highest level",
    "minimums": "lowest level",
    "priorities": "priority",
    "hierarchies": "hierarchy",
    "details": "column settings",
    "models": "privacy models",
    "knows": "knowledge of an attacker",
    "time": "time limit",
    "output": "file format",
    "spreadsheet_safe": "escaped formulas",
    "expert": "expert setting",
    "missing": "missing-value markers",
}
_FOLLOWING = ("chosen", "also_person", "protected")
"""Settings that change with others."""
_NAMED = 3
"""Settings that are named; of more, the number is shown."""


def show(space: Workspace, owner: str, file: str) -> None:
    """Show the buttons at their place on the page, if it has one."""
    for place in ElementFilter(marker=layout.TURNS):
        with place:
            UndoButtons(space, owner, file).show()


class UndoButtons:
    """Undo and redo of the settings of one table."""

    def __init__(self, space: Workspace, owner: str, file: str) -> None:
        self.space, self.owner, self.file = space, owner, file
        self.buttons: dict[str, ui.button] = {}

    def show(self) -> None:
        """Show both buttons, and what was undone before the page was shown."""
        for kind, words in (("undone", "Undo"), ("redone", "Redo")):
            button = layout.quiet_button(words).on_click(lambda kind=kind: self._turn(kind == "undone"))
            self.buttons[kind] = layout.mark(button.props("dense"), f"{words.lower()}-settings")
        self.said = layout.mark(layout.text("", "span", "muted").props("role=status"), "turned")
        self._refresh()
        ui.timer(0, self._say_once, once=True)
        ui.context.client.on_delete(history.listen(self.file, self._refresh_soon))

    def _refresh_soon(self) -> None:
        # A change may come from a thread.
        if core.loop is not None:
            core.loop.call_soon_threadsafe(self._refresh)

    def _refresh(self) -> None:
        """Show what each button would do."""
        steps = history.Steps.load(self.space, self.owner, self.file)
        with self.said:
            for kind, word, listed in (("undone", "Undo", "done"), ("redone", "Redo", "undone")):
                step = steps.latest(listed, history.window(), history.other_windows())
                button = self.buttons[kind]
                button.set_enabled(step is not None)
                label = word if step is None else f"{word}: {describe(step.paths)}"
                button.props["aria-label"] = button.props["title"] = label

    def _say_once(self) -> None:
        """Show what was undone or redone just before the page was loaded anew; what can be undone is known only now."""
        steps = history.Steps.load(self.space, self.owner, self.file)
        if steps.said.get("window") == history.window():
            self.said.set_content(escape(steps.said["words"]))
            steps.said = {}
            steps.keep(self.space, self.owner, self.file)
        self._refresh()

    def _turn(self, is_undo: bool) -> None:
        steps = history.Steps.load(self.space, self.owner, self.file)
        given, taken = (steps.done, steps.undone) if is_undo else (steps.undone, steps.done)
        step = steps.latest("done" if is_undo else "undone", history.window(), history.other_windows())
        if step is None:
            return
        given.remove(step)
        draft = Draft.load(self.space, self.owner, self.file)
        clashes = draft.turn(step, is_undo)
        if clashes:
            # Somebody else's change is not undone with one's own.
            words = f"Not {'undone' if is_undo else 'redone'}: {describe(clashes)} was changed again elsewhere."
        else:
            draft.keep(self.space, self.owner, is_choice=False)
            taken.append(step)
            words = f"{'Undone' if is_undo else 'Redone'}: {describe(step.paths)}."
        steps.said = {"window": history.window(), "words": words}
        steps.keep(self.space, self.owner, self.file)
        history.tell(self.file)
        ui.navigate.reload()


def describe(paths: Sequence[history.Path]) -> str:
    """Return the names of settings in words."""
    shown = [each for each in paths if each[0] not in _FOLLOWING] or list(paths)
    if any(each[0] == "roles" for each in shown):
        # The models of sensitive columns follow their roles.
        shown = [each for each in shown if each[0] != "models"]
    if len(shown) > _NAMED:
        return count(len(shown), "setting")
    return ", ".join(_describe(*each) for each in shown)


def _describe(name: str, column: Any = None) -> str:
    if name == "prepare":
        return f"{column} of the table"
    words = _WORDS.get(name, name.replace("_", " "))
    return words if column is None else f"{words} of {column}" if name != "expert" else f"{words} {column}"

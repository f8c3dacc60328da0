"""Grouping by hand: select labels of a level, then group, rename, move or split them; undo, redo, save, download."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from io import StringIO
from typing import Any

from nicegui import ui

from incrowd.core.hierarchy import Row
from incrowd.errors import IncrowdError
from incrowd.hierarchies.editing import History, grouped, moved, renamed, split
from incrowd.text import count
from incrowd.web.parts import layout, trees

Rows = Sequence[Row]

_MOST = 500
"""Largest number of labels to list; the filter finds the others."""
_PAGE = 10
_SORTED = {"sortable": True, "headerStyle": "white-space: nowrap"}
_COLUMNS = [
    {"name": "label", "label": "Label", "field": "label", "align": "left", **_SORTED},
    {"name": "parent", "label": "Group", "field": "parent", "align": "left", **_SORTED},
    {"name": "values", "label": "Values", "field": "values", "align": "right", **_SORTED},
]
_SELECT = """<q-checkbox v-model="props.selected" dense :aria-label="'Select ' + props.row.label" />"""
_SELECT_ALL = """<q-checkbox v-model="props.selected" dense aria-label="Select all" />"""


def to_csv(rows: Rows) -> bytes:
    """Return rows as a table of levels."""
    out = StringIO(newline="")
    csv.writer(out, delimiter=";", lineterminator="\n").writerows([cell or "" for cell in row] for row in rows)
    return out.getvalue().encode()


class GroupingEditor:
    """The labels of one level at a time, what can be done with those selected, and the tree beside them."""

    def __init__(self, history: History, keep: Callable[[Any], Awaitable[None]], level: int = 0) -> None:
        self.history, self.keep = history, keep
        self.saved = history.rows
        self.level = level

    def show(self) -> None:
        """Show the editor."""
        with ui.element("div").classes("two"):
            with layout.stack():
                self._selection()
                self._actions()
            self.tree = ui.element("div")
        self.place = ui.element("div").props("aria-live=polite")
        with layout.line():
            self.save = layout.mark(ui.button("Save", on_click=self._save).props("no-caps unelevated"), "save-groups")
            self.undo = _button("Undo", self._undo, "undo")
            self.redo = _button("Redo", self._redo, "redo")
            download = layout.quiet_button("Download (CSV)")
            layout.mark(download.on_click(self._download), "download-groups")
            self.state = layout.mark(layout.text("", "span", "muted"), "groups-state")
        ui.keyboard(on_key=self._key, ignore=["input", "textarea", "select"])
        self._refresh()

    def _selection(self) -> None:
        with layout.line():
            self.levels = layout.mark(ui.select({}, label="Level").classes("middle"), "edit-level")
            self.levels.on_value_change(lambda event: self._choose_level(event.value))
            self.filter = layout.mark(ui.input("Filter").classes("middle").props("clearable"), "edit-filter")
            self.filter.on_value_change(self._list)
        self.table = ui.table(
            columns=_COLUMNS, rows=[], row_key="label", selection="multiple", pagination=_PAGE, on_select=self._selected
        )
        self.table.props('dense flat bordered wrap-cells rows-per-page-label="Labels per page"')
        self.table.props(""":selected-rows-label="(number) => number + ' selected'\"""")
        self.table.add_slot("body-selection", _SELECT)
        self.table.add_slot("header-selection", _SELECT_ALL)
        layout.mark(self.table, "edit-labels")
        self.more = layout.hint("")

    def _actions(self) -> None:
        with layout.line():
            self.name = layout.mark(ui.input("Name").classes("middle"), "edit-new")
            self.name.on("keydown.enter", self._group)
            _button("Group", self._group, "group")
        with layout.line():
            self.parent = layout.mark(ui.select([], label="Group to move to", with_input=True), "edit-parent")
            self.parent.classes("middle")
            _button("Move", self._move, "move")
        with layout.line():
            _button("Rename", self._rename, "rename")
            _button("Split", self._split, "split")

    def choose(self, level: int, label: str) -> None:
        """Select one label, as the tree does."""
        self._choose_level(level)
        row = [each for each in self._rows() if each["label"] == label]
        self.filter.value = "" if row and row[0] in self.table.rows else label
        self.table.selected = row
        self.name.value = label if level else ""

    def _choose_level(self, level: int | None) -> None:
        if level is not None and level != self.level:
            self.level = level
            self._refresh()

    def _selected(self) -> None:
        """Take over the name of a group that is selected alone."""
        labels = self._labels()
        if self.level and len(labels) == 1:
            self.name.value = labels[0]

    def _labels(self) -> list[str]:
        return [row["label"] for row in self.table.selected]

    def _rows(self) -> list[dict[str, Any]]:
        """Return every label of the level, with the group above it and the number of its values."""
        known = [row for row in self.history.rows if row[0] is not None]
        sizes = Counter(row[self.level] for row in known)
        parents = {row[self.level]: row[self.level + 1] for row in known}
        # What stands by itself is its own label on the next level.
        groups = {each: "" if parent == each else parent for each, parent in parents.items()}
        return [{"label": each, "parent": groups[each], "values": size} for each, size in sizes.items()]

    def _list(self) -> None:
        """List the labels that match the filter."""
        wanted = (self.filter.value or "").casefold()
        found = [row for row in self._rows() if wanted in f"{row['label']} {row['parent']}".casefold()]
        self.table.rows = found[:_MOST]
        words = f"First {_MOST:,} of {count(len(found), 'label')}; filter to see others." if len(found) > _MOST else ""
        self.more.set_content(words)

    def _refresh(self) -> None:
        """Show the rows as they are now; nothing is selected."""
        rows = self.history.rows
        height = len(rows[0]) - 1
        self.level = min(self.level, height - 1)
        named = {at: f"Level {at}" if at else "Values" for at in range(height)}
        self.levels.set_options(named, value=self.level)
        groups = {str(row[self.level + 1]) for row in rows} if self.level + 1 < height else set()
        self.parent.set_options(sorted(groups), value=None)
        self.table.selected = []
        self._list()
        for button, is_possible in ((self.undo, self.history.can_undo), (self.redo, self.history.can_redo)):
            button.set_enabled(is_possible)
        is_changed = rows != self.saved
        self.save.set_enabled(is_changed)
        self.state.set_content("Not saved yet: the hierarchy in use is the one before." if is_changed else "")
        self.place.clear()
        self.tree.clear()
        with self.tree:
            trees.show(rows, self.choose)

    def _group(self) -> None:
        self._change(lambda: grouped(self.history.rows, self.level, self._labels(), self._name()))

    def _rename(self) -> None:
        self._change(lambda: renamed(self.history.rows, self.level, self._only(), self._name()))

    def _split(self) -> None:
        self._change(lambda: split(self.history.rows, self.level, self._only()))

    def _move(self) -> None:
        def move() -> Any:
            rows = self.history.rows
            for label in self._labels() or [""]:
                rows = moved(rows, self.level, label, self.parent.value or "")
            return rows

        self._change(move)

    def _only(self) -> str:
        labels = self._labels()
        return labels[0] if len(labels) == 1 else ""

    def _name(self) -> str:
        return (self.name.value or "").strip()

    def _change(self, change: Callable[[], Any]) -> None:
        try:
            rows = change()
        except IncrowdError as error:
            self.place.clear()
            with self.place:
                layout.message(str(error), "error")
            return
        self.history.change(rows)
        self.name.value = ""
        self._refresh()

    def _undo(self) -> None:
        self.history.undo()
        self._refresh()

    def _redo(self) -> None:
        self.history.redo()
        self._refresh()

    def _key(self, event: Any) -> None:
        """Undo with Ctrl+Z, redo with Ctrl+Y or Ctrl+Shift+Z; not while a field has the focus."""
        if not event.action.keydown or not (event.modifiers.ctrl or event.modifiers.meta):
            return
        if event.key.name in ("y", "Z"):
            self._redo()
        elif event.key.name == "z":
            self._undo()

    async def _save(self) -> None:
        await self.keep(self.history.rows)

    def _download(self) -> None:
        ui.download(to_csv(self.history.rows), "hierarchy.csv")


def _button(words: str, pressed: Callable[[], None], mark: str) -> ui.button:
    return layout.mark(ui.button(words, on_click=pressed).props("outline no-caps"), mark)

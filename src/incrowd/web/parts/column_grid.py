"""The columns of a table as a grid: search and filter them, sort them, and give one or many of them a role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.proposing.facts import Sureness
from incrowd.text import count, percent
from incrowd.web.parts import layout, words
from incrowd.web.parts.grids import grid
from incrowd.web.parts.typed_fields import of_window

if TYPE_CHECKING:
    from incrowd.service import Workspace
    from incrowd.web.parts.draft import Draft

_ALL_SHOWN = 40
"""Columns up to which the grid is as high as its rows, so that the page scrolls and not the grid; the fields
that search and select are folded."""

_ALL = "all"
_SHOWN = {"all": "all", "unsure": "unsure", "changed": "changed"}


class ColumnGrid:
    """The grid of one table's columns. `changed` is called after roles were chosen."""

    def __init__(self, space: Workspace, owner: str, draft: Draft, changed: Callable[[], None]) -> None:
        assert draft.inspection is not None
        self.space, self.owner, self.draft, self.changed = space, owner, draft, changed
        self.records = max(1, draft.inspection["records"])
        self.columns: list[dict[str, Any]] = draft.inspection["columns"]
        self.selected: list[int] = []
        # Undo loads the page anew; what is searched, filtered and sorted stays, in this window alone.
        self.view = of_window(owner, f"columns-{draft.file}")

    def show(self) -> None:
        """Show the fields that filter, the grid, and the choice of a role for the selected columns."""
        is_filtered = any(of and of != _ALL for name, of in self.view.items() if name != "sort")
        is_open = is_filtered or len(self.columns) > _ALL_SHOWN
        with layout.mark(ui.expansion("Search and select", value=is_open), "find-columns"):
            with layout.line("close"):
                self._show_filters()
            with layout.line("close"):
                self._show_selection()
        self.grid = grid("column-grid", "Columns and their roles", self._options(), len(self.columns) <= _ALL_SHOWN)
        self.grid.on("cellValueChanged", self._chosen, ["data", "newValue"])
        self.grid.on("selectionChanged", self._select, js_handler=self._selected_ids())
        self.grid.on("sortChanged", self._sorted, js_handler=f"() => emit({self._api()}.getColumnState())")
        self.grid.on("modelUpdated", self._count, js_handler=f"() => emit({self._api()}.getDisplayedRowCount())")

    def _show_filters(self) -> None:
        search = ui.input("Search columns", value=self.view.get("search", ""), on_change=self._search)
        layout.mark(search.props("clearable debounce=150").classes("middle"), "search-columns")
        roles = {_ALL: "all roles", **{role: role for role in words.ROLE_CHOICES}}
        kinds = sorted({str(each["type"]) for each in self.columns})
        filters = {
            "role": ("Role", roles),
            "type": ("Type", {_ALL: "all types", **{kind: kind for kind in kinds}}),
            "state": ("Show", _SHOWN),
        }
        self.filters = {
            name: layout.mark(
                ui.select(options, value=self._filtered(name, options), label=label, on_change=self._filter).classes(
                    "narrow"
                ),
                f"filter-{name}",
            )
            for name, (label, options) in filters.items()
        }
        self.shown = layout.mark(layout.text("", "span", "muted").props("role=status"), "shown-columns")

    def _show_selection(self) -> None:
        all_shown = layout.quiet_button("Select all shown")
        all_shown.on("click", js_handler=f"() => {self._api_later()}.selectAll('filtered')")
        layout.mark(all_shown, "select-shown")
        none = layout.quiet_button("Select none")
        none.on("click", js_handler=f"() => {self._api_later()}.deselectAll()")
        layout.mark(none, "select-none")
        self.role = words.select(words.ROLE_CHOICES, Role.QUASI, "Role for selected columns").classes("middle")
        layout.mark(self.role, "selected-role")
        self.give = layout.mark(ui.button("Set role").props("no-caps unelevated"), "set-role")
        self.give.on("click", self._give, js_handler=f"() => emit({self._ids_later()})")
        self._select([])

    def _api(self) -> str:
        return f"getElement({self.grid.id}).api"

    def _api_later(self) -> str:
        """Return the same for buttons above the grid, which are made before it."""
        return "getElement(document.querySelector('[data-mark=column-grid]').id.slice(1)).api"

    def _ids_later(self) -> str:
        return f"{self._api_later()}.getSelectedNodes().map((each) => Number(each.id))"

    def _selected_ids(self) -> str:
        return f"() => emit({self._api()}.getSelectedNodes().map((each) => Number(each.id)))"

    def _select(self, event: Any) -> None:
        self.selected = [] if isinstance(event, list) else list(event.args)
        self.give.set_enabled(bool(self.selected))
        self.give.set_text(f"Set role for {count(len(self.selected), 'column')}" if self.selected else "Set role")

    def _count(self, event: Any) -> None:
        shown = int(event.args)
        words_shown = count(shown, "column") if shown == len(self.columns) else f"{shown:,} of {len(self.columns):,}"
        self.shown.set_content(f"{words_shown} shown")

    def _search(self, event: Any) -> None:
        self.view["search"] = event.value or ""
        self.grid.run_grid_method("setGridOption", "quickFilterText", self.view["search"])

    def _sorted(self, event: Any) -> None:
        by = sorted((each for each in event.args if each.get("sort")), key=lambda each: each.get("sortIndex") or 0)
        self.view["sort"] = [{"colId": each["colId"], "sort": each["sort"]} for each in by]

    def _filtered(self, name: str, options: Mapping[str, Any]) -> str:
        """Return what was filtered by; after a change there may be no such column any more."""
        kept: str = self.view.get(name, _ALL)
        return kept if kept in options else _ALL

    def _filter(self) -> None:
        self.view.update({name: select.value for name, select in self.filters.items()})
        # What was shown may have another role by now.
        self.grid.run_grid_method("setFilterModel", self._filter_model())

    def _filter_model(self) -> dict[str, Any]:
        chosen = {name: select.value for name, select in self.filters.items() if select.value != _ALL}
        model = {name: {"filterType": "text", "type": "equals", "filter": value} for name, value in chosen.items()}
        if "state" in model:
            model["state"]["type"] = "contains"
        return model

    def choose(self, places: Sequence[int], choice: str) -> None:
        """Give columns a role, and show it."""
        self._choose(places, choice)
        self.grid.run_grid_method("applyTransaction", {"update": [self._row(at) for at in places]})

    def _chosen(self, event: Any) -> None:
        """Take the role that was chosen in a row."""
        self._choose([int(event.args["data"]["at"])], str(event.args["newValue"]))

    def _give(self, event: Any) -> None:
        """Give all selected columns the role that is chosen above."""
        places = [int(at) for at in event.args]
        self.choose(places, str(self.role.value))
        self.grid.run_grid_method("deselectAll")

    def _choose(self, places: Sequence[int], choice: str) -> None:
        draft, names = self.draft, [self.columns[at]["name"] for at in places]
        role = Role.QUASI if choice == words.QUASI_PERSON else Role(choice)
        draft.roles = {**draft.roles, **dict.fromkeys(names, str(role))}
        draft.chosen = {**(draft.chosen or {}), **dict.fromkeys(names, True)}
        kept = {name: True for name in draft.also_person if name not in names}
        draft.also_person = kept | (dict.fromkeys(names, True) if choice == words.QUASI_PERSON else {})
        draft.keep(self.space, self.owner)
        self.changed()

    def _options(self) -> dict[str, Any]:
        return {
            "columnDefs": _COLUMNS,
            "rowData": [self._row(at) for at in _unsure_first(self.columns)],
            ":getRowId": "(row) => String(row.data.at)",
            "quickFilterText": self.view.get("search", ""),
            "initialState": {
                "partialColumnState": True,
                "filter": {"filterModel": self._filter_model()},
                "sort": {"sortModel": list(self.view.get("sort", ()))},
            },
            # On a small screen, name and role stand side by side.
            ":onGridSizeChanged": "gridCells.fitRole",
            "rowSelection": {
                "mode": "multiRow",
                "selectAll": "filtered",
                "enableClickSelection": False,
            },
            "selectionColumnDef": {"width": 42, "pinned": None, "resizable": False},
            "context": {"roles": _ROLES},
        }

    def _row(self, at: int) -> dict[str, Any]:
        column, draft = self.columns[at], self.draft
        name, gain = column["name"], column["unique_gain"]
        suggested = words.choice_of(column["role"], bool(column.get("person")))
        # An inspection by an older version did not say how sure it was, and had no bars.
        sureness = column.get("sureness", "")
        states = [sureness, *(["changed"] if name in (draft.chosen or {}) else [])]
        return {
            "at": at,
            "name": name,
            "role": words.choice_of(draft.roles[name], name in draft.also_person),
            "suggested": suggested,
            "why": f"{sureness}: {column['reason']}" if sureness else column["reason"],
            "state": " ".join(states),
            "type": str(column["type"]),
            "bars": list(column.get("bars", ())),
            "distinct": column["distinct"],
            **_share("missing", column["missing_share"]),
            **_share("alone", column["unique_share"]),
            **_share("added", None if gain is None else gain / self.records),
        }


def _share(name: str, share: float | None) -> dict[str, Any]:
    """Return a share to sort by, and as it is shown."""
    return {name: share, f"{name}_shown": "" if share is None else percent(share)}


def _unsure_first(columns: Sequence[dict[str, Any]]) -> list[int]:
    """Return the places of columns in the table, those whose suggested role is unsure first."""
    return sorted(range(len(columns)), key=lambda at: columns[at].get("sureness") != Sureness.UNSURE)


_ROLES = [
    {"name": role, "about": meaning, "icon": words.ROLE_ICONS[role]} for role, meaning in words.ROLE_CHOICES.items()
]
_NUMBER: dict[str, Any] = {"width": 82, "type": "rightAligned", "sortingOrder": ["desc", "asc", None]}
_COLUMNS: list[dict[str, Any]] = [
    {
        "field": "name",
        "headerName": "column",
        "flex": 3,
        "minWidth": 96,
        "wrapText": True,
        "autoHeight": True,
        "cellClass": "column-name",
        ":cellRenderer": "gridCells.columnName",
        ":getQuickFilterText": "(p) => p.value",
    },
    {
        "field": "role",
        "headerName": "role",
        "width": 180,
        ":cellRenderer": "gridCells.Role",
        # The list of roles has keys of its own.
        ":suppressKeyboardEvent": "gridCells.keysOfField",
        "filter": "agTextColumnFilter",
    },
    {
        "field": "why",
        "headerName": "suggestion",
        "flex": 4,
        "minWidth": 162,
        "wrapText": True,
        "autoHeight": True,
        ":getQuickFilterText": "(p) => p.value",
    },
    {"field": "type", "headerName": "type", "width": 84, "filter": "agTextColumnFilter"},
    {
        "field": "bars",
        "headerName": "distribution",
        "width": 104,
        "sortable": False,
        "headerTooltip": "Records by range of numbers or dates, or by the most frequent values",
        ":cellRenderer": "gridCells.bars",
    },
    {
        **_NUMBER,
        "field": "distinct",
        "headerName": "distinct values",
        ":valueFormatter": "(p) => p.value.toLocaleString('en-US')",
    },
    {**_NUMBER, "field": "missing", "headerName": "missing", ":valueFormatter": "(p) => p.data.missing_shown"},
    {**_NUMBER, "field": "alone", "headerName": "unique alone", ":valueFormatter": "(p) => p.data.alone_shown"},
    {**_NUMBER, "field": "added", "headerName": "unique added", ":valueFormatter": "(p) => p.data.added_shown"},
    {
        "field": "at",
        "headerName": "#",
        "width": 50,
        "headerTooltip": "Place in the file",
        ":valueFormatter": "(p) => p.value + 1",
    },
    {"field": "state", "hide": True, "filter": "agTextColumnFilter"},
]

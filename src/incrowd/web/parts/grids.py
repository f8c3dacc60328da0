"""Grids of rows that are sorted and filtered in the browser."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from incrowd.web.parts import layout


def grid(mark: str, label: str, options: dict[str, Any], as_high_as_rows: bool) -> ui.aggrid:
    """Show a grid, as high as its rows or with a scroll bar of its own; the tab key passes from field to field."""
    common = {
        "defaultColDef": {
            "resizable": True,
            "sortable": True,
            "wrapHeaderText": True,
            "autoHeaderHeight": True,
            "suppressHeaderMenuButton": True,
            "suppressHeaderFilterButton": True,
            ":suppressHeaderKeyboardEvent": "(p) => p.event.key === 'Tab'",
            ":suppressKeyboardEvent": "(p) => p.event.key === 'Tab'",
            ":getQuickFilterText": "() => ''",
        },
        "suppressColumnVirtualisation": True,
        "ensureDomOrder": True,
        "animateRows": False,
        # It would be announced while the rows are on their way.
        "suppressNoRowsOverlay": True,
        "suppressDragLeaveHidesColumns": True,
        "enableCellTextSelection": True,
        "domLayout": "autoHeight" if as_high_as_rows else "normal",
        # What begins with a colon is run by the browser, so nothing that comes from data is part of it.
        ":onFirstDataRendered": "(p) => p.api.setGridAriaProperty('label', p.context.label)",
    }
    context = {**options.get("context", {}), "label": label}
    shown = ui.aggrid({**common, **options, "context": context}, auto_size_columns=False)
    return layout.mark(shown.classes("" if as_high_as_rows else "grid-high"), mark)

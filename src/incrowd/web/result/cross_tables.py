"""Two columns against each other: the records per value before, after, and the differences."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.comparison.cross_tables import rounded
from incrowd.web.parts import layout, tables
from incrowd.web.parts.background import newest
from incrowd.web.result.measured import columns_of, kept_too, measure

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_CHEAPEST = "suppressed"
"""A metric that takes no time."""
_VIEWS = ("Before and after", "Difference")
_LISTED = 10
"""Differences that are listed."""


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the panel; without two columns there is none."""
    by_role = columns_of(made)
    names = [name for role in ("quasi", "sensitive", "keep") for name in by_role[role]]
    if len(names) < 2:
        return
    about = (
        "Records with each combination of two columns. In the release the records of a generalized cell are spread "
        "evenly over the values that it covers."
    )
    with layout.panel("Two columns together", about, mark="cross"):
        _Cross(space, owner, made, names, (names[0], (by_role["sensitive"] or names[1:])[0])).show()


class _Cross:
    def __init__(self, space: Workspace, owner: str, made: Run, names: list[str], pair: tuple[str, str]) -> None:
        self.space, self.owner, self.made, self.names, self.pair = space, owner, made, names, pair
        self.found: dict[str, Any] | None = None

    def show(self) -> None:
        """Show the choice of columns and the place for the table."""
        with layout.line():
            self.fields = [
                layout.mark(ui.select(self.names, value=name, label=label).classes("middle"), f"cross-{at}")
                for at, (name, label) in enumerate(zip(self.pair, ("Rows", "Columns"), strict=True))
            ]
            layout.mark(ui.button("Count", on_click=self._count).props("no-caps unelevated"), "cross-go")
            self.view = ui.toggle(list(_VIEWS), value=_VIEWS[0]).props("no-caps unelevated toggle-color=primary")
            layout.mark(self.view, "cross-view").on_value_change(self._draw)
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), "crossed")

    async def _count(self) -> None:
        pair = [field.value for field in self.fields]
        self.found = None
        with newest(self.place):
            if pair[0] == pair[1]:
                layout.message("Choose two different columns.", "warning")
                return
            options = {"pair": pair, "metrics": [_CHEAPEST], **kept_too(self.made, set(pair))}
            found = await measure(self.space, self.owner, self.made, **options)
        if found is not None:
            self.found = found["releases"][0]["table"]
            self._draw()

    def _draw(self) -> None:
        if self.found is None:
            return
        with newest(self.place):
            self._show(self.found)

    def _show(self, found: dict[str, Any]) -> None:
        is_difference = self.view.value == _VIEWS[1]
        head = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in found["columns"])
        body = "".join(_row(found, at, is_difference) for at in range(len(found["rows"])))
        corner = f'<th scope="col">{escape(found["first"])} / {escape(found["second"])}</th>'
        table = f'<table class="plain cross"><thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table>'
        box = ui.html(f'<div class="scroll low" tabindex="0">{table}</div>', sanitize=False)
        layout.mark(box, "cross-table")
        if found["suppressed"]:
            layout.hint(f"The release lacks {found['suppressed']:,} suppressed records.")
        layout.heading("Largest differences", 3)
        rows = [
            [*names, f"{before:,}", rounded(after), _signed(after - before)] for names, before, after in _sorted(found)
        ]
        headers = [found["first"], found["second"], "original", "release", "difference"]
        layout.mark(tables.show(headers, rows, labels=2), "cross-differences")


def _row(found: dict[str, Any], at: int, is_difference: bool) -> str:
    """Return a row; the more records a cell lost or won, the stronger its color."""
    cells = ""
    for before, after in zip(found["original"][at], found["release"][at], strict=True):
        share = (after - before) / max(1.0, before, after)
        kind = "" if abs(share) < 0.1 else " lost" if share < 0 else " won"
        text = _signed(after - before) if is_difference else f"{before:,} → {rounded(after)}"
        cells += f'<td class="number{kind}">{text}</td>'
    return f'<tr><th scope="row">{escape(found["rows"][at])}</th>{cells}</tr>'


def _signed(difference: float) -> str:
    return f"{'+' if difference > 0 else ''}{rounded(round(difference, 1))}"


def _sorted(found: dict[str, Any]) -> list[tuple[tuple[str, str], int, float]]:
    cells = [
        ((row, column), found["original"][at][place], found["release"][at][place])
        for at, row in enumerate(found["rows"])
        for place, column in enumerate(found["columns"])
    ]
    return sorted(cells, key=lambda cell: -abs(cell[2] - cell[1]))[:_LISTED]

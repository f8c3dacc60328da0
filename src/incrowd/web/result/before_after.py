"""The columns of a release: what was lost of each, and its values before and after on one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.text import percent
from incrowd.web.parts import charting, layout, sorting
from incrowd.web.parts.background import run_soon, stop_if_gone, try_in_thread
from incrowd.web.parts.tables import format_cell
from incrowd.web.result.facts import facts_of

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

_HEADERS = {
    "column": "name",
    "role": "role",
    "published as": "state",
    "values before": "distinct",
    "values published": "published",
    "information loss": "loss",
    "change of distribution": "distance",
}
_NUMBERS = tuple(_HEADERS)[3:]
SUPPRESSED = "(suppressed)"


def show(space: Workspace, owner: str, made: Run) -> None:
    """Show the list of columns and the chart of the chosen one, by the facts of the internal report."""
    about = (
        "Loss of each column. The information loss is 0% if every cell is unchanged and 100% if no cell carries any "
        "information; the distribution is compared from 0 (the same) to 1."
    )
    with layout.panel("Columns before and after", about, mark="spread"):
        place = ui.element("div").classes("stack")

    async def fill() -> None:
        with place:
            facts = await try_in_thread(facts_of, space, made)
            if facts is not None:
                stop_if_gone(place)
                _Columns(facts).show()

    run_soon(fill)


class _Columns:
    """The columns by the facts of a report."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts
        self.rows = rows_of(facts)
        self.drawn = {row["name"]: row for row in self.rows if row["before"]}
        self.chosen = next(iter(self.drawn), None)
        self.order = ("loss", True)

    def show(self) -> None:
        """Show the list, and the chart of the column that lost most."""
        self.rows = in_order(self.rows, self.order)
        self.chosen = next((row["name"] for row in self.rows if row["name"] in self.drawn), None)
        with ui.element("div").classes("scroll low").props("tabindex=0") as box:
            layout.mark(box, "columns-list")
            self.table = ui.element("table").classes("plain")
        self._fill_table()
        if self.chosen is None:
            layout.hint("No distributions to draw.")
            return
        with layout.line():
            self.select = ui.select(list(self.drawn), value=self.chosen, label="Column").classes("middle")
            layout.mark(self.select, "spread-column").on_value_change(self._draw)
        self.place = layout.mark(ui.element("div").classes("stack"), "spread-chart")
        self._draw()

    def _fill_table(self) -> None:
        self.table.clear()
        with self.table:
            sorting.head(_HEADERS, self.order, self._sort, _NUMBERS)
            with ui.element("tbody"):
                for row in self.rows:
                    self._row(row)

    def _sort(self, key: str) -> None:
        self.order = sorting.next_order(self.order, key)
        self.rows = in_order(self.rows, self.order)
        self._fill_table()

    def _row(self, row: dict[str, Any]) -> None:
        name = row["name"]
        with ui.element("tr"):
            with ui.element("td").classes("column-name"):
                if name in self.drawn:
                    pick = ui.button(name, on_click=lambda: self.select.set_value(name)).props("flat dense no-caps")
                    layout.mark(pick, f"pick-{list(self.drawn).index(name)}")
                else:
                    layout.text(name, "span")
            layout.text(row["role"], "td")
            layout.text(row["state"], "td")
            shares = (row["loss"], row["distance"])
            loss = "" if shares[0] is None else percent(shares[0])
            distance = "" if shares[1] is None else f"{shares[1]:.3f}"
            for cell in (format_cell(row["distinct"]), format_cell(row["published"]), loss, distance):
                layout.text(cell, "td", "number")

    def _draw(self) -> None:
        row = self.drawn[self.select.value]
        labels, before, after = on_one_axis(row["before"]["bars"], (row["told"] or row["after"])["bars"])
        suppressed = self.facts["suppressed"] + self.facts["set_aside"]
        series: dict[str, list[float | None]] = {"original": [*before], "release": [*after]}
        if suppressed:
            labels, series = [*labels, SUPPRESSED], {name: [*values, None] for name, values in series.items()}
            series["suppressed"] = [*[None] * (len(labels) - 1), suppressed]
        self.place.clear()
        with self.place:
            options, height = charting.bars(labels, series, "records")
            charting.show(options, f"{row['name']}: records per value before and after", "spread-bars", height)
            if row["told"] and row["state"] != "unchanged":
                layout.hint(
                    "The bars of the release are estimated: the records of each cell are spread evenly over the values "
                    "that it covers."
                )


def rows_of(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each column of the table: quasi-identifiers, sensitive, kept, and those not published."""
    found = []
    for each in facts["columns"]:
        before = each["before"]
        found.append(
            {
                **_picture(each),
                "name": each["name"],
                "role": "quasi",
                "state": _state(each),
                "distinct": before and before["distinct"],
                "published": each["published"],
                "loss": each["loss"],
            }
        )
    for each in facts["sensitive"]:
        distinct = each["before"] and each["before"]["distinct"]
        row = {"name": each["name"], "role": "sensitive", "state": "unchanged", "distinct": distinct}
        found.append({**_picture(each), **row, "published": each["values"], "loss": None})
    nothing = {"distinct": None, "published": None, "before": None, "after": None, "told": None, "distance": None}
    for name in facts["kept"]:
        found.append({**nothing, "name": name, "role": "keep", "state": "unchanged", "loss": None})
    for name in facts.get("not_published") or ():
        found.append({**nothing, "name": name, "role": "", "state": "not published", "loss": 1.0})
    return found


def _picture(each: dict[str, Any]) -> dict[str, Any]:
    """Return the distributions; reports of an earlier version lack those on one axis."""
    return {name: each.get(name) for name in ("before", "after", "told", "distance")}


def _state(each: dict[str, Any]) -> str:
    if each["form"] is not None:
        return "unchanged" if each["form"] == "value" or each["loss"] == 0 else f"{each['form']}, per class"
    if each["level"] is None:
        return "levels differ between cells"
    if each["level"] == 0:
        return "unchanged"
    if each["level"] == each["height"]:
        return "no detail left"
    return f"level {each['level']} of {each['height']}"


def in_order(rows: list[dict[str, Any]], order: tuple[str, bool]) -> list[dict[str, Any]]:
    """Return sorted rows; those without a value come last."""
    key, descends = order
    known = sorted((row for row in rows if row[key] is not None), key=lambda row: row[key], reverse=descends)
    return [*known, *(row for row in rows if row[key] is None)]


def on_one_axis(
    before: list[list[Any]], after: list[list[Any]]
) -> tuple[list[str], list[float | None], list[float | None]]:
    """Return all labels, those before first, with the records of each before and after."""
    one, other = dict(map(tuple, before)), dict(map(tuple, after))
    labels = [*one, *(label for label in other if label not in one)]
    return labels, [one.get(label, 0) for label in labels], [other.get(label, 0) for label in labels]

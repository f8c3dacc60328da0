"""A published table in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from incrowd import text
from incrowd.tables.cells import Cells

if TYPE_CHECKING:
    from incrowd.tables.result import PublishedTable

_MOST_ACROSS = 12
"""Tables with more labels in their last column are listed, a row a cell."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a text begins with that a spreadsheet may compute."""


def notes(cells: Cells, labels: Sequence[Sequence[str]], values: Sequence[int | float | None]) -> list[str]:
    """What readers of a table should know."""
    found, hidden = [], sum(value is None for value in values)
    if cells.measure.kind == "percent":
        over = "" if cells.measure.over is None else f" over {text.attributes([cells.measure.over])}"
        found.append(f"Shares in percent of the total{over}, computed from protected counts.")
    if cells.measure.kind == "mean":
        found.append("Means are computed from protected sums; the number of records in a cell is taken to be known.")
    if any(value is not None and value != value for value in values):
        found.append(f"Nothing to divide by (-): no {'mean' if cells.measure.kind == 'mean' else 'share'}.")
    if hidden:
        found.append(f"{text.count(hidden, 'cell')} left out (x).")
    if cells.without_amount:
        # How many they are could tell what a cell was left out for.
        found.append(f"Records without a value of {cells.measure.column} are left out.")
    if cells.rounded:
        found.append(f"Amounts are rounded to {cells.decimals} digits after the point.")
    formulas = sum(label.startswith(_FORMULA) for of in labels for label in of)
    if formulas:
        found.append(f"{text.count(formulas, 'label')} could be taken for a formula by a spreadsheet: import as text.")
    return found


def told(table: PublishedTable) -> str:
    """The table, its notes, and what the audit found."""
    return "\n\n".join([_shown(table), "\n".join([*table.notes, *audited(table.private)])])


def audited(private: Mapping[str, Any]) -> tuple[str, str]:
    """What the audit found of a table that is published."""
    alone = private["contributors"] == 1
    whom = "each contributor, who knows their own record" if alone else "any two contributors together"
    public = private.get("public_totals")
    return (
        "Audited: beside totals that are taken to be public, no sensitive cell can be narrowed down further than its "
        "rule or these totals allow."
        if public
        else "Audited: no sensitive cell can be computed, or narrowed down too far, from what is published.",
        f"This includes {whom}.",
    )


def _shown(table: PublishedTable) -> str:
    """A row for each combination of all columns but the last, whose labels stand across; or a row a cell."""
    across = table.labels[-1]
    if len(table.by) == 1 or len(across) > _MOST_ACROSS:
        return _aligned(table.columns, table.rows(), len(table.by))
    rows, line = [], []
    for row in table.rows():
        line.append(row[-1])
        if len(line) == len(across):
            rows.append([*row[:-2], *line])
            line = []
    headers = [*map(text.printable, [*table.by[:-1], *across])]
    shown = _aligned(headers, rows, len(table.by) - 1)
    return f"{text.printable(table.measure)} by {text.attributes(table.by)}\n\n{shown}"


def _aligned(headers: Sequence[str], rows: Iterable[Sequence[Any]], labels: int) -> str:
    """A table whose first columns hold labels, and whose numbers stand in full and to the right, as an x does."""
    lines = [
        [*row[:labels], *(f"{cell:,}" if isinstance(cell, int | float) else cell for cell in row[labels:])]
        for row in rows
    ]
    widths = [max(len(header), *(len(line[at]) for line in lines)) for at, header in enumerate(headers)]
    padded = [
        [*line[:labels], *(cell.rjust(width) for cell, width in zip(line[labels:], widths[labels:], strict=True))]
        for line in lines
    ]
    shown = [
        *headers[:labels],
        *(text.printable(name).rjust(width) for name, width in zip(headers[labels:], widths[labels:], strict=True)),
    ]
    return text.table(shown, padded)


def _proof(optimal: bool, least: int | None) -> str:
    if optimal:
        return "nothing cheaper is safe"
    return "found by a heuristic" + ("" if least is None else f"; any safe choice costs at least {least:,}")


def details(table: PublishedTable) -> str:
    """What only the owner may know."""
    private = table.private
    lines = [
        "Private, not to be published:",
        f"rules: {'; '.join(private['rules'])}",
        f"protection: {private['protection']}; seed {private['seed']}",
        f"sensitive cells: {private['sensitive']:,}",
    ]
    named = ("primary", "secondary", "swapped_records")
    lines += [f"{key.replace('_', ' ')}: {private[key]:,}" for key in named if key in private]
    lines += [_proof(private["optimal"], private["at_least"])] if "optimal" in private else []
    ranges = [
        (*each["cell"], each["value"], each["low"], each["high"], each["sensitive"]) for each in private["ranges"] or ()
    ]
    if not ranges:
        return "\n".join(lines)
    headers = (*map(text.printable, table.by), "value", "at least", "at most", "sensitive")
    return "\n".join(lines) + "\n\nWhat an attacker can tell:\n\n" + text.table(headers, ranges)

"""A published table as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from incrowd import text
from incrowd.tables.cells import Cells

if TYPE_CHECKING:
    from incrowd.tables.result import PublishedTable

_MOST_ACROSS = 12
"""If the last column has more labels, the table is listed with one row per cell."""
_COUNTS = {
    "primary": "primary suppressions",
    "secondary": "secondary suppressions",
    "swapped_records": "swapped records",
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of texts that a spreadsheet may run as formulas."""


def notes(cells: Cells, labels: Sequence[Sequence[str]], values: Sequence[int | float | None]) -> list[str]:
    """Return notes for the readers of a table."""
    found, hidden = [], sum(value is None for value in values)
    if cells.measure.kind == "percent":
        over = "" if cells.measure.over is None else f" over {text.attributes([cells.measure.over])}"
        found.append(f"Shares in percent of the total{over}, computed from protected counts.")
    if cells.measure.kind == "mean":
        found.append("Means are computed from protected sums; the number of records in a cell is assumed public.")
    if any(value is not None and value != value for value in values):
        found.append(f"-: no {'mean' if cells.measure.kind == 'mean' else 'share'} (division by zero).")
    if hidden:
        found.append(f"{text.count(hidden, 'cell')} suppressed (x).")
    if cells.without_amount:
        # Their number could disclose why a cell is suppressed.
        found.append(f"Records without a value of {cells.measure.column} are not counted.")
    if cells.rounded:
        found.append(f"Amounts are rounded to {cells.decimals} decimal places.")
    formulas = sum(label.startswith(_FORMULA) for of in labels for label in of)
    if formulas:
        found.append(f"{text.count(formulas, 'label')} could run as a formula in a spreadsheet: import as text.")
    return found


def parts(table: PublishedTable) -> list[str]:
    """Return the table, its notes and the result of the audit."""
    return [*_shown(table), "\n".join([*table.notes, *audited(table.private)])]


def audited(private: Mapping[str, Any]) -> tuple[str, str]:
    """Return the result of the audit of a published table."""
    alone = private["contributors"] == 1
    noun = "people" if "person" in private else "contributors"
    whom = f"{noun}, who know their own records" if alone else f"any two {noun} together"
    public = private.get("public_totals")
    return (
        "Audited: given totals that are assumed public, no sensitive cell can be narrowed down further than its rule "
        "or these totals allow."
        if public
        else "Audited: no sensitive cell can be derived, or narrowed down too far, from the published table.",
        f"This includes attacks by {whom}.",
    )


def _shown(table: PublishedTable) -> list[str]:
    """Return a row for each combination of all columns but the last, whose labels are headers; or a row per cell."""
    across = table.labels[-1]
    if len(table.by) == 1 or len(across) > _MOST_ACROSS:
        return [_aligned(table.columns, table.rows(), len(table.by))]
    rows, line = [], []
    for row in table.rows():
        line.append(row[-1])
        if len(line) == len(across):
            rows.append([*row[:-2], *line])
            line = []
    headers = [*map(text.printable, [*table.by[:-1], *across])]
    shown = _aligned(headers, rows, len(table.by) - 1)
    return [f"{text.printable(table.measure)} by {text.attributes(table.by)}", shown]


def _aligned(headers: Sequence[str], rows: Iterable[Sequence[Any]], labels: int) -> str:
    """Return a table whose first columns are labels, and whose numbers are in full and aligned right, as is an x."""
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
        return "optimal: no cheaper suppression is safe"
    return "heuristic" + ("" if least is None else f": a safe suppression costs at least {least:,}")


def details(table: PublishedTable) -> str:
    """Return what only the owner may see."""
    private = table.private
    lines = [
        "Private, do not publish:",
        f"rules: {'; '.join(private['rules'])}",
        f"protection: {private['protection']}; random seed {private['seed']}",
        f"sensitive cells: {private['sensitive']:,}",
    ]
    if "person" in private:
        told = text.attributes(private["person"])
        lines.append(f"contributors are people ({told}): {text.count(private['people'], 'person')}")
    lines += [f"{_COUNTS[key]}: {private[key]:,}" for key in _COUNTS if key in private]
    lines += [_proof(private["optimal"], private["at_least"])] if "optimal" in private else []
    ranges = [
        (*each["cell"], each["value"], each["low"], each["high"], each["sensitive"]) for each in private["ranges"] or ()
    ]
    if not ranges:
        return "\n".join(lines)
    headers = (*map(text.printable, table.by), "value", "lower bound", "upper bound", "sensitive")
    return "\n".join(lines) + "\n\nIntervals that an attacker can derive:\n\n" + text.table(headers, ranges)

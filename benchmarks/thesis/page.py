"""The tables of docs/thesis.md, from the results."""

from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "thesis.md"

Rows = list[dict[str, Any]]


def tables(results: dict[str, Rows]) -> dict[str, str]:
    """By the mark in the page that a table follows."""
    quality = [{**row, "mean": (row["UM"] + row["MPM"]) / 2} for row in results["quality"]]
    synthetic = [{**row, "mean": (row["UM"] + row["MPM"]) / 2} for row in results["quality_synthetic"]]
    weighed = [{**row, "at": f"{row['method']}"} for row in results["weights"]]
    return {
        "4.1": across(results["runtime"], "rows", "cpu", "{:.3g}", "records"),
        "4.3": across(quality, "k", "mean", "{:.3f}"),
        "4.9": across(quality, "k", "UM", "{:.4f}"),
        "4.10": across(quality, "k", "DM", "{:.3g}"),
        "4.11": across(quality, "k", "MPM", "{:.3f}"),
        "4.5": across(weighed, "w_p", "UM", "{:.4f}"),
        "4.6": across(weighed, "w_p", "MPM", "{:.3f}"),
        "synthetic": down(synthetic, {"k": "k", "method": "", "UM": "UM", "MPM": "MPM", "mean": "mean of both"}),
        "6.4": down(results["guarantees"], _GUARANTEED),
        "6.26": down(results["benchmarks"], _GUARANTEED),
        "6.32": down(results["thresholds"], {"P": "P", "U": "U", **_SHORT}),
    }


_SHORT = {"UM": "UM", "WGU": "WGU", "unprotected": "unprotected", "suppressed": "suppressed"}
_GUARANTEED = {"k": "k", "method": "", **_SHORT}


def across(rows: Rows, key: str, figure: str, form: str, name: str | None = None) -> str:
    """Methods down, what is varied across."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    values = list(dict.fromkeys(row[key] for row in rows))
    found = {(row["method"], row[key]): form.format(row[figure]) for row in rows}
    head = [f"{name or key} = {value:,}" for value in values]
    return _table(["", *head], [[method, *(found[method, value] for value in values)] for method in methods])


def down(rows: Rows, columns: dict[str, str]) -> str:
    """One row each."""
    return _table(list(columns.values()), [[_cell(name, row.get(name)) for name in columns] for row in rows])


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name in ("unprotected", "suppressed"):
        return f"{value:.1%}"
    return f"{value:.3f}" if isinstance(value, float) and name not in ("P", "U") else f"{value}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def filled(page: str, found: dict[str, str]) -> str:
    """The page with these tables, each between `<!-- table NAME -->` and `<!-- end -->`."""
    parts = page.split("<!-- table ")
    told = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition(" -->")
        told.append(f"{name} -->\n\n{found[name]}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}")
    return "<!-- table ".join(told)


def written(results: dict[str, Rows]) -> None:
    """Put the tables into the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables(results)), encoding="utf-8")

"""Small releases to report on, and what an independent count says about them."""

import csv
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import incrowd
from incrowd.anonymization import AnonymizationResult

ROWS = [
    {
        "name": f"person {at}",
        "age": 20 + (at * 7) % 40,
        "town": ["Bonn", "Köln", "Ulm", "Mainz"][at % 4],
        "disease": ["flu", "cold", "gout", "mumps", "measles"][(at + at // 9) % 5],
        "wage": 1000 + 37 * (at % 23),
    }
    for at in range(120)
]
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}},
    "town": {"role": "quasi"},
    "disease": {"role": "sensitive"},
    "wage": {"role": "sensitive"},
}


def written(folder: Path, rows: list[dict[str, Any]] | None = None) -> Path:
    """The rows as a file."""
    rows = ROWS if rows is None else rows
    path = folder / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0] if rows else ROWS[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def released(folder: Path, rows: list[dict[str, Any]] | None = None, **changes: Any) -> AnonymizationResult:
    """A release of the rows, in `release.csv`."""
    job = {
        "data": str(written(folder, rows)),
        "output": str(folder / "release.csv"),
        "columns": COLUMNS,
        "models": ["k_anonymity:k=4"],
        "search": "optimal",
        **changes,
    }
    return incrowd.anonymize(None, job)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The records of a file, by the standard library alone."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def classes_of(rows: list[dict[str, str]], quasi: list[str], column: str) -> list[list[str]]:
    """The values of a column, class by class."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in quasi)].append(row[column])
    return list(found.values())


def sizes_of(rows: list[dict[str, Any]], quasi: list[str]) -> list[int]:
    """How many records each class has."""
    return list(Counter(tuple(str(row[name]) for name in quasi) for row in rows).values())

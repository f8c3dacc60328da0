"""Releases made by plain code that shares nothing with the package but the types of manifest and record."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from incrowd.release import (
    WITH_PEOPLE,
    Data,
    Manifest,
    PublishedQuasi,
    PublishedSearch,
    RecodedQuasi,
    Record,
    ReferenceCounts,
    manifest_path,
    record_path,
)
from incrowd.verification import Check, Verdict, verify

Row = dict[str, str | None]

QUASI = ("age", "zip")
COLUMNS = (*QUASI, "disease", "visits")

TOP = "*"
AGES = tuple((str(age), f"{age // 10 * 10}s", TOP) for age in range(20, 60))
ZIPS = tuple((f"1{at}", "1?", TOP) for at in range(10))


@dataclass(frozen=True)
class Made:
    """A release on disk."""

    path: Path
    manifest: Manifest
    record: Record

    def verify(self, **given: Any) -> Verdict:
        """The verdict on it."""
        return verify(self.path, **given)

    def claim(self, **changes: Any) -> "Made":
        """The same data under another manifest; the record is that of the new one."""
        return saved(self.path, replace(self.manifest, **changes), self.record)


def person(age: str | None, zip: str | None, disease: str | None, visits: str | None = "1") -> Row:
    """A record."""
    return {"age": age, "zip": zip, "disease": disease, "visits": visits}


def cell(text: str | None) -> str:
    """As CSV: missing is nothing at all, everything else in quotation marks."""
    return "" if text is None else '"' + text.replace('"', '""') + '"'


def csv_text(rows: Sequence[Row], columns: Sequence[str] = COLUMNS, delimiter: str = ",") -> str:
    """A table as CSV."""
    lines = [delimiter.join(map(cell, columns)), *(delimiter.join(cell(row[name]) for name in columns) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def counted(rows: Sequence[Row], columns: Sequence[str]) -> "Counter[tuple[str | None, ...]]":
    """How often each combination occurs."""
    return Counter(tuple(row[name] for name in columns) for row in rows)


def made(
    folder: Path,
    rows: Sequence[Row],
    models: Sequence[dict[str, Any]],
    left_out: Sequence[Row] = (),
    name: str = "release.csv",
    **changes: Any,
) -> Made:
    """A release of the rows, from a table that also had those left out; ages on level 1, zips on level 0."""
    path = folder / name
    path.write_text(csv_text(rows), encoding="utf-8")
    sizes = counted(rows, QUASI).values()
    manifest = Manifest(
        incrowd="0.1.0",
        data=Data(name, "delimited", hashlib.sha256(path.read_bytes()).hexdigest(), len(rows), COLUMNS),
        quasi=(PublishedQuasi("age", 1, 2), PublishedQuasi("zip", 0, 2)),
        sensitive=("disease",),
        kept=("visits",),
        models=tuple(models),
        promises=(),
        nulls="extended",
        input_records=len(rows) + len(left_out),
        suppressed=len(left_out),
        set_aside=0,
        suppress_limit=len(left_out),
        classes=len(sizes),
        smallest=min(sizes, default=0),
        scores={"average_class_size": 5.0},
        search=PublishedSearch("optimal"),
        ladders={},
    )
    given = counted([*rows, *left_out], ["disease"])
    record = Record(
        release="",
        job={"data": "patients.csv", "seed": 0},
        models=tuple(models),
        quasi=(RecodedQuasi("age", 1, (0.0, 0.5, 1.0), AGES), RecodedQuasi("zip", 0, (0.0, 0.5, 1.0), ZIPS)),
        combinations=None,
        reference=(ReferenceCounts(("disease",), tuple(given), tuple(given.values())),),
        ladders={},
        not_published=("name",),
        seconds=0.5,
        versions={"incrowd": "0.1.0"},
    )
    return saved(path, replace(manifest, **changes), record)


def saved(path: Path, manifest: Manifest, record: Record) -> Made:
    """Both files beside the data."""
    record = replace(record, release=manifest.fingerprint)
    manifest.write(manifest_path(str(path)))
    record.write(record_path(str(path)))
    return Made(path, manifest, record)


def with_lists(record: Path) -> dict[str, Any]:
    """A private record in the form before columns, in which every combination is a list that a test can change."""
    found: dict[str, Any] = replace(Record.read(record), format=WITH_PEOPLE).to_dict()
    return found


def tampered(path: Path, **changes: Any) -> None:
    """Change keys of a JSON file."""
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), encoding="utf-8")


def check(verdict: Verdict, name: str) -> Check:
    """The one check of that name; a model's name is followed by its parameters."""
    [found] = [each for each in verdict.checks if each.name.partition(":")[0] == name]
    return found


K2: dict[str, Any] = {"k_anonymity": {"k": 2}}

PEOPLE = [
    *(person("20s", "11", disease) for disease in ("flu", "cold", "flu")),
    *(person("30s", "12", disease) for disease in ("cold", "flu")),
    *(person("20s", "12", disease) for disease in ("flu", "cold", "gout", "flu")),
]
"""Three classes of 3, 2 and 4."""

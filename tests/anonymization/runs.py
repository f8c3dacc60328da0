"""Tables on disk, jobs about them, and what a run left behind, read by other means than the package's."""

import csv
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import incrowd
from anonymization.by_brute_force import Cell, Ladder, Row
from incrowd.anonymization import AnonymizationResult

Job = dict[str, Any]
BESIDE = (".manifest.json", ".record.json")
"""What is written beside a file."""


def write_csv(path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> Path:
    """A table as CSV; a missing cell is an empty one."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names = list(rows[0]) if columns is None else columns
        writer.writerow(names)
        writer.writerows(["" if row[name] is None else row[name] for name in names] for row in rows)
    return path


def read_csv(path: Path) -> list[dict[str, Cell]]:
    """A table from CSV; an empty cell is a missing one."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(file)]


def write_ladder(path: Path, ladder: Ladder) -> Path:
    """A hierarchy as a level table."""
    lines = [";".join([value, *labels]) for value, labels in ladder.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def frame_of(rows: Sequence[Row], columns: Sequence[str]) -> pa.Table:
    """A table of text in Arrow."""
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in columns})


def quasi(*names: str, **hierarchies: Any) -> dict[str, dict[str, Any]]:
    """Columns that outsiders know."""
    plain: dict[str, dict[str, Any]] = {name: {"role": "quasi"} for name in names}
    return plain | {name: {"role": "quasi", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}


def job(columns: Mapping[str, Any], *models: Mapping[str, Any], **settings: Any) -> Job:
    """A job; k_anonymity with k=2 where no model is given, and the search optimal where none is wanted."""
    search = {} if "generalize" in settings else {"search": "optimal"}
    return {"columns": dict(columns), "models": list(models) or [{"k_anonymity": {"k": 2}}], **search, **settings}


def files(folder: Path) -> set[str]:
    """What is in a folder, hidden or not."""
    return {path.name for path in folder.iterdir()}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def beside(name: str) -> set[str]:
    """A file and what is written beside it."""
    return {name, *(name + suffix for suffix in BESIDE)}


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder for one example of a property."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def refused(kind: type[Exception], run: Callable[[], object]) -> str:
    """The words of an error."""
    with pytest.raises(kind) as caught:
        run()
    return str(caught.value)


def verified(made: AnonymizationResult, **given: Any) -> AnonymizationResult:
    """A release that is on disk and still holds when it is verified with its private record, and without."""
    assert made.output is not None
    assert made.verdict.holds
    for record in (None, made.record_file):
        verdict = incrowd.verify(made.output, record=record, **given)
        assert verdict.holds, verdict
    return made


def rows_of(made: AnonymizationResult) -> list[dict[str, Any]]:
    """A release that is an Arrow table, row by row."""
    found: list[dict[str, Any]] = made.frame.to_pylist()
    return found


def class_sizes(made: AnonymizationResult) -> "Counter[tuple[Any, ...]]":
    """How many records of a release share each combination of quasi-identifiers."""
    return Counter(tuple(row[name] for name in made.levels) for row in rows_of(made))


def mode(path: str | os.PathLike[str]) -> int:
    """Who may do what with a file."""
    return os.stat(path).st_mode & 0o777

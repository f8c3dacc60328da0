"""The job of several tables about the same people: each with its data, its columns and the table it hangs on.

Everything else is said as in a job of one table, of columns that are named `table.column`. So the settings are a Job
over these columns, and are checked as such.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, PlainValidator, StrictBool, ValidationError

from incrowd.core.brief import Brief
from incrowd.core.knowledge import Knows
from incrowd.core.schema import Role
from incrowd.errors import Fault, JobError, close_to, listed
from incrowd.jobs import faults, json_file, variables, yaml_file
from incrowd.jobs.changes import Changes
from incrowd.jobs.document import Place, Written
from incrowd.jobs.frozen import FrozenMapping
from incrowd.jobs.linked_checks import USUAL, suppresses_people, unprepared, unsupported
from incrowd.jobs.model import Job, as_column, as_data, read_text
from incrowd.jobs.parts import Column, Data, Part, Text

SETTINGS = ("models", "knows", "suppress", "search", "metric", "time", "seed")
"""The keys that a job of several tables shares with that of one."""

_OF_COLUMN = re.compile(r"tables\.[^.]+\.columns\..")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def _key(given: Any) -> tuple[tuple[str, str], ...] | None:
    """Return the columns with the key of the other table, each with what it is called there."""
    if given is None:
        return None
    pairs = [*given.items()] if isinstance(given, Mapping) else []
    if isinstance(given, str | list | tuple):
        pairs = [(name, name) for name in ([given] if isinstance(given, str) else given)]
    names = [name for pair in pairs for name in pair]
    if not pairs or not all(isinstance(name, str) and name for name in names):
        raise ValueError("name the columns that both tables have: one, a list, or {column here: column there}")
    if any(len(set(side)) < len(pairs) for side in zip(*pairs, strict=True)):
        raise ValueError("a column of the key is named twice")
    return tuple((str(here), str(there)) for here, there in pairs)


class TablePart(Part):
    """One of the tables."""

    data: Annotated[Data | None, BeforeValidator(as_data)] = None
    """The data to read, as in a job of one table; none if frames are passed."""
    columns: Annotated[Mapping[str, Annotated[Column, BeforeValidator(as_column)]], AfterValidator(FrozenMapping)] = (
        FrozenMapping({})
    )
    """The columns by name, each with its role; not the keys of child tables."""
    of: Text | None = None
    """The table that it hangs on; none for the table with one row per person."""
    on: Annotated[tuple[tuple[str, str], ...] | None, PlainValidator(_key)] = None
    """The columns with the key of that table: a name, several, or {name here: name there, ...}."""

    @property
    def here(self) -> tuple[str, ...]:
        """The columns with the key of the table that it hangs on."""
        return tuple(name for name, _ in self.on or ())

    @property
    def there(self) -> tuple[str, ...]:
        """Their names in that table."""
        return tuple(name for _, name in self.on or ())


class SetOutput(Part):
    """The release to write: a folder with one file per table and the manifest."""

    to: Text
    """The folder; it is created if its parent exists."""
    format: Text = "csv"
    """The format of the files, by their ending: csv, parquet, jsonl and others."""
    replace: StrictBool = False
    """True if existing files may be replaced."""
    record: Text | None = None
    """Path of the private record (default: beside the folder)."""


def _target(given: Any) -> Any:
    return {"to": os.fspath(given)} if isinstance(given, str | os.PathLike) else given


class _Own(Part):
    """The keys that only a job of several tables has, or has in another form."""

    tables: Mapping[str, TablePart]
    output: Annotated[SetOutput | None, BeforeValidator(_target)] = None


_KEYS = (*_Own.model_fields, *SETTINGS)


@dataclass(frozen=True, eq=False, repr=False)
class LinkedJob(Brief):
    """The description of a release of several tables about the same people."""

    tables: Mapping[str, TablePart]
    """The root, which has one row per person, first; every other table after the one it belongs to."""
    settings: Job
    """Models, limits and search, over columns that are named `table.column`."""
    output: SetOutput | None
    base: Path
    written: Mapping[str, Any]
    """The job as it was written, with environment variables by their names."""
    file: Path | None = None
    frames: Mapping[str, Any] | None = None
    """Frames, files or URLs by the names of the tables, in place of the job's own data."""

    def reading(self, frames: Mapping[str, Any]) -> LinkedJob:
        """Return the job for other data: frames, files or URLs by the names of the tables."""
        return replace(self, frames=frames)

    @property
    def root(self) -> str:
        """The table with one row per person."""
        return next(iter(self.tables))

    @property
    def knows(self) -> Knows:
        """How much an attacker knows of a person in every table."""
        return self.settings.knows

    def key_of(self, table: str) -> tuple[str, ...]:
        """Return the columns by which other tables hang on a table, those of the person in the root; none if none
        does."""
        if table == self.root:
            columns = self.tables[table].columns
            return tuple(name for name, column in columns.items() if column.role == Role.PERSON)
        return next((part.there for part in self.tables.values() if part.of == table), ())

    def keys_of(self, table: str) -> tuple[str, ...]:
        """Return the key columns of a table: its own first, then those with the key of the table it belongs to."""
        return tuple(dict.fromkeys([*self.key_of(table), *self.tables[table].here]))

    def key_published(self, table: str) -> str | None:
        """Return the column with the fresh numbers by which other tables hang on a table; None if none does."""
        return key_name(self.key_of(table))

    def above_published(self, table: str) -> str | None:
        """Return the column with the fresh numbers of the table that a table hangs on."""
        return key_name(self.tables[table].here)

    def located(self, location: str, absolute: bool = False) -> str:
        """Return a path or URL of the job, seen from the present folder or absolute."""
        return self.settings.located(location, absolute)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], changes: Changes | None = None) -> LinkedJob:
        """Return the job that a YAML or JSON file describes; paths in it begin at its folder."""
        path = Path(path)
        written = _reader(path)(read_text(path), str(path))
        return cls.from_written(written, path.parent, changes or Changes(), path)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], base: str | os.PathLike[str] = "") -> LinkedJob:
        """Return the job that plain data describe; paths in it begin at the folder `base`."""
        return cls.from_written(Written("the job", plain), Path(base), Changes())

    @classmethod
    def from_written(cls, written: Written, base: Path, changes: Changes, file: Path | None = None) -> LinkedJob:
        """Return the job that a reader found, or raise JobError with every fault."""
        as_written = dict(written.plain)
        _resolve(written, as_written if file is not None else None)
        changes.put_into(written, lambda location: str(Path.cwd() / location))
        plain = written.plain
        own = _own(plain, written)
        settings = _settings(plain, written, base)
        if own is not None:
            for place, what in (*_structure(own.tables), *unprepared(own.tables), *unsupported(settings)):
                written.fault(place, what)
        if written.faults or own is None or settings is None:
            raise JobError.of(written.name, written.faults)
        tables = _in_order(own.tables)
        return cls(FrozenMapping(tables), settings, own.output, base, as_written, file)


def key_name(columns: Sequence[str]) -> str | None:
    """Return the published column in place of those of a key: a key of several columns gets one number."""
    return "_".join(columns) or None


def describes_tables(given: Any) -> bool:
    """Return whether plain data, or a job file, describe several tables."""
    if isinstance(given, LinkedJob):
        return True
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        if path.suffix.lower() not in _READERS or not path.is_file() or path.stat().st_size > _LARGEST:
            return False
        try:
            given = _reader(path)(read_text(path), str(path)).plain
        except JobError:
            # Whoever reads it for its own sake says what is wrong.
            return False
    return isinstance(given, Mapping) and "tables" in given


_LARGEST = 1 << 24
"""Bytes of a file that may be a job; a larger one is data."""

_READERS = {".yaml": yaml_file.read, ".yml": yaml_file.read, ".json": json_file.read}


def _reader(path: Path) -> Any:
    found = _READERS.get(path.suffix.lower())
    if found is None:
        raise JobError.of(str(path), [Fault(None, "", "a job of several tables is a YAML or JSON file")])
    return found


def _resolve(written: Written, resolved: Mapping[str, Any] | None) -> None:
    """Put environment variables into what the job of a file reads and writes."""
    if resolved is None or not isinstance(written.plain, Mapping):
        return
    plain = dict(written.plain)
    variables.resolved(written)
    tables = plain.get("tables")
    tables = dict(tables) if isinstance(tables, Mapping) else {}
    for name, of in list(tables.items()):
        if isinstance(of, Mapping):
            inner = Written(written.name, {"data": of.get("data")}, written.lines)
            variables.resolved(inner)
            written.faults += inner.faults
            tables[name] = {**of, **({"data": inner.plain["data"]} if "data" in of else {})}
    if tables:
        written.plain = {**written.plain, "tables": tables}


def _own(plain: Mapping[str, Any], written: Written) -> _Own | None:
    for key in plain:
        if key not in _KEYS:
            other = "" if key not in Job.model_fields else " in a job of several tables"
            written.fault((key,), f"there is no such key{other}; there are {', '.join(_KEYS)}{close_to(key, _KEYS)}")
    try:
        return _Own.model_validate({key: of for key, of in plain.items() if key in _Own.model_fields})
    except ValidationError as error:
        found = Written(written.name, lines=written.lines)
        faults.note(error, found, _KEYS)
        # Those of single columns are found in the settings, too.
        written.faults += [fault for fault in found.faults if _OF_COLUMN.match(fault.where) is None]
        return None


def _settings(plain: Mapping[str, Any], written: Written, base: Path) -> Job | None:
    """Return the job over the columns of all tables; its faults are noted where they stand in this one."""
    tables = plain.get("tables")
    columns: dict[str, Any] = {}
    names: dict[Place, str] = {}
    lines: dict[Place, int | None] = dict(written.lines)
    for table, part in tables.items() if isinstance(tables, Mapping) else ():
        own = part.get("columns") if isinstance(part, Mapping) else None
        for name, column in own.items() if isinstance(own, Mapping) else ():
            flat, place = f"{table}.{name}", ("tables", table, "columns", name)
            columns[flat] = column
            names["columns", flat] = f"tables.{table}.columns.{name}"
            for at, line in written.lines.items():
                if at[: len(place)] == place:
                    lines["columns", flat, *at[len(place) :]] = line
                    names["columns", flat, *at[len(place) :]] = ".".join(map(str, at))
    flat_job = {"columns": columns, "search": USUAL, **{key: of for key, of in plain.items() if key in SETTINGS}}
    if not suppresses_people(flat_job.get("suppress", 0)):
        written.fault(
            ("suppress",), "with several tables, people are suppressed: give a share of them, a number of them, or row"
        )
        del flat_job["suppress"]
    try:
        return Job.from_written(Written(written.name, flat_job, lines, names), base)
    except JobError as error:
        written.faults += error.faults
        return None


def _structure(tables: Mapping[str, TablePart]) -> Iterator[tuple[Place, str]]:
    """Yield what is wrong with how the tables hang together."""
    roots = [name for name, part in tables.items() if part.of is None]
    if len(roots) != 1:
        found = f"{listed(roots)} do" if roots else "every table does"
        yield (
            ("tables",),
            f"exactly one table must have no 'of': the one with one row per person; {found}"
            + (" not have one" if roots else " hang on another"),
        )
    for name, part in tables.items():
        yield from _of_table(name, part, tables)
        yield from _of_published_keys(name, part, tables)
    yield from (
        (("tables", name, "of"), "the tables hang on each other in a circle; one must have no 'of'")
        for name in tables
        if len(roots) == 1 and not _reaches_root(name, tables)
    )


def _of_table(name: str, part: TablePart, tables: Mapping[str, TablePart]) -> Iterator[tuple[Place, str]]:
    place = ("tables", name)
    people = [column for column, of in part.columns.items() if of.role == Role.PERSON or of.person]
    if _NAME.fullmatch(name) is None:
        yield place, "the name of a table must be letters, digits, _ and -, since its file is named after it"
    if part.of is None:
        if not people or any(part.columns[column].role != Role.PERSON for column in people):
            yield (
                place,
                "the table with one row per person needs its key: one column or more with the role person",
            )
        if part.on is not None:
            yield (*place, "on"), "the table belongs to no other; omit it, or name the other as 'of'"
        return
    if part.of not in tables:
        yield (*place, "of"), f"there is no such table; there are {', '.join(tables)}{close_to(part.of, tables)}"
    if part.on is None:
        yield place, "'on' is missing: name the column with the key of the table that it belongs to"
    for column in people:
        yield (*place, "columns", column), "people are found through the keys; give this column another role"
    yield from _of_keys(name, part, tables)


def _of_keys(name: str, part: TablePart, tables: Mapping[str, TablePart]) -> Iterator[tuple[Place, str]]:
    """Yield what is wrong with the keys of a table that belongs to another."""
    place = ("tables", name)
    above, below = tables.get(part.of or ""), [other.there for other in tables.values() if other.of == name]
    if above is not None and above.of is None and part.on is not None:
        key = {column for column, of in above.columns.items() if of.role == Role.PERSON}
        if key and set(part.there) != key:
            yield (*place, "on"), f"the key of {part.of} is {listed(key)}; name a column here for each, and no other"
    for column in sorted({*part.here, *(each for columns in below for each in columns)} & set(part.columns)):
        yield (*place, "columns", column), "it is a key, which gets fresh numbers; omit it here"
    if any(set(columns) == set(part.here) for columns in below):
        yield (*place, "on"), "other tables hang on it by the same column; it needs a key of its own"
    if len({frozenset(columns) for columns in below}) > 1:
        yield place, "tables hang on it by different columns; use one key"


def _of_published_keys(name: str, part: TablePart, tables: Mapping[str, TablePart]) -> Iterator[tuple[Place, str]]:
    """Yield the key of several columns that would be published under the name of another column."""
    people = [column for column, of in part.columns.items() if of.role == Role.PERSON]
    below = next((other.there for other in tables.values() if other.of == name), ())
    keys = [tuple(people) if part.of is None else below, part.here]
    published = [key_name(key) for key in keys if key]
    for key in keys:
        taken = {*part.columns, *(name for name in published if name != key_name(key))}
        if len(key) > 1 and (key_name(key) in taken or published.count(key_name(key)) > 1):
            yield (
                ("tables", name),
                f"its key is published as {key_name(key)}, and another column has that name; rename it",
            )


def _reaches_root(name: str, tables: Mapping[str, TablePart]) -> bool:
    seen: set[str] = set()
    while (above := tables[name].of) is not None and above in tables and name not in seen:
        seen.add(name)
        name = above
    return above is None or above not in tables


def _in_order(tables: Mapping[str, TablePart]) -> dict[str, TablePart]:
    """Return the tables, each after the one that it hangs on."""
    found: dict[str, TablePart] = {}
    while len(found) < len(tables):
        found |= {name: part for name, part in tables.items() if part.of is None or part.of in found}
    return found

"""Verify a release of several tables: every table read again, every key followed, every view of people judged."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from incrowd.errors import SourceError, UsageError, listed
from incrowd.models import Block, PrivacyModel, Reference, from_dict
from incrowd.release.tables import LinkedManifest, LinkedRecord, manifest_in
from incrowd.text import count, number
from incrowd.verification._checks import hash_check, model_check, model_checks
from incrowd.verification._classes import Columns
from incrowd.verification._fingerprint import hash_read
from incrowd.verification._frames import rows_of_frame
from incrowd.verification._judges import Judge, check_name
from incrowd.verification._linked_original import original_check
from incrowd.verification._linked_rows import (
    ReadTable,
    Value,
    cells_in,
    key_faults,
    keys_in,
    read_table,
    rows_above,
)
from incrowd.verification._linked_views import KnownViews, Linked, classes_in, known_views, people_of
from incrowd.verification._normal_form import is_normal
from incrowd.verification._people import Original
from incrowd.verification._population import cells
from incrowd.verification._rows import open_rows
from incrowd.verification._verdict import Check, FailingClass, Verdict

Location = str | PathLike[str]

_SHOWN = 5
"""Failing views in a verdict."""


@dataclass(frozen=True, repr=False)
class LinkedVerdict(Verdict):
    """The result of verifying a release of several tables; its classes are views, and sizes are people."""

    people: int = 0

    def _found(self) -> str:
        return (
            f"{count(self.records, 'record')} of {number(self.people)} people; whatever is known of a person is true "
            f"of at least {number(self.smallest)}"
        )

    def _remedy(self) -> str:
        if any(check.holds is False and check.name.startswith("hash of ") for check in self.checks):
            return "These are not the released tables. Get the tables and their manifest again from the publisher."
        return super()._remedy()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**super().to_dict(), "people": self.people}


def verify_linked(
    release: Location | Mapping[str, Any],
    manifest: LinkedManifest | Mapping[str, Any] | Location | None = None,
    record: LinkedRecord | Mapping[str, Any] | Location | None = None,
    originals: Mapping[str, Original] | None = None,
) -> LinkedVerdict:
    """Verify several tables: the folder of a release, or frames by the names of the tables with the manifest.

    With the private record and the `originals`, these are recoded and compared with the release.
    """
    frames = release if isinstance(release, Mapping) else None
    folder = None if isinstance(release, Mapping) else Path(fspath(release))
    claims = _claims(folder, manifest)
    checks: list[Check] = []
    private = (
        None
        if record is None
        else LinkedRecord.of(record if isinstance(record, LinkedRecord | Mapping) else fspath(record))
    )
    if private is not None:
        same = private.release == claims.fingerprint
        checks.append(Check("record", same, f"the private record belongs to {'this' if same else 'another'} release"))
        private = private if same else None
    name = "the release" if folder is None else str(folder)
    tables: list[ReadTable] = []
    for claimed in claims.tables:
        try:
            if frames is not None:
                rows = rows_of_frame(_frame(frames, claimed.name), claimed.name)
                tables.append(read_table(claimed, rows, originals is not None))
                continue
            assert folder is not None
            place = folder / claimed.data.file
            rows = open_rows(str(place), claimed.data.columns, claimed.data.kind)
            tables.append(read_table(claimed, rows, originals is not None))
            hashed = hash_check(claimed.data.sha256, hash_read(place, rows))
            checks.append(hashed._replace(name=f"hash of {claimed.name}"))
        except SourceError as error:
            unread = Check("reading", False, str(error))
            return LinkedVerdict(name, (*checks, unread), records=0, classes=0, smallest=0)
    return _judged(name, claims, private, tables, checks, originals)


def _claims(folder: Path | None, given: LinkedManifest | Mapping[str, Any] | Location | None) -> LinkedManifest:
    if given is not None:
        return LinkedManifest.of(given if isinstance(given, LinkedManifest | Mapping) else fspath(given))
    if folder is None:
        raise UsageError.invalid("frames without their manifest", "nothing says what they claim", "give the manifest")
    path = manifest_in(folder)
    if path is None:
        raise SourceError.of(folder, "it has no manifest of several tables", "name the manifest (--manifest FILE)")
    return LinkedManifest.of(path)


def _frame(frames: Mapping[str, Any], name: str) -> Any:
    if name not in frames:
        raise SourceError.of("the release", f"table {name!r} is not given", "give all tables of the release")
    return frames[name]


def _judged(
    name: str,
    claims: LinkedManifest,
    record: LinkedRecord | None,
    tables: Sequence[ReadTable],
    checks: Sequence[Check],
    originals: Mapping[str, Original] | None,
) -> LinkedVerdict:
    records = sum(table.records for table in tables)
    found = [*checks, *(check for table in tables for check in _table_checks(table))]
    lacking = [each for table in tables for each in _needed(table, originals is not None) if each not in table.codes]
    if lacking:
        unread = [
            Check(check_name(plain), False, f"cannot be evaluated without {listed(lacking)}") for plain in claims.models
        ]
        return LinkedVerdict(name, (*found, *unread), records, classes=0, smallest=0)
    by_name = {table.claimed.name: table for table in tables}
    above = {
        table.claimed.name: rows_above(table, by_name[table.claimed.of])
        for table in tables
        if table.claimed.of is not None
    }
    keys = _keys_check(tables, above)
    found.append(keys)
    if not keys.holds:
        unread = [Check(check_name(plain), False, "cannot be evaluated: keys lead nowhere") for plain in claims.models]
        return LinkedVerdict(name, (*found, *unread), records, classes=0, smallest=0)
    linked = people_of(tables, above)
    found.append(_people_check(claims, linked))
    seen = known_views(linked, claims.knows)
    sizes = np.bincount(seen.of, minlength=seen.n)
    smallest = int(sizes.min(initial=records)) if seen.n else 0
    found.append(_views_check(claims, smallest))
    models = [from_dict(plain) for plain in claims.models]
    judges = [
        Judge(check_name(plain), _promise(claims, at), _textbook(model))
        for at, (plain, model) in enumerate(zip(claims.models, models, strict=True))
    ]
    if any(model.needs for model in models):
        judgements, failing = model_checks(judges, _blocks(models, claims.knows, linked, seen, sizes), "person")
    else:
        judgements, failing = _size_checks(judges, sizes)
    if record is not None:
        found.append(_cells_check(record, tables))
    if record is not None and originals is not None:
        found.append(original_check(claims, record, linked, originals))
    if claims.normalized:
        found.append(_spelling_check(claims, tables))
    return LinkedVerdict(
        name,
        (*found, *judgements),
        records,
        seen.n,
        smallest,
        failing=tuple(failing),
        people=tables[0].records,
    )


def _promise(claims: LinkedManifest, at: int) -> str:
    return claims.promises[at] if at < len(claims.promises) else ""


def _textbook(model: PrivacyModel) -> Any:
    return lambda block: model.textbook(block, Reference({}, {}))


def _needed(table: ReadTable, with_kept: bool) -> list[str]:
    claimed = table.claimed
    return [name for name in (*keys_in(claimed), *cells_in(claimed)) if with_kept or name not in claimed.kept]


def _table_checks(table: ReadTable) -> Iterator[Check]:
    claimed = table.claimed
    same = table.columns == claimed.data.columns
    yield Check(f"columns of {claimed.name}", same, "as claimed" if same else "other columns than claimed")
    agree = table.records == claimed.data.records
    words = "as claimed" if agree else f"the manifest claims {claimed.data.records:,}"
    yield Check(f"records of {claimed.name}", agree, f"{count(table.records, 'record')}, {words}")


def _keys_check(tables: Sequence[ReadTable], above: Mapping[str, Any]) -> Check:
    """Check that keys are unique, that none is missing, and that none leads nowhere."""
    for table in tables:
        if faults := key_faults(table):
            return Check("keys", False, f"{count(faults, 'record')} of {table.claimed.name} without a key of its own")
    for name, rows in above.items():
        if dangling := int((rows < 0).sum()):
            return Check("keys", False, f"the keys of {count(dangling, 'record')} of {name} lead nowhere")
    return Check("keys", True, "every key leads to one record")


def _people_check(claims: LinkedManifest, linked: Mapping[str, Linked]) -> Check:
    """Check how many people there are in every table: one who is left out is in none."""
    for claimed in claims.tables:
        found = len(np.unique(linked[claimed.name].person))
        if found != claimed.people:
            wrong = f"{found:,} people have records in {claimed.name}; the manifest claims {claimed.people:,}"
            return Check("people", False, wrong)
    people = linked[claims.tables[0].name].table.records
    if people != claims.people or claims.suppressed > claims.suppress_limit:
        return Check("people", False, f"{people:,} people; the manifest claims {claims.people:,} within its limit")
    return Check(
        "people", True, f"{people:,} people; {claims.suppressed:,} of {claims.input_people:,} suppressed in all tables"
    )


def _views_check(claims: LinkedManifest, smallest: int) -> Check:
    found = f"whatever is known of a person ({claims.knows}) is true of at least {smallest:,} people"
    if smallest == claims.smallest:
        return Check("views", True, f"{found}, as claimed")
    return Check("views", False, f"{found}; the manifest claims {claims.smallest:,}")


def _size_checks(judges: Sequence[Judge], sizes: Any) -> tuple[list[Check], list[FailingClass]]:
    """Check models of numbers of people alone: views of the same size are judged once."""
    checks, failing = [], []
    for judge in judges:
        assert judge.holds is not None
        small = [size for size in np.unique(sizes).tolist() if not judge.holds(Block(size, {}))]
        found = [
            FailingClass(at + 1, int(sizes[at]), "person") for at in np.flatnonzero(np.isin(sizes, small)).tolist()
        ]
        checks.append(model_check(judge, found, len(sizes)))
        failing += found[:_SHOWN]
    return checks, list(dict.fromkeys(failing))[:_SHOWN]


def _blocks(
    models: Sequence[PrivacyModel], knows: str, linked: Mapping[str, Linked], seen: KnownViews, sizes: Any
) -> Iterator[tuple[int | None, Block]]:
    """Yield the people of every view as a model sees them, then those of every class of records."""
    needs: list[Columns] = list(dict.fromkeys(columns for model in models for columns in model.needs))
    values = {columns: _values(columns, linked) for columns in needs}
    order = np.argsort(seen.of, kind="stable")
    people = seen.person[order].tolist()
    ends = np.cumsum(sizes).tolist()
    for at, (end, size) in enumerate(zip(ends, sizes.tolist(), strict=True)):
        members = people[end - size : end]
        block = {columns: Counter(value for who in members for value in of[who]) for columns, of in values.items()}
        yield at + 1, Block(size, block)
    number = len(sizes)
    for name in dict.fromkeys(_table_of(columns) for columns in needs):
        for of_class in _in_classes(name, knows, linked, values):
            number += 1
            yield number, of_class


def _in_classes(
    name: str, knows: str, linked: Mapping[str, Linked], values: Mapping[Columns, Sequence[set[Value]]]
) -> Iterator[Block]:
    """Yield the people with a record in each class of a table, with the values that they have there alone."""
    of, _ = classes_in(linked, knows, name)
    table = linked[name]
    own = {columns: table.table.values(_columns(columns)) for columns in values if _table_of(columns) == name}
    members: dict[int, set[int]] = {}
    found: dict[int, dict[Columns, set[tuple[int, Value]]]] = {}
    for at, (group, who) in enumerate(zip(of.tolist(), table.person.tolist(), strict=True)):
        members.setdefault(group, set()).add(who)
        for columns, cells_of in own.items():
            found.setdefault(group, {}).setdefault(columns, set()).add((who, cells_of[at]))
    for group, people in members.items():
        block = {columns: Counter(value for _, value in pairs) for columns, pairs in found[group].items()}
        others = {
            columns: Counter(value for who in people for value in of_people[who])
            for columns, of_people in values.items()
            if columns not in own
        }
        yield Block(len(people), {**block, **others})


def _table_of(columns: Columns) -> str:
    return columns[0].partition(".")[0]


def _columns(columns: Columns) -> list[str]:
    return [column.partition(".")[2] for column in columns]


def _values(columns: Columns, linked: Mapping[str, Linked]) -> list[set[Value]]:
    """Return the values that each person has in any record, each once; missing ones if there is no record."""
    name = _table_of(columns)
    people = next(iter(linked.values())).table.records
    found: list[set[Value]] = [set() for _ in range(people)]
    table = linked[name]
    own = _columns(columns)
    for who, value in zip(table.person.tolist(), table.table.values(own), strict=True):
        found[who].add(value)
    none: Value = (None,) * len(columns)
    return [values or {none} for values in found]


def _spelling_check(claims: LinkedManifest, tables: Sequence[ReadTable]) -> Check:
    """Check that cells that show values show their normal forms; labels of higher levels are not values."""
    strange = []
    for table in tables:
        shown = [column.name for column in table.claimed.quasi if column.level == 0]
        for name in (*shown, *table.claimed.sensitive):
            steps = claims.normalized.get(f"{table.claimed.name}.{name}", ())
            if steps and not all(is_normal(text, steps) for text in table.texts[name]):
                strange.append(f"{table.claimed.name}.{name}")
    if strange:
        return Check("spelling", False, f"values of {listed(strange)} are not in the claimed normal form")
    return Check("spelling", True, "each value has one spelling where the manifest claims so")


def _cells_check(record: LinkedRecord, tables: Sequence[ReadTable]) -> Check:
    """Check that the quasi-identifiers have the cells that the private record says are published."""
    by_name = {column.name: column for column in record.quasi}
    strange = []
    for table in tables:
        for column in table.claimed.quasi:
            full = f"{table.claimed.name}.{column.name}"
            shown = {table.texts[column.name][code] for code in np.unique(table.codes[column.name]).tolist()}
            # On level 0 a value may be spelled in another way than in the hierarchy: 1.0 and 1.
            if full not in by_name or (by_name[full].level and shown - set(cells(by_name[full]).values())):
                strange.append(full)
    if strange:
        return Check("cells", False, f"cells in {listed(strange)} do not match the private record")
    return Check("cells", True, "the quasi-identifiers match the private record")

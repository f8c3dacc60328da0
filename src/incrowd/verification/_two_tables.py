"""Releases of two tables: records with their group, and apart from them how often each value is in a group."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from incrowd.errors import SourceError
from incrowd.release import Apart, Manifest, Record, hash_of
from incrowd.text import count
from incrowd.verification._rows import open_rows
from incrowd.verification._spreadsheet_escape import restored, written
from incrowd.verification._tally import Tally, tally
from incrowd.verification._verdict import Check


@dataclass(frozen=True, eq=False)
class SensitiveTable:
    """The second table as it was found."""

    values: Tally
    """How many records have each group and value, by what the table says."""
    checks: tuple[Check, ...]
    """Of the table alone."""


def columns_of(claims: Manifest) -> tuple[str, ...]:
    """What the second table should have."""
    assert claims.apart is not None
    return (claims.apart.group, *claims.sensitive, claims.apart.count)


def read_apart(place: str, claims: Manifest) -> SensitiveTable:
    """The second table, which is beside the first under the name that the manifest gives."""
    assert claims.apart is not None
    data = claims.apart.data
    path = Path(place).with_name(Path(data.file).name or "sensitive")
    try:
        found = hash_of(path)
    except OSError as error:
        wrong = f"its sensitive values should be in {path.name} beside it, which cannot be read ({error.strerror})"
        raise SourceError.of(place, wrong, "get both files") from None
    same = found == data.sha256
    words = "byte for byte, the one that was released" if same else "not the one that the manifest speaks of"
    checked = Check("sensitive hash", same, f"{path.name} is {words}")
    rows = open_rows(str(path), data.columns, data.kind, data.table)
    if data.spreadsheet_safe:
        rows = restored(open_rows(str(path), [written(name) for name in data.columns], data.kind))
    expected = columns_of(claims)
    if rows.columns != expected:
        return _unfit(claims, (checked, Check("sensitive columns", False, "its columns are others than claimed")))
    return counted_apart(claims, rows.columns, tally(rows, expected), (checked,))


def counted_apart(
    claims: Manifest, columns: Sequence[str], found: Tally, checks: tuple[Check, ...] = ()
) -> SensitiveTable:
    """The second table from its rows: every value once in a group, with a whole number of records."""
    expected = columns_of(claims)
    if tuple(columns) != expected or claims.apart is None or claims.apart.data.columns != expected:
        return _unfit(claims, (*checks, Check("sensitive columns", False, "its columns are others than claimed")))
    numbers = [_whole(text) for text in found.texts[2]]
    counts = np.array([numbers[code] or 0 for code in found.codes[2].tolist()], dtype=np.int64)
    values = Tally(found.columns[:2], found.texts[:2], found.codes[:2], counts)
    checks = (*checks, Check("sensitive columns", True, f"{count(len(expected), 'column')}, as claimed"))
    wrong = _wrong_rows(claims.apart, found, counts)
    told = f"{count(found.records, 'row')}, each with another group or value"
    return SensitiveTable(values, (*checks, Check("sensitive rows", wrong is None, wrong or told)))


def _unfit(claims: Manifest, checks: tuple[Check, ...]) -> SensitiveTable:
    nothing = np.empty((2, 0), dtype=np.int64)
    return SensitiveTable(Tally(columns_of(claims)[:2], ([], []), nothing, np.empty(0, dtype=np.int64)), checks)


def _whole(text: str | None) -> int | None:
    """A number from 1 to what an array holds."""
    return int(text) if text and text.isascii() and text.isdecimal() and 0 < int(text) < 2**40 else None


def _wrong_rows(apart: Apart, found: Tally, counts: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> str | None:
    if found.records != apart.data.records:
        return f"{count(found.records, 'row')}, but {apart.data.records:,} are claimed"
    if not counts.all():
        return "not every row counts its records with a whole number from 1"
    if (None,) in found.counter([apart.group]):
        return "a row has no group"
    if any(rows > 1 for rows in found.counter(found.columns[:2]).values()):
        return "a value comes twice in a group"
    return None


def groups_check(apart: Apart, records: Tally, values: Tally) -> Check:
    """That every group has as many records in the first table as values in the second."""
    first, second = records.counter([apart.group]), values.counter([apart.group])
    differing = sum(1 for group in first.keys() | second.keys() if first[group] != second[group])
    if differing:
        return Check("groups", False, f"{count(differing, 'group')} do not have as many records as values")
    return Check("groups", True, f"{count(len(first), 'group')}, each with as many records as values")


def told_outright(values: Tally) -> Iterator[str]:
    """What groups with a single value tell of everybody in them."""
    distinct = Counter(group for group, _ in values.counter(values.columns))
    alone = {group for group, n in distinct.items() if n == 1}
    if alone:
        sizes = values.counter(values.columns[:1])
        records = sum(sizes[(group,)] for group in alone)
        yield (
            f"{count(len(alone), 'group')} with {count(records, 'record')} "
            f"{'has' if len(alone) == 1 else 'have'} a single value: whoever knows that a person is in such a group "
            "knows the person's value. frequency_l or distinct_l prevents it."
        )


def links_check(record: Record, apart: Apart, records: Tally, values: Tally) -> Check:
    """That records are in the groups, and values too, in which the private record has them."""
    pieces = record.combinations
    wrong = Check("links", False, "groups hold other records or values than the record says")
    if pieces is None or len(pieces.groups) != len(pieces.counts):
        return wrong
    quasi = [column.name for column in record.quasi]
    in_first: Counter[tuple[str | None, ...]] = Counter()
    in_second: Counter[tuple[str | None, ...]] = Counter()
    for original, group, n in zip(pieces.original, pieces.groups, pieces.counts, strict=True):
        if group is not None:
            cells = [of[at] for of, at in zip(pieces.values, original, strict=True)]
            in_first[*cells[: len(quasi)], group] += n
            in_second[group, *cells[len(quasi) :]] += n
    found = records.counter([*quasi, apart.group]), values.counter(values.columns)
    if (in_first, in_second) != found:
        return wrong
    return Check("links", True, "groups hold the records and the values that the record says")

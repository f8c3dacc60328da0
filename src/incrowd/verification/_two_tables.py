"""Releases of two tables: records with their group, and apart from them how often each value is in a group."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from incrowd.errors import SourceError
from incrowd.release import Apart, Data, Manifest, Record
from incrowd.text import count
from incrowd.verification._fingerprint import hash_read
from incrowd.verification._pieces import stacked
from incrowd.verification._rows import Rows, open_rows
from incrowd.verification._spreadsheet_escape import restored, written
from incrowd.verification._tally import Tally, differing, tally
from incrowd.verification._verdict import Check


@dataclass(frozen=True, eq=False)
class SensitiveTable:
    """The second table as it was found."""

    values: Tally
    """The number of records with each group and value, by the table."""
    checks: tuple[Check, ...]
    """The checks of the table alone."""


def columns_of(claims: Manifest) -> tuple[str, ...]:
    """Return the columns of the second table."""
    assert claims.apart is not None
    return (claims.apart.group, *claims.sensitive, claims.apart.count)


def read_apart(place: str, claims: Manifest) -> SensitiveTable:
    """Return the second table, which is beside the first under the name that the manifest gives."""
    assert claims.apart is not None
    data = claims.apart.data
    path = Path(place).with_name(Path(data.file).name or "sensitive")
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        wrong = f"the file of its sensitive values, {path.name}, cannot be read ({error.strerror})"
        raise SourceError.of(place, wrong, "get both files") from None
    rows = open_rows(str(path), data.columns, data.kind, data.table)
    if data.spreadsheet_safe:
        rows = restored(open_rows(str(path), [written(name) for name in data.columns], data.kind))
    expected = columns_of(claims)
    if rows.columns != expected:
        unfit = Check("sensitive columns", False, "the columns are not as claimed")
        return _unfit(claims, (_hash_check(path, data, rows), unfit))
    counted = tally(rows, expected)
    return counted_apart(claims, rows.columns, counted, (_hash_check(path, data, rows),))


def _hash_check(path: Path, data: Data, rows: Rows) -> Check:
    same = hash_read(path, rows) == data.sha256
    words = "this is the file that was released" if same else "this is not the file that the manifest describes"
    return Check("sensitive hash", same, f"{path.name}: {words}")


def counted_apart(
    claims: Manifest, columns: Sequence[str], found: Tally, checks: tuple[Check, ...] = ()
) -> SensitiveTable:
    """Return the second table from its rows: every value once in a group, with a whole number of records."""
    expected = columns_of(claims)
    if tuple(columns) != expected or claims.apart is None or claims.apart.data.columns != expected:
        return _unfit(claims, (*checks, Check("sensitive columns", False, "the columns are not as claimed")))
    numbers = [_whole(text) for text in found.texts[2]]
    counts = np.array([numbers[code] or 0 for code in found.codes[2].tolist()], dtype=np.int64)
    values = Tally(found.columns[:2], found.texts[:2], found.codes[:2], counts)
    checks = (*checks, Check("sensitive columns", True, f"{count(len(expected), 'column')} as claimed"))
    wrong = _wrong_rows(claims.apart, found, counts)
    detail = f"{count(found.records, 'row')}, each with a different group or value"
    return SensitiveTable(values, (*checks, Check("sensitive rows", wrong is None, wrong or detail)))


def _unfit(claims: Manifest, checks: tuple[Check, ...]) -> SensitiveTable:
    nothing = np.empty((2, 0), dtype=np.int64)
    return SensitiveTable(Tally(columns_of(claims)[:2], ([], []), nothing, np.empty(0, dtype=np.int64)), checks)


def _whole(text: str | None) -> int | None:
    """Return a whole number from 1 within the range of an array, or None."""
    return int(text) if text and text.isascii() and text.isdecimal() and 0 < int(text) < 2**40 else None


def _wrong_rows(apart: Apart, found: Tally, counts: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> str | None:
    if found.records != apart.data.records:
        return f"{count(found.records, 'row')}; the manifest claims {apart.data.records:,}"
    if not counts.all():
        return "a row has a count that is not a whole number from 1"
    if (None,) in found.counter([apart.group]):
        return "a row has no group"
    if any(rows > 1 for rows in found.counter(found.columns[:2]).values()):
        return "a group lists a value twice"
    return None


def groups_check(apart: Apart, records: Tally, values: Tally) -> Check:
    """Check that every group has as many records in the first table as values in the second."""
    first, second = records.counter([apart.group]), values.counter([apart.group])
    differing = sum(1 for group in first.keys() | second.keys() if first[group] != second[group])
    if differing:
        return Check("groups", False, f"records and values differ in number in {count(differing, 'group')}")
    return Check("groups", True, f"{count(len(first), 'group')}, each with as many records as values")


def single_value_warnings(values: Tally) -> Iterator[str]:
    """Yield warnings about groups with a single value."""
    distinct = Counter(group for group, _ in values.counter(values.columns))
    alone = {group for group, n in distinct.items() if n == 1}
    if alone:
        sizes = values.counter(values.columns[:1])
        records = sum(sizes[(group,)] for group in alone)
        yield (
            f"{count(len(alone), 'group')} with {count(records, 'record')} "
            f"{'has' if len(alone) == 1 else 'have'} a single value: anyone who knows that a person is in such a group "
            "knows the person's value. frequency_l or distinct_l prevents it."
        )


def links_check(record: Record, apart: Apart, records: Tally, values: Tally) -> Check:
    """Check that records and values are in the groups that the private record has them in."""
    pieces = record.combinations
    wrong = Check("links", False, "the groups do not match the private record")
    if pieces is None or pieces.group is None:
        return wrong
    n, there = len(record.quasi), pieces.group > 0
    group = pieces.group[there].astype(np.int64) - 1
    names: list[str | None] = list(pieces.groups)
    counts = pieces.counts[there]
    own, codes = list(map(list, pieces.values)), stacked([each[there] for each in pieces.original], len(group))
    quasi = [column.name for column in record.quasi]
    in_first = Tally((*quasi, apart.group), (*own[:n], names), np.vstack([codes[:n], group]), counts)
    in_second = Tally(values.columns, (names, *own[n:]), np.vstack([group, codes[n:]]), counts)
    if len(in_second.texts) != len(values.columns):
        return wrong
    if differing(in_first, records, in_first.columns) or differing(in_second, values, values.columns):
        return wrong
    return Check("links", True, "the groups match the private record")

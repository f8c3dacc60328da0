"""Check that each published cell covers its original values by the private record, or is their mean, median or mode."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation

import numpy as np

from incrowd.errors import listed
from incrowd.release import RecodedCombinations, RecodedQuasi, Record
from incrowd.text import count
from incrowd.verification._pieces import published_cells
from incrowd.verification._tally import Numbers, Value
from incrowd.verification._verdict import Check

Cell = str | None

_EVERYTHING = "*"
_MEAN_DIGITS = Decimal("1e-8")
"""Means are published with ten digits."""


def covers_check(record: Record) -> Check:
    """Check, column by column, that every published cell covers its original value."""
    assert record.combinations is not None
    rows = record.combinations.row_of_kept
    wrong: list[str] = []
    pairs = 0
    for at, column in enumerate(record.quasi):
        if column.form in _OF_A_CLASS:
            found: list[object] = list(_not_drawn(record, at, rows))
        else:
            found = list(_not_covering(column, pairs_of(record.combinations, at, rows)))
        pairs += len(found)
        wrong += [column.name] * bool(found)
    if pairs:
        return Check("covers", False, f"{count(pairs, 'cell')} do not cover the original value, in {listed(wrong)}")
    return Check("covers", True, "every cell covers the original value in the private record")


def pairs_of(pieces: RecodedCombinations, at: int, rows: Numbers) -> set[tuple[Cell, Cell]]:
    """Return the values of a column with the cells that stand for them; `rows` are those of the published pieces."""
    values, labels = pieces.values[at], pieces.labels[at]
    codes = pieces.original[at][pieces.kept].astype(np.int64) * len(labels) + pieces.rows[at][rows]
    return {(values[code // len(labels)], labels[code % len(labels)]) for code in np.unique(codes).tolist()}


def _not_covering(column: RecodedQuasi, pairs: Iterable[tuple[Cell, Cell]]) -> Iterator[tuple[Cell, Cell]]:
    """Yield values with cells that do not cover them."""
    rows = {row[0]: row for row in column.rows}
    for value, cell in pairs:
        if not covers(column, rows, value, cell):
            yield value, cell


def covers(column: RecodedQuasi, rows: Mapping[Cell, Sequence[Cell]], value: Cell, cell: Cell) -> bool:
    """Return whether a cell covers a value; `rows` are those of the hierarchy, by value."""
    if cell is None and column.null_label is not None:
        cell = column.null_label
    if column.form == "ends" and None not in (value, cell):
        return cell == _EVERYTHING or _between_ends(str(value), str(cell))
    if value == cell or column.form == "value":
        return value == cell
    if cell == _EVERYTHING and not rows:
        return True
    if rows:
        if column.form == "set_or_ancestor" and None not in (value, cell) and value in members_of(str(cell)):
            return True
        if value in rows or value is not None:
            return cell in rows.get(value, ())[1:]
        return any(row[-1] == cell for row in rows.values())
    if value is None or cell is None:
        return False
    if column.form == "set":
        return value in members_of(cell)
    return _in_order(column.scale, value, cell) if column.scale is not None else _in_range(value, cell)


def _in_order(order: Sequence[str], value: str, cell: str) -> bool:
    return any(
        low in order and high in order and order.index(low) <= order.index(value) <= order.index(high)
        for low, high in _from_to(cell)
    )


def _from_to(cell: str) -> list[tuple[str, str]]:
    """Return the ends of a cell `low..high` in every way to read it, since values may contain dots."""
    ends = [(cell[: at.start()], cell[at.end() :]) for at in re.finditer(r"(?=(\.\.))", cell)]
    return [(low, high.removeprefix("..")) for low, high in ends]


def _between(cell: str) -> tuple[str, ...]:
    """Return the ends of a range of numbers or dates, `low to high` or `low-high`; a single value is both ends."""
    for separator in (" to ", "-"):
        low, found, high = cell.partition(separator)
        if found:
            return low, high
    return (cell,)


def ends_of(cell: str, ordered: bool) -> list[tuple[str, ...]]:
    """Return the ways to read a cell that is a value or a range: the value, or both ends."""
    return [(cell,), *(_from_to(cell) if ordered else [_between(cell)])]


def _in_range(value: str, cell: str) -> bool:
    ends, here = [number_of(end) for end in _between(cell)], number_of(value)
    if here is None or len(ends) == 1:
        # A cell of one value is that value; another spelling of its number is another value.
        return False
    return ends[0] is not None and ends[1] is not None and ends[0] <= here <= ends[1]


def _between_ends(value: str, cell: str) -> bool:
    """Return whether a number is in a range that two columns have; 7.50 is the range from 7.5 to 7.5."""
    ends, here = (
        [number_of(end) for end in ((cell,) if number_of(cell) is not None else _between(cell))],
        number_of(value),
    )
    low, high = ends[0], ends[-1]
    return None not in (low, high, here) and low <= here <= high  # type: ignore[operator]


def members_of(cell: str) -> list[str]:
    """Return the values in `{a, b}`; those with special characters are quoted as JSON quotes them."""
    if not (cell.startswith("{") and cell.endswith("}")):
        return [cell]
    rest, found, decoder = cell[1:-1], [], json.JSONDecoder()
    while rest:
        if rest.startswith('"'):
            text, end = decoder.raw_decode(rest)
            found.append(str(text))
            rest = rest[end:].removeprefix(", ")
        else:
            text, _, rest = rest.partition(", ")
            found.append(text)
    return found


def number_of(text: str) -> Decimal | None:
    """Return a number, or a date as a number of days, or a time as one of seconds."""
    try:
        return Decimal(text)
    except InvalidOperation:
        pass
    try:
        if len(text) == 10:
            return Decimal(date.fromisoformat(text).toordinal())
        moment = datetime.fromisoformat(text)
        since = moment.replace(tzinfo=None) - datetime.min - (moment.utcoffset() or timedelta())
    except ValueError:
        return None
    return Decimal(since.days * 86_400 + since.seconds) + Decimal(since.microseconds) / 1_000_000


def _not_drawn(record: Record, at: int, rows: Numbers) -> Iterator[Value]:
    """Yield classes whose cell is not what their values give."""
    pieces, names = record.combinations, [column.name for column in record.quasi]
    assert pieces is not None
    # Different rows may be alike: they may have the same texts, or differ in a sensitive column.
    numbers, classes = published_cells(pieces, names).merged().numbered(names)
    own, size = pieces.values[at], max(1, len(pieces.values[at]))
    keys, of = np.unique(numbers[rows] * size + pieces.original[at][pieces.kept], return_inverse=True)
    records = np.zeros(len(keys), dtype=np.int64)
    np.add.at(records, of.reshape(-1), pieces.counts[pieces.kept])
    values: dict[int, Counter[Cell]] = defaultdict(Counter)
    for key, n in zip(keys.tolist(), records.tolist(), strict=True):
        values[key // size][own[key % size]] += n
    column = record.quasi[at]
    drawn = _OF_A_CLASS[column.form]
    for number, counts in values.items():
        if not _is_drawn(drawn, column, counts, classes[number][at]):
            yield classes[number]


Drawn = Callable[[RecodedQuasi, "Counter[Cell]", Cell], bool]


def _is_drawn(drawn: Drawn, column: RecodedQuasi, values: "Counter[Cell]", cell: Cell) -> bool:
    if column.form != "mode" and None in values:
        return cell is None if len(values) == 1 else (cell or column.null_label) == _EVERYTHING
    return drawn(column, values, cell)


def _is_mean(column: RecodedQuasi, values: "Counter[Cell]", cell: Cell) -> bool:
    claimed, total = number_of(str(cell)), Decimal(0)
    for value, n in values.items():
        number = number_of(str(value))
        if number is None or claimed is None:
            return False
        total += number * n
    mean = total / values.total()
    return claimed is not None and abs(claimed - mean) <= _MEAN_DIGITS * max(abs(mean), Decimal(1))


def _is_median(column: RecodedQuasi, values: "Counter[Cell]", cell: Cell) -> bool:
    places = {value: _place(column.scale, value) for value in values}
    here = places.get(cell)
    if here is None:
        return False
    known = [(place, values[value]) for value, place in places.items() if place is not None]
    below, up_to = sum(n for place, n in known if place < here), sum(n for place, n in known if place <= here)
    return len(known) == len(places) and below < (values.total() + 1) // 2 <= up_to


def _place(order: Sequence[str] | None, value: Cell) -> Decimal | None:
    """Return where a value lies; None if it is no number, or not in the order."""
    if order is None:
        return number_of(str(value))
    return Decimal(order.index(str(value))) if value in order else None


def _is_mode(column: RecodedQuasi, values: "Counter[Cell]", cell: Cell) -> bool:
    return values[cell] == max(values.values())


_OF_A_CLASS: dict[str | None, Drawn] = {"mean": _is_mean, "median": _is_median, "mode": _is_mode}

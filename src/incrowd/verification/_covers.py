"""Check that each published cell covers its original values by the private record, or is their mean, median or mode."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from incrowd.errors import listed
from incrowd.release import RecodedCombinations, RecodedQuasi, Record
from incrowd.text import count
from incrowd.verification._tally import Value
from incrowd.verification._verdict import Check

Cell = str | None

_EVERYTHING = "*"
_MEAN_DIGITS = Decimal("1e-8")
"""Means are published with ten digits."""


class _Piece(NamedTuple):
    """Records of one combination that are published in one way."""

    values: Value
    cells: Value
    records: int


def covers_check(record: Record) -> Check:
    """Check, column by column, that every published cell covers its original value."""
    assert record.combinations is not None
    pieces = list(_pieces(record.combinations, len(record.quasi)))
    wrong: list[str] = []
    pairs = 0
    for at, column in enumerate(record.quasi):
        if column.form in _OF_A_CLASS:
            found: list[object] = list(_not_drawn(column, at, pieces))
        else:
            found = list(_not_covering(column, at, pieces))
        pairs += len(found)
        wrong += [column.name] * bool(found)
    if pairs:
        return Check("covers", False, f"{count(pairs, 'cell')} do not cover the original value, in {listed(wrong)}")
    return Check("covers", True, "every cell covers the original value in the private record")


def published_counts(record: Record) -> "Counter[Value]":
    """Return the number of records with each combination of published quasi-identifiers, by the private record."""
    assert record.combinations is not None
    found: Counter[Value] = Counter()
    for piece in _pieces(record.combinations, len(record.quasi)):
        found[piece.cells] += piece.records
    return found


def _pieces(combinations: RecodedCombinations, quasi: int) -> Iterator[_Piece]:
    values, labels = combinations.values[:quasi], combinations.labels[:quasi]
    rows = zip(combinations.original, combinations.published, combinations.counts, strict=True)
    for original, published, records in rows:
        if published is not None:
            yield _Piece(
                tuple(of[at] for of, at in zip(values, original, strict=False)),
                tuple(of[at] for of, at in zip(labels, published, strict=False)),
                records,
            )


def _not_covering(column: RecodedQuasi, at: int, pieces: Sequence[_Piece]) -> Iterator[tuple[Cell, Cell]]:
    """Yield values with cells that do not cover them."""
    rows = {row[0]: row for row in column.rows}
    for value, cell in {(piece.values[at], piece.cells[at]) for piece in pieces}:
        if not covers(column, rows, value, cell):
            yield value, cell


def covers(column: RecodedQuasi, rows: Mapping[Cell, Sequence[Cell]], value: Cell, cell: Cell) -> bool:
    """Return whether a cell covers a value; `rows` are those of the hierarchy, by value."""
    if cell is None and column.null_label is not None:
        cell = column.null_label
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


def _not_drawn(column: RecodedQuasi, at: int, pieces: Sequence[_Piece]) -> Iterator[Value]:
    """Yield classes whose cell is not what their values give."""
    classes: dict[Value, Counter[Cell]] = defaultdict(Counter)
    for piece in pieces:
        classes[piece.cells][piece.values[at]] += piece.records
    drawn = _OF_A_CLASS[column.form]
    for cells, values in classes.items():
        if not _is_drawn(drawn, column, values, cells[at]):
            yield cells


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
    order = column.scale

    def place(value: Cell) -> Decimal:
        number = Decimal(order.index(str(value))) if order is not None else number_of(str(value))
        return Decimal("NaN") if number is None else number

    below = sum(n for value, n in values.items() if place(value) < place(cell))
    up_to = sum(n for value, n in values.items() if place(value) <= place(cell))
    middle = (values.total() + 1) // 2
    return cell in values and below < middle <= up_to


def _is_mode(column: RecodedQuasi, values: "Counter[Cell]", cell: Cell) -> bool:
    return values[cell] == max(values.values())


_OF_A_CLASS: dict[str | None, Drawn] = {"mean": _is_mean, "median": _is_median, "mode": _is_mode}

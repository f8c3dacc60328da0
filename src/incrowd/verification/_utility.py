"""Check that no class spans more of the quasi-identifiers' domains than claimed (Worst-Group Utility, Loukides 5.2.2).

The span of a cell is read from the cell itself: the ends of a range, the members of a set, the leaves below a label.
The domains are those of the private record. Without it they are the union of the cells, which is at most the domain: a
class within the limit there is within it all the more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from incrowd.release import Manifest, PublishedQuasi, RecodedQuasi, Record
from incrowd.verification._covers import ends_of, members_of, number_of
from incrowd.verification._tally import Value
from incrowd.verification._verdict import Check

Cell = str | None

_NAME = "utility"
_EVERYTHING = "*"
_TOLERANCE = Fraction(1, 10**9)


class _Column(NamedTuple):
    """The domain of a quasi-identifier."""

    known: Sequence[Cell]
    """Its values; without the private record all cells."""
    scale: Sequence[str] | None = None
    rows: Sequence[Sequence[Cell]] = ()
    span: Fraction | None = None
    """The domain of numbers, if the job declares it."""
    original: bool = False
    """True if the values are known; an original value is never a set of others, whatever its form."""

    def members(self, cell: Cell) -> list[str]:
        """Return the values that a cell covers."""
        return [str(cell)] if self.original else members_of(str(cell))


Length = Callable[[_Column, Cell], Fraction | None]
"""The extent of a cell, in any unit; None if it cannot be determined."""


def utility_check(claims: Manifest, record: Record | None, classes: Iterable[Value]) -> Check:
    """Check every class; `classes` are the published combinations of quasi-identifiers."""
    assert claims.utility is not None
    found = list(classes)
    most = (Fraction(str(claims.utility)) + _TOLERANCE) * len(claims.quasi)
    shares = [_shares(column, at, record, found) for at, column in enumerate(claims.quasi)]
    sums = [_sum([of[cell] for of, cell in zip(shares, cells, strict=True)]) for cells in found]
    failing = sum(1 for total in sums if total is None or total > most)
    if not failing:
        return Check(_NAME, True, f"no class spans more than {claims.utility:g} of the domains on average")
    if record is None:
        # In the domains of the table that was given they may span less.
        return Check(_NAME, None, "needs the private record (--record FILE)")
    said = f"{failing:,} of {len(found):,} classes span more than {claims.utility:g} of the domains on average"
    return Check(_NAME, False, said)


def _sum(shares: Sequence[Fraction | None]) -> Fraction | None:
    known = [share for share in shares if share is not None]
    return sum(known, Fraction(0)) if len(known) == len(shares) else None


def _shares(
    published: PublishedQuasi, at: int, record: Record | None, classes: Sequence[Value]
) -> Mapping[Cell, Fraction | None]:
    """Return for each cell the share of the domain that it spans; None if it cannot be determined."""
    cells = {combination[at] for combination in classes}
    column = _Column(tuple(cells)) if record is None else _of_record(record, record.quasi[at], at)
    whole, length = _MEASURES.get(str(published.form), (_nothing, _unknown))
    domain = whole(column)
    found = {cell: _share(column, cell, domain, length) for cell in cells}
    # Without ends, some cells of a class may be missing beside others, or all of them.
    return {**found, None: None} if published.form == "ends" and None in cells else found


def _share(column: _Column, cell: Cell, domain: Fraction | None, length: Length) -> Fraction | None:
    if cell is None:
        return Fraction(0)
    if cell == _EVERYTHING and not column.rows:
        return Fraction(1)
    found = length(column, cell)
    if found is None or domain is None:
        return Fraction(0) if found == 0 else None
    return found / domain if domain else max(found, _top_of_one_value(column, cell))


def _top_of_one_value(column: _Column, cell: Cell) -> Fraction:
    """Return whether a cell is the top of a hierarchy of one value, which may have been that value or missing."""
    return Fraction(any(row[-1] == cell and cell not in row[:-1] for row in column.rows))


def _of_record(record: Record, quasi: RecodedQuasi, at: int) -> _Column:
    assert record.combinations is not None
    declaration: Any = record.job.get("columns", {}).get(quasi.name, {})
    declared = isinstance(declaration, Mapping) and bool({"domain", "hierarchy"} & set(declaration))
    span = Fraction(quasi.span) if declared and quasi.span is not None else None
    return _Column(record.combinations.values[at], quasi.scale, quasi.rows, span, original=True)


# Numbers, and values in order.


def _place(column: _Column, text: str) -> Fraction | None:
    if column.scale is not None:
        return Fraction(column.scale.index(text)) if text in column.scale else None
    found = number_of(text)
    if found is None:
        return None
    # Moments count in microseconds, as domains of them do.
    moment = len(text) > len("2000-01-01") and ":" in text
    return Fraction(found * Decimal(1_000_000) if moment else found)


def _ends(column: _Column, cell: str) -> list[Fraction] | None:
    for texts in ends_of(cell, ordered=column.scale is not None):
        places = [_place(column, text) for text in texts]
        known = [place for place in places if place is not None]
        if len(known) == len(places):
            return known
    return None


def _line(column: _Column) -> Fraction | None:
    """Return the whole domain."""
    if column.scale is not None:
        return Fraction(max(0, len(column.scale) - 1))
    ends = [_ends(column, cell) for cell in column.known if cell not in (None, _EVERYTHING)]
    places = [place for each in ends if each is not None for place in each]
    hull = max(places, default=Fraction(0)) - min(places, default=Fraction(0))
    return hull if column.span is None else max(hull, column.span)


def _along(column: _Column, cell: Cell) -> Fraction | None:
    ends = _ends(column, str(cell))
    return None if ends is None else ends[-1] - ends[0]


# Trees and sets.


def _leaves(column: _Column) -> Fraction | None:
    return Fraction(len(column.rows) - 1) if column.rows else None


def _below(column: _Column, cell: Cell) -> Fraction | None:
    if not column.rows or any(row[0] == cell for row in column.rows):
        # Without the hierarchy a label cannot be distinguished from a value.
        return Fraction(0) if column.rows else None
    counts = [sum(1 for row in column.rows if row[level] == cell) for level in range(1, len(column.rows[0]))]
    return Fraction(min((n for n in counts if n), default=len(column.rows)) - 1)


def _below_or_in_set(column: _Column, cell: Cell) -> Fraction | None:
    is_label = any(cell in row for row in column.rows)
    members = members_of(str(cell))
    return _below(column, cell) if is_label or members == [cell] else Fraction(len(set(members)) - 1)


def _values(column: _Column) -> Fraction | None:
    members = {member for cell in column.known if cell not in (None, _EVERYTHING) for member in column.members(cell)}
    return Fraction(max(0, len(members) - 1))


def _in_set(column: _Column, cell: Cell) -> Fraction | None:
    return Fraction(len(set(members_of(str(cell)))) - 1)


def _nothing(column: _Column) -> Fraction | None:
    return None


def _unknown(column: _Column, cell: Cell) -> Fraction | None:
    return None


def _one_value(column: _Column, cell: Cell) -> Fraction | None:
    return Fraction(0)


_MEASURES: Mapping[str, tuple[Callable[[_Column], Fraction | None], Length]] = {
    "range": (_line, _along),
    "ends": (_line, _along),
    "ancestor": (_leaves, _below),
    "set": (_values, _in_set),
    "set_or_ancestor": (_leaves, _below_or_in_set),
    "value": (_nothing, _one_value),
}

"""Releases whose sensitive values are generalized per record, as guards in the private record require."""

from collections import Counter
from collections.abc import Iterator, Sequence

from incrowd.models import PrivacyModel
from incrowd.release import RecodedCombinations, Record
from incrowd.text import count
from incrowd.verification._tally import Tally, Value
from incrowd.verification._verdict import Check

Pieces = Iterator[tuple[Value, Value, int]]
"""Original cells, published ones, and how many records have both."""


def guards_by_class(record: Record, columns: Sequence[str]) -> "dict[Value, Counter[Value]]":
    """Return the guards of the records of each class, by its published quasi-identifiers, from the private record."""
    found: dict[Value, Counter[Value]] = {}
    if record.combinations is not None and set(columns) <= set(record.combinations.names):
        at = [record.combinations.names.index(name) for name in columns]
        for values, cells, records in _published(record.combinations):
            quasi = cells[: len(record.quasi)]
            found.setdefault(quasi, Counter())[tuple(values[each] for each in at)] += records
    return found


def raised_check(record: Record, model: PrivacyModel, counted: Tally) -> Check:
    """Check that the sensitive cells of every class are as in the private record, each at or above its value."""
    [name] = model.needs[0]
    pieces, quasi = record.combinations, [column.name for column in record.quasi]
    if pieces is None or not {name, *(guard for columns in model.needs for guard in columns)} <= set(pieces.names):
        return Check("sensitive", False, f"the private record lacks what each record guards in {name!r}")
    at, rows = pieces.names.index(name), {row[0]: row for row in record.ladders.get(name, ())}
    top = {row[-1] for row in rows.values()}
    claimed: Counter[Value] = Counter()
    strange = 0
    for values, cells, records in _published(pieces):
        claimed[*cells[: len(quasi)], cells[at]] += records
        listed = values[at] in rows
        covers = cells[at] in rows[values[at]] if listed else cells[at] is None or cells[at] in top
        strange += 0 if covers and (listed or values[at] is None) else records
    if strange:
        return Check("sensitive", False, f"{count(strange, 'cell')} of {name!r} do not generalize the original value")
    found = counted.counter([*quasi, name])
    differing = sum(1 for each in claimed.keys() | found.keys() if claimed[each] != found[each])
    if differing:
        return Check(
            "sensitive", False, f"{count(differing, 'combination')} with {name!r} do not match the private record"
        )
    return Check("sensitive", True, f"every cell of {name!r} is the original value or a generalization of it")


def _published(pieces: RecodedCombinations) -> Pieces:
    for values, cells, records, _ in pieces.pieces():
        if cells is not None:
            yield values, cells, records

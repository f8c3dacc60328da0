"""Records that hang on records of another child table: which of them belong together is known as well.

A prescription of a visit is known with the visit. If one record or m of them are known of a person, a record is
therefore known with the one it hangs on, and its class is both of their classes. If all are known, so is which records
hang on which: the class of a visit then is its own with the multiset of those of its prescriptions.

Both only merge on the way up: if two records are in one class, so they are on higher levels.
"""

from collections.abc import Sequence

import numpy as np

from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Holdings, Known, Knows, views
from incrowd.core.table import Codes
from incrowd.searches import LinkedTable


def with_structure(classes: Sequence[Codes], tables: Sequence[LinkedTable], knows: Knows) -> list[Codes]:
    """Return the class of each entry of each table, with what is known of the records that it belongs to."""
    found = list(classes)
    if knows == Known.HISTORY:
        for at in reversed(range(len(tables))):
            _add_below(found, at, tables)
        return found
    for at, table in enumerate(tables):
        if table.parent is not None and table.above is not None:
            found[at] = _both(found[at], found[table.parent][table.above])
    return found


def _add_below(found: list[Codes], at: int, tables: Sequence[LinkedTable]) -> None:
    """Add the records of a table to the classes of those that they hang on."""
    table = tables[at]
    if table.parent is None or table.above is None:
        return
    above = found[table.parent]
    held = Holdings.joined(found[at], table.above.astype(np.int32), table.people.counts, len(above))
    seen = views(held, Known.HISTORY)
    below = np.zeros(len(above), dtype=np.int32)
    below[seen.person] = seen.of + np.int32(1)
    found[table.parent] = _both(above, below)


def _both(one: Codes, other: Codes) -> Codes:
    if not len(one):
        return one
    numbers, _ = number_combinations([one, other], [int(one.max()) + 1, int(other.max()) + 1])
    return numbers

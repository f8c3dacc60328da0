"""All that may be known of the people of a release, by definition: collections of their published records.

If m records are known, any collection of at most m records of a person; if all are, the whole collection. The people of
whom it is true take the place of a class, each with the values of all of the person's published records.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from incrowd.models import Block
from incrowd.verification._classes import Columns
from incrowd.verification._tally import Numbers, Tally, Value

HISTORY = "history"

Known = tuple[int, ...]
"""Classes of records, in ascending order."""


class PeopleOfRelease:
    """The people of a release: the classes of their records, and the values that they have in some columns."""

    def __init__(self, published: Tally, person: Iterable[int | None], quasi: Sequence[str], needs: Sequence[Columns]):
        """`person` is the person of each combination; where that is None, each record is a person of its own."""
        classes, _ = published.numbered(quasi)
        values = {columns: _values_of(published, columns) for columns in needs}
        self.records: dict[str, Counter[int]] = defaultdict(Counter)
        self._values: dict[Columns, dict[str, set[Value]]] = {columns: defaultdict(set) for columns in needs}
        rows = zip(person, classes.tolist(), published.counts.tolist(), strict=True)
        for row, (who, of, count) in enumerate(rows):
            names = [f"{who}"] if who is not None else [f"{row}, {number}" for number in range(count)]
            for name in names:
                self.records[name][of] += count if who is not None else 1
                for columns, each in values.items():
                    self._values[columns][name].add(each[row])

    def views(self, knows: str) -> dict[Known, list[str]]:
        """Return all that may be known of anybody, each with the people of whom it is true."""
        found: dict[Known, list[str]] = defaultdict(list)
        for name, records in self.records.items():
            for known in _known(records, knows):
                found[known].append(name)
        return found

    def blocks(self, knows: str, person: str) -> Iterator[Block]:
        """Yield the people of each view in place of a class; `person` is the column that tells them apart."""
        for names in self.views(knows).values():
            values: dict[Columns, Counter[Value]] = {(person,): Counter((name,) for name in names)}
            for columns, of in self._values.items():
                values[columns] = Counter(value for name in names for value in of[name])
                values[*columns, person] = Counter((*value, name) for name in names for value in of[name])
            yield Block(len(names), values)


def _known(records: "Counter[int]", knows: str) -> Iterable[Known]:
    whole = tuple(sorted(records.elements()))
    if knows == HISTORY:
        return [whole]
    most = int(knows)
    # No more records of a class can be known than are looked at.
    few = sorted(Counter({of: min(count, most) for of, count in records.items()}).elements())
    return {part for size in range(1, most + 1) for part in combinations(few, size)}


def _values_of(published: Tally, columns: Columns) -> list[Value]:
    """Return the value of each combination in some columns."""
    numbers: Numbers
    numbers, values = published.numbered(columns)
    return [values[number] for number in numbers.tolist()]

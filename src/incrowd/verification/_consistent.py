"""k-anonymity revisited: which records are consistent with which originals; only the private record has the originals.

Sets of people and of released records are whole numbers whose bits are their members: so all pairs can be compared.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from incrowd.models.consistent_k import ConsistentK
from incrowd.release import RecodedCombinations, RecodedQuasi, Record
from incrowd.verification._classes import ClassesOfRelease
from incrowd.verification._components import Bits, components, nodes_of
from incrowd.verification._covers import covers
from incrowd.verification._tally import Value
from incrowd.verification._verdict import Check

Cell = str | None
ByText = Mapping[Cell, Bits]


def consistency_check(
    name: str, model: ConsistentK, record: Record | None, classes: ClassesOfRelease, missing_fits: bool
) -> Check:
    """Check the notion between the released and the original records.

    `missing_fits`: whether originals with a missing quasi-identifier count at all.
    """
    if min(classes.sizes, default=model.k) >= model.k:
        return Check(name, True, f"{model.promise()} Every class has at least {model.k} records.")
    if record is None or record.combinations is None:
        return Check(name, None, "needs the private record (--record FILE)")
    sides = _sides(record.quasi, record.combinations, classes, missing_fits)
    if sides is None:
        return Check(name, False, "the private record lists published records that the release lacks")
    wrong = []
    if model.of_people:
        few = sum(1 for fits in sides.of_people(model.notion == "global_one_k") if fits < model.k)
        what = "match" if model.notion == "global_one_k" else "are consistent with"
        wrong += [f"{few:,} of {len(sides.people):,} distinct original records {what} fewer than {model.k}"] * bool(few)
    if model.of_rows:
        few = sum(1 for fits in sides.of_rows() if fits < model.k)
        wrong += [f"{few:,} of {len(sides.rows):,} classes are consistent with fewer than {model.k}"] * bool(few)
    if wrong:
        return Check(name, False, f"{'; '.join(wrong)} records")
    return Check(name, True, f"{model.promise()} Originals as in the private record.")


class _Sides(NamedTuple):
    """Distinct originals and distinct released records, each with its count, and which are consistent."""

    people: list[Value]
    rows: list[Value]
    fitting: list[ByText]
    """Per column: for an original value the released records whose cell covers it."""
    covered: list[ByText]
    """Per column: for a cell the originals whose value it covers."""
    of_person: list[Bits]
    """For each original its own released records, by the private record."""
    records: list[Bits]
    """The planes of the numbers of released records: those with bit 0 set in their number, with bit 1, ..."""
    persons: list[Bits]
    """The same for the originals."""
    left_out: Bits
    """The originals of which some were suppressed."""

    def of_people(self, matches: bool) -> list[int]:
        """Return how many released records are consistent with, or match, each original record that has any."""
        fits = [self._fitting(at) for at in range(len(self.people))]
        if matches:
            together = self._together()
            fits = [rows & together[at] for at, rows in enumerate(fits)]
        found = [_weight(rows, self.records) for rows in fits]
        # Who is published has a record; who is not, and fits none, cannot be found.
        return [n for n, own in zip(found, self.of_person, strict=True) if n or own]

    def of_rows(self) -> list[int]:
        """Return how many originals are consistent with each released record."""
        return [_weight(self._covered(at), self.persons) for at in range(len(self.rows))]

    def _fitting(self, person: int) -> Bits:
        return reduce(and_, [of[value] for of, value in zip(self.fitting, self.people[person], strict=True)])

    def _covered(self, row: int) -> Bits:
        return reduce(and_, [of[cell] for of, cell in zip(self.covered, self.rows[row], strict=True)])

    def _together(self) -> list[Bits]:
        """Return for each original the released records in its component; originals lead to consistent records.

        Released records lead to their originals, by the private record. Suppressed ones share one more record, which
        is consistent with all.
        """
        n, m = len(self.people), len(self.rows)
        nobody = 1 << n + m if self.left_out else 0
        owners = _turned(self.of_person, m)

        def after(at: int) -> Bits:
            if at < n:
                return self._fitting(at) << n | nobody
            return owners[at - n] if at < n + m else self.left_out

        def before(at: int) -> Bits:
            if at < n:
                return self.of_person[at] << n | (nobody if self.left_out >> at & 1 else 0)
            return self._covered(at - n) if at < n + m else (1 << n) - 1

        found = [0] * n
        people = (1 << n) - 1
        for together in components(n + m + bool(nobody), after, before):
            for at in nodes_of(together & people):
                found[at] = together >> n & (1 << m) - 1
        return found


def _sides(
    quasi: Sequence[RecodedQuasi], recoded: RecodedCombinations, classes: ClassesOfRelease, missing_fits: bool
) -> _Sides | None:
    numbers = {cells: at for at, cells in enumerate(classes.combinations)}
    counts: Counter[Value] = Counter()
    own: dict[Value, Bits] = {}
    left_out: set[Value] = set()
    for values, cells, records, _ in recoded.pieces():
        person = values[: len(quasi)]
        if not missing_fits and None in person:
            continue
        counts[person] += records
        if cells is None:
            left_out.add(person)
            continue
        row = numbers.get(cells[: len(quasi)])
        if row is None:
            return None
        own[person] = own.get(person, 0) | 1 << row
    people = list(counts)
    of_people = [_by_text(column) for column in zip(*people, strict=True)]
    of_rows = [_by_text(column) for column in zip(*classes.combinations, strict=True)]
    pairs = [_covering(column, of, by) for column, of, by in zip(quasi, of_people, of_rows, strict=True)]
    fitting = zip(pairs, of_rows, strict=True)
    return _Sides(
        people,
        classes.combinations,
        [{value: _union(by[cell] for cell in at) for value, at in of.items()} for of, by in fitting],
        [_covered(of, by, cell) for of, by, cell in zip(pairs, of_people, of_rows, strict=True)],
        [own.get(person, 0) for person in people],
        _planes(classes.sizes),
        _planes(counts.values()),
        _set_of([at for at, person in enumerate(people) if person in left_out]),
    )


def _by_text(texts: Iterable[Cell]) -> dict[Cell, Bits]:
    """Return for each text the positions where it occurs."""
    found: dict[Cell, list[int]] = {}
    for at, text in enumerate(texts):
        found.setdefault(text, []).append(at)
    return {text: _set_of(places) for text, places in found.items()}


def _covering(column: RecodedQuasi, values: ByText, cells: ByText) -> dict[Cell, list[Cell]]:
    """Return for each original value the published cells that cover it."""
    rows = {row[0]: row for row in column.rows}
    if not rows:
        return {value: [cell for cell in cells if covers(column, rows, value, cell)] for value in values}
    tops = {row[-1] for row in column.rows}
    # A missing cell that the hierarchy does not list joins the others at the top.
    paths = {value: {value, *rows.get(value, ())[1:], *(tops if value not in rows else ())} for value in values}
    shown = {value: path | {None} if column.null_label in path - {None} else path for value, path in paths.items()}
    return {value: [cell for cell in path if cell in cells] for value, path in shown.items()}


def _covered(pairs: Mapping[Cell, Sequence[Cell]], values: ByText, cells: Iterable[Cell]) -> dict[Cell, Bits]:
    found = dict.fromkeys(cells, 0)
    for value, covering in pairs.items():
        for cell in covering:
            found[cell] |= values[value]
    return found


def _turned(of_person: Sequence[Bits], rows: int) -> list[Bits]:
    """Return for each released record its original records."""
    found: list[list[int]] = [[] for _ in range(rows)]
    for at, own in enumerate(of_person):
        for row in nodes_of(own):
            found[row].append(at)
    return [_set_of(people) for people in found]


def _planes(numbers: Iterable[int]) -> list[Bits]:
    found = list(numbers)
    return [
        _set_of([at for at, number in enumerate(found) if number >> bit & 1])
        for bit in range(max(found, default=0).bit_length())
    ]


def _weight(bits: Bits, planes: Sequence[Bits]) -> int:
    """Return the sum of the numbers of the members of a set."""
    return sum((bits & plane).bit_count() << bit for bit, plane in enumerate(planes))


def _union(sets: Iterable[Bits]) -> Bits:
    return reduce(or_, sets, 0)


def _set_of(places: Sequence[int]) -> Bits:
    octets = bytearray(max(places, default=-1) // 8 + 1)
    for at in places:
        octets[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(octets, "little")

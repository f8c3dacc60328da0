"""Any model, judged on views: on all people of whom something is true that an attacker may know.

A view takes the place of a class. Its size is the number of people of whom it is true, and a value occurs as often as
people have it. Where one record of one table is known, a person has the values of the records in that class. Where more
is known, a person has the values of all of the person's records, each once: whoever finds a person learns all of them.
Who has no record in one of several tables has missing values there.
Anyone who knows more knows one record too, so the model must then hold of the classes as well (`in_classes`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.classes import Classes
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.histograms import Columns, Counts, Domain, Histogram
from incrowd.core.keys import number_combinations
from incrowd.core.knowledge import Exposed, Holdings, Known, Knows, Safe, Views
from incrowd.core.people import TableOfPeople
from incrowd.core.table import MISSING, Codes
from incrowd.errors import UsageError
from incrowd.models._contract import Mask, PrivacyModel

Ladders = Mapping[str, EncodedHierarchy]


@dataclass(frozen=True, eq=False)
class _Values:
    """The values of some sensitive columns in a table."""

    table: int
    """Which table has the columns."""
    domain: Domain
    of: Codes
    """The value of each entry of the table."""
    starts: Counts
    """The values of person p are those from starts[p] to starts[p + 1], each once."""
    own: Codes


@dataclass(frozen=True, eq=False, repr=False)
class OnViews(Brief):
    """A model that counts people, as an attacker sees them who knows one record of a person, m of them, or all."""

    model: PrivacyModel
    """In terms of its own definition: where that says records, people are counted."""
    tables: Sequence[TableOfPeople]
    knows: Knows
    values: Mapping[Columns, _Values]

    @classmethod
    def of(
        cls, model: PrivacyModel, tables: Sequence[TableOfPeople], knows: Knows, ladders: Ladders | None = None
    ) -> "OnViews":
        """Return the model on the views of tables; the ladders are those of sensitive columns."""
        values = {columns: _values(columns, tables, ladders or {}) for columns in model.needs}
        return cls(model, tables, knows, values)

    @property
    def absorbing(self) -> bool:
        """Whether a safe view stays safe when people join it, or values of theirs."""
        return self.model.monotone.absorbing

    def relaxed(self) -> "OnViews | None":
        """Return something necessary for the model that is absorbing, on the same views; None if nothing is known."""
        found = self.model.relaxed()
        return None if found is None else OnViews(found, self.tables, self.knows, self.values)

    def at(self, classes: Sequence[Codes]) -> Safe:
        """Return which views are safe where the classes are these: the class of each entry of each table."""

        def safe(held: Sequence[Holdings], seen: Views) -> Mask:
            return self.model.holds(self.classes(classes, seen))

        return safe

    def classes(self, classes: Sequence[Codes], seen: Views) -> Classes:
        """Return views as a model sees classes."""
        if self._knows_a_class:
            return self.of_classes(0, classes[0], seen)
        return Classes(seen.sizes, {columns: _of_person(values, seen) for columns, values in self.values.items()})

    def in_classes(self, classes: Sequence[Codes]) -> Exposed | None:
        """Return who is in a class whose values violate the model, where more than a class is known.

        A record of one of several tables is known with the person's record in the first. Of numbers of people nothing
        is added: those of a view are no more than those of a class with its records.
        """
        judged = sorted({values.table for values in self.values.values()})
        if self._knows_a_class or not judged:
            return None
        known = {at: self._with_first(classes, at) for at in judged}

        def exposed(held: Sequence[Holdings]) -> Mask:
            found = np.zeros(held[0].people, dtype=np.bool_)
            for at, of in known.items():
                seen = self._held(held, at, of)
                safe = self.model.holds(self.of_classes(at, of, seen))
                found |= seen.exposed(safe, held[0].people)
            return found

        return exposed

    def _with_first(self, classes: Sequence[Codes], at: int) -> Codes:
        """Return the class of each entry of a table, with that of the person's record in the first of several."""
        if len(self.tables) == 1 or at == 0 or not len(classes[at]):
            return classes[at]
        of_person = np.zeros(self.tables[0].people, dtype=np.int32)
        of_person[self.tables[0].person] = classes[0]
        codes = [classes[at], of_person[self.tables[at].person]]
        return number_combinations(codes, [int(row.max()) + 1 for row in codes])[0]

    def _held(self, held: Sequence[Holdings], at: int, of: Codes) -> Views:
        """Return the classes of a table, each with the people who are still there and have a record in it."""
        table = self.tables[at]
        there = np.zeros(table.people, dtype=np.bool_)
        for each in held:
            there[each.person] = True
        entries = np.flatnonzero(there[table.person])
        own = Holdings.joined(of[entries], table.person[entries], table.counts[entries], table.people)
        return Views(own.of, own.person, int(of.max(initial=-1)) + 1)

    @property
    def _knows_a_class(self) -> bool:
        """Whether one record of a single table is known: its class is the view then."""
        return len(self.tables) == 1 and self.knows in (Known.RECORD, 1)

    def of_classes(self, table: int, of: Codes, seen: Views) -> Classes:
        """Return the classes of a table, with the values that people have there; of other tables all of them."""
        histograms = {
            columns: self._in_class(values, of, seen) if values.table == table else _of_person(values, seen)
            for columns, values in self.values.items()
        }
        return Classes(seen.sizes, histograms)

    def _in_class(self, values: _Values, of: Codes, seen: Views) -> Histogram:
        """How many people of each class have each value there."""
        table = self.tables[values.table]
        there = np.zeros(table.people, dtype=np.bool_)
        there[seen.person] = True
        at = np.flatnonzero(there[table.person])
        codes = [of[at], values.of[at], table.person[at]]
        _, first = np.unique(_keys(codes, [seen.n, len(values.domain.whole), table.people]), return_index=True)
        return _histogram(values.domain, of[at][first], values.of[at][first], seen.n)


def _of_person(values: _Values, seen: Views) -> Histogram:
    """How many people of each view have each value in any record of theirs."""
    lengths = np.diff(values.starts)[seen.person]
    pair = np.repeat(np.arange(len(seen.of)), lengths)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return _histogram(values.domain, seen.of[pair], values.own[values.starts[seen.person[pair]] + step], seen.n)


def _histogram(domain: Domain, owner: Codes, value: Codes, n: int) -> Histogram:
    width = np.int64(max(1, len(domain.whole)))
    keys, counts = np.unique(owner.astype(np.int64) * width + value, return_counts=True)
    starts = np.searchsorted(keys // width, np.arange(n + 1)).astype(np.int64)
    return Histogram(domain, starts, (keys % width).astype(np.int32), counts.astype(np.int64))


def _keys(codes: Sequence[Codes], sizes: Sequence[int]) -> NDArray[np.int64]:
    numbers, _ = number_combinations(codes, [max(1, size) for size in sizes])
    return numbers.astype(np.int64)


def _values(columns: Columns, tables: Sequence[TableOfPeople], ladders: Ladders) -> _Values:
    at = next((at for at, table in enumerate(tables) if set(columns) <= set(table.frequencies.names)), None)
    if at is None:
        raise UsageError.invalid(
            f"a model of {', '.join(columns)}", "no table has these columns together", "name columns of one table"
        )
    table = tables[at]
    codes = table.frequencies.codes[table.frequencies.indices(columns)]
    alone = len(columns) == 1
    if alone:
        numbers, n = codes[0], table.frequencies.cardinalities[table.frequencies.indices(columns)[0]]
    else:
        numbers, n = number_combinations(list(codes), [int(row.max(initial=0)) + 1 for row in codes])
    of = numbers[table.row]
    # Who has no record in one of several tables has missing values there, as in a left join.
    none, n = (MISSING, n) if alone else (n, n + 1)
    lacking = np.setdiff1d(np.arange(table.people), table.person) if len(tables) > 1 else np.empty(0, dtype=np.int64)
    pairs = np.unique(np.concatenate([table.person.astype(np.int64) * n + of, lacking * n + none]))
    own = (pairs % n).astype(np.int32)
    parts = []
    for row in [] if alone else codes:
        part = np.zeros(n, dtype=np.int32)
        part[numbers] = row
        parts.append(part)
    domain = Domain(
        columns,
        np.bincount(own, minlength=n).astype(np.int64),
        values=table.frequencies.values[table.frequencies.indices(columns)[0]] if alone else None,
        ladder=ladders.get(columns[0]) if alone else None,
        parts=tuple(parts),
    )
    starts = np.searchsorted(pairs // n, np.arange(table.people + 1)).astype(np.int64)
    return _Values(at, domain, of.astype(np.int32), starts, own)

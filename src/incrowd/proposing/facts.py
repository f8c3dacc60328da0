"""The facts that judges know: columns of a table, how often values occur, and how columns determine each other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.kernels import total
from incrowd.core.normal_form import spellings
from incrowd.core.schema import Role
from incrowd.core.table import MISSING, Codes, booleans, in_floats, positions, text_array
from incrowd.proposing.kinds import Kind, kind_of, written
from incrowd.proposing.naming import Meaning, meaning_of

_LOOKED_AT = 10_000
"""The number of values whose form is checked."""
_FEW_VALUES = 20
"""The most values of a category, and the fewest records that share each on average."""
_NEAR_UNIQUE = 0.05
"""The share of records with a unique value from which a figure can single people out by itself."""
_EXACT = 2.0**53
"""Whole numbers below this one are exact as decimals."""
_MOST = 0.8
"""The share of values that must have a form."""
_GLANCE = 2_000
"""Combinations that refute most dependencies before all are checked."""
_NEARLY = 0.9
"""The share of what the most frequent value does not explain that a near dependency must explain."""
_EVIDENCE = 10.0
"""Records that a dependency must explain, beyond what the most frequent value explains."""


class Sureness(StrEnum):
    """How sure a suggestion is, in words."""

    UNSURE = "unsure"
    LIKELY = "likely"
    SURE = "sure"


@dataclass(frozen=True)
class Opinion:
    """The role that a judge gives a column, why, and how sure it is, from 0 to 1."""

    role: Role
    reason: str
    sure: float


@dataclass(frozen=True, eq=False)
class Column:
    """The known facts of a column."""

    name: str
    values: pa.Array
    """Its distinct values."""
    holders: Counts
    """Per value how many records have it."""
    records: int

    @classmethod
    def alone(cls, values: pa.Array) -> "Column":
        """Return a column of which only the distinct values are known."""
        return cls("", values, np.ones(len(values), dtype=np.int64), 0)

    @property
    def is_counted(self) -> bool:
        """Return whether it is known how many records have each value."""
        return self.records > 0

    @cached_property
    def kind(self) -> Kind:
        """The type of its values."""
        return kind_of(self.values)

    @cached_property
    def spellings(self) -> int:
        """How many values are another spelling of one of the others."""
        return spellings(self.values)

    @cached_property
    def meaning(self) -> Meaning | None:
        """The subject of its name; None if it says nothing."""
        return meaning_of(self.name)

    @property
    def distinct(self) -> int:
        """Return how many distinct values there are."""
        return len(self.values)

    @cached_property
    def present(self) -> int:
        """How many records have a value."""
        return int(self.holders.sum())

    @property
    def missing(self) -> int:
        """Return how many records have no value."""
        return self.records - self.present

    @cached_property
    def unique(self) -> int:
        """Records whose value in this column is unique."""
        return int(np.count_nonzero(self.holders == 1))

    @property
    def is_category(self) -> bool:
        """Return whether there are few values, each shared by many records."""
        return is_category(self.distinct, self.present)

    @property
    def is_number(self) -> bool:
        """Return whether all values are numbers."""
        return self.kind in (Kind.INTEGER, Kind.NUMBER)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers, also where a missing one has made decimals of them, such as 12.0."""
        if self.kind is Kind.INTEGER:
            return True
        numbers = self.numbers if self.kind is Kind.NUMBER else np.array([])
        return len(numbers) > 0 and bool(np.isfinite(numbers).all() and (numbers == np.rint(numbers)).all())

    @property
    def is_text(self) -> bool:
        """Return whether the values are texts, some of which may look like numbers."""
        return self.kind in (Kind.TEXT, Kind.MIXED)

    @property
    def is_date(self) -> bool:
        """Return whether all values are dates."""
        return self.kind in (Kind.DATE, Kind.TIMESTAMP)

    @property
    def is_near_unique(self) -> bool:
        """Return whether many records have a value of their own."""
        return self.unique >= max(2.0, _NEAR_UNIQUE * self.present)

    @cached_property
    def texts(self) -> pa.Array:
        """A spread of its values as text; none if the form of this kind adds nothing."""
        has_text = pa.types.is_string(self.values.type) or pa.types.is_integer(self.values.type)
        if self.kind is Kind.NUMBER and self.is_whole and np.abs(self.numbers).max() < _EXACT:
            return text_array([str(int(number)) for number in self.numbers])
        if self.kind not in (Kind.TEXT, Kind.MIXED, Kind.INTEGER) or not has_text:
            return text_array([])
        return self._spread.cast(pa.string())

    @property
    def texts_written(self) -> list[str]:
        """Return a spread of its values as they are written, if they are texts."""
        return self._spread.to_pylist() if pa.types.is_string(self.values.type) else []

    @cached_property
    def _spread(self) -> pa.Array:
        spread = np.linspace(0, self.distinct - 1, min(self.distinct, _LOOKED_AT)).astype(np.int64)
        return self.values.take(positions(spread[np.diff(spread, prepend=-1) > 0]))

    @cached_property
    def words(self) -> frozenset[str]:
        """A spread of its values as text without blanks around them, in lower case."""
        return frozenset(text.strip().casefold() for text in self.texts.to_pylist())

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """A spread of its values as numbers, sorted; none if it has other values."""
        if not self.is_number or pa.types.is_duration(self.values.type):
            return np.array([], dtype=np.float64)
        if pa.types.is_string(self.values.type):
            texts = [text.strip().replace(",", ".") for text in self._spread.to_pylist()]
            return np.sort(np.array([_number(text) for text in texts], dtype=np.float64))
        return np.sort(in_floats(self._spread.cast(pa.float64(), safe=False)))

    def has_form(self, form: str, share: float = _MOST) -> bool:
        """Return whether this share of the values matches a regular expression."""
        return len(self.texts) > 0 and bool(pc.sum(written(self.texts, form)).as_py() >= share * len(self.texts))


def is_category(distinct: int, records: int) -> bool:
    """Return whether there are few values, each shared by many records."""
    return 0 < distinct <= _FEW_VALUES and records >= _FEW_VALUES * distinct


def _number(text: str) -> float:
    """Return a number; the points of 1.234.567 only separate its digits."""
    return float(text) if text.count(".") <= 1 else float(text.replace(".", ""))


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a table."""

    counted: FrequencySet
    columns: tuple[Column, ...]
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    @classmethod
    def of(cls, counted: FrequencySet) -> "Table":
        """Return what is known of counted columns."""
        return cls(counted, tuple(_column(counted, at) for at in range(len(counted.names))))

    def determines(self, one: str, other: str) -> bool:
        """Return whether equal values of one column have equal values in the other, and not by chance."""
        pair = (one, other)
        if pair not in self._known:
            self._known[pair] = self._determines(one, other)
        return self._known[pair]

    def nearly_determines(self, one: str, other: str) -> bool:
        """Return whether equal values of one column have equal values in the other, but for a few records, such as
        typing errors."""
        at = self.counted.indices((one, other))
        (left, right), counts = self.counted.codes[at], self.counted.counts
        held = (left != MISSING) & (right != MISSING)
        left, right, counts = left[held], right[held], counts[held]
        n = [self.counted.cardinalities[c] for c in at]
        if len(left) > _GLANCE and _explained(left[:_GLANCE], right[:_GLANCE], counts[:_GLANCE], n)[0] < _NEARLY / 2:
            return False
        share, evidence = _explained(left, right, counts, n)
        return share >= _NEARLY and evidence >= _EVIDENCE

    def _determines(self, one: str, other: str) -> bool:
        at = self.counted.indices((one, other))
        (left, right), counts = self.counted.codes[at], self.counted.counts
        n = [self.counted.cardinalities[c] for c in at]
        if not _is_function(left[:_GLANCE], right[:_GLANCE], n[0]) or not _is_function(left, right, n[0]):
            return False
        held = left != MISSING
        repeated = int(counts[held].sum()) - len(np.unique(left[held]))
        shares = total(right[held], n[1], counts[held])
        return bool(repeated * (1 - shares.max(initial=0) / max(1, shares.sum())) >= _EVIDENCE)


def _explained(one: Codes, other: Codes, counts: Counts, sizes: Sequence[int]) -> tuple[float, float]:
    """Return which share of the records the values of one column explain of the other, and how many records that are:
    of those that its most frequent value does not explain."""
    if not len(one):
        return 0.0, 0.0
    pairs, place = np.unique(one.astype(np.int64) * sizes[1] + other, return_inverse=True)
    found = total(place.astype(np.int32), len(pairs), counts)
    most = np.zeros(sizes[0], dtype=found.dtype)
    np.maximum.at(most, pairs // sizes[1], found)
    by_chance = int(total(other, sizes[1], counts).max(initial=0))
    left = int(counts.sum()) - by_chance
    return (float(most.sum() - by_chance) / left if left else 0.0), float(most.sum() - by_chance)


def of_each(table: Table, look: Callable[[Column], Opinion | None]) -> dict[str, Opinion]:
    """Return the opinion on each column of a judge who looks at one at a time."""
    found = {column.name: look(column) for column in table.columns}
    return {name: opinion for name, opinion in found.items() if opinion is not None}


def _column(counted: FrequencySet, at: int) -> Column:
    holders = total(counted.codes[at], counted.cardinalities[at], counted.counts)[1:]
    # The source may know values that no record has, such as unused categories.
    values = counted.values[at].filter(booleans(holders > 0))
    return Column(counted.names[at], values, holders[holders > 0], counted.records)


def _is_function(one: Codes, other: Codes, values: int) -> bool:
    """Return whether each code of one column, but missing, goes with one code of the other."""
    beside = np.zeros(values, dtype=other.dtype)
    beside[one] = other
    return bool(((beside[one] == other) | (one == MISSING)).all())

"""Range Diversity of texts, as the thesis defines it (Loukides 2008, section 5.1).

Plain and exact, for verification; nothing here is shared with the arrays of a search.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Protocol

from incrowd.errors import UsageError
from incrowd.models._contract import Reference
from incrowd.models._ranges import WHAT, Domain, Policy, Range, Ranges, ends, range_of

Value = str | None
Number = int | Fraction
Path = tuple[str | None, ...]
_REMEMBERED = 1 << 14
"""Values and bounds whose numbers are remembered: every class asks about its values many times."""


class Parameters(Protocol):
    """The ranges of a model."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The column alone."""
        ...

    @property
    def ranges(self) -> Ranges:
        """Intervals or labels."""
        ...

    @property
    def level(self) -> int:
        """Of the labels that are ranges."""
        ...

    @property
    def policy(self) -> Policy:
        """Values with ranges of their own."""
        ...

    @property
    def domain(self) -> Domain:
        """As declared."""
        ...

    @property
    def measure(self) -> str:
        """Numeric, hierarchical or equal."""
        ...


@dataclass(frozen=True)
class TextRanges:
    """The ranges of a model over the values of one table."""

    model: Parameters
    reference: Reference

    def range_diversity(self, counts: Mapping[Value, int]) -> Fraction:
        """Return rd(G): the disclosure confidences of all values, over the size of the class; 0 of an empty one."""
        size = sum(counts.values())
        return sum((self.disclosure_confidence(value, counts) for value in counts), Fraction(0)) / max(1, size)

    def disclosure_confidence(self, value: Value, counts: Mapping[Value, int]) -> Fraction:
        """Return dc(u): f(u) times the sum of f(x) pc(u, x) over the x in SR(u), over the size of the class."""
        near = [f * self.contribution(value, x) for x, f in counts.items() if self.in_range(value, x)]
        return counts[value] * sum(near, Fraction(0)) / sum(counts.values())

    def contribution(self, one: Value, other: Value) -> Fraction:
        """Return pc(u, x), which is 1 - qd({u, x})."""
        if one == other:
            return Fraction(1)
        if self.model.measure == "hierarchical":
            if len(self._ladder) == 1:
                # A value and a missing one have nothing in common but the top.
                return Fraction(0)
            return 1 - Fraction(self._leaves(one, other) - 1, len(self._ladder) - 1)
        if one is None or other is None:
            return Fraction(0)
        if self.model.measure == "equal":
            return 1 - Fraction(1, max(1, len(self._table) - 1))
        low, high = self._domain
        apart = Fraction(self._number(one)) - Fraction(self._number(other))
        return 1 - abs(apart) / (Fraction(high) - Fraction(low) or Fraction(1))

    def in_range(self, value: Value, other: Value) -> bool:
        """Return whether the other lies in SR(value)."""
        if value == other:
            return True
        if self.model.level:
            return self._path(value)[self.model.level :] == self._path(other)[self.model.level :]
        if value not in self._ranges:
            self._ranges[value] = self._range(value)
        given = self._ranges[value]
        if given is None or other is None:
            return False
        return self._holds(given, other)

    @cached_property
    def _ranges(self) -> dict[Value, Range | None]:
        """SR of each value that was asked about."""
        return {}

    def _range(self, value: Value) -> Range | None:
        if value is None:
            return None
        for row in self.model.policy:
            if row[0] == value:
                if not self._holds(range_of(row), value):
                    raise UsageError.invalid(f"policy of {WHAT}", "a range does not contain its own value", "widen it")
                return range_of(row)
        return next((given for given in self.model.ranges if self._holds(given, value)), None)

    def _holds(self, given: Range, value: str) -> bool:
        if isinstance(given, str):
            return self._path(value)[self._level(given)] == given
        low, high = _ends(given)
        return low <= self._number(value) <= high

    def _level(self, label: str) -> int:
        """Return the highest level that has the label."""
        known = [{row[level] for row in self._rows} for level in range(len(self._rows[0]))]
        return max(level for level, labels in enumerate(known) if label in labels)

    def _leaves(self, one: Value, other: Value) -> int:
        """Return how many values are below the closest common ancestor."""
        paths = list(zip(self._path(one), self._path(other), strict=True))
        level = next(level for level, (label, label_of_other) in enumerate(paths) if label == label_of_other and level)
        return sum(row[level] == paths[level][0] for row in self._rows)

    def _path(self, value: Value) -> Path:
        """Return the value and its labels up to the top; missing stays missing below the top unless it is listed."""
        if value is None and None not in self._ladder:
            height = len(self._rows[0]) - 1
            return (*[None] * height, self._rows[0][-1])
        return (value, *self._ladder[value])

    @property
    def _ladder(self) -> Mapping[Value, tuple[str, ...]]:
        return self.reference.ladders[self.model.columns[0]]

    @cached_property
    def _rows(self) -> list[Path]:
        return [(value, *labels) for value, labels in self._ladder.items()]

    @cached_property
    def _table(self) -> list[str]:
        """The different values of the table that was given."""
        return [value for (value,) in self.reference.values[self.model.columns] if value is not None]

    @cached_property
    def _domain(self) -> tuple[Number, Number]:
        numbers = [] if self.model.domain is not None else [self._number(value) for value in self._table]
        return _ends(self.model.domain) if self.model.domain is not None else (min(numbers), max(numbers))

    def _number(self, value: str) -> Number:
        found = _number_or_day(value)
        if found is None:
            raise UsageError.invalid(WHAT, "a value is neither a number nor a date", "give ranges as labels")
        if self.model.domain is not None:
            low, high = _ends(self.model.domain)
            if not low <= found <= high:
                raise UsageError.invalid(f"domain of {WHAT}", "some values lie outside", "widen it")
        return found


@lru_cache(_REMEMBERED)
def _number_or_day(value: str) -> Number | None:
    """Return the number that a text is in decimal digits, or the number of the day; None where it is neither."""
    try:
        number = Decimal(value.strip())
        return Fraction(number) if number.is_finite() else None
    except InvalidOperation:
        pass
    try:
        return date.fromisoformat(value).toordinal() if len(value) == len("2000-01-01") else None
    except ValueError:
        return None


_ends = lru_cache(_REMEMBERED)(ends)

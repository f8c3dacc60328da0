"""Distances between distributions of texts, as the paper defines them (Li, Li and Venkatasubramanian 2007).

Plain and exact, for verification; nothing here is shared with the arrays of a search.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from incrowd.errors import UsageError
from incrowd.models._contract import Reference

Value = tuple[str | None, ...]
"""Of one column, or of several jointly; None is a missing cell."""

Surplus = dict[Value, int]
"""The surplus or deficit of each value in a class."""


@dataclass(frozen=True)
class TextGround:
    """How far values are apart, and how far a class is from the table."""

    columns: tuple[str, ...]
    distance: str
    order: tuple[str, ...]
    reference: Reference

    @property
    def whole(self) -> "Counter[Value]":
        """Return how often each value occurs in the table."""
        return self.reference.values[self.columns]

    def between(self, one: Value, other: Value) -> Fraction:
        """Return how far two values are apart."""
        if self.distance == "equal":
            return Fraction(one != other)
        if self.distance == "ordered":
            return Fraction(abs(self._place[one] - self._place[other]), max(1, len(self._place) - 1))
        return Fraction(self._ancestor_height(one, other), self._height)

    def from_table(self, counts: "Counter[Value]") -> Fraction:
        """Return the earth mover's distance of a class from the table."""
        size, records = counts.total(), self.whole.total()
        # p - q of each value, as whole numbers.
        surplus = {value: counts[value] * records - self.whole[value] * size for value in {*counts, *self.whole}}
        if self.distance == "equal":
            cost = Fraction(sum(map(abs, surplus.values())), 2)
        elif self.distance == "ordered":
            cost = self._along_the_row(surplus)
        else:
            cost = self._up_the_tree(surplus)
        return cost / (size * records)

    def _along_the_row(self, surplus: Surplus) -> Fraction:
        """Return 1/(m-1) times the sum of |r1 + ... + ri|."""
        in_order = sorted(surplus, key=self._place.__getitem__)
        cumulated = accumulate(surplus[value] for value in in_order)
        return Fraction(sum(map(abs, cumulated)), max(1, len(surplus) - 1))

    def _up_the_tree(self, surplus: Surplus) -> Fraction:
        """Return the sum over inner nodes of height/H times the lesser of surplus and deficit of their children."""
        cost = 0
        extra = {self._path(value): amount for value, amount in surplus.items()}
        for height in range(1, self._height + 1):
            children: dict[tuple[str | None, ...], list[int]] = {}
            for path, amount in extra.items():
                children.setdefault(path[1:], []).append(amount)
            for amounts in children.values():
                too_much = sum(amount for amount in amounts if amount > 0)
                too_little = -sum(amount for amount in amounts if amount < 0)
                cost += height * min(too_much, too_little)
            extra = {path: sum(amounts) for path, amounts in children.items()}
        return Fraction(cost, self._height)

    def _ancestor_height(self, one: Value, other: Value) -> int:
        paths = zip(self._path(one), self._path(other), strict=True)
        return next(height for height, (label, label_of_other) in enumerate(paths) if label == label_of_other)

    def _path(self, value: Value) -> tuple[str | None, ...]:
        """Return the value and its labels on levels 1, ..., H; missing stays missing below the top unless listed."""
        ladder = self._ladder
        unlisted = (None,) * (self._height - 1) + next(iter(ladder.values()))[-1:]
        return (value[0], *(unlisted if value[0] is None and None not in ladder else ladder[value[0]]))

    @property
    def _ladder(self) -> Mapping[str | None, tuple[str, ...]]:
        return self.reference.ladders[self.columns[0]]

    @property
    def _height(self) -> int:
        return len(next(iter(self._ladder.values())))

    @cached_property
    def _place(self) -> dict[Value, int]:
        """The place of each value of the table in their order; missing comes last."""
        texts = [value[0] for value in self.whole if value[0] is not None]
        in_order = sorted(texts, key=self._listed) if self.order else _by_number_or_date(texts)
        last = [(None,)] if (None,) in self.whole else []
        return {value: place for place, value in enumerate([*((text,) for text in in_order), *last])}

    def _listed(self, text: str) -> int:
        """Return the place in the given order, where 1.0 is 1."""
        return next(at for at, listed in enumerate(self.order) if listed == text or _same_number(listed, text))


def _same_number(one: str, other: str) -> bool:
    try:
        return Decimal(one) == Decimal(other)
    except InvalidOperation:
        return False


def _by_number_or_date(texts: Iterable[str]) -> list[str]:
    texts = sorted(texts)
    with suppress(InvalidOperation):
        return sorted(texts, key=lambda text: Decimal(text.strip()))
    with suppress(ValueError, TypeError):
        return sorted(texts, key=lambda text: datetime.fromisoformat(text.strip()))
    raise UsageError.invalid(
        "t_closeness with ordered distance", "the values are neither all numbers nor all dates", "give their order"
    )

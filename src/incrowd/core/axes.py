"""Axes: how local recoding measures a column. How much of its domain do the cells of a group span?

Numbers and ordered values span from the lowest to the highest, values of a tree all that is below their closest common
ancestor, other values just themselves. What a group spans, as a share of the domain, is its Q-diversity (Loukides 3.1.1
and 5.2.1): 0 for one value, 1 for the whole domain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.hierarchy import EncodedHierarchy, plain, text_forms
from incrowd.core.keys import different
from incrowd.core.numbers import Number, exact
from incrowd.core.table import MISSING, Codes

Numbers = NDArray[np.float64]


class Kind(StrEnum):
    """The structure that makes values near to each other."""

    NUMBERS = "numbers"
    """Their difference; dates are numbers of days."""
    ORDER = "order"
    """How many stand between them."""
    TREE = "tree"
    """How much their closest common ancestor covers."""
    SET = "set"
    """Nothing: two values are two values."""


@dataclass(frozen=True, eq=False, repr=False)
class Axis(Brief):
    """One column: its values in an order in which near ones lie together, and what the whole domain spans."""

    name: str
    kind: Kind
    values: pa.Array
    """As in the frequency set: code c stands for values[c - 1], code 0 for missing."""
    rank: Codes
    """Per code its position in the order, from 1 on, missing being 0; in a tree depth first from 0 on, missing being a
    leaf like any other."""
    places: Numbers
    """Per rank where it lies: the number, else the rank itself. No two ranks lie in one place, though two texts may
    spell one number, and large numbers may be one float."""
    span: float
    """The span of the domain: the highest number less the lowest, or one less than there are values; 0 if a single
    value is all there is."""
    ladder: EncodedHierarchy | None = None
    """Of a tree."""
    bounds: "Bounds | None" = None
    """Of numbers: where published ranges may end; at the values themselves if not given."""
    listed: int = 0
    """Of a tree: groups of up to so many values publish these instead of their ancestor."""

    @classmethod
    def of_numbers(cls, name: str, values: pa.Array, domain: tuple[float, float] | None = None) -> "Axis | None":
        """Return an axis of numbers or dates; None if some value is neither. The default domain is that of the
        values."""
        numbers = numbers_of(values)
        if numbers is None:
            return None
        texts = texts_of(values)
        # By their texts where they are equal: the order must not depend on which value was seen first.
        order = sorted(range(len(numbers)), key=lambda at: (numbers[at], texts[at]))
        places = _apart(np.array([np.nan, *(float(numbers[at]) for at in order)]))
        low, high = (places[1], places[-1]) if domain is None and len(order) else domain or (0.0, 0.0)
        return cls(name, Kind.NUMBERS, values, _ranks(order), places, float(high - low))

    @classmethod
    def of_order(cls, name: str, values: pa.Array, order: Sequence[str]) -> "Axis":
        """Return values in a given order, lowest first; it must hold all of them and may hold more."""
        position = {text: at for at, text in enumerate(order)}
        where = [next(position[form] for form in text_forms(value) if form in position) for value in plain(values)]
        texts = texts_of(values)
        by_place = sorted(range(len(where)), key=lambda at: (where[at], texts[at]))
        places = np.array([np.nan, *(float(where[at]) for at in by_place)])
        return cls(name, Kind.ORDER, values, _ranks(by_place), places, float(max(0, len(order) - 1)))

    @classmethod
    def of_tree(cls, ladder: EncodedHierarchy) -> "Axis":
        """Return values with a hierarchy; the domain is all that the hierarchy covers."""
        leaves = np.append(0, _ranks(_by_leaf(ladder))[1:])
        # Depth first: what belongs to one node of a level lies together. lexsort looks at its last key first.
        order = np.lexsort((leaves, *ladder.up[1:]))
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        places = np.arange(len(order), dtype=np.float64)
        return cls(ladder.name, Kind.TREE, ladder.values, rank, places, float(ladder.hierarchy.domain - 1), ladder)

    @classmethod
    def of_set(cls, name: str, values: pa.Array) -> "Axis":
        """Return values without any order; the domain is what occurs."""
        places = np.arange(len(values) + 1, dtype=np.float64)
        return cls(name, Kind.SET, values, _ranks(_by_text(values)), places, float(max(0, len(values) - 1)))

    @cached_property
    def as_set(self) -> "Axis":
        """Return its values without the hierarchy, in the order and domain of it, if groups may publish these; else
        the axis as it is."""
        if not self.listed:
            return self
        order = np.argsort(self.rank[1:], kind="stable").tolist()
        return replace(Axis.of_set(self.name, self.values), rank=_ranks(order), span=self.span)

    @cached_property
    def code(self) -> Codes:
        """Per rank the code."""
        found = np.zeros(len(self.rank), dtype=np.int32)
        found[self.rank] = np.arange(len(self.rank), dtype=np.int32)
        return found

    @cached_property
    def _numbers(self) -> list[Number]:
        found = numbers_of(self.values)
        assert found is not None
        return found

    def ends(self, low: int, high: int) -> tuple[Number, Number]:
        """Return the ends of the range published for all numbers with bounds between two ranks."""
        assert self.bounds is not None
        first, last = (self._numbers[self.code[rank] - 1] for rank in (low, high))
        lowest, highest = bool(self.places[low] == self.places[1]), bool(self.places[high] == self.places[-1])
        return self.bounds.below(first, lowest), self.bounds.above(last, highest)

    @cached_property
    def covered(self) -> tuple[Numbers, ...]:
        """Of a tree, per level what the node above each code spans, as a share of the domain."""
        assert self.ladder is not None
        return tuple(self.ladder.spread(level) for level in range(self.ladder.height + 1))

    def cells(self, codes: Codes, groups: Codes, n: int) -> "Cells":
        """Return the span of the cells of each of n groups: `codes` and `groups` are per cell."""
        ranks = self.rank[codes]
        low, high = np.full(n, len(self.rank), dtype=np.int32), np.full(n, -1, dtype=np.int32)
        blank = np.zeros(n, dtype=np.bool_)
        gone = codes == MISSING
        blank[groups[gone]] = True
        missing = np.zeros(n, dtype=np.bool_) if self.kind == Kind.TREE else blank
        if self.kind != Kind.TREE:
            ranks, groups = ranks[~gone], groups[~gone]
        np.minimum.at(low, groups, ranks)
        np.maximum.at(high, groups, ranks)
        pairs = different(groups.astype(np.int64) * len(self.rank) + ranks)
        distinct = np.bincount(pairs // len(self.rank), minlength=n).astype(np.int32)
        empty = high < 0
        low[empty] = high[empty] = 0
        return Cells(self, low, high, distinct, missing, blank)

    def ancestor(self, low: Codes, high: Codes) -> Codes:
        """Return the level of the closest common ancestor of all leaves of a tree between two ranks; 0 for one leaf."""
        assert self.ladder is not None
        one, other = self.code[low], self.code[high]
        level = np.full(len(one), self.ladder.height, dtype=np.int32)
        for at in range(self.ladder.height - 1, 0, -1):
            level[self.ladder.up[at][one] == self.ladder.up[at][other]] = at
        # Leaves of equal label are one value only where they are the same leaf.
        level[one == other] = 0
        return level


@dataclass(frozen=True)
class Bounds:
    """Where published ranges may end: at multiples of a step.

    Those with the lowest or highest number of the column end where its domain does, if one is declared.
    """

    step: Number
    domain: tuple[Number, Number] | None = None

    def below(self, number: Number, lowest: bool) -> Number:
        """Return the lower end of a range from this number on, which may be the lowest of the column."""
        rounded = number // self.step * self.step
        if self.domain is None:
            return rounded
        return self.domain[0] if lowest else max(rounded, self.domain[0])

    def above(self, number: Number, highest: bool) -> Number:
        """Return the upper end of a range up to this number, which may be the highest of the column."""
        rounded = -(-number // self.step) * self.step
        if self.domain is None:
            return rounded
        return self.domain[1] if highest else min(rounded, self.domain[1])


@dataclass(frozen=True, eq=False, repr=False)
class Cells(Brief):
    """The cells of each group in one column."""

    axis: Axis
    low: Codes
    """The lowest rank; 0 if all cells are missing."""
    high: Codes
    """The highest rank."""
    distinct: Codes
    """How many different values there are; in a tree missing is one of them."""
    missing: NDArray[np.bool_]
    """Whether some cell is missing; never said of a tree, where it is a leaf like any other."""
    blank: NDArray[np.bool_]
    """Whether some cell is missing, of a tree too."""

    def __len__(self) -> int:
        return len(self.low)

    @cached_property
    def level(self) -> Codes:
        """Of a tree, the level of the closest common ancestor."""
        return self.axis.ancestor(self.low, self.high)

    @cached_property
    def lists(self) -> NDArray[np.bool_]:
        """Of a tree: whether the values are published instead of their ancestor.

        They are where they are few, or the ancestor is the top, which says nothing; never where the ancestor covers
        nothing else, and never where some cell is missing, which has no place in a set of values.
        """
        axis = self.axis
        if axis.ladder is None or not axis.listed:
            return np.zeros(len(self), dtype=np.bool_)
        says_nothing = self.level == axis.ladder.height
        shown: NDArray[np.bool_] = (self.distinct > 1) & ((self.distinct <= axis.listed) | says_nothing)
        return shown & (self._listed < self._covered)

    @property
    def _covered(self) -> Numbers:
        """Of a tree, what the closest common ancestor spans."""
        found: Numbers = np.array(self.axis.covered)[self.level, self.axis.code[self.low]]
        return found

    @property
    def _listed(self) -> Numbers:
        """Of a tree, what the values alone span, as a share of all that the hierarchy covers; 1 with missing ones."""
        alone: Numbers = (self.distinct - 1) / (self.axis.span or 1.0)
        return np.where(self.blank, 1.0, alone)

    @cached_property
    def spread(self) -> Numbers:
        """Q-diversity: the share of the domain that the cells span; 1 if some are missing and some are not."""
        axis = self.axis
        if axis.kind == Kind.TREE:
            return np.where(self.lists, self._listed, self._covered)
        lengths = axis.places[self.high] - axis.places[self.low] if axis.bounds is None else self._bounded
        wide = self.distinct - 1 if axis.kind == Kind.SET else lengths
        shares = np.where(self.distinct > 1, wide / (axis.span or 1.0), 0.0)
        return np.where(self.missing & (self.distinct > 0), 1.0, shares)

    @cached_property
    def _bounded(self) -> Numbers:
        """How long ranges are that end where they may; no longer than the domain."""
        ends, of = np.unique(np.stack([self.low, self.high]), axis=1, return_inverse=True)
        found = [self.axis.ends(low, high) if low > 0 else (0, 0) for low, high in ends.T.tolist()]
        lengths: Numbers = np.array([float(high - low) for low, high in found], dtype=np.float64)[of.reshape(-1)]
        return np.minimum(lengths, self.axis.span, out=lengths)


def texts_of(values: pa.Array) -> list[str]:
    """Return the values as texts, each as a hierarchy most naturally names it."""
    return [text_forms(value)[0] for value in plain(values)]


def _by_leaf(ladder: EncodedHierarchy) -> list[int]:
    """Return values in the order of the hierarchy; by text if two values are spellings of one."""
    position = {text: at for at, text in enumerate(ladder.hierarchy.values)}
    forms = [text_forms(value) for value in plain(ladder.values)]
    places = [next(position[form] for form in known if form in position) for known in forms]
    return sorted(range(len(forms)), key=lambda at: (places[at], forms[at][0]))


def _by_text(values: pa.Array) -> list[int]:
    texts = texts_of(values)
    return sorted(range(len(texts)), key=lambda at: texts[at])


def numbers_of(values: pa.Array) -> list[Number] | None:
    """Return the values as exact numbers, dates as days and times as microseconds; None if some value is neither."""
    found = []
    for value in plain(values):
        number = _moment(value) if isinstance(value, date) else exact(value)
        if number is None and isinstance(value, str):
            number = iso_date(value)
        if number is None:
            return None
        found.append(number)
    return found


def _moment(value: date) -> int:
    if not isinstance(value, datetime):
        return value.toordinal()
    # By the moment, not by the clock: that shows an hour twice when summer time ends.
    since = value.replace(tzinfo=None) - datetime.min - (value.utcoffset() or timedelta())
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def iso_date(text: str) -> int | None:
    """Return the day that a text written as year-month-day is; None if it is none."""
    if len(text) != 10:
        return None
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None


def _apart(places: Numbers) -> Numbers:
    """Return places that rise: one that is not above that before it is moved to the next float above that."""
    if (np.diff(places[1:]) <= 0).any():
        for at in range(2, len(places)):
            places[at] = max(places[at], np.nextafter(places[at - 1], np.inf))
    return places


def _ranks(order: Sequence[int]) -> Codes:
    """Return per code its rank, from the positions of the values in their order; missing is 0."""
    rank = np.zeros(len(order) + 1, dtype=np.int32)
    rank[np.asarray(order, dtype=np.int64) + 1] = np.arange(1, len(order) + 1, dtype=np.int32)
    return rank

"""The ladder of one column: every base value's code on every level, from the value itself up to one top.

Level 0 is the original value. Each level joins codes of the level below and splits none (the value hierarchy is a
tree: Samarati), and the top level has a single code.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import dropwhile, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.normal_form import normal_form, spelling_steps
from incrowd.core.table import MISSING, Codes
from incrowd.errors import HierarchyError

Span = tuple[float, float]
Row = Sequence[str | None]

STAYS_MISSING = -1
"""In place of a code: a missing cell is still missing on this level."""


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy(Brief):
    """Base values, and their codes and labels on every level."""

    values: tuple[str, ...]
    """The base values as text, each once."""
    codes: tuple[Codes, ...]
    """Per level the code of each base value; on level 0 its position."""
    labels: tuple[tuple[str, ...], ...]
    """Per level the text that is published for each code."""
    losses: tuple[float, ...]
    """Information loss per level, never falling on the way up (ANON)."""
    missing: tuple[int, ...]
    """Per level the code of a missing cell, or STAYS_MISSING; below the top it stays so unless a row says otherwise."""
    spans: tuple[tuple[Span, ...], ...] | None = field(default=None)
    """Per level the lowest and highest number of each code, where the values are numbers."""

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Row],
        losses: Sequence[float] | None = None,
        spans: Sequence[Sequence[Span]] | None = None,
        name: str = "the hierarchy",
    ) -> "Hierarchy":
        """Return a hierarchy from rows of a value and its label on each level; a row that begins with None is for
        missing.

        Where that row has no label on its first levels, a missing cell is still missing there.
        `losses` are one per level, level/height if not given; `spans` are per level and row.
        """
        kept, missing, positions = _one_row_each(name, rows)
        height = len(kept[0]) - 1
        labels: list[tuple[str, ...]] = []
        codes: list[Codes] = []
        for column in zip(*kept, strict=True):
            code_of = {label: at for at, label in enumerate(dict.fromkeys(column))}
            labels.append(tuple(code_of))
            codes.append(np.array([code_of[label] for label in column], dtype=np.int32))
        _refuse_splits(name, codes, labels)
        path = _missing_path(name, missing, codes, labels)
        if len(labels[height]) != 1:
            raise HierarchyError.no_top(name, labels[height])
        return cls(
            values=labels[0],
            codes=tuple(codes),
            labels=tuple(labels),
            losses=_checked_losses(name, losses, height),
            missing=path,
            spans=None if spans is None else _spans_by_code(spans, codes, labels, positions),
        )

    def with_losses(self, losses: Sequence[float], name: str = "the hierarchy") -> "Hierarchy":
        """Return the same ladder with another information loss per level."""
        return replace(self, losses=_checked_losses(name, losses, self.height))

    def with_missing(self, texts: Collection[str], name: str = "the hierarchy") -> "Hierarchy":
        """Return the ladder with the rows of texts that stand for missing as the row of missing cells.

        A text that stays itself on a level, as a value beside groups does, is still missing there (ANON: the value
        tree holds every value of the column, the null string among them).
        """
        listed = [row for row in self.rows if row[0] in texts]
        if not listed:
            return self
        others: list[Row] = [row for row in self.rows if row[0] not in texts]
        missing = [(None, *_once_labeled(row[1:], texts)) for row in listed]
        own = [self.missing_row] if self.lists_missing else []
        return Hierarchy.from_rows([*others, *own, *missing], self.losses, None, name)

    @property
    def missing_row(self) -> Row:
        """The row of missing cells: None, and the label on each level, None if they are still missing."""
        codes = enumerate(self.missing)
        return tuple(None if code == STAYS_MISSING else self.labels[level][code] for level, code in codes)

    def with_levels(self, levels: Sequence[int]) -> "Hierarchy":
        """Return the same ladder with some of its levels alone, the lowest and the top among them."""

        def chosen(of: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(of[level] for level in levels)

        spans = None if self.spans is None else chosen(self.spans)
        of_levels = chosen(self.codes), chosen(self.labels), chosen(self.losses), chosen(self.missing)
        return Hierarchy(self.values, *of_levels, spans)

    def respelled(self, steps: Collection[str], name: str = "the hierarchy") -> "Hierarchy":
        """Return the same ladder over values in their normal form; spellings of one value must have the same labels."""
        # Its values are written as they are read: a notation is read once.
        merged = spelling_steps(steps)
        rows: list[Row] = [(normal_form(row[0], merged), *row[1:]) for row in self.rows]
        if all(new[0] == old for new, old in zip(rows, self.values, strict=True)):
            return self
        told = [row for row in dict.fromkeys(rows) if row[0] is not None]
        return Hierarchy.from_rows(
            [*told, *([self.missing_row] if self.lists_missing else [])], self.losses, None, name
        )

    @property
    def height(self) -> int:
        """The number of the top level."""
        return len(self.codes) - 1

    @cached_property
    def lists_missing(self) -> bool:
        """Whether missing is a base value with a path of its own."""
        return any(code != STAYS_MISSING for code in self.missing[:-1])

    @property
    def domain(self) -> int:
        """How many base values there are."""
        return len(self.values) + self.lists_missing

    @cached_property
    def rows(self) -> list[tuple[str, ...]]:
        """Each base value with its label on every level."""
        columns = [[self.labels[level][code] for code in codes] for level, codes in enumerate(self.codes)]
        return list(zip(*columns, strict=True))

    def extent(self, level: int) -> NDArray[np.int64]:
        """Return how many base values each code of a level covers."""
        covered = np.bincount(self.codes[level], minlength=len(self.labels[level])).astype(np.int64)
        if self.lists_missing and self.missing[level] != STAYS_MISSING:
            covered[self.missing[level]] += 1
        return covered

    def along(self, name: str, values: pa.Array) -> "EncodedHierarchy":
        """Return the hierarchy laid along a column's values; numbers and their text forms are the same value."""
        position = {value: at for at, value in enumerate(self.values)}
        forms = [text_forms(value) for value in plain(values)]
        found = [next((position[form] for form in known if form in position), -1) for known in forms]
        lacking = [known[0] for known, at in zip(forms, found, strict=True) if at < 0]
        if lacking:
            raise HierarchyError.lacks(name, lacking, len(values))
        at = np.array(found, dtype=np.int64)
        up = [np.append(np.int32(MISSING), np.arange(1, len(values) + 1, dtype=np.int32)).astype(np.int32)]
        for level in range(1, self.height + 1):
            # In a ladder 0 is missing, so a level's codes begin at 1.
            up.append(np.append(self.missing[level], self.codes[level][at]).astype(np.int32) + np.int32(1))
        return EncodedHierarchy(name, self, values, tuple(up))


@dataclass(frozen=True, eq=False, repr=False)
class EncodedHierarchy(Brief):
    """A hierarchy along one column of a frequency set."""

    name: str
    hierarchy: Hierarchy
    values: pa.Array
    """The column's values, as in the frequency set."""
    up: tuple[Codes, ...]
    """Per level the code that each of the column's codes has there; 0 is missing, code c of the hierarchy is c + 1.

    On level 0 the codes are the column's own.
    """

    @property
    def height(self) -> int:
        """The number of the top level."""
        return self.hierarchy.height

    def labels(self, level: int) -> list[str | None]:
        """Return the label of each code of a level above 0; None for missing."""
        return [None, *self.hierarchy.labels[level]]

    def covered(self, level: int) -> NDArray[np.int64]:
        """Return how many base values the cell of each of the column's codes covers on a level; 1 for a missing one."""
        if level == 0:
            return np.ones(len(self.values) + 1, dtype=np.int64)
        return np.append(np.int64(1), self.hierarchy.extent(level))[self.up[level]]

    def spread(self, level: int) -> NDArray[np.float64]:
        """Return the share of the domain that the cell of each of the column's codes leaves open on a level.

        From 0 for a single value to 1 at the top, which leaves everything open, also if the domain is one value.
        """
        if self.hierarchy.domain == 1:
            return np.full(len(self.values) + 1, float(level == self.height))
        return (self.covered(level) - 1) / (self.hierarchy.domain - 1)


def plain(values: pa.Array) -> list[object]:
    """Return the values as Python's own; as text where Python has no such date or time."""
    try:
        return list(_to_microseconds(values).to_pylist())
    except (ValueError, OverflowError):
        return list(values.cast(pa.string()).to_pylist())


def _to_microseconds(values: pa.Array) -> pa.Array:
    """Return the finest that Python's own dates and times have; ValueError where that would lose something."""
    if pa.types.is_timestamp(values.type):
        return values.cast(pa.timestamp("us", values.type.tz))
    if pa.types.is_duration(values.type):
        return values.cast(pa.duration("us"))
    return values.cast(pa.time64("us")) if pa.types.is_time64(values.type) else values


def text_forms(value: object) -> tuple[str, ...]:
    """Return the texts by which a hierarchy may name a value, the most natural one first."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, bool):
        return (str(value), str(value).lower(), str(int(value)))
    if isinstance(value, float) and value.is_integer():
        return (str(int(value)), str(value))
    if isinstance(value, Decimal):
        return (str(value), format(value.normalize(), "f"))
    if isinstance(value, datetime):
        forms = (value.isoformat(), value.isoformat(" "))
        day = (value.date().isoformat(),) if value.time() == datetime.min.time() else ()
        # In a zone, midnight is a moment: its date alone leaves out which.
        return (*day, *forms) if value.tzinfo is None else (*forms, *day)
    if isinstance(value, date):
        return (value.isoformat(),)
    return (str(value),)


def _one_row_each(name: str, rows: Iterable[Row]) -> tuple[list[tuple[str, ...]], Row | None, list[int]]:
    """Return the rows of the base values, each once, the row of missing, and the positions of the rows that were
    kept."""
    kept: dict[str, tuple[str, ...]] = {}
    missing: Row | None = None
    twice: list[str] = []
    positions: list[int] = []
    width = 0
    for at, row in enumerate(rows):
        width = width or len(row)
        # An empty label would be published as a missing cell, which is what a missing one may stay.
        labels = _labeled(row) if row and row[0] is None else row[1:]
        if len(row) != width or not row or not all(labels):
            raise HierarchyError.ragged(name, at + 1, width)
        if row[0] is None:
            twice += [""] if missing is not None and list(missing) != list(row) else []
            missing = row
            continue
        cells = tuple(str(cell) for cell in row)
        if kept.setdefault(cells[0], cells) != cells:
            twice.append(cells[0])
        elif kept[cells[0]] is cells:
            positions.append(at)
    if twice:
        raise HierarchyError.two_parents(name, 0, twice)
    if not kept:
        raise HierarchyError.empty(name)
    if width < 2:
        raise HierarchyError.no_levels(name)
    return list(kept.values()), missing, positions


def _labeled(row: Row) -> Row:
    """Return the labels of missing cells from the first level on that has one; the top must."""
    return tuple(dropwhile(lambda label: not label, row[1:-1])) + tuple(row[-1:])


def _once_labeled(labels: Sequence[str], texts: Collection[str]) -> Row:
    """Return the labels of a text that stands for missing, None as long as it stays itself."""
    stays = len(labels) - len(list(dropwhile(lambda label: label in texts, labels)))
    return (*[None] * min(stays, len(labels) - 1), *labels[min(stays, len(labels) - 1) :])


def _refuse_splits(name: str, codes: Sequence[Codes], labels: Sequence[Sequence[str]]) -> None:
    for level in range(1, len(codes) - 1):
        parent = np.full(len(labels[level]), -1, dtype=np.int64)
        parent[codes[level]] = codes[level + 1]
        is_torn = parent[codes[level]] != codes[level + 1]
        if is_torn.any():
            torn = np.unique(codes[level][is_torn])
            raise HierarchyError.two_parents(name, level, [labels[level][code] for code in torn])


def _checked_losses(name: str, losses: Sequence[float] | None, height: int) -> tuple[float, ...]:
    if losses is None:
        return tuple(level / height for level in range(height + 1))
    if len(losses) != height + 1:
        raise HierarchyError.bad_losses(
            name, f"{len(losses)} {'is' if len(losses) == 1 else 'are'} given", f"one per level, {height + 1} in all"
        )
    try:
        given = tuple(float(loss) for loss in losses)
    except (TypeError, ValueError):
        raise HierarchyError.bad_losses(
            name, "not all of them are numbers", "numbers of at least 0 that never decrease"
        ) from None
    if not np.isfinite(given).all() or given[0] < 0:
        raise HierarchyError.bad_losses(
            name, "one is negative or not finite", "numbers of at least 0 that never decrease"
        )
    if any(low > high for low, high in pairwise(given)):
        # Best-first search finds the optimum only where no step up gains information (ANON).
        raise HierarchyError.bad_losses(
            name, "they decrease from one level to the next", "numbers of at least 0 that never decrease"
        )
    return given


def _missing_path(name: str, row: Row | None, codes: Sequence[Codes], labels: list[tuple[str, ...]]) -> tuple[int, ...]:
    """Return the codes of a missing cell; a label that missing alone has is added to its level."""
    top = len(labels) - 1
    if row is None:
        return (*[STAYS_MISSING] * top, 0)
    path = [STAYS_MISSING]
    for level in range(1, top + 1):
        label = row[level]
        if not label:
            path.append(STAYS_MISSING)
            continue
        if label not in labels[level]:
            labels[level] = (*labels[level], label)
        path.append(labels[level].index(label))
        below = np.flatnonzero(codes[level - 1] == path[level - 1])
        if len(below) and codes[level][below[0]] != path[level]:
            raise HierarchyError.two_parents(name, level - 1, [labels[level - 1][path[level - 1]]])
    return tuple(path)


def _spans_by_code(
    spans: Sequence[Sequence[Span]], codes: Sequence[Codes], labels: Sequence[Sequence[str]], kept: Sequence[int]
) -> tuple[tuple[Span, ...], ...]:
    found = []
    for level, of_value, named in zip(spans, codes, labels, strict=True):
        by_code = {int(code): level[at] for code, at in zip(of_value, kept, strict=True)}
        # A label that only missing cells have spans nothing.
        found.append(tuple(by_code.get(code, (0.0, 0.0)) for code in range(len(named))))
    return tuple(found)

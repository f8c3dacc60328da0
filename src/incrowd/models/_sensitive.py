"""Sensitive ranges and pairwise contributions in one column: what the parameters of a model mean for its values."""

from dataclasses import dataclass

import numpy as np

from incrowd.core.hierarchy import EncodedHierarchy, plain, text_forms
from incrowd.core.histograms import Domain
from incrowd.core.numbers import Number
from incrowd.core.table import MISSING
from incrowd.errors import UsageError
from incrowd.models._ranges import WHAT, Interval, Policy, Ranges, ends, number_of, range_of
from incrowd.models.contributions import Blocks, Equal, Listed, Nearness, Numeric, Tree


@dataclass(frozen=True, eq=False)
class Column:
    """One column, as a model meets it."""

    domain: Domain

    @property
    def name(self) -> str:
        """As the user calls it."""
        return self.domain.columns[0]

    @property
    def codes(self) -> list[int]:
        """The values of the table, missing left out."""
        return [int(code) for code in np.flatnonzero(self.domain.whole) if code != MISSING]

    def texts(self) -> list[str | None]:
        """Return per code the value as text."""
        assert self.domain.values is not None, "several columns jointly have no ranges"
        return [None, *(text_forms(value)[0] for value in plain(self.domain.values))]

    def numbers(self) -> list[Number | None]:
        """Return per code its number; refused where some value of the table is none."""
        found = [None if text is None else number_of(text) for text in self.texts()]
        if any(found[code] is None for code in self.codes):
            raise UsageError.invalid(
                f"{WHAT} on column {self.name!r}",
                "intervals and differences need numbers or dates (year-month-day), and not all of its values are",
                "give ranges as labels of its hierarchy, or correct the values",
            )
        return found

    @property
    def ladder(self) -> EncodedHierarchy:
        """Its hierarchy."""
        if self.domain.ladder is None:
            raise UsageError.invalid(
                f"{WHAT} on column {self.name!r}",
                "labels, levels and hierarchical distance need a hierarchy, and it has none",
                "give it one, or give ranges as intervals",
            )
        return self.domain.ladder


def nearness(column: Column, distance: str, domain: Interval | None) -> Nearness:
    """Return how values of the column contribute."""
    if distance == "hierarchical":
        return Tree(column.ladder)
    if distance == "equal":
        return Equal(len(column.codes))
    numbers = column.numbers()
    present = [number for code in column.codes if (number := numbers[code]) is not None]
    low, high = ends(domain) if domain else (min(present, default=0), max(present, default=0))
    if any(not low <= number <= high for number in present):
        raise UsageError.invalid(
            f"domain of {WHAT} on column {column.name!r}",
            "some values lie outside",
            "give one that contains all of them",
        )
    span = (high - low) or 1
    return Numeric(np.array([0.0 if number is None else float(number - low) for number in numbers]), float(span))


def by_ranges(column: Column, ranges: Ranges) -> Blocks:
    """Return one block for the values of each range, and one for each other value."""
    of = np.arange(len(column.domain.whole), dtype=np.int64)
    beyond = len(of)
    if ranges and isinstance(ranges[0], str):
        for at, label in enumerate(ranges):
            below = _below(column, str(label))
            if (of[below] >= beyond).any():
                raise UsageError.invalid(
                    f"ranges of {WHAT} on column {column.name!r}", "some labels lie below others", "give a policy"
                )
            of[below] = beyond + at
        return Blocks(of)
    numbers = column.numbers() if ranges else []
    for at, interval in enumerate(ranges):
        low, high = ends(interval)  # type: ignore[arg-type]
        inside = [code for code, number in enumerate(numbers) if number is not None and low <= number <= high]
        of[inside] = beyond + at
    return Blocks(of)


def by_level(column: Column, level: int) -> Blocks:
    """Return one block for the values below each node of the level."""
    if level > column.ladder.height:
        raise UsageError.invalid(
            f"level of {WHAT} on column {column.name!r}", f"its hierarchy ends at {column.ladder.height}", "lower it"
        )
    return Blocks(column.ladder.up[level].astype(np.int64))


def by_policy(column: Column, policy: Policy) -> Listed:
    """Return for each value that the policy names its range, for each other one itself."""
    n = len(column.domain.whole)
    rows = {str(row[0]): range_of(row) for row in policy}
    intervals = any(not isinstance(each, str) for each in rows.values())
    numbers = column.numbers() if intervals else [None] * n
    different = sorted({number for number in numbers if number is not None})
    place = {number: at for at, number in enumerate(different)}
    of = np.array([-1 if number is None else place[number] for number in numbers], dtype=np.float64)
    low, high, level = (np.full(n, fill, dtype=np.int64) for fill in (0, -1, -1))
    for code, text in enumerate(column.texts()):
        given = None if text is None else rows.get(text)
        if given is None:
            continue
        if isinstance(given, str):
            level[code] = _level(column, given)
            fits = code in _below(column, given)
        else:
            least, most = ends(given)
            inside = [at for at, number in enumerate(different) if least <= number <= most]
            low[code], high[code] = (inside[0], inside[-1]) if inside else (0, -1)
            fits = (number := numbers[code]) is not None and least <= number <= most
        if not fits:
            raise UsageError.invalid(
                f"policy of {WHAT} on column {column.name!r}", "a range does not contain its own value", "widen it"
            )
    nodes = column.ladder.up if (level >= 0).any() else ()
    return Listed(of, low, high, nodes, level)


def _level(column: Column, label: str) -> int:
    """Return the highest level that has the label."""
    hierarchy = column.ladder.hierarchy
    found = [level for level in range(hierarchy.height + 1) if label in hierarchy.labels[level]]
    if not found:
        raise UsageError.invalid(
            f"ranges of {WHAT} on column {column.name!r}", "its hierarchy lacks a label", "check the spelling"
        )
    return found[-1]


def _below(column: Column, label: str) -> list[int]:
    """Return the codes of the values below a label."""
    level = _level(column, label)
    ladder = column.ladder
    if level == 0:
        return [code for code, text in enumerate(column.texts()) if text == label]
    wanted = ladder.labels(level).index(label)
    return [int(code) for code in np.flatnonzero(ladder.up[level] == wanted)]

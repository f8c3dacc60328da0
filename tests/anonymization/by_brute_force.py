"""Full-domain generalization by plain Python: every level vector, every class, every record, no cleverness."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

Cell = str | None
Row = Mapping[str, Cell]
Levels = tuple[int, ...]
Ladder = Mapping[str, tuple[str, ...]]
"""Each value with its labels on levels 1, 2, ..., top; on the top there is one label."""

SICK = "sick"
"""The sensitive column."""


def height(ladder: Ladder) -> int:
    """The number of the top level."""
    return len(next(iter(ladder.values())))


def generalized(ladder: Ladder, level: int, value: Cell) -> Cell:
    """A cell on a level; one that is missing stays so below the top."""
    if level == 0:
        return value
    if value is None:
        return next(iter(ladder.values()))[-1] if level == height(ladder) else None
    return ladder[value][level - 1]


@dataclass(frozen=True)
class Rules:
    """What a class must fulfil; None asks for nothing."""

    k: int = 1
    l: int | None = None  # noqa: E741
    t: Fraction | None = None
    """By the equal distance, compared with the whole table."""

    @property
    def models(self) -> list[dict[str, dict[str, object]]]:
        """As a job names them."""
        found: list[dict[str, dict[str, object]]] = [{"k_anonymity": {"k": self.k}}]
        if self.l is not None:
            found.append({"distinct_l": {"l": self.l, "column": SICK}})
        if self.t is not None:
            found.append({"t_closeness": {"t": float(self.t), "column": SICK}})
        return found

    def hold(self, values: Sequence[Cell], table: Sequence[Cell]) -> bool:
        """Whether a class with these sensitive values may be published."""
        distinct = len(set(values))
        close = self.t is None or distance(Counter(values), Counter(table)) <= self.t
        return len(values) >= self.k and (self.l is None or distinct >= self.l) and close


def distance(here: "Counter[Cell]", there: "Counter[Cell]") -> Fraction:
    """How much of a distribution must be moved to make it the other, all values being 1 apart."""
    shares = [(Fraction(here[value], here.total()), Fraction(there[value], there.total())) for value in there]
    return sum((abs(p - q) for p, q in shares), Fraction()) / 2


@dataclass(frozen=True)
class Release:
    """What is published on some levels."""

    levels: Levels
    rows: list[dict[str, Cell]]
    """In the order of their cells, missing first."""
    suppressed: int
    classes: int
    smallest: int
    loss: Fraction


@dataclass(frozen=True)
class Task:
    """A table and what is asked of its release."""

    rows: Sequence[Row]
    ladders: Mapping[str, Ladder]
    """Of the quasi-identifiers."""
    rules: Rules
    budget: int = 0
    """How many records may be suppressed."""
    minimum: Levels = ()
    limit: Levels = ()

    @property
    def nodes(self) -> list[Levels]:
        """All level vectors that are allowed."""
        low = self.minimum or (0,) * len(self.ladders)
        high = self.limit or tuple(map(height, self.ladders.values()))
        return list(product(*(range(least, most + 1) for least, most in zip(low, high, strict=True))))

    def release(self, levels: Levels) -> Release:
        """What is published on these levels: all but the records of classes that break the rules."""
        combinations = [self._combination(row, levels) for row in self.rows]
        members: dict[tuple[Cell, ...], list[int]] = {}
        for at, combination in enumerate(combinations):
            members.setdefault(combination, []).append(at)
        table = [row[SICK] for row in self.rows]
        kept = {
            combination: rows
            for combination, rows in members.items()
            if self.rules.hold([table[at] for at in rows], table)
        }
        published = [at for at, combination in enumerate(combinations) if combination in kept]
        rows = [{**self.rows[at], **dict(zip(self.ladders, combinations[at], strict=True))} for at in published]
        rows.sort(key=lambda row: [(cell is not None, cell or "") for cell in row.values()])
        return Release(
            levels,
            rows,
            len(self.rows) - len(rows),
            len(kept),
            min(map(len, kept.values()), default=0),
            self._loss(levels, set(published)),
        )

    def _combination(self, row: Row, levels: Levels) -> tuple[Cell, ...]:
        steps = zip(self.ladders.items(), levels, strict=True)
        return tuple(generalized(ladder, level, row[name]) for (name, ladder), level in steps)

    def _loss(self, levels: Levels, published: set[int]) -> Fraction:
        """The mean over all cells of how much of its column's values a cell leaves open; all where it is suppressed."""
        costs = [
            self._open(ladder, level, row[name]) if at in published else Fraction(1)
            for at, row in enumerate(self.rows)
            for (name, ladder), level in zip(self.ladders.items(), levels, strict=True)
        ]
        return sum(costs, Fraction()) / len(costs) if costs else Fraction()

    @staticmethod
    def _open(ladder: Ladder, level: int, value: Cell) -> Fraction:
        if len(ladder) == 1:
            # The top of a single value tells nothing of it any more.
            return Fraction(level == height(ladder))
        label = generalized(ladder, level, value)
        covered = sum(1 for other in ladder if level and generalized(ladder, level, other) == label)
        return Fraction(max(covered, 1) - 1, len(ladder) - 1)

    def releases(self) -> Iterator[Release]:
        """What is published on each of the levels allowed."""
        return map(self.release, self.nodes)

    def feasible(self) -> list[Release]:
        """Those that suppress no more than may be."""
        return [release for release in self.releases() if release.suppressed <= self.budget]

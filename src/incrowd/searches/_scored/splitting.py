"""Classes and what they become when one column is de-generalized in them alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.classes import Classes
from incrowd.core.histograms import Counts
from incrowd.core.kernels import Grouper, total
from incrowd.core.table import Codes
from incrowd.metrics import Levels
from incrowd.models import Mask
from incrowd.recodings.by_combination import Texts
from incrowd.searches.lattice import Lattice
from incrowd.searches.lattice.layout import LatticeLayout
from incrowd.watch import Watch

Members = NDArray[np.int64]


class Split(NamedTuple):
    """A part de-generalized by one level in one column."""

    pieces: list[Members]
    texts: list[int]
    """The text that each piece publishes in that column."""
    ok: bool
    """Every piece satisfies the model by itself, given that the whole part does."""


@dataclass(eq=False, slots=True)
class Part:
    """Records that are published alike because they are on the same levels."""

    members: Members
    """Its units, in order."""
    levels: Levels
    texts: tuple[int, ...]
    """Its text in each column."""
    splits: dict[int, Split] = field(default_factory=dict)
    """By column, where it can be de-generalized."""
    queued: dict[int, int] = field(default_factory=dict)
    """By column, for moves that may be made: the gain that they wait under."""
    foreseen: dict[int, "list[Part]"] = field(default_factory=dict)
    """By column what it becomes, where that was looked at already."""
    seen: bool = False
    """Whether it was looked at: all its splits are known."""
    alive: bool = True

    def moved(self, column: int) -> "list[Part]":
        """Return the parts that it becomes if it is de-generalized in a column."""
        if column in self.foreseen:
            return self.foreseen[column]
        split = self.splits[column]
        levels = (*self.levels[:column], self.levels[column] - 1, *self.levels[column + 1 :])
        # Where nothing is split off, what the other columns would do is known already.
        known = {at: each for at, each in self.splits.items() if at != column} if len(split.pieces) == 1 else {}
        return [
            Part(members, levels, (*self.texts[:column], text, *self.texts[column + 1 :]), dict(known))
            for members, text in zip(split.pieces, split.texts, strict=True)
        ]


class Units:
    """The finest parts that classes can be split into: the classes on the lowest levels allowed."""

    def __init__(self, lattice: Lattice, descending: Sequence[int], watch: Watch) -> None:
        """`descending` are the columns by priority, the highest first."""
        ladders = lattice.problem.ladders
        self._layout, self._grouper = LatticeLayout.of(ladders), Grouper()
        self._model = lattice.problem.model
        self._bottom = lattice.bottom
        self._descending = descending
        self._watch = watch
        blocks, of = lattice.ground.grouped(self._layout.mask(self._bottom), self._grouper, assign=True)
        codes = lattice.combinations.codes[:, blocks.origins]
        texts = [Texts.of(ladder) for ladder in ladders]
        numbers = [each.numbers[:, column] for each, column in zip(texts, codes, strict=True)]
        # In the order of their texts, for that of the combinations depends on who counted them.
        keys = [each.order[own[low]] for each, own, low in zip(texts, numbers, self._bottom, strict=True)]
        order = np.lexsort(keys[::-1])
        self._blocks = blocks.take(order)
        self._width = max(len(each.labels) for each in texts)
        self.numbers = [own[:, order] for own in numbers]
        """Per column levels x units: the number of the published text."""
        self._stacked = np.concatenate(self.numbers)
        self._rows = np.cumsum([0, *(len(own) for own in self.numbers)]).tolist()
        self.of = np.argsort(order)[of]
        """The unit of each counted combination."""

    def __len__(self) -> int:
        return len(self._blocks)

    def classes(self, levels: Levels) -> list[Part]:
        """Return the classes of a full-domain table."""
        _, of = self._blocks.grouped(self._layout.mask(levels), self._grouper, assign=True)
        order = np.argsort(of, kind="stable")
        starts = np.flatnonzero(np.diff(of[order], prepend=-1))
        texts = zip(
            *(of_levels[level, order[starts]].tolist() for of_levels, level in zip(self.numbers, levels, strict=True)),
            strict=True,
        )
        return [Part(members, levels, own) for members, own in zip(np.split(order, starts)[1:], texts, strict=True)]

    def look(self, parts: Sequence[Part]) -> None:
        """Find out what the parts become when they are de-generalized, column by column."""
        moves = [
            (part, column)
            for part in parts
            for column, (level, low) in enumerate(zip(part.levels, self._bottom, strict=True))
            if level > low and column not in part.splits
        ]
        for part in parts:
            part.seen = True
        if not moves:
            return
        lengths = np.array([len(part.members) for part, _ in moves])
        rows = [self._rows[column] + part.levels[column] - 1 for part, column in moves]
        members = np.concatenate([part.members for part, _ in moves])
        texts = self._stacked[np.repeat(rows, lengths), members]
        starts = np.cumsum(lengths) - lengths
        torn = np.minimum.reduceat(texts, starts) != np.maximum.reduceat(texts, starts)
        for (part, column), text, tears in zip(moves, texts[starts].tolist(), torn.tolist(), strict=True):
            if not tears:
                part.splits[column] = Split([part.members], [text], True)
        if torn.any():
            within = np.repeat(torn, lengths)
            self._tear([moves[at] for at in np.flatnonzero(torn)], lengths[torn], members[within], texts[within])

    def foresee(self, parts: Sequence[Part]) -> None:
        """Look at the parts, and at what they become if the column of the highest priority comes first, over and over.

        Looking at many parts at once takes hardly longer than looking at one.
        """
        while parts:
            self._watch.tick("looking at the classes")
            self.look(parts)
            becoming: list[Part] = []
            for part in parts:
                column = next((at for at in self._descending if at in part.splits and part.splits[at].ok), None)
                if column is not None:
                    part.foreseen[column] = part.moved(column)
                    becoming += part.foreseen[column]
            parts = becoming

    def _tear(self, moves: Sequence[tuple[Part, int]], lengths: Counts, members: Members, texts: Codes) -> None:
        """Split and judge; the members of a move are as many as its length, in order."""
        key = np.repeat(np.arange(len(moves)) * self._width, lengths) + texts
        order = np.argsort(key, kind="stable")
        key, members = key[order], members[order]
        begins = np.append(True, key[1:] != key[:-1])
        starts = np.flatnonzero(begins)
        holds = self.holds(members, np.cumsum(begins, dtype=np.int32) - np.int32(1), len(starts)).tolist()
        owners, below = np.divmod(key[starts], self._width)
        begin, end, text = starts.tolist(), [*starts[1:].tolist(), len(members)], below.tolist()
        first = np.searchsorted(owners, np.arange(len(moves) + 1)).tolist()
        for (part, column), a, b in zip(moves, first, first[1:], strict=False):
            pieces = [members[begin[at] : end[at]] for at in range(a, b)]
            part.splits[column] = Split(pieces, text[a:b], all(holds[a:b]))

    def holds(self, members: Members, of: Codes, n: int) -> Mask:
        """Return which of the n classes satisfy the model; member i is in class of[i]."""
        histograms = {}
        for columns, histogram in self._blocks.histograms.items():
            histograms[columns] = histogram.of_classes(members).regrouped(of, n)
        return self._model.holds(Classes(total(of, n, self._blocks.counts[members]), histograms))

"""One side of a table: the categories of a column, their subtotals along a hierarchy, and the total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.hierarchy import EncodedHierarchy, plain, text_forms

TOTAL = "Total"
MISSING_LABEL = "(missing)"


@dataclass(frozen=True, eq=False)
class Axis:
    """A tree of categories, each before its parent; the total comes last."""

    name: str
    labels: tuple[str, ...]
    """The published label of each node."""
    levels: tuple[int, ...]
    """0 for a category of the data, higher for subtotals, the highest for the total."""
    parents: tuple[int, ...]
    """The node that each is a part of; -1 for the total."""
    leaf_of: NDArray[np.int64]
    """Per code of the column (0 is missing) the node of its category; -1 if no record is missing."""

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def leaves(self) -> int:
        """Return the number of categories; they are the first nodes."""
        return sum(level == 0 for level in self.levels)

    def children(self, node: int) -> list[int]:
        """Return the nodes that a node is the sum of; none for a category."""
        return [at for at, parent in enumerate(self.parents) if parent == node]

    def inner(self) -> list[int]:
        """Return the subtotals, and the total."""
        return list(range(self.leaves, len(self)))

    @classmethod
    def of(cls, name: str, values: pa.Array, has_missing: bool, ladder: EncodedHierarchy | None = None) -> Axis:
        """Return the categories of a column's values in their natural order, or in that of a hierarchy."""
        codes = _ordered(values, ladder) + ([0] if has_missing else [])
        texts = [MISSING_LABEL, *(text_forms(value)[0] for value in plain(values))]
        paths = [_path(code, ladder) for code in codes]
        leaf_of = np.full(len(values) + 1, -1, dtype=np.int64)
        leaf_of[codes] = np.arange(len(codes))
        nodes = [(0, node) for node in range(len(codes))]
        labels = [texts[code] for code in codes]
        known = dict.fromkeys(
            step for level in range(1, max(map(len, paths), default=0)) for step in (path[level] for path in paths)
        )
        inner = [step for step in known if _joins(step, paths)]
        place = {step: len(nodes) + at for at, step in enumerate(inner)}
        named = [ladder.labels(level)[code] for level, code in inner] if ladder else []
        total = len(nodes) + len(inner)
        parents = [_parent(path, 0, place, total) for path in paths]
        parents += [_parent(next(p for p in paths if step in p), step[0], place, total) for step in inner]
        return cls(
            name,
            _distinct_labels([*labels, *(MISSING_LABEL if label is None else label for label in named)]),
            (*(0 for _ in nodes), *(level for level, _ in inner), (inner[-1][0] if inner else 0) + 1),
            (*parents, -1),
            leaf_of,
        )


def _ordered(values: pa.Array, ladder: EncodedHierarchy | None) -> list[int]:
    """Return the codes without missing, in the order a reader expects."""
    known = plain(values)
    if ladder is not None:
        # Categories that belong together stand together.
        keys = [tuple(int(up[code + 1]) for up in reversed(ladder.up[1:])) for code in range(len(known))]
        return [code + 1 for code in sorted(range(len(known)), key=lambda code: (keys[code], _natural(known[code])))]
    return [code + 1 for code in sorted(range(len(known)), key=lambda code: _natural(known[code]))]


def _natural(value: object) -> tuple[int, float, str]:
    """Return a sort key: numbers by size, before texts."""
    if isinstance(value, int | float | Decimal):
        return (0, float(value), str(value))
    return (1, 0.0, text_forms(value)[0])


def _path(code: int, ladder: EncodedHierarchy | None) -> list[tuple[int, int]]:
    """Return the node of a code on every level below the top."""
    if ladder is None:
        return [(0, code)]
    return [(level, int(ladder.up[level][code])) for level in range(ladder.height)]


def _joins(step: tuple[int, int], paths: Sequence[list[tuple[int, int]]]) -> bool:
    """Return whether a subtotal is informative: it covers several categories, but not all nor those of another."""
    level = step[0]
    covered = [path for path in paths if path[level] == step]
    below = {path[level - 1] for path in covered}
    return len(below) > 1 and len(covered) < len(paths)


def _parent(path: list[tuple[int, int]], level: int, place: dict[tuple[int, int], int], total: int) -> int:
    return next((place[step] for step in path[level + 1 :] if step in place), total)


def _distinct_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return distinct labels, and that of the total; a duplicate gets parentheses."""
    found: list[str] = []
    for label in labels:
        shown = label
        while shown in found or (shown != label and shown in labels):
            shown = f"({shown})"
        found.append(shown)
    total = TOTAL
    while total in found:
        total = f"({total})"
    return (*found, total)

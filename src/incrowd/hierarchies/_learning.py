"""Groups learned from a table: values of a text that resemble each other in the other columns."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.kernels import total
from incrowd.core.numbers import exact
from incrowd.hierarchies._agglomeration import joined
from incrowd.hierarchies._suggestions import Suggestion
from incrowd.proposing.facts import Column, Table

NAMED = 5
"""Records that must share a value before a label names it."""
_MOST_VALUES = 400
"""Values that are grouped by what they resemble; the rarer ones are one group."""
_COVERED = 0.5
"""The share of records whose values must be frequent enough to be named."""
_BESIDE = 8
"""Columns that values are compared in: those that they tell most about."""
_BINS = 8
"""Groups of values of each of those."""
_SHOWN = 3
"""Values that a label names."""
_LONGEST = 40
"""Characters of a value in a label."""
_OTHERS = ("other", "all others", "any other value")

Tree = list[Any]


def learned(table: Table, column: Column) -> list[tuple[str, Suggestion]]:
    """Return a tree of groups for a text; none if two values or fewer can be told apart."""
    if column.is_number or column.distinct < 3:
        return []
    texts = [text_forms(value)[0] for value in plain(column.values)]
    order = sorted(range(len(texts)), key=lambda at: (-column.holders[at], texts[at]))
    frequent = [at for at in order[:_MOST_VALUES] if column.holders[at] >= NAMED]
    items = [[at] for at in frequent]
    if len(frequent) < len(order):
        items.append(order[len(frequent) :])
    if len(items) < 3 or column.holders[frequent].sum() < _COVERED * column.present:
        return _unnamed(table, column, texts)
    has_rest = len(items) > len(frequent)
    spelled = {text.strip().casefold() for text in texts}
    other = next((name for name in _OTHERS if name not in spelled), _unlike(spelled))
    names = [*(texts[at] for at in frequent), *([other] if has_rest else [])]
    rows, columns = _profiles(table, column, items)
    tree = _nested(joined(rows, columns), names)
    further = {"other": other} if has_rest else {}
    reason = "values that resemble each other in the other columns are together" + (
        f", and those of fewer than {NAMED} records are {other!r}" if has_rest else ""
    )
    return [("tree", Suggestion({"groups": tree, **further}, reason, 0.6))]


def _unlike(taken: Collection[str]) -> str:
    """Return a label that is none of the values."""
    return next(label for number in range(2, len(taken) + 3) if (label := f"other {number}") not in taken)


def _unnamed(table: Table, column: Column, texts: Sequence[str]) -> list[tuple[str, Suggestion]]:
    """Return groups whose labels name no value, for a few values of which most are rare."""
    if column.distinct > _BINS:
        return []
    items = [[at] for at in sorted(range(len(texts)), key=lambda at: texts[at])]
    rows, columns = _profiles(table, column, items)
    groups = joined(rows, columns)[-1]
    known = set(texts)
    labels = (label for number in range(1, 3 * _BINS) if (label := f"group {number}") not in known)
    tree: Tree = [{label: [texts[items[at][0]] for at in group]} for label, group in zip(labels, groups, strict=False)]
    return [("tree", Suggestion({"groups": tree}, "few records have each value, so the groups name none", 0.2))]


def _nested(levels: Sequence[Sequence[Sequence[int]]], names: Sequence[str]) -> Tree:
    """Return groups of groups as a tree; a group of one is what it holds."""
    inside: dict[int, Any] = dict(enumerate(names))
    taken = set(names)
    for groups in levels:
        above: dict[int, Any] = {}
        for group in groups:
            parts = [inside[at] for at in group if at in inside]
            if len(parts) == 1:
                above[group[0]] = parts[0]
                continue
            label = _label([names[at] for at in group], taken)
            taken.add(label)
            above[group[0]] = {label: _in_order(parts)}
        inside = above
    return _in_order([*inside.values()])


def _in_order(parts: Tree) -> Tree:
    """Return groups and values in the order of the alphabet: that of their records would say something about them."""
    return sorted(parts, key=lambda part: part if isinstance(part, str) else next(iter(part)))


def _label(members: Sequence[str], taken: set[str]) -> str:
    """Return a short list of members, which no other group or value is called."""
    mark = " | " if any(", " in member for member in members) else ", "
    shown = sorted(members if len(members) <= _SHOWN else members[: _SHOWN - 1])
    named = mark.join(each if len(each) <= _LONGEST else f"{each[:_LONGEST]}..." for each in shown)
    label = named if len(shown) == len(members) else f"{named} and {len(members) - len(shown)} more"
    number = 2
    plain_label = label
    while label in taken:
        label, number = f"{plain_label} ({number})", number + 1
    return label


def _profiles(table: Table, column: Column, items: Sequence[Sequence[int]]) -> tuple[NDArray[np.float64], int]:
    """Return per item its records, and how many of them have each value of the columns that it says most about."""
    counted = table.counted
    at = counted.names.index(column.name)
    # Values that no record has were left out of the column, but keep their code.
    held = np.flatnonzero(total(counted.codes[at], counted.cardinalities[at], counted.counts)[1:] > 0)
    item_of = np.full(counted.cardinalities[at], -1, dtype=np.int64)
    for item, members in enumerate(items):
        item_of[held[list(members)] + 1] = item
    own = item_of[counted.codes[at]]
    kept = own >= 0
    own, counts = own[kept], counted.counts[kept]
    tables = [_contingency(own, bins[kept], counts, len(items)) for bins in _binned(table, column)]
    best = sorted(range(len(tables)), key=lambda each: (-_told(tables[each]), each))[:_BESIDE]
    records = np.bincount(own, weights=counts, minlength=len(items))[:, None]
    return np.hstack([records, *(tables[each] for each in sorted(best))]), len(best)


def _binned(table: Table, column: Column) -> Iterator[NDArray[np.int64]]:
    """Yield per other column the bin of each combination: quantiles of numbers, else frequent values; 0 is missing."""
    counted = table.counted
    for other in table.columns:
        if other.name == column.name or other.distinct < 2 or 2 * other.distinct > other.present:
            continue
        at = counted.names.index(other.name)
        held = total(counted.codes[at], counted.cardinalities[at], counted.counts)[1:]
        yield np.append(0, _bins(other, held))[counted.codes[at]]


def _bins(other: Column, held: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each value of a column, from 1 on; `held` are the records of each."""
    values = np.flatnonzero(held > 0)
    bins = np.ones(len(held), dtype=np.int64)
    if other.is_number and len(values) > _BINS and len(other.numbers) == len(values):
        order = np.argsort(_as_numbers(other), kind="stable")
        before = np.cumsum(held[values][order]) - held[values][order]
        bins[values[order]] = 1 + before * _BINS // max(1, int(held.sum()))
        return bins
    ranked = values[np.argsort(-held[values], kind="stable")]
    bins[ranked] = 1 + np.minimum(np.arange(len(ranked)), _BINS - 1)
    return bins


def _as_numbers(other: Column) -> NDArray[np.float64]:
    given = (exact(value) for value in plain(other.values))
    return np.array([0.0 if number is None else float(number) for number in given])


def _contingency(
    own: NDArray[np.int64], bins: NDArray[np.int64], counts: NDArray[np.int64], items: int
) -> NDArray[np.float64]:
    width = int(bins.max(initial=0)) + 1
    cells = np.bincount(own * width + bins, weights=counts, minlength=items * width)
    return cells.astype(np.float64).reshape(items, width)


def _told(table: NDArray[np.float64]) -> float:
    """Return the mutual information of the rows and columns of a table of counts, times its records."""
    whole = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / max(1.0, whole)
    logs = np.log(table / np.where(expected > 0, expected, 1.0), out=np.zeros_like(table), where=table > 0)
    return float((table * logs).sum())

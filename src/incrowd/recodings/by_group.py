"""By group: all records of a group publish the same cells, which cover what they had. Local recoding."""

import json
import re
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Cells, Kind, texts_of
from incrowd.core.groups import Groups
from incrowd.core.hierarchy import EncodedHierarchy
from incrowd.core.keys import among_used, different
from incrowd.core.numbers import exact, written
from incrowd.core.table import MISSING, Codes
from incrowd.recodings import SUMMARIES, Form, PublishedColumn, RecodingMap, kept_kind
from incrowd.recodings.by_combination import Texts

EVERYTHING = "*"
"""Published where some cells of a group are missing and some are not, and no hierarchy says what covers both."""

_SPECIAL = frozenset('{},"*')
"""A value that holds one of these is quoted in a set."""


def by_group(
    groups: Groups, axes: Sequence[Axis], forms: Sequence[Form], ladders: Mapping[str, EncodedHierarchy] | None = None
) -> RecodingMap:
    """Return the recoding of each piece; the groups' first columns are those of the axes.

    The ladders are those of sensitive columns whose values are generalized piece by piece.
    """
    quasi = [axis.name for axis in axes]
    joined = _whole_combinations(groups, quasi)
    groups = groups if joined is None else joined
    columns: list[PublishedColumn | None] = [
        _published(groups, axis, form, at) for at, (axis, form) in enumerate(zip(axes, forms, strict=True))
    ]
    for name in groups.frequencies.names[len(quasi) :]:
        columns.append(_raised(groups, (ladders or {})[name]) if name in groups.levels else None)
    pieces = (groups.combination, groups.counts) if groups.splits else None
    return RecodingMap(groups.frequencies, groups.kept, tuple(columns), pieces)


def _whole_combinations(groups: Groups, quasi: Sequence[str]) -> Groups | None:
    """Return the groups by quasi-identifiers alone, if there is more and no two records that are equal in them part."""
    if groups.splits or groups.levels or groups.frequencies.names == tuple(quasi):
        return None
    of = groups.frequencies.classes(quasi).of
    combinations = groups.frequencies.project(quasi)
    group = np.empty(combinations.combinations, dtype=np.int32)
    group[of] = groups.group
    return Groups.of_combinations(combinations, group) if (group[of] == groups.group).all() else None


def _published(groups: Groups, axis: Axis, form: Form, at: int) -> PublishedColumn | None:
    kept = groups.kept
    codes, group = groups.published.codes[at], groups.group[kept]
    cells = groups.cells(at, axis)
    alike = np.where(cells.missing, cells.distinct == 0, cells.distinct <= 1)
    if form not in (Form.MEAN, Form.ENDS) and alike.all():
        return None
    numbers, told = _LABELED[form](axis, cells, codes, group, groups.counts[kept])
    # Groups of other values may publish the same text: one label, and one class.
    same, labels = _numbered(told)
    numbers = same[numbers]
    published = np.zeros(len(kept), dtype=np.int32)
    published[kept] = numbers[group]
    kind = pa.string() if EVERYTHING in labels else summary_kind(axis, form)
    return PublishedColumn(published, labels, kind)


def summary_kind(axis: Axis, form: Form) -> pa.DataType:
    """Return the type of a summary: a mean is a number, a median or a mode has the type of the values, all else is
    text."""
    if form not in SUMMARIES:
        return pa.string()
    return pa.float64() if form == Form.MEAN else kept_kind(axis.values.type)


def _raised(groups: Groups, ladder: EncodedHierarchy) -> PublishedColumn | None:
    """Return a sensitive column whose values go up their hierarchy piece by piece."""
    levels = groups.levels[ladder.name]
    if not levels[groups.kept].any():
        return None
    at = groups.frequencies.names.index(ladder.name)
    texts = Texts.of(ladder)
    # Only what is published: the list of labels may reach the reader of a release, as the categories of a column.
    codes = groups.published.codes[at]
    used, numbers = among_used(texts.numbers[levels[groups.kept], codes], len(texts.labels))
    published = np.zeros(len(groups.kept), dtype=np.int32)
    published[groups.kept] = numbers
    return PublishedColumn(published, tuple(texts.labels[number] for number in used))


Labeled = tuple[Codes, tuple[str | None, ...]]
"""Per group the number of its label, and the labels."""


def _ranges(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    mixed = cells.missing & (cells.distinct > 0)
    distinct, numbers = _distinct(np.where(mixed, -1, cells.low), np.where(mixed, -1, cells.high))
    texts = [None, *texts_of(axis.values)]
    name = _between if axis.kind == Kind.NUMBERS else _from_to
    labels = []
    for low, high in distinct:
        one, other = (texts[axis.code[at]] for at in (low, high))
        if axis.bounds is not None and low > 0 and axis.places[low] != axis.places[high]:
            one, other = map(written, axis.ends(low, high))
        labels.append(EVERYTHING if low < 0 else one if low == high else name(str(one), str(other)))
    return numbers, tuple(labels)


def _distinct(one: Codes, other: Codes) -> tuple[list[tuple[int, int]], Codes]:
    """Return the distinct pairs of numbers from -1 on, sorted, and which of them each pair is."""
    span = int(other.max(initial=-1)) + 2
    keys, numbers = among_used((one.astype(np.int64) + 1) * span + other + 1, (int(one.max(initial=-1)) + 2) * span)
    pairs = list(zip((keys // span - 1).tolist(), (keys % span - 1).tolist(), strict=True))
    return pairs, numbers


def _ends(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    """Return ranges of numbers as they are read again from two columns: 7.50 is 7.5 there.

    Where some groups have missing cells among others, groups of missing cells alone publish the same: nothing.
    """
    numbers, ranges = _ranges(axis, cells, codes, group, counts)
    labels = [label if label in (None, EVERYTHING) else _joined(*ends_of(label)) for label in ranges]
    if EVERYTHING in labels:
        labels = [EVERYTHING if label is None else label for label in labels]
    return numbers, tuple(labels)


def ends_of(label: str) -> tuple[str, str]:
    """Return the ends of a range of numbers or dates, without needless digits."""
    low, between, high = label.partition(" to ")
    if not between and (whole := re.fullmatch(r"([0-9]+)-([0-9]+)", label, re.ASCII)):
        low, high = whole[1], whole[2]
    first, last = (exact(end) for end in (low, high or low))
    if first is None or last is None:
        return low, high or low
    return written(first), written(last)


def _joined(low: str, high: str) -> str:
    return low if low == high else _between(low, high)


def _between(low: str, high: str) -> str:
    """Return a range of numbers, as intervals are written; of dates and fractions in words, since a dash is a part of
    them."""
    return f"{low}-{high}" if low.isdecimal() and high.isdecimal() else f"{low} to {high}"


def _from_to(low: str, high: str) -> str:
    return f"{low}..{high}"


def _ancestors(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    assert axis.ladder is not None
    level, code = cells.level, axis.code[cells.low]
    ups = np.array(axis.ladder.up)
    distinct, numbers = _distinct(level, ups[level, code])
    texts = [None, *texts_of(axis.values)]
    labels = [texts[of] if at == 0 else axis.ladder.labels(at)[of] for at, of in distinct]
    return numbers, tuple(labels)


def _sets_or_ancestors(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    above, names = _ancestors(axis, cells, codes, group, counts)
    if not cells.lists.any():
        return above, names
    listed, sets = _sets(axis, cells, codes, group, counts)
    return np.where(cells.lists, listed + len(names), above).astype(np.int32), (*names, *sets)


def _sets(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    texts = [None, *texts_of(axis.values)]
    pairs = different(group.astype(np.int64) * len(axis.rank) + axis.rank[codes])
    starts = np.searchsorted(pairs // len(axis.rank), np.arange(len(cells) + 1))
    ranks = (pairs % len(axis.rank)).astype(np.int64)
    number_of: dict[bytes, int] = {}
    labels: list[str | None] = []
    numbers = np.empty(len(cells), dtype=np.int32)
    for at in range(len(cells)):
        members = ranks[starts[at] : starts[at + 1]]
        key = members.tobytes()
        if key not in number_of:
            number_of[key] = len(labels)
            labels.append(_set([texts[axis.code[rank]] for rank in members.tolist()]))
        numbers[at] = number_of[key]
    return numbers, tuple(labels)


def _set(members: Sequence[str | None]) -> str | None:
    known = [text for text in members if text is not None]
    if len(members) < 2:
        return members[0] if members else None
    return EVERYTHING if len(known) < len(members) else "{" + ", ".join(map(quoted, known)) + "}"


def quoted(text: str, always: bool = False) -> str:
    """Return a value as a set lists it: between quotes where it could be read as anything else."""
    plain_text = not always and text == text.strip() and not _SPECIAL & set(text)
    return text if plain_text else json.dumps(text, ensure_ascii=False)


def labeled(axis: Axis, form: Form, codes: Codes, group: NDArray[np.integer]) -> list[str | None]:
    """Return the label of each group with the given values of a column, each value once."""
    groups = group.astype(np.int32)
    n = int(groups.max(initial=-1)) + 1
    once = np.ones(len(codes), dtype=np.int64)
    numbers, labels = _LABELED[form](axis, axis.cells(codes, groups, n), codes, groups, once)
    return [labels[number] for number in numbers.tolist()]


def _means(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    there = codes != MISSING
    places = np.where(there, axis.places[axis.rank[codes]], 0.0)
    # Summed around the middle of the domain, so that large numbers keep their digits.
    middle = float(np.nanmean(axis.places)) if len(axis.places) > 1 else 0.0
    sums = np.bincount(group, weights=np.where(there, places - middle, 0.0) * counts, minlength=len(cells))
    sizes = np.bincount(group, weights=np.where(there, counts, 0), minlength=len(cells))
    # Published as a number, -0.0 would be 0.0.
    means = middle + sums / np.maximum(sizes, 1) + 0.0
    labels = [f"{mean:.10g}" for mean in means.tolist()]
    return _labeled_cells(cells, labels)


def _medians(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    there = codes != MISSING
    order = np.lexsort((axis.rank[codes], group))
    order = order[there[order]]
    reached = np.cumsum(counts[order])
    sizes = np.bincount(group[order], weights=counts[order], minlength=len(cells)).astype(np.int64)
    before = np.append(0, np.cumsum(sizes))[:-1]
    # The lower of two: the record with number ceil(n / 2).
    middle = np.searchsorted(reached, before + (sizes + 1) // 2)
    texts = [None, *texts_of(axis.values)]
    at = order[np.minimum(middle, max(0, len(order) - 1))] if len(order) else np.zeros(len(cells), dtype=np.int64)
    return _labeled_cells(cells, [texts[code] for code in codes[at].tolist()])


def _modes(axis: Axis, cells: Cells, codes: Codes, group: Codes, counts: NDArray[np.int64]) -> Labeled:
    ranks = axis.rank[codes].astype(np.int64)
    keys, of = np.unique(group.astype(np.int64) * len(axis.rank) + ranks, return_inverse=True)
    sizes = np.bincount(of.reshape(-1), weights=counts).astype(np.int64)
    owner, rank = keys // len(axis.rank), keys % len(axis.rank)
    # Of a group the largest first, of equal ones the lowest rank.
    order = np.lexsort((rank, -sizes, owner))
    first = order[np.searchsorted(owner[order], np.arange(len(cells)))]
    texts = [None, *texts_of(axis.values)]
    return _numbered([texts[axis.code[at]] for at in rank[first].tolist()])


def _labeled_cells(cells: Cells, labels: Sequence[str | None]) -> Labeled:
    """Return missing where all cells are, and everything where some are."""
    known = cells.distinct > 0
    told = np.where(known, np.where(cells.missing, 2, 1), 0).tolist()
    return _numbered([(None, label, EVERYTHING)[at] for at, label in zip(told, labels, strict=True)])


def _numbered(labels: Sequence[str | None]) -> Labeled:
    number_of = {label: at for at, label in enumerate(dict.fromkeys(labels))}
    return np.array([number_of[label] for label in labels], dtype=np.int32), tuple(number_of)


_LABELED = {
    Form.RANGE: _ranges,
    Form.ANCESTOR: _ancestors,
    Form.SET: _sets,
    Form.SET_OR_ANCESTOR: _sets_or_ancestors,
    Form.ENDS: _ends,
    Form.MEAN: _means,
    Form.MEDIAN: _medians,
    Form.MODE: _modes,
}

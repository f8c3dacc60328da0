"""The cells of one column in two tables, laid along a scale that both share: values, ranges, sets, masks, labels.

There need be no original: a value that only a range names is known by the ends of the range.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

import numpy as np
import pyarrow as pa

from incrowd import hierarchies
from incrowd.attacks._overlap import Relation, consistent
from incrowd.comparison.columns import Column
from incrowd.core.axes import Axis, numbers_of
from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.core.numbers import Number
from incrowd.core.table import text_array
from incrowd.release_metrics.cell_reader import EVERYTHING, CellReader, listed_items
from incrowd.release_metrics.covers import NOTHING, Cell, Covers
from incrowd.release_metrics.ranges import Span, spans
from incrowd.release_metrics.scale import Scale

_HIDDEN = "\ue000"
"""The stand-in for a masked character: one character that data do not have."""
_MASK = re.compile(r"[*#]")


def fitting(name: str, column: Column, ones: pa.Array, others: pa.Array) -> tuple[Relation, bool]:
    """Return which cells of both tables can have the same original value, and whether those of `others` are understood.

    Cell c is code c of its table, and a missing one fits everything. `ones` are those of the table that most likely
    holds base values.
    """
    texts = [_texts(side) for side in (ones, others)]
    scale, words = _scale(name, column, *texts)
    # Cells that are written alike fit, also a mask below which neither table has a value.
    found = [consistent(*_covers(scale, column, texts)), same(ones, others)]
    if words:
        # What the scale has no place for fits what is written alike; one such word must not undo all ranges.
        found.append(consistent(*_covers(_set_scale(name, texts), column, texts)))
    is_known = scale.is_numeric or scale.ladder is not None
    return Relation.any_of(found), is_known and not words & {part for text in texts[1] for part in _parts(text)}


def _covers(scale: Scale, column: Column, texts: Sequence[Sequence[str]]) -> list[Covers]:
    reader = CellReader(scale, False, order=column.scale)
    return [Covers.of_cells(scale, [_read(reader, text) for text in (None, *side)]) for side in texts]


def same(ones: pa.Array, others: pa.Array) -> Relation:
    """Return pairs of cells with the same text; missing equals missing."""
    where = {text: at + 1 for at, text in enumerate(_texts(others))}
    pairs = [(at + 1, where[text]) for at, text in enumerate(_texts(ones)) if text in where]
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Relation.of_pairs(found[:, 0], found[:, 1], len(ones) + 1, len(others) + 1)


def _texts(values: pa.Array) -> list[str]:
    return [text_forms(value)[0].strip() for value in plain(values)]


def _read(reader: CellReader, text: str | None) -> Cell:
    # Whoever is looked for may be behind a missing cell: it is no proof of the contrary.
    return reader.everything if text is None else reader.read(text) or NOTHING


def _scale(name: str, column: Column, ones: Sequence[str], others: Sequence[str]) -> tuple[Scale, set[str]]:
    """Return a scale for the cells of both tables, and the words among them without a position of their own."""
    every = _every((ones, others))
    hierarchy = _hierarchy(name, column.hierarchy, ones)
    if hierarchy is not None:
        return _tree_scale(name, hierarchy, [text for text in every if not _MASK.search(text) and _ends(text) is None])
    if column.scale:
        known = [text for text in every if text in column.scale]
        return Scale.of(Axis.of_order(name, text_array(known), column.scale)), {*every} - {*known}
    numbers, words = _numbers([text for text in every if not _MASK.search(text)])
    axis = Axis.of_numbers(name, text_array(numbers)) if numbers else None
    return (_set_scale(name, (ones, others)), set()) if axis is None else (Scale.of(axis), words)


def _tree_scale(name: str, hierarchy: Hierarchy, texts: Sequence[str]) -> tuple[Scale, set[str]]:
    """Return the leaves of a hierarchy and what it lacks; among numbers, words have no position, and 5.0 is 5."""
    known = {label for level in hierarchy.labels for label in level}
    strangers = [text for text in texts if text not in known]
    words = {text for text in strangers if _number(text) is None}
    leaves = numbers_of(text_array(hierarchy.values))
    if leaves is not None:
        there = {*leaves}
        strangers = [text for text in strangers if text not in words and _number(text) not in there]
    whole = with_strangers(hierarchy, strangers)
    return Scale.of(Axis.of_tree(whole.along(name, text_array(whole.values)))), words


def _set_scale(name: str, texts: Iterable[Sequence[str]]) -> Scale:
    """Return a scale with a position for every text."""
    values = list(dict.fromkeys(_MASK.sub(_HIDDEN, text) for text in _every(texts)))
    return Scale.of(Axis.of_set(name, text_array(values)))


def _every(texts: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(part for side in texts for text in side for part in _parts(text)))


def _parts(text: str) -> Iterator[str]:
    """Yield the text, or the items of a set; nothing for `*`."""
    listed = listed_items(text[1:-1]) if text.startswith("{") and text.endswith("}") else None
    yield from (part for part in listed or [text] if part and part != EVERYTHING)


def _hierarchy(name: str, spec: hierarchies.Spec, ones: Sequence[str]) -> Hierarchy | None:
    """Return the hierarchy of a column; one that follows from a rule is built over the base values, if any."""
    if spec is None or isinstance(spec, Hierarchy):
        return spec
    if not hierarchies.follows_rule(spec, name):
        return hierarchies.build(spec, text_array([]), name)
    base = [text for text in ones if text and not _MASK.search(text) and _ends(text) is None]
    return hierarchies.build(spec, text_array(base), name) if base else None


def with_strangers(hierarchy: Hierarchy, texts: Sequence[str]) -> Hierarchy:
    """Return the hierarchy with values that it lacks, each below the lowest range or mask that covers it.

    Where there is none, a value joins the others at the top alone.
    """
    known = {label for level in hierarchy.labels for label in level}
    strangers = [text for text in texts if text not in known]
    if not strangers:
        return hierarchy
    height, labels = hierarchy.height, hierarchy.labels
    # Each label of a level below the top, the path from it upwards, and what it holds.
    paths = [
        (level, [labels[at][hierarchy.codes[at][leaf]] for at in range(level, height + 1)])
        for level in range(1, height)
        for leaf in np.unique(hierarchy.codes[level], return_index=True)[1].tolist()
    ]
    holding = [(level, path, holds) for level, path in paths if (holds := _holds(path[0])) is not None]
    rows: list[tuple[str | None, ...]] = [*hierarchy.rows]
    for text in strangers:
        found = ((level, path) for level, path, holds in holding if holds(text))
        level, path = next(found, (height, [labels[height][0]]))
        rows.append((text, *[text] * (level - 1), *path))
    if hierarchy.lists_missing:
        rows.append((None, *(labels[at][hierarchy.missing[at]] for at in range(1, height + 1))))
    return Hierarchy.from_rows(rows)


def _holds(label: str) -> Callable[[str], bool] | None:
    """Return whether a label covers a value, by its notation; None if that does not show it."""
    if label == EVERYTHING:
        return None
    span = next((span for span in spans(label) if _ends(label) is not None and _is_numeric(span)), None)
    if span is not None:
        low, high = (None if end is None else _number(end) for end in (span.low, span.high))
        return lambda text: _within(_number(text), low, high, span)
    if _MASK.search(label):
        pattern = re.compile("".join("." if _MASK.fullmatch(char) else re.escape(char) for char in label), re.DOTALL)
        return lambda text: pattern.fullmatch(text) is not None
    return None


def _is_numeric(span: Span) -> bool:
    return all(end is None or _number(end) is not None for end in (span.low, span.high))


def _within(number: Number | None, low: Number | None, high: Number | None, span: Span) -> bool:
    if number is None or (low is not None and (number < low or (span.low_open and number == low))):
        return False
    return high is None or number < high or (number == high and not span.high_open)


def _numbers(texts: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return all numbers and ends of ranges, as text; and the texts that are neither."""
    found: dict[Number, str] = {}
    words = set()
    for text in texts:
        number = _number(text)
        ends = {text: number} if number is not None else _ends(text)
        if ends is None:
            words.add(text)
            continue
        for end, value in ends.items():
            found.setdefault(value, end)
    if found:
        # What has no end reaches beyond all numbers that are named.
        for beyond in (floor(min(found)) - 1, ceil(max(found)) + 1):
            found[beyond] = str(beyond)
    if not all(isinstance(value, int) for value in found):
        # Two ranges that leave out their ends may share numbers although no end is among them.
        for low, high in pairwise(sorted(found)):
            found.setdefault(Fraction(low + high) / 2, repr(float(low + high) / 2))
    return list(found.values()), words


def _ends(text: str) -> dict[str, Number] | None:
    """Return the ends of a range of numbers; None if the text is not a range."""
    if _number(text) is not None:
        return None
    for span in spans(text):
        ends = {end: _number(end) for end in (span.low, span.high) if end is not None}
        known = [number for number in ends.values() if number is not None]
        if known and len(known) == len(ends) and known == sorted(known):
            return {end: number for end, number in ends.items() if number is not None}
    return None


def _number(text: str) -> Number | None:
    found = numbers_of(text_array([text]))
    return None if found is None else found[0]

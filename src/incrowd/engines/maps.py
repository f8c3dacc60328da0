"""Tables for an engine to publish its records: a small one for each column, and at most one for their combinations.

A join by all quasi-identifiers would compare nine cells of every record with those of a million combinations. Instead
each column is joined by itself with the few values that it has. They bring their labels, where a value has the same
label in every combination, and a part of a number; the parts of a record make its number. That of a record is looked up
once: among the classes that are left out or those that are published, whichever are fewer, or, where combinations have
labels of their own, among all combinations.

Numbers of published classes are in the order of their cells. So records are sorted by them, not by many texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.core.keys import bits
from incrowd.core.table import booleans, in_numpy
from incrowd.engines.parting import HIGH, LOW, Parted

RANK = "rank"
"""The column of a record's place in the order of the published quasi-identifiers."""

_WORD = 62
"""Bits of a number, so that sums have no sign."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Maps:
    """The tables, and how the rows are joined with them."""

    columns: Mapping[int, pa.Table]
    """By the position of a key: its values as `m0` (by position), the part of the number as `k0`, and labels."""
    words: Sequence[Sequence[int]]
    """Whose parts make up each word of the number, as positions."""
    combinations: pa.Table | None
    """Numbers, as `n0`, `n1`, ...; None if every record with known values is published."""
    how: str = "inner"
    """How the rows are joined with the combinations: inner, semi or anti."""
    parted: Parted | None = None
    """How equal records are numbered, if they are published differently; a run is compared after the numbers then."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """The combinations as an engine counted them."""

    cells: Sequence[pa.Array]
    """Their cells, a column for each key."""
    links: Sequence[pa.Array]
    """The same as the engine compares them."""
    kept: NDArray[np.bool_]
    labels: Mapping[str, pa.DictionaryArray]
    """The published cells of columns that are recoded or added, by the names that they get; missing has a code, too."""
    of: Mapping[str, int]
    """The position of the key that a published column recodes or repeats."""


def maps(given: Combinations, shown: Sequence[str], parted: Parted | None = None) -> Maps:
    """Return the tables that publish these combinations, in the order of the columns that are shown.

    If they are parted, each of them is a share of a piece in a combination.
    """
    values = [_Values(cells, links) for cells, links in zip(given.cells, given.links, strict=True)]
    labels = {name: _ranked(coded) for name, coded in given.labels.items()}
    told = {
        name: at for name, at in given.of.items() if name in labels and _tells(values[at], labels[name], given.kept)
    }
    if parted is not None:
        return _by_share(_by_combination(given, shown, values, labels, told), parted)
    if len(told) == len(labels):
        by_class = _by_class(given, shown, values, labels)
        if by_class is not None:
            return by_class
    return _by_combination(given, shown, values, labels, told)


class _Values:
    """The different values of a column."""

    def __init__(self, cells: pa.Array, links: pa.Array) -> None:
        coded = links.dictionary_encode(null_encoding="encode")
        self.links = coded.dictionary
        found = in_numpy(coded.indices).astype(np.int64)
        first = np.zeros(len(self.links), dtype=np.int64)
        first[found[::-1]] = np.arange(len(found))[::-1]
        # Numbered in their order, so that a number sorts as its value; an engine may tell apart what is one value here.
        ranks = ranks_of(cells.take(longs(first)), self.links)
        self.codes = ranks[found]
        self.links = self.links.take(longs(np.argsort(ranks)))

    def __len__(self) -> int:
        return len(self.links)

    def labels(self, labels: "_Labels", kept: NDArray[np.bool_]) -> Numbers:
        """Return the label of each value; -1 if it is not published."""
        found = np.full(len(self), -1, dtype=np.int64)
        found[self.codes[kept]] = labels.codes[kept]
        return found


@dataclass(frozen=True, eq=False)
class _Labels:
    codes: Numbers
    """The label of each combination, as its place in the order of labels."""
    texts: pa.Array


def ranks_of(*columns: pa.Array) -> Numbers:
    """Return the place of each row among all of them, which all differ, column by column; missing comes first."""
    # Whether a cell is there goes before it: older versions of Arrow put what is missing last.
    keys = [key for column in columns for key in (column.is_valid(), column)]
    table = pa.table(keys, [str(at) for at in range(len(keys))])
    try:
        order = in_numpy(pc.sort_indices(table, sort_keys=[(name, "ascending") for name in table.column_names]))
    except pa.ArrowNotImplementedError:
        texts = [[(cell is not None, str(cell)) for cell in each.to_pylist()] for each in columns]
        rows = list(zip(*texts, strict=True))
        order = np.array(sorted(range(len(rows)), key=rows.__getitem__), dtype=np.int32)
    ranks = np.empty(table.num_rows, dtype=np.int64)
    ranks[order] = np.arange(table.num_rows)
    return ranks


def longs(numbers: Numbers) -> pa.Array:
    """Return NumPy integers as an Arrow array; pa.array would import pandas to check for a series."""
    whole = np.ascontiguousarray(numbers, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def _ranked(coded: pa.DictionaryArray) -> _Labels:
    ranks = ranks_of(coded.dictionary)
    texts = coded.dictionary.take(longs(np.argsort(ranks)))
    return _Labels(ranks[in_numpy(coded.indices)] if len(ranks) else np.zeros(len(coded), dtype=np.int64), texts)


def _tells(values: _Values, labels: _Labels, kept: NDArray[np.bool_]) -> bool:
    """Return whether every value has one label in all combinations."""
    return bool((values.labels(labels, kept)[values.codes[kept]] == labels.codes[kept]).all())


def _by_class(
    given: Combinations, shown: Sequence[str], values: Sequence[_Values], labels: Mapping[str, _Labels]
) -> Maps | None:
    """Return the tables if what is published of a record decides whether it is; None if it does not, or is too much."""
    names = [name for name in shown if name in given.of]
    places = [given.of[name] for name in names]
    widths = [bits(len(labels[name].texts if name in labels else values[given.of[name]])) for name in names]
    if sum(widths) > _WORD:
        return None
    left, tables = sum(widths), {}
    numbers, known = np.zeros(len(given.kept), dtype=np.int64), np.ones(len(given.kept), dtype=np.bool_)
    for name, at, width in zip(names, places, widths, strict=True):
        left -= width
        column = values[at]
        became = column.labels(labels[name], given.kept) if name in labels else _published(column, given.kept)
        numbers |= became[column.codes] << left
        known &= became[column.codes] >= 0
        tables[at] = _table(at, column, became << left, {name: (labels[name], became)} if name in labels else {})
    published = np.unique(numbers[given.kept])
    left_out = np.unique(numbers[known & ~given.kept])
    words = [places] if places else []
    if len(np.intersect1d(published, left_out)) or (len(left_out) and not places):
        return None
    if not len(left_out):
        return Maps(tables, words, None)
    fewer, how = (left_out, "anti") if len(left_out) < len(published) else (published, "semi")
    return Maps(tables, words, pa.table({"n0": longs(fewer)}), how)


def _published(column: _Values, kept: NDArray[np.bool_]) -> Numbers:
    """Return the code of each value; -1 if it is not published."""
    found = np.full(len(column), -1, dtype=np.int64)
    found[column.codes[kept]] = column.codes[kept]
    return found


def _by_combination(
    given: Combinations,
    shown: Sequence[str],
    values: Sequence[_Values],
    labels: Mapping[str, _Labels],
    told: Mapping[str, int],
) -> Maps:
    """Return the tables with a number for each combination, and the labels that its values alone do not tell."""
    words: list[list[int]] = []
    free = 0
    numbers: list[Numbers] = []
    tables = {}
    for at, column in enumerate(values):
        width = bits(len(column))
        if width > free or not words:
            words.append([])
            numbers.append(np.zeros(len(given.kept), dtype=np.int64))
            free = _WORD
        free -= width
        words[-1].append(at)
        numbers[-1] |= column.codes << free
        here = [name for name, place in told.items() if place == at]
        of = {name: (labels[name], column.labels(labels[name], given.kept)) for name in here}
        tables[at] = _table(at, column, _published(column, given.kept) << free, of)
    columns = {f"n{word}": longs(of_word[given.kept]) for word, of_word in enumerate(numbers)}
    columns[RANK] = longs(_places(given, shown, values, labels))
    for name, of_name in labels.items():
        if name not in told:
            columns[name] = of_name.texts.take(longs(of_name.codes[given.kept]))
    return Maps(tables, words, pa.table(columns))


def shown_codes(given: Combinations, shown: Sequence[str]) -> list[Numbers]:
    """Return what each combination is published as, by column, as places in the order of its different cells."""
    return [
        _ranked(given.labels[name]).codes
        if name in given.labels
        else _Values(given.cells[given.of[name]], given.links[given.of[name]]).codes
        for name in shown
    ]


def packed(columns: Sequence[Numbers]) -> list[Numbers]:
    """Return words that sort as the columns do, one after the other."""
    words: list[Numbers] = []
    free = 0
    for column in columns:
        width = bits(int(column.max(initial=0)) + 1)
        if width > free:
            words.append(np.zeros(len(column), dtype=np.int64))
            free = _WORD
        free -= width
        words[-1] = (words[-1] << width) | column
    return words


def _by_share(found: Maps, parted: Parted) -> Maps:
    """Return the tables with the range of places that each share takes in its run."""
    assert found.combinations is not None
    columns = {f"n{len(found.words)}": parted.shares.run, LOW: parted.shares.low, HIGH: parted.shares.high}
    table = found.combinations
    for name, cells in columns.items():
        table = table.append_column(name, longs(cells))
    return replace(found, combinations=table, parted=parted)


def _places(
    given: Combinations, shown: Sequence[str], values: Sequence[_Values], labels: Mapping[str, _Labels]
) -> Numbers:
    """Return the place of each published combination in the order of its published cells; equal ones share it."""
    there = [name for name in shown if name in labels or name in given.of]
    codes = [labels[name].codes if name in labels else values[given.of[name]].codes for name in there]
    words = packed([column[given.kept] for column in codes])
    size = int(given.kept.sum())
    if not words:
        return np.zeros(size, dtype=np.int64)
    order = np.lexsort(words[::-1])
    differ = np.zeros(size, dtype=np.bool_)
    for word in words:
        differ[1:] |= word[order][1:] != word[order][:-1]
    places = np.empty(size, dtype=np.int64)
    places[order] = np.cumsum(differ)
    return places


def _table(at: int, column: _Values, parts: Numbers, labels: Mapping[str, tuple[_Labels, Numbers]]) -> pa.Table:
    """Return the values of a column that are published, with their parts of the number and their labels."""
    there = parts >= 0
    cells = {f"m{at}": column.links.filter(booleans(there)), f"k{at}": longs(parts[there])}
    for name, (of_name, became) in labels.items():
        cells[name] = of_name.texts.take(longs(became[there]))
    return pa.table(cells)

"""Where the records of an original table are published, as the private record beside the release says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import plain, text_forms
from incrowd.core.keys import number_combinations
from incrowd.core.table import Codes
from incrowd.release import RecodedCombinations, RecodedQuasi, Record

_UNKNOWN = -1
Texts = Sequence[str | None]


def with_classes(
    original: FrequencySet, cells: FrequencySet, record: Record | None
) -> tuple[FrequencySet, Codes] | None:
    """Return the original and per combination its class of the release, -1 if it is left out.

    A combination comes once for each of its classes. None if the private record does not tell them all, or the classes
    would not have the records that they have.
    """
    if record is None or not {each.name for each in record.quasi} <= {*original.names} & {*cells.names}:
        return None
    pieces = record.combinations
    if pieces is None:
        found: tuple[FrequencySet, Codes] | None = original, _by_level(original, cells, record.quasi)
    elif {*pieces.names} <= {*original.names} and len(pieces.row):
        found = _by_combination(original, cells, pieces)
    else:
        return None
    if found is None:
        return None
    parted, classes = found
    there = classes >= 0
    sizes = np.bincount(classes[there], weights=parted.counts[there], minlength=cells.combinations)
    return found if np.array_equal(sizes, cells.counts) else None


def _by_level(original: FrequencySet, cells: FrequencySet, quasi: Sequence[RecodedQuasi]) -> Codes:
    """Return the classes if every column is published on one level."""
    codes = []
    for name in cells.names:
        column = next(each for each in quasi if each.name == name)
        label_of = _labels(column)
        shown = {text: None if label == column.null_label else label for text, label in label_of.items()}
        at, place = original.names.index(name), cells.names.index(name)
        labels = [shown.get(text, text) for text in _texts(original.values[at])]
        codes.append(_places(labels, cells.values[place])[original.codes[at]])
    return _classes(codes, cells)


def _labels(column: RecodedQuasi) -> dict[str | None, str | None]:
    """Return the published label of each value; on the top level a missing cell has that of all others."""
    level = column.level or 0
    label_of = {row[0]: row[level] for row in column.rows}
    if level and level == column.height and column.rows:
        label_of.setdefault(None, column.rows[0][level])
    return label_of


def _by_combination(
    original: FrequencySet, cells: FrequencySet, pieces: RecodedCombinations
) -> tuple[FrequencySet, Codes] | None:
    """Return the same if combinations have cells of their own; None if the record is of another table."""
    kept, rows = pieces.kept, pieces.row_of_kept
    codes = []
    for name in cells.names:
        at = pieces.names.index(name)
        # Positions of labels are counted from 0, codes of values from 1.
        codes.append(_places(pieces.labels[at], cells.values[cells.names.index(name)])[pieces.rows[at][rows]])
    of_piece = np.full(len(kept), _UNKNOWN, dtype=np.int32)
    of_piece[kept] = _classes(codes, cells)
    listed = [of.astype(np.int32) + 1 for of in pieces.original]
    both, sizes = [], []
    for at, column in enumerate(original.indices(pieces.names)):
        position = {text: place for place, text in enumerate(pieces.values[at], 1)}
        here = np.array([position.get(text, 0) for text in _texts(original.values[column])], dtype=np.int32)
        both.append(np.concatenate([listed[at], here[original.codes[column]]]))
        sizes.append(len(pieces.values[at]) + 1)
    numbers, _ = number_combinations(both, sizes)
    mine, theirs = numbers[len(kept) :], numbers[: len(kept)]
    # What the record does not list is left out.
    other = np.flatnonzero(~np.isin(mine, theirs))
    theirs = np.concatenate([theirs, mine[other]])
    of_piece = np.concatenate([of_piece, np.full(len(other), _UNKNOWN, dtype=np.int32)])
    counts = np.concatenate([pieces.counts, original.counts[other]])
    return _dealt(original, mine, of_piece, theirs, counts)


def _dealt(
    original: FrequencySet, mine: Codes, of_piece: Codes, theirs: Codes, counts: Counts
) -> tuple[FrequencySet, Codes] | None:
    """Deal records that the private record does not tell apart to the pieces that it lists, in order."""
    rows, listed = np.argsort(mine, kind="stable"), np.argsort(theirs, kind="stable")
    ends, piece_ends = np.cumsum(original.counts[rows]), np.cumsum(counts[listed])
    every = np.union1d(ends, piece_ends)
    if not len(every):
        return original, np.empty(0, dtype=np.int32)
    at, piece = np.searchsorted(ends, every), np.searchsorted(piece_ends, every)
    if ends[-1:] != piece_ends[-1:] or (mine[rows[at]] != theirs[listed[piece]]).any():
        return None
    parted = replace(
        original,
        codes=np.ascontiguousarray(original.codes[:, rows[at]]),
        counts=np.diff(every, prepend=0),
    )
    return parted, of_piece[listed[piece]]


def _texts(values: pa.Array) -> list[str | None]:
    """Return the text of each code."""
    return [None, *(text_forms(value)[0] for value in plain(values))]


def _places(labels: Iterable[str | None], values: pa.Array) -> Codes:
    """Return the code that each label has among published values; -1 if it is not there."""
    code_of: Mapping[str | None, int] = {text: code for code, text in enumerate(_texts(values))}
    return np.array([code_of.get(label, _UNKNOWN) for label in labels], dtype=np.int32)


def _classes(codes: Sequence[Codes], cells: FrequencySet) -> Codes:
    """Return the class that has these cells; -1 if there is none."""
    both = [np.concatenate([cells.codes[at], of_rows]) + np.int32(1) for at, of_rows in enumerate(codes)]
    numbers, n = number_combinations(both, [int(each.max(initial=0)) + 1 for each in both])
    place = np.full(n, _UNKNOWN, dtype=np.int32)
    place[numbers[: cells.combinations]] = np.arange(cells.combinations, dtype=np.int32)
    return place[numbers[cells.combinations :]]

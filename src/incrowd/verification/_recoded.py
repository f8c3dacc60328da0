"""The original table, recoded as the private record says, with the columns that the release does not show."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from incrowd.release import RecodedCombinations, RecodedQuasi, Record
from incrowd.verification._population import published_texts
from incrowd.verification._tally import Numbers, Tally, keys_of


class Recoded(NamedTuple):
    """The published records of the original, in pieces."""

    rows: Numbers
    """The combination of the original that each piece comes from."""
    tally: Tally
    """The pieces: published quasi-identifiers, all other columns as in the original."""


def recoded(original: Tally, record: Record, release: Tally, complete: bool) -> Recoded | None:
    """Return what is published of the original; None if the private record does not tell it.

    With `complete`, records with a missing quasi-identifier are set aside.
    """
    quasi = [column.name for column in record.quasi]
    rows = np.flatnonzero(_complete(original, quasi)) if complete else np.arange(len(original.counts))
    if record.combinations is not None:
        return _by_combination(original, rows, record.combinations)
    texts = list(original.texts)
    for column, name in zip(record.quasi, quasi, strict=True):
        at = original.columns.index(name)
        texts[at] = _shown(column, published_texts(column, original.texts[at], ()))
    found = replace(original, texts=tuple(texts), codes=original.codes[:, rows], counts=original.counts[rows]).merged()
    # A class is published as a whole or not at all.
    numbers, values = found.numbered(quasi)
    classes = set(release.counter(quasi))
    kept = np.array([value in classes for value in values], dtype=np.bool_)[numbers]
    return Recoded(rows[kept], replace(found, codes=found.codes[:, kept], counts=found.counts[kept]))


def _complete(original: Tally, quasi: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which combinations lack no quasi-identifier."""
    there = np.ones(len(original.counts), dtype=np.bool_)
    for name in quasi:
        at = original.columns.index(name)
        there &= np.array([text is not None for text in original.texts[at]], dtype=np.bool_)[original.codes[at]]
    return there


def _shown(column: RecodedQuasi, texts: Sequence[str | None]) -> list[str | None]:
    """Return published cells; a label that is published as a missing value is one."""
    if column.null_label is None:
        return list(texts)
    return [None if text == column.null_label else text for text in texts]


def _by_combination(original: Tally, rows: Numbers, combinations: RecodedCombinations) -> Recoded | None:
    """Return what is published where each combination has cells of its own, some in several pieces."""
    keys, wanted = _shared_keys(original, rows, combinations)
    order = np.argsort(wanted, kind="stable")
    first = np.searchsorted(wanted[order], keys, side="left")
    pieces = np.searchsorted(wanted[order], keys, side="right") - first
    _, owners = np.unique(keys, return_counts=True)
    parted = pieces[np.unique(keys, return_index=True)[1]] > 1
    if not pieces.all() or (parted & (owners > 1)).any():
        # A combination that the record lacks, or records that part although the record does not tell them apart.
        return None
    at = order[np.repeat(first - np.append(0, np.cumsum(pieces)[:-1]), pieces) + np.arange(int(pieces.sum()))]
    row = np.repeat(rows, pieces)
    counts = np.where(np.repeat(pieces > 1, pieces), combinations.counts[at], original.counts[row])
    published = combinations.kept[at]
    row, at, counts = row[published], at[published], counts[published]
    codes, texts = original.codes[:, row].copy(), list(original.texts)
    shown = combinations.row[at].astype(np.int64) - 1
    # Sensitive values may be recoded as well, record by record.
    for column, name in enumerate(combinations.names):
        place = original.columns.index(name)
        texts[place], codes[place] = list(combinations.labels[column]), combinations.rows[column][shown]
    return Recoded(row, Tally(original.columns, tuple(texts), codes, counts).merged())


def _shared_keys(original: Tally, rows: Numbers, combinations: RecodedCombinations) -> tuple[Numbers, Numbers]:
    """Return a number for each combination of the original and of the record, equal where their values are."""
    codes: list[Numbers] = []
    for at, name in enumerate(combinations.names):
        column = original.columns.index(name)
        code_of: dict[str | None, int] = {}
        listed = np.array([code_of.setdefault(text, len(code_of)) for text in combinations.values[at]], dtype=np.int64)
        here = np.array([code_of.setdefault(text, len(code_of)) for text in original.texts[column]], dtype=np.int64)
        codes.append(np.concatenate([here[original.codes[column, rows]], listed[combinations.original[at]]]))
    keys = keys_of(np.array(codes).reshape(len(codes), len(rows) + len(combinations.row)))
    return keys[: len(rows)], keys[len(rows) :]

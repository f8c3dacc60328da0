"""The published cells of each combination, as the private record has them: columns of numbers, not an object a row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.core.plain_data import OwnForm, Plain
from incrowd.release.packed import Positions, narrow, packed, unpacked
from incrowd.release.stored import COLUMNAR

Texts = tuple[str | None, ...]

_BY_PIECE = {"names", "values", "labels", "original", "published", "counts", "groups"}
_BY_COLUMN = _BY_PIECE | {"pieces", "rows", "row", "group"}
_MOST = np.iinfo(np.int64).max


class Piece(NamedTuple):
    """Records of one combination that are published in one way."""

    values: Texts
    cells: Texts | None
    """None if they are suppressed."""
    records: int
    group: str | None
    """Their group, if sensitive values are published by group."""


@dataclass(frozen=True, repr=False, eq=False)
class RecodedCombinations(Brief, OwnForm):
    """The published cells of each combination, if they do not follow from a level per column.

    A combination whose records are split is listed once per piece. Pieces that publish the same cells share a row.
    """

    names: tuple[str, ...]
    """The quasi-identifiers, and sensitive columns where records part by them."""
    values: tuple[Texts, ...]
    """Per column its original values."""
    labels: tuple[Texts, ...]
    """Per column its published cells."""
    original: tuple[Positions, ...]
    """Per column and piece the position of its value."""
    rows: tuple[Positions, ...]
    """Per column and row the position of its cell."""
    row: Positions
    """Per piece the number of its row, from 1; 0 if it is suppressed."""
    counts: NDArray[np.int64]
    """Per piece its records."""
    groups: tuple[str, ...] = ()
    """The names of groups, if sensitive values are published by group."""
    group: Positions | None = None
    """Per piece the number of its group, from 1; 0 if it is suppressed. None without groups."""

    def __eq__(self, other: object) -> bool:
        """Return whether both say the same."""
        return isinstance(other, RecodedCombinations) and self.to_plain(COLUMNAR) == other.to_plain(COLUMNAR)

    @property
    def distinct_rows(self) -> int:
        """Return the number of rows."""
        return len(self.rows[0]) if self.rows else int(self.row.max(initial=0))

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Return which pieces are published."""
        return self.row > 0

    @property
    def row_of_kept(self) -> NDArray[np.int64]:
        """Return the row of each published piece, from 0."""
        return self.row[self.kept].astype(np.int64) - 1

    @property
    def records_by_row(self) -> NDArray[np.int64]:
        """Return how many records publish each row."""
        found = np.zeros(self.distinct_rows, dtype=np.int64)
        np.add.at(found, self.row_of_kept, self.counts[self.kept])
        return found

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces one after another, as texts."""
        values = [[of[at] for at in codes.tolist()] for of, codes in zip(self.values, self.original, strict=True)]
        cells = [[of[at] for at in codes.tolist()] for of, codes in zip(self.labels, self.rows, strict=True)]
        rows = list(zip(*cells, strict=True)) if cells else [()] * self.distinct_rows
        names = [None, *self.groups]
        groups = [0] * len(self.row) if self.group is None else self.group.tolist()
        original = zip(*values, strict=True) if values else [()] * len(self.row)
        of_pieces = zip(original, self.row.tolist(), self.counts.tolist(), groups, strict=True)
        for texts, row, records, group in of_pieces:
            yield Piece(texts, rows[row - 1] if row else None, records, names[group])

    def to_plain(self, format: int) -> Plain:
        """Return plain data for JSON, in the form of a record of that format."""
        told = {"names": list(self.names), "values": [*map(list, self.values)], "labels": [*map(list, self.labels)]}
        if format < COLUMNAR:
            return told | self._by_piece()
        return told | {
            "pieces": len(self.row),
            "original": [packed(codes) for codes in self.original],
            "published": self.distinct_rows,
            "rows": [packed(codes) for codes in self.rows],
            "row": packed(self.row),
            "counts": packed(self.counts),
            "groups": list(self.groups),
            "group": None if self.group is None else packed(self.group),
        }

    def _by_piece(self) -> Plain:
        """Return the pieces as lists, as records of formats 1 to 3 have them."""
        original = np.array(self.original).T.tolist() if self.original else [[] for _ in self.row]
        rows = np.array(self.rows).T.tolist() if self.rows else [[]] * self.distinct_rows
        names = [None, *self.groups]
        return {
            "original": original,
            "published": [list(rows[at - 1]) if at else None for at in self.row.tolist()],
            "counts": self.counts.tolist(),
            "groups": [] if self.group is None else [names[at] for at in self.group.tolist()],
        }

    @classmethod
    def from_plain(cls, plain: Plain, format: int) -> "RecodedCombinations":
        """Return what `to_plain` gave; ValueError, KeyError or TypeError for anything else."""
        texts = _names(plain["names"]), _columns(plain["values"]), _columns(plain["labels"])
        if format < COLUMNAR:
            _only(plain, _BY_PIECE)
            told = (plain[key] for key in ("original", "published", "counts", "groups"))
            return cls.of_pieces(*texts, *told)
        _only(plain, _BY_COLUMN)
        pieces, rows = (_number(plain[key]) for key in ("pieces", "published"))
        group = plain["group"]
        return cls(
            *texts,
            tuple(unpacked(codes, pieces) for codes in _list(plain["original"])),
            tuple(unpacked(codes, rows) for codes in _list(plain["rows"])),
            unpacked(plain["row"], pieces),
            _counts(unpacked(plain["counts"], pieces)),
            _names(plain["groups"]),
            None if group is None else unpacked(group, pieces),
        )._checked(rows)

    @classmethod
    def of_pieces(
        cls,
        names: Sequence[str],
        values: Sequence[Texts],
        labels: Sequence[Texts],
        original: Sequence[Sequence[int]],
        published: Sequence[Sequence[int] | None],
        counts: Sequence[int],
        groups: Sequence[str | None] = (),
    ) -> "RecodedCombinations":
        """Return combinations of which each piece has the positions of its values, and of its cells or None."""
        number_of: dict[tuple[int, ...], int] = {}
        row = [0 if cells is None else number_of.setdefault(tuple(cells), len(number_of) + 1) for cells in published]
        group_of: dict[str, int] = {}
        group = [0 if name is None else group_of.setdefault(name, len(group_of) + 1) for name in groups]
        pieces, width = len(row), len(names)
        if not len(original) == len(counts) == pieces or len(groups) not in (0, pieces):
            raise ValueError
        return cls(
            tuple(names),
            tuple(values),
            tuple(labels),
            tuple(narrow(of) for of in _whole(original, (pieces, width)).T),
            tuple(narrow(of) for of in _whole(list(number_of), (len(number_of), width)).T),
            narrow(np.array(row, dtype=np.int64)),
            _whole(counts, (pieces,)),
            _names(list(group_of)),
            narrow(np.array(group, dtype=np.int64)) if groups else None,
        )._checked(len(number_of))

    def _checked(self, rows: int) -> "RecodedCombinations":
        """Return the same if every position is one of the list that it means."""
        width = len(self.names)
        if any(len(each) != width for each in (self.values, self.labels, self.original, self.rows)):
            raise ValueError
        lists = [*zip(self.original, self.values, strict=True), *zip(self.rows, self.labels, strict=True)]
        beyond = any(len(codes) and int(codes.max()) >= len(of) for codes, of in lists)
        if beyond or int(self.row.max(initial=0)) > rows:
            raise ValueError
        if self.group is not None and int(self.group.max(initial=0)) > len(self.groups):
            raise ValueError
        return self


def _only(plain: Plain, keys: set[str]) -> None:
    if plain.keys() != keys:
        raise ValueError


def _list(plain: Any) -> list[Any]:
    if not isinstance(plain, list):
        raise ValueError
    return plain


def _names(plain: Any) -> tuple[str, ...]:
    if not {*map(type, _list(plain))} <= {str}:
        raise ValueError
    return tuple(plain)


def _columns(plain: Any) -> tuple[Texts, ...]:
    """Return lists of texts or None."""
    if not all({*map(type, _list(of))} <= {str, type(None)} for of in _list(plain)):
        raise ValueError
    return tuple(map(tuple, plain))


def _number(plain: Any) -> int:
    if type(plain) is not int or plain < 0:
        raise ValueError
    return plain


def _whole(plain: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return lists of whole numbers from 0 on as an array of that shape."""
    if not len(plain):
        return np.empty(shape, dtype=np.int64)
    found = np.array(plain)
    if found.shape != shape or (found.size and found.dtype.kind not in "iu"):
        raise ValueError
    if found.size and (found.min() < 0 or found.max() > _MOST):
        raise ValueError
    return found.astype(np.int64)


def _counts(numbers: Positions) -> NDArray[np.int64]:
    if int(numbers.max(initial=0)) > _MOST:
        raise ValueError
    return numbers.astype(np.int64)

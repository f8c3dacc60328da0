"""The same few records as each of the searches that were tried would publish them: a preview, not verified.

It has cells of the original, and releases beside each other: it is private, as the private record is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.axes import texts_of
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.table import MISSING
from incrowd.recodings import RecodingMap

RECORDS = 10

Cells = tuple[str | None, ...]


@dataclass(frozen=True, repr=False)
class Previews(Brief):
    """The quasi-identifiers of a few records, and by search what would be published of them."""

    columns: tuple[str, ...]
    originals: tuple[Cells, ...]
    by_search: dict[str, tuple[Cells | None, ...]] = field(default_factory=dict)
    """None in place of a record that would be suppressed."""
    _codes: list[tuple[pa.Array, dict[str | None, int]]] = field(default_factory=list)
    """The code of each value; the recodings of one run share their values."""

    @classmethod
    def of(cls, counted: FrequencySet, quasi: Sequence[str]) -> "Previews":
        """Return records that are spread over the counted ones, in the order of their values."""
        found = counted.project(quasi)
        texts = [[None, *texts_of(values)] for values in found.values]
        places = [_places(column) for column in texts]
        # The first column counts most; numpy looks at the last key first.
        order = np.lexsort([place[codes] for place, codes in zip(places[::-1], found.codes[::-1], strict=True)])
        order = order[found.counts[order] > 0]
        reached = np.cumsum(found.counts[order])
        wanted = (np.arange(RECORDS) + 0.5) / RECORDS * (reached[-1] if len(reached) else 0)
        chosen = np.unique(np.searchsorted(reached, wanted, side="right")) if len(reached) else order
        rows = found.codes[:, order[chosen]].T.tolist()
        return cls(tuple(quasi), tuple(tuple(of[code] for of, code in zip(texts, row, strict=True)) for row in rows))

    def done(self) -> "Previews":
        """Return it without what was only needed to find the records."""
        return replace(self, _codes=[])

    def add(self, search: str, recoding: RecodingMap) -> None:
        """Add what a recoding publishes of the records; of equal records that part, what it publishes of the first."""
        combinations = recoding.combinations
        codes = combinations.codes[: len(self.columns)]
        code_of = [self._code_of(values) for values in combinations.values[: len(self.columns)]]
        of_piece = np.arange(combinations.combinations) if recoding.pieces is None else recoding.pieces[0]
        labels = [None if column is None else column.labels for column in recoding.columns]
        found: list[Cells | None] = []
        for original in self.originals:
            at = _piece(codes, [known.get(cell) for known, cell in zip(code_of, original, strict=True)], of_piece)
            if at is None or not recoding.kept[at]:
                found.append(None)
                continue
            row = []
            for column, cell in enumerate(original):
                shown, became = labels[column], recoding.columns[column]
                row.append(cell if shown is None or became is None else shown[became.codes[at]])
            found.append(tuple(row))
        self.by_search[search] = tuple(found)

    def _code_of(self, values: pa.Array) -> dict[str | None, int]:
        for known, code_of in self._codes:
            if known is values:
                return code_of
        self._codes.append((values, {text: code for code, text in enumerate([None, *texts_of(values)])}))
        return self._codes[-1][1]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "note": "preview, not verified; private",
            "columns": list(self.columns),
            "originals": [list(row) for row in self.originals],
            "alternatives": {
                search: [None if row is None else list(row) for row in rows] for search, rows in self.by_search.items()
            },
        }


def _places(texts: Sequence[str | None]) -> NDArray[np.int64]:
    """Return the place of each value: missing first, then numbers by size, then texts."""
    ranked = sorted(range(len(texts)), key=lambda at: _key(texts[at]))
    return np.argsort(ranked)


def _key(text: str | None) -> tuple[int, float, str]:
    if text is None:
        return 0, 0.0, ""
    try:
        number = float(text)
    except ValueError:
        return 2, 0.0, text
    return (1, number, text) if number == number else (2, 0.0, text)


def _piece(codes: NDArray[np.int32], wanted: Sequence[int | None], of_piece: NDArray[np.int64]) -> int | None:
    """Return the first piece of the first combination with these codes."""
    same = np.ones(codes.shape[1], dtype=np.bool_)
    for column, code in zip(codes, wanted, strict=True):
        same &= column == (MISSING - 1 if code is None else code)
    at = np.flatnonzero(same)
    pieces = np.flatnonzero(np.isin(of_piece, at)) if len(at) else at
    return int(pieces[0]) if len(pieces) else None

"""The tables of a release, read afresh: the cells of every record, and the record that it hangs on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.release.tables import PublishedTable
from incrowd.verification._rows import Rows

Numbers = NDArray[np.int64]
Value = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A table as it was read."""

    claimed: PublishedTable
    columns: tuple[str, ...]
    """All columns that the table has."""
    records: int
    codes: dict[str, Numbers]
    """By column the cell of each record: code c stands for texts[column][c]."""
    texts: dict[str, list[str | None]]

    def classes(self, columns: Sequence[str]) -> tuple[Numbers, int]:
        """Return a number for each record, equal where its cells are, and how many there are."""
        found, n = np.zeros(self.records, dtype=np.int64), 1
        for name in columns:
            found, n = paired(found, self.codes[name], len(self.texts[name]))
        return found, n

    def values(self, columns: Sequence[str]) -> list[Value]:
        """Return the cells of each record in some columns."""
        texts = [[self.texts[name][code] for code in self.codes[name].tolist()] for name in columns]
        return list(zip(*texts, strict=True))


def keys_in(claimed: PublishedTable) -> list[str]:
    """Return the key columns of a table."""
    return [name for name in (claimed.key, claimed.on) if name is not None]


def cells_in(claimed: PublishedTable) -> list[str]:
    """Return all columns of a table but its keys."""
    return [*(column.name for column in claimed.quasi), *claimed.sensitive, *claimed.kept]


def read_table(
    claimed: PublishedTable, rows: Rows, with_kept: bool = False, keys: Mapping[str, Sequence[str]] | None = None
) -> ReadTable:
    """Read the keys, quasi-identifiers and sensitive columns of a table; those that it lacks are not read.

    `keys` are the columns of each key, if they are not as published.
    """
    kept = claimed.kept if with_kept else ()
    own = keys_in(claimed) if keys is None else [name for columns in keys.values() for name in columns]
    wanted = [*own, *(column.name for column in claimed.quasi), *claimed.sensitive, *kept]
    wanted = [name for name in dict.fromkeys(wanted) if name in rows.columns]
    known: list[dict[str | None, int]] = [{} for _ in wanted]
    parts: list[list[Numbers]] = [[np.empty(0, dtype=np.int64)] for _ in wanted]
    records = 0
    for batch in rows.batches(wanted or rows.columns[:1]):
        records += len(batch[0].codes)
        for cells, of, into in zip(batch, known, parts, strict=False):
            lookup = np.array([of.setdefault(text, len(of)) for text in cells.texts], dtype=np.int64)
            into.append(lookup[cells.codes])
    codes = {name: np.concatenate(into) for name, into in zip(wanted, parts, strict=True)}
    texts = {name: list(of) for name, of in zip(wanted, known, strict=True)}
    return ReadTable(claimed, tuple(rows.columns), records, codes, texts)


def paired(one: Numbers, other: Numbers, n_other: int) -> tuple[Numbers, int]:
    """Return a number for each pair, and how many there are."""
    pairs, numbers = np.unique(one * max(1, n_other) + other, return_inverse=True)
    return numbers.reshape(-1).astype(np.int64), len(pairs)


def key_faults(table: ReadTable) -> int:
    """Return how many records have no key of their own, or that of another record."""
    key = table.claimed.key
    if key is None:
        return 0
    codes, texts = table.codes[key], table.texts[key]
    missing = [at for at, text in enumerate(texts) if text is None]
    there = codes[~np.isin(codes, missing)]
    return table.records - len(np.unique(there))


def rows_above(table: ReadTable, above: ReadTable) -> Numbers:
    """Return for each record the one that it hangs on, -1 if its key leads nowhere."""
    assert table.claimed.on is not None
    assert above.claimed.key is not None
    own, there = table.claimed.on, above.claimed.key
    row_of_code = np.full(len(above.texts[there]) + 1, -1, dtype=np.int64)
    row_of_code[above.codes[there]] = np.arange(above.records)
    code_of: dict[str | None, int] = {text: code for code, text in enumerate(above.texts[there]) if text is not None}
    rows = np.array([row_of_code[code_of.get(text, -1)] for text in table.texts[own]], dtype=np.int64)
    found: Numbers = rows[table.codes[own]] if table.records else np.empty(0, dtype=np.int64)
    return found

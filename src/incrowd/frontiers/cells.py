"""The cells of quasi-identifiers in a release: the shares that are unchanged and that are suppressed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from incrowd.anonymization.claims import SearchResult
from incrowd.core.hierarchy import plain, text_forms
from incrowd.recodings import PublishedColumn, RecodingMap
from incrowd.searches import LocalOutcome

_WHOLE = 1 - 1e-12
"""A cell that spans so much of its domain spans all of it, but for rounding."""


class CellShares(NamedTuple):
    """Shares of the cells that the quasi-identifiers have in all records; what remains was generalized."""

    kept: float
    """Published as they were."""
    wiped: float
    """Cells of suppressed records, and cells that may be any value of their column."""


def cell_shares(found: SearchResult) -> CellShares:
    """Return the shares of kept and suppressed cells of a release."""
    recoding, columns = found.recoding, len(found.levels)
    records = found.prepared.counted.records
    kept = wiped = 0
    for at, column in enumerate(recoding.columns[:columns]):
        if column is None:
            kept += recoding.records
        else:
            as_it_was = _as_it_was(recoding, at, column)
            kept += int(recoding.counts[recoding.kept & as_it_was].sum())
            wiped += _of_groups(found, at) if found.losses is not None else _on_top(found, at, column, as_it_was)
    left_out = (records - recoding.records) * columns
    cells = max(1, records * columns)
    return CellShares(kept / cells, (wiped + left_out) / cells)


def _as_it_was(recoding: RecodingMap, at: int, column: PublishedColumn) -> NDArray[np.bool_]:
    """Return whether each piece publishes its own value."""
    values = plain(recoding.combinations.values[at])
    texts: list[tuple[str | None, ...]] = [(None,), *map(text_forms, values)]
    pairs = np.stack([recoding.codes(at), column.codes])
    distinct, of = np.unique(pairs, axis=1, return_inverse=True)
    alike = [column.labels[label] in texts[code] for code, label in distinct.T.tolist()]
    return np.array(alike, dtype=np.bool_)[of.reshape(-1)]


def _on_top(found: SearchResult, at: int, column: PublishedColumn, as_it_was: NDArray[np.bool_]) -> int:
    """Return how many records have the top of the hierarchy in a column and had another value."""
    top = found.prepared.problem.ladders[at].hierarchy.labels[-1][0]
    is_top = np.array([label == top for label in column.labels], dtype=np.bool_)[column.codes]
    return int(found.recoding.counts[found.recoding.kept & is_top & ~as_it_was].sum())


def _of_groups(found: SearchResult, at: int) -> int:
    """Return how many records are in groups that span the whole domain of a column."""
    assert isinstance(found.outcome, LocalOutcome)
    groups = found.outcome.groups
    of = groups.group[groups.kept]
    spread = found.prepared.problem.axes[at].cells(groups.published.codes[at], of, groups.n).spread
    return int(groups.counts[groups.kept][spread[of] >= _WHOLE].sum())

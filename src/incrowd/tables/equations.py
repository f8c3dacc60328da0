"""The equations of a table: every subtotal is the sum of its parts, along every axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.axis import Axis


def equations(axes: Sequence[Axis]) -> Any:
    """Return a sparse matrix over all cells, margins included: each row is one subtotal minus its parts, which is 0."""
    from scipy.sparse import csr_array

    shape = tuple(len(axis) for axis in axes)
    cells = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
    entries: list[NDArray[np.int64]] = []
    signs: list[NDArray[np.float64]] = []
    rows: list[NDArray[np.int64]] = []
    first = 0
    for at, axis in enumerate(axes):
        for node in axis.inner():
            parts = axis.children(node)
            lines = np.moveaxis(cells, at, -1).reshape(-1, shape[at])[:, [node, *parts]]
            entries.append(lines.ravel())
            signs.append(np.tile([1.0, *[-1.0] * len(parts)], len(lines)))
            rows.append(np.repeat(np.arange(first, first + len(lines)), len(parts) + 1))
            first += len(lines)
    joined = (np.concatenate(signs), (np.concatenate(rows), np.concatenate(entries)))
    return csr_array(joined, shape=(first, cells.size))


def summed(leaves: NDArray[Any], axes: Sequence[Axis]) -> NDArray[Any]:
    """Return all cells, margins included, from those of the categories; leading dimensions before the axes stay."""
    before = leaves.ndim - len(axes)
    for at, axis in enumerate(axes):
        along = np.moveaxis(leaves, before + at, 0)
        full = np.zeros((len(axis), *along.shape[1:]), dtype=leaves.dtype)
        full[: len(along)] = along
        for node in axis.inner():
            full[node] = full[axis.children(node)].sum(axis=0)
        leaves = np.moveaxis(full, 0, before + at)
    return np.ascontiguousarray(leaves)


def largest(leaves: NDArray[Any], axes: Sequence[Axis]) -> NDArray[Any]:
    """Return the same for the largest contributions, which come first, one per leading position."""
    most = len(leaves)
    for at, axis in enumerate(axes):
        along = np.moveaxis(leaves, 1 + at, 1)
        full = np.zeros((most, len(axis), *along.shape[2:]), dtype=leaves.dtype)
        full[:, : along.shape[1]] = along
        for node in axis.inner():
            parts = full[:, axis.children(node)]
            joined = parts.reshape(-1, *parts.shape[2:])
            full[:, node] = -np.sort(-joined, axis=0)[:most]
        leaves = np.moveaxis(full, 1, 1 + at)
    return np.ascontiguousarray(leaves)

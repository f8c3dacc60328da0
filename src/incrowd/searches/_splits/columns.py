"""Axes as the kernel that cuts takes them: all columns one after another."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, Kind

_LINE, _SET, _TREE, _LEAVES = range(4)


def split_columns(axes: Sequence[Axis], weights: Sequence[float], anywhere: bool) -> tuple[NDArray[Any], ...]:
    """Return kinds, ranks, levels, begins, places and above of all columns; `anywhere`: trees are cut between any
    leaves."""
    places, above = [], []
    for axis, weight in zip(axes, weights, strict=True):
        by_level, nodes = _tree(axis) if axis.kind == Kind.TREE else _line(axis)
        places.append(weight * by_level)
        above.append(nodes)
    tree = _LEAVES if anywhere else _TREE
    kinds = [tree if a.kind == Kind.TREE else _SET if a.kind == Kind.SET else _LINE for a in axes]
    sizes = [each.size for each in places]
    return (
        np.array(kinds, dtype=np.int32),
        np.array([len(axis.rank) for axis in axes], dtype=np.int32),
        np.array([len(each) for each in places], dtype=np.int32),
        np.append(0, np.cumsum(sizes))[: len(sizes)].astype(np.int64),
        np.concatenate([each.reshape(-1) for each in places]).astype(np.float64),
        np.concatenate([each.reshape(-1) for each in above]).astype(np.int32),
    )


def _tree(axis: Axis) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return by level and rank the cover of the node above, and its number."""
    assert axis.ladder is not None
    return np.array(axis.covered)[:, axis.code], np.array(axis.ladder.up)[:, axis.code]


def _line(axis: Axis) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return where each rank lies, as a share of the domain; missing, the first rank, spans all of it with any
    other."""
    places = np.array(axis.places, dtype=np.float64)
    if len(places) > 1:
        places = (places - places[1]) / (axis.span or 1.0)
    places[0] = 1.0
    return places[None, :], np.zeros((1, len(places)), dtype=np.int32)

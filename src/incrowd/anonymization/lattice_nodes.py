"""The nodes of a lattice: the levels of each, whether it satisfies the models, and what is known of its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from incrowd.core.brief import Brief
from incrowd.results import Result, flat
from incrowd.text import count, table

if TYPE_CHECKING:
    from incrowd.charts import Chart

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]
_BEST = 10
"""Nodes that are printed."""


class State(StrEnum):
    """Whether a node satisfies the models within the suppression limit."""

    UNKNOWN = "unknown"
    SATISFIED = "satisfied"
    NOT_SATISFIED = "not satisfied"


STATES = tuple(State)
"""By their code in `LatticeNodes.state`."""
UNKNOWN, SATISFIED, NOT_SATISFIED = range(3)
SORTS = ("score", "suppressed", "smallest", "height")
"""The keys that nodes may be sorted by; height is the sum of the levels."""


@dataclass(frozen=True)
class NodeFilter:
    """Which nodes are wanted, and in which order."""

    levels: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By column the lowest and the highest level."""
    states: Sequence[State] = STATES
    score: tuple[float, float] = (-inf, inf)
    """The lowest and the highest score; of a node whose score is not known its bound counts."""
    height: int | None = None
    sort: str = "score"
    descending: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class LatticeNodes(Brief, Result):
    """Every node of a lattice, in the order of its levels, the last column running fastest."""

    columns: tuple[str, ...]
    bottom: tuple[int, ...]
    top: tuple[int, ...]
    metric: str
    counted: int
    """Nodes that were counted; the state of others follows from them or is unknown."""
    state: NDArray[np.uint8]
    bound: Numbers
    """No release at the node scores less than this."""
    score: Numbers
    """NaN where it is not known, as in the next ones -1."""
    suppressed: Counts
    smallest: Counts
    classes: Counts
    stopped: str | None = None
    """The reason why it ended early, if it did."""

    def __len__(self) -> int:
        return len(self.state)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the number of levels of each column."""
        return tuple(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    def levels(self, nodes: Counts) -> Counts:
        """Return nodes x columns: the levels of some nodes."""
        found: Counts = np.stack(np.unravel_index(nodes, self.shape), axis=1) + np.array(self.bottom)
        return found

    def number(self, levels: Mapping[str, int]) -> int | None:
        """Return the number of a node; None if it is not in the lattice."""
        at = [levels.get(name, -1) - low for name, low in zip(self.columns, self.bottom, strict=True)]
        inside = all(0 <= step < size for step, size in zip(at, self.shape, strict=True))
        return int(np.ravel_multi_index(tuple(at), self.shape)) if inside else None

    @property
    def heights(self) -> Counts:
        """Return the sum of the levels of each node."""
        found = np.full(self.shape, sum(self.bottom), dtype=np.int64)
        for axis, size in enumerate(self.shape):
            found += np.arange(size).reshape([-1 if at == axis else 1 for at in range(len(self.shape))])
        return found.reshape(-1)

    def select(self, wanted: NodeFilter) -> Counts:
        """Return the numbers of the wanted nodes, sorted; those of which the number to sort by is unknown come last."""
        asked = [int(STATES.index(each)) for each in wanted.states]
        kept = np.isin(self.state, asked)
        inside = np.zeros(self.shape, dtype=np.bool_)
        inside[tuple(self._slices(wanted.levels))] = True
        kept &= inside.reshape(-1)
        heights = self.heights
        if wanted.height is not None:
            kept &= heights == wanted.height
        known = np.where(np.isnan(self.score), self.bound, self.score)
        low, high = wanted.score
        kept &= (known >= low) & (known <= high)
        found = np.flatnonzero(kept)
        by = {"score": self.score, "suppressed": _known(self.suppressed), "smallest": _known(self.smallest)}
        keys = by.get(wanted.sort, heights.astype(np.float64))[found]
        keys = np.where(np.isnan(keys), np.inf, -keys if wanted.descending else keys)
        order: Counts = found[np.lexsort((heights[found], known[found], keys))]
        return order

    def _slices(self, levels: Mapping[str, tuple[int, int]]) -> list[slice]:
        slices = []
        for name, low, high in zip(self.columns, self.bottom, self.top, strict=True):
            first, last = levels.get(name, (low, high))
            slices.append(slice(max(0, first - low), max(0, last - low + 1)))
        return slices

    def learn(self, other: LatticeNodes) -> None:
        """Take over what another count of some of the nodes knows."""
        inside = np.ones(len(other), dtype=np.bool_)
        levels = other.levels(np.arange(len(other)))
        for at, (low, high) in enumerate(zip(self.bottom, self.top, strict=True)):
            inside &= (levels[:, at] >= low) & (levels[:, at] <= high)
        steps = levels[inside] - np.array(self.bottom)
        own = np.ravel_multi_index(tuple(steps.T), self.shape)
        for name in _FACTS:
            theirs, known = getattr(other, name)[inside], _is_known(name, getattr(other, name)[inside])
            getattr(self, name)[own[known]] = theirs[known]

    def by_height(self, nodes: Counts) -> list[dict[str, int]]:
        """Return for each sum of levels how many of the nodes are in each state."""
        heights = self.heights[nodes]
        rows = []
        for height in np.unique(heights).tolist():
            states = np.bincount(self.state[nodes[heights == height]], minlength=len(STATES)).tolist()
            rows.append({"height": height, **{str(name): each for name, each in zip(STATES, states, strict=True)}})
        return rows

    def rows(self, nodes: Counts) -> dict[int, list[int]]:
        """Return some nodes by the sum of their levels, in order."""
        heights = self.heights[nodes]
        return {height: np.sort(nodes[heights == height]).tolist() for height in np.unique(heights).tolist()}

    def edges(self, nodes: Counts) -> list[tuple[int, int]]:
        """Return the pairs of some nodes that differ by one level in one column, the lower one first."""
        there, found = np.sort(nodes), list[tuple[int, int]]()
        steps = np.stack(np.unravel_index(there, self.shape), axis=1)
        for column, size in enumerate(self.shape):
            stride = int(np.prod(self.shape[column + 1 :], dtype=np.int64))
            low = there[(steps[:, column] + 1 < size) & np.isin(there + stride, there)]
            found += zip(low.tolist(), (low + stride).tolist(), strict=True)
        return found

    def node(self, number: int) -> dict[str, Any]:
        """Return a node as plain data; None for what is not known."""
        [levels] = self.levels(np.array([number])).tolist()
        score = float(self.score[number])
        return {
            "levels": dict(zip(self.columns, levels, strict=True)),
            "state": str(STATES[int(self.state[number])]),
            "score": score if isfinite(score) else None,
            "bound": float(self.bound[number]),
            **{
                name: None if getattr(self, name)[number] < 0 else int(getattr(self, name)[number])
                for name in ("suppressed", "smallest", "classes")
            },
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: how much is known, and every node."""
        return {**self.summary(), "nodes": [self.node(number) for number in range(len(self))]}

    def summary(self) -> dict[str, Any]:
        """Return how many nodes there are of each state."""
        states = np.bincount(self.state, minlength=len(STATES)).tolist()
        return {
            "columns": list(self.columns),
            "bottom": list(self.bottom),
            "top": list(self.top),
            "metric": self.metric,
            "counted": self.counted,
            "states": {str(name): each for name, each in zip(STATES, states, strict=True)},
            "stopped": self.stopped,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for every node, with a column for each level."""
        return [flat(self.node(number)) for number in range(len(self))]

    def parts(self) -> list[str]:
        """Return how much is known, and the best nodes."""
        states = self.summary()["states"]
        said = f"{count(len(self), 'node')}, {self.counted:,} counted: "
        said += ", ".join(f"{states[name]:,} {name}" for name in (State.SATISFIED, State.NOT_SATISFIED, State.UNKNOWN))
        lines = [f"{said}."]
        if self.stopped is not None:
            lines.append(f"Partial result: {'time limit reached' if self.stopped == 'time' else 'interrupted'}.")
        best = [self.node(at) for at in self.select(NodeFilter(states=(State.SATISFIED,)))[:_BEST].tolist()]
        rows = [[spelled(each["levels"]), each["score"], each["suppressed"], each["smallest"]] for each in best]
        found = ["\n".join(lines)]
        return [*found, table(("levels", self.metric, "suppressed", "smallest class"), rows)] if rows else found

    def plot(self) -> Chart:
        """Return a picture of the score of the best nodes; lower is better."""
        from incrowd.charts import bars

        best = [self.node(at) for at in self.select(NodeFilter(states=(State.SATISFIED,)))[: 2 * _BEST].tolist()]
        known = [(spelled(each["levels"]), each["score"]) for each in best if each["score"] is not None]
        return bars(known, self.metric)

    def write(self, path: Path) -> None:
        """Write the nodes as a Parquet file: a column for each level, and what is known."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        levels = self.levels(np.arange(len(self)))
        columns = {f"level {name}": levels[:, at].astype(np.int16) for at, name in enumerate(self.columns)}
        facts = {name: getattr(self, name) for name in _FACTS}
        meta = {"metric": self.metric, "counted": str(self.counted), "stopped": self.stopped or ""}
        pq.write_table(pa.table({**columns, **facts}).replace_schema_metadata(meta), path)

    @classmethod
    def read(cls, path: Path) -> LatticeNodes:
        """Return the nodes of such a file."""
        import pyarrow.parquet as pq

        found = pq.read_table(path)
        meta = {key.decode(): value.decode() for key, value in found.schema.metadata.items()}
        names = [name for name in found.column_names if name not in _FACTS]
        levels = [found[name].to_numpy() for name in names]
        return cls(
            tuple(name.removeprefix("level ") for name in names),
            tuple(int(each.min()) for each in levels),
            tuple(int(each.max()) for each in levels),
            meta["metric"],
            int(meta["counted"]),
            **{name: np.array(found[name].to_numpy()) for name in _FACTS},
            stopped=meta["stopped"] or None,
        )


_FACTS = ("state", "bound", "score", "suppressed", "smallest", "classes")


def _is_known(name: str, facts: NDArray[Any]) -> NDArray[np.bool_]:
    if name in ("bound", "score"):
        known: NDArray[np.bool_] = ~np.isnan(facts)
    else:
        known = facts != UNKNOWN if name == "state" else facts >= 0
    return known


def _known(counts: Counts) -> Numbers:
    return np.where(counts < 0, np.nan, counts.astype(np.float64))


def spelled(levels: Mapping[str, int]) -> str:
    """Return the levels of a node as text."""
    return ", ".join(f"{name}={level}" for name, level in levels.items())

"""The nodes of a hierarchy by the texts that name them, and how much of one lies below another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import UsageError

Shares = NDArray[np.float64]

Span = tuple[int, int]
"""The leaves of a node lie side by side: from the first to just before the second."""

Spans = Sequence[Span | None] | NDArray[np.int64]
"""As many nodes."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """Values and labels of one column's hierarchy; a label names one node, or nodes with the same values below."""

    spans: dict[str | None, Span]
    """Missing, None, is a leaf like any other where the hierarchy lists it; else a leaf that only the top covers."""
    leaves: int
    """How many there are, missing where it is listed included."""

    @classmethod
    def of(cls, hierarchy: Hierarchy, name: str) -> "Nodes":
        """Return the nodes; refuse a text that stands for two sets of values."""
        up = [np.append(hierarchy.missing[level], codes) for level, codes in enumerate(hierarchy.codes)]
        listed = hierarchy.lists_missing
        if not listed:
            up = [codes[1:] for codes in up]
        texts: list[str | None] = [*([None] if listed else []), *hierarchy.values]
        # Depth first; lexsort looks at its last key first.
        place = np.empty(len(texts), dtype=np.int64)
        place[np.lexsort(up)] = np.arange(len(texts))
        spans: dict[str | None, Span] = {text: (at, at + 1) for text, at in zip(texts, place.tolist(), strict=True)}
        for level in range(1, hierarchy.height + 1):
            for code, label in enumerate(hierarchy.labels[level]):
                below = place[up[level] == code]
                span = (int(below.min(initial=len(texts))), int(below.max(initial=-1)) + 1)
                if len(below) and spans.setdefault(label, span) != span:
                    raise UsageError.invalid(
                        f"guards on column {name!r}",
                        f"a label on level {level} of its hierarchy names other values elsewhere in it",
                        "give nodes that cover different values different labels",
                    )
        spans.setdefault(None, (len(texts), len(texts) + 1))
        return cls(spans, len(texts))

    def find(self, values: pa.Array) -> list[Span | None]:
        """Return the node that each value names by any of its texts; None where it names none."""
        return [self._named(text_forms(value)) for value in plain(values)]

    def _named(self, forms: Sequence[str]) -> Span | None:
        return next((self.spans[form] for form in forms if form in self.spans), None)

    def below(self, nodes: Spans, guards: Spans) -> Shares:
        """Return nodes x guards: the share of a node's leaves that are below a guard; all are below the top."""
        low, high = np.array(nodes, dtype=np.int64).reshape(-1, 2).T
        first, last = np.array(guards, dtype=np.int64).reshape(-1, 2).T
        common = np.minimum(high[:, None], last) - np.maximum(low[:, None], first)
        shares: Shares = np.maximum(common, 0) / (high - low)[:, None]
        shares[:, last - first == self.leaves] = 1.0
        return shares

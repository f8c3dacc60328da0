"""Overview of a hierarchy: for every level its labels, its loss and its smallest class."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from incrowd import text
from incrowd.core.brief import Brief
from incrowd.core.frequencies import FrequencySet
from incrowd.core.hierarchy import STAYS_MISSING, Hierarchy
from incrowd.core.table import MISSING

_EXAMPLES = 3


@dataclass(frozen=True)
class LevelFacts:
    """One level of a hierarchy along the data."""

    level: int
    labels: int
    """How many the hierarchy has."""
    in_data: int
    """How many of them the data have; missing counts as one."""
    covers: int
    """The most base values that one label stands for."""
    loss: float
    smallest_class: int
    """Records that share the rarest label; 0 for an empty table."""
    examples: tuple[str, ...]
    """A few labels; values of the data only where they may be shown."""


@dataclass(frozen=True, repr=False)
class Overview(Brief):
    """A hierarchy along a column of data."""

    column: str
    records: int
    missing: int
    """Records whose cell is missing."""
    labelled: int
    """The first level on which a missing cell has a label; the top unless the hierarchy lists it."""
    values: int
    """How many different values the data have."""
    domain: int
    """How many base values the hierarchy has."""
    levels: tuple[LevelFacts, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    def parts(self, show_values: bool = False, with_examples: bool = True) -> list[str]:
        """Return the levels as a table for people; values of the data only if they may be shown."""

        def examples(level: int, labels: tuple[str, ...]) -> str:
            if level == 0 and not show_values:
                return "(shown with --show-values)"
            return ", ".join(labels)

        rows = [
            (at.level, at.labels, at.covers, at.loss, at.smallest_class, examples(at.level, at.examples))
            for at in self.levels
        ]
        headers = ("level", "labels", "most values per label", "loss", "smallest class", "examples")
        shown = len(headers) - (not with_examples)
        described = (
            f"{text.printable(self.column)}: {text.count(self.records, 'record')} with "
            f"{text.count(self.values, 'different value')}; {self._missing_text()}.\n"
            f"The hierarchy has {text.count(self.domain, 'base value')} and "
            f"{text.count(len(self.levels) - 1, 'level')} above them."
        )
        return [described, text.table(headers[:shown], [row[:shown] for row in rows])]

    def _missing_text(self) -> str:
        if not self.missing:
            return "no missing values"
        listed = self.labelled < len(self.levels) - 1
        has, stays = ("has", "stays") if self.missing == 1 else ("have", "stay")
        stay = f"{has} a label from level {self.labelled} on" if listed else f"{stays} missing up to the top"
        return f"{text.count(self.missing, 'missing value')}, which {stay}"


def overview(hierarchy: Hierarchy, frequencies: FrequencySet, show_values: bool = False) -> Overview:
    """Return the facts of a hierarchy along a frequency set of its one column."""
    (column,), (values,), (codes,) = frequencies.names, frequencies.values, frequencies.codes
    ladder = hierarchy.along(column, values)
    hidden = () if show_values else hierarchy.values
    return Overview(
        column=column,
        records=frequencies.records,
        missing=int(frequencies.counts[codes == MISSING].sum()),
        labelled=next(level for level, code in enumerate(hierarchy.missing) if code != STAYS_MISSING),
        values=len(values),
        domain=hierarchy.domain,
        levels=tuple(
            _facts(hierarchy, level, _sizes(up[codes], frequencies.counts), hidden)
            for level, up in enumerate(ladder.up)
        ),
    )


def _sizes(codes: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the records of each class of a level."""
    sizes = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(sizes, codes, counts)
    return sizes[sizes > 0]


def _facts(hierarchy: Hierarchy, level: int, sizes: NDArray[np.int64], hidden: Sequence[str]) -> LevelFacts:
    labels = hierarchy.labels[level]
    unseen = frozenset(hidden)
    # A label that is also a value, as where a shallow branch repeats one, tells as much as the value.
    shown = (label for label in labels if label not in unseen or label == hierarchy.labels[-1][0])
    return LevelFacts(
        level=level,
        labels=len(labels),
        in_data=len(sizes),
        covers=int(hierarchy.extent(level).max(initial=0)),
        loss=hierarchy.losses[level],
        smallest_class=int(sizes.min()) if len(sizes) else 0,
        examples=tuple(label for label, _ in zip(shown, range(_EXAMPLES), strict=False)),
    )

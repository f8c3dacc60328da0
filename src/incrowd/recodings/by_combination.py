"""By combination: every combination has a level of its own in each column, as after partial-domain generalization."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from incrowd.core.frequencies import Counts, FrequencySet
from incrowd.core.hierarchy import EncodedHierarchy, text_forms
from incrowd.core.keys import among_used
from incrowd.core.table import Codes
from incrowd.metrics import Generalized, Own
from incrowd.recodings import PublishedColumn, RecodingMap

SUPPRESSED = -1
"""In place of a level: the combination is not published."""


@dataclass(frozen=True, eq=False)
class Texts:
    """The texts of a column on every level: equal numbers are equal texts, whatever the level."""

    numbers: Codes
    """Levels x codes: the number of the text."""
    labels: tuple[str | None, ...]
    """Each text once, None for a missing cell."""

    @classmethod
    def of(cls, ladder: EncodedHierarchy) -> "Texts":
        """Return the texts of a column; with several levels, original values are texts too."""
        number_of: dict[str | None, int] = {None: 0}
        numbers = np.empty((ladder.height + 1, len(ladder.values) + 1), dtype=np.int32)
        for level, codes in enumerate(ladder.up):
            labels = ladder.labels(level) if level else [None, *(text_forms(v)[0] for v in ladder.values.to_pylist())]
            of_label = [number_of.setdefault(label, len(number_of)) for label in labels]
            numbers[level] = np.array(of_label, dtype=np.int32)[codes]
        return cls(numbers, tuple(number_of))

    @property
    def order(self) -> NDArray[np.int64]:
        """The position of each text among all of them, sorted; missing comes first."""
        ranked = sorted(range(len(self.labels)), key=lambda at: (self.labels[at] is not None, self.labels[at] or ""))
        return np.argsort(ranked)


def recode(
    combinations: FrequencySet,
    ladders: Sequence[EncodedHierarchy],
    levels: NDArray[np.int16],
    pieces: tuple[NDArray[np.int64], Counts] | None = None,
) -> RecodingMap:
    """Return the recoding of each combination, or of each piece if they part.

    `levels` are columns x combinations or pieces; SUPPRESSED in any column leaves it out.
    """
    kept = (levels != SUPPRESSED).all(axis=0)
    of = slice(None) if pieces is None else pieces[0]
    columns = [
        _published(ladder, codes[of], own, kept)
        for ladder, codes, own in zip(ladders, combinations.codes, levels, strict=True)
    ]
    return RecodingMap(combinations, kept, tuple(columns), pieces)


def generalized(recoding: RecodingMap, levels: NDArray[np.int16]) -> Generalized:
    """Return the release as a metric sees it: what is published alike is a class, and what is left out is one more."""
    kept = np.flatnonzero(recoding.kept)
    counts = recoding.counts
    classes = recoding.classes(len(levels))
    sizes = np.append(classes.sizes, counts[~recoding.kept].sum())
    return Generalized(
        levels=(),
        sizes=sizes,
        kept=np.arange(len(sizes)) < len(classes),
        origins=np.empty(0, dtype=np.int64),
        own=Own(kept if recoding.pieces is None else recoding.pieces[0][kept], counts[kept], levels[:, kept]),
    )


def _published(
    ladder: EncodedHierarchy, codes: Codes, levels: NDArray[np.int16], kept: NDArray[np.bool_]
) -> PublishedColumn | None:
    if not levels[kept].any():
        return None
    texts = Texts.of(ladder)
    # Only what is published: the list of labels may reach the reader of a release, as the categories of a column.
    used, numbers = among_used(texts.numbers[levels[kept], codes[kept]], len(texts.labels))
    published = np.zeros(len(codes), dtype=np.int32)
    published[kept] = numbers
    return PublishedColumn(published, tuple(texts.labels[number] for number in used))

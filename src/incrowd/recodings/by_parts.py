"""By parts: the values of a column are parted, and every record of a value publishes its part. Set-partitioning."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from incrowd.core.axes import Axis, texts_of
from incrowd.core.hierarchy import EncodedHierarchy, Hierarchy, Row
from incrowd.core.table import MISSING, Codes
from incrowd.errors import UsageError
from incrowd.recodings import Form
from incrowd.recodings.by_group import EVERYTHING, labeled, quoted

PARTS = 1
"""The level of the parts; below it are the values, above it nothing is left."""


def ladder_of_parts(axis: Axis, form: Form, codes: Codes, part: NDArray[np.integer]) -> EncodedHierarchy:
    """Return a hierarchy of three levels: the values, the parts that they are in, and everything.

    A part of one value publishes that value; one of missing cells alone, which are a value like any other, stays
    missing; what holds both publishes `*`, as a group does.
    """
    codes, part = _every_value(axis, codes, part)
    return _ladder(axis, codes, part, _labels(axis, form, codes, part))


def published_ladder(axis: Axis, form: Form, ladder: EncodedHierarchy, published: Codes) -> EncodedHierarchy:
    """Return the parts of a ladder, with labels that name only values of published records: `published` are their
    codes.

    A label with a value that only suppressed records have would disclose it. Such values get `*`, which also covers
    them where the recoding is applied to new data.
    """
    part = np.unique(ladder.up[PARTS][published], return_inverse=True)[1].reshape(-1)
    return _ladder(axis, published, part, _labels(axis, form, published, part))


def _ladder(axis: Axis, codes: Codes, part: NDArray[np.integer], labels: Sequence[str | None]) -> EncodedHierarchy:
    """Return the hierarchy of values, labels of parts, and everything; values without a part become everything at
    once."""
    label_of = {code: labels[of] for code, of in zip(codes.tolist(), part.tolist(), strict=True)}
    texts = [None, *texts_of(axis.values)]
    rows: list[Row] = [
        (texts[code], label_of.get(code, EVERYTHING), EVERYTHING) for code in axis.code.tolist() if code != MISSING
    ]
    missing = label_of.get(MISSING)
    if missing is not None:
        rows.append((None, missing, EVERYTHING))
    # A hierarchy has a value, also where the column has none.
    hierarchy = Hierarchy.from_rows(rows or [(EVERYTHING, EVERYTHING, EVERYTHING)], name=f"the parts of {axis.name!r}")
    return hierarchy.along(axis.name, axis.values)


def level_of(part: NDArray[np.integer]) -> int:
    """Return the level that publishes these parts: the values where each is its own, nothing if there is one part."""
    parts = len(np.unique(part))
    return 0 if parts == len(part) else PARTS if parts > 1 else PARTS + 1


def _every_value(axis: Axis, codes: Codes, part: NDArray[np.integer]) -> tuple[Codes, NDArray[np.integer]]:
    """Return parts that include values of records set aside: each in the part of the value before it."""
    ranks = np.array(
        [rank for rank, code in enumerate(axis.code) if code != MISSING or MISSING in codes], dtype=np.int64
    )
    if not len(codes):
        return axis.code[ranks], np.zeros(len(ranks), dtype=np.int64)
    before = np.searchsorted(axis.rank[codes], ranks, side="right") - 1
    return axis.code[ranks], part[np.maximum(before, 0)]


def _labels(axis: Axis, form: Form, codes: Codes, part: NDArray[np.integer]) -> list[str | None]:
    """Return the label of each part; a value spelled as another part is put between braces, as a set of one."""
    texts = texts_of(axis.values)
    found = labeled(axis, form, codes, part)
    alone = np.bincount(part, minlength=len(found)) == 1
    for code, of in zip(codes.tolist(), part.tolist(), strict=True):
        label = found[of]
        if alone[of] and label is not None and (label == "" or found.count(label) > 1):
            found[of] = "{" + quoted(texts[code - 1], always=True) + "}"
    told = [label for label in found if label is not None]
    if len(set(told)) < len(told):
        raise UsageError.invalid(
            f"parts of column {axis.name!r}",
            "two of them would be spelled alike, because values look like ranges or sets",
            "spell these values otherwise before",
        )
    return found

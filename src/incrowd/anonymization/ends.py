"""Ranges whose ends are published in two columns of their own: age_low and age_high in place of age."""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from incrowd.anonymization.claims import SearchResult
from incrowd.core.axes import Axis
from incrowd.core.numbers import exact
from incrowd.recodings import Form, PublishedColumn, kept_kind
from incrowd.recodings.by_group import EVERYTHING, ends_of
from incrowd.release.ends import columns_of_ends


def with_ends(found: SearchResult) -> SearchResult:
    """Return the recoding with two columns for each whose ends are asked for; its own is not published."""
    problem = found.prepared.problem
    asked = [at for at, form in enumerate(problem.forms) if form == Form.ENDS] if found.losses is not None else []
    if not asked:
        return found
    columns, labels, added = list(found.recoding.columns), dict(found.null_labels), {}
    for at in asked:
        axis, column = problem.axes[at], columns[at]
        assert column is not None, "its cells are in other columns"
        if EVERYTHING in column.labels:
            labels[axis.name] = EVERYTHING
            shown = tuple(None if label == EVERYTHING else label for label in column.labels)
            columns[at] = replace(column, labels=shown)
        pairs = [(None, None) if label in (None, EVERYTHING) else ends_of(label) for label in column.labels]
        for name, ends in zip(columns_of_ends(axis.name), zip(*pairs, strict=True), strict=True):
            added[name] = PublishedColumn(column.codes, tuple(ends), _kind(axis, ends))
    names = {problem.axes[at].name for at in asked}
    shown_columns = tuple(name for name in found.prepared.published if name not in names)
    return replace(
        found,
        recoding=replace(found.recoding, columns=tuple(columns), ends=added),
        prepared=replace(found.prepared, published=shown_columns),
        null_labels=labels,
    )


def _kind(axis: Axis, ends: Sequence[str | None]) -> pa.DataType:
    """Return the type of the ends: that of the values, or of texts what they mean."""
    kind = kept_kind(axis.values.type)
    numbers = [exact(end) for end in ends if end is not None]
    if kind != pa.string() and axis.bounds is None:
        return kind
    if None in numbers:
        return pa.date32()
    return pa.int64() if all(isinstance(number, int) and abs(number) < 2**63 for number in numbers) else pa.float64()

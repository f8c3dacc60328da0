"""The distribution of a column as a few bars: its shape, without values."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from incrowd.proposing.facts import Column

MOST = 12
"""Bars of a column."""


def bars(column: Column) -> tuple[float, ...]:
    """Return shares of the records: those in equal ranges of numbers or times, or of the most frequent values."""
    if not column.distinct:
        return ()
    places = _places(column)
    if places is None:
        counts = np.sort(column.holders)[::-1][:MOST]
    elif column.distinct <= MOST:
        counts = column.holders[np.argsort(places, kind="stable")]
    else:
        counts = np.histogram(places, MOST, weights=column.holders)[0]
    return tuple(round(float(each) / column.records, 4) for each in counts)


def _places(column: Column) -> NDArray[np.float64] | None:
    """Return the place of each value on a line; None if values are not ordered, or written in another way."""
    values = column.values
    kind = pa.float64() if column.is_number else pa.timestamp("us") if column.is_date else None
    if kind is None or pa.types.is_duration(values.type):
        return None
    try:
        if pa.types.is_string(values.type):
            values = pc.utf8_trim_whitespace(values)
            values = pc.replace_substring(values, ",", ".") if column.is_number else values
        found = values.cast(kind, safe=False)
        places = found.cast(pa.int64()).cast(pa.float64(), safe=False) if column.is_date else found
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        # Such as 1.234,5 or 3.4.2021: to read it is not worth a picture.
        return None
    line: NDArray[np.float64] = places.to_numpy(zero_copy_only=False)
    # Beyond the range of timestamps an infinite number may be left.
    return line if np.isfinite(line).all() and np.isfinite(np.ptp(line)) else None

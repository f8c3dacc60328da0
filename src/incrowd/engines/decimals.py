"""Decimal numbers of databases, with any number of digits, in an Arrow type that holds all of them."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.table import text_array

_DIGITS = 38
_MOST_DIGITS = 76
"""Most digits of Arrow's narrow and wide decimal types; numbers with more are text."""


def decimal(whole: int, scale: int) -> pa.DataType:
    """Return the type of numbers with `whole` digits before and `scale` digits after the point."""
    if whole + scale > _MOST_DIGITS:
        return pa.string()
    kind = pa.decimal128 if whole + scale <= _DIGITS else pa.decimal256
    return kind(max(1, whole + scale), scale)


def declared_decimal(kind: Any) -> pa.DataType | None:
    """Return the type of an Ibis column; None if its database allows any number of digits."""
    if kind.precision is None or kind.scale is None:
        return None
    return decimal(kind.precision - kind.scale, kind.scale)


def decimal_of(texts: pa.Array | pa.ChunkedArray) -> pa.DataType:
    """Return the type of numbers written as text; text if one of them is infinite."""
    found = [text for text in pc.unique(with_missing_nan(texts)).to_pylist() if text is not None]
    if not all(text.lstrip("-").replace(".", "", 1).isdecimal() for text in found):
        return pa.string()
    parts = [text.lstrip("-").partition(".") for text in found]
    return decimal(max([len(whole) for whole, _, _ in parts] or [1]), max([len(part) for _, _, part in parts] or [0]))


def with_missing_nan(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return texts of numbers with null in place of NaN."""
    return pc.if_else(pc.equal(texts, text_array(["NaN"])[0]), None, texts)


def widest(rows: Any, columns: Sequence[str]) -> dict[str, pa.DataType]:
    """Return the types of an Ibis table's decimal columns without declared digits, found by a query in its database."""
    asked = {}
    for at, column in enumerate(columns):
        text = rows[column].cast("string").nullif("NaN")
        digits = text.replace("-", "")
        point = digits.find(".")
        asked[f"whole{at}"] = (point >= 0).ifelse(point, digits.length()).max()
        asked[f"scale{at}"] = (point >= 0).ifelse(digits.length() - point - 1, 0).max()
        asked[f"endless{at}"] = text.like("%nf%").max()
    [found] = rows.aggregate(**asked).to_pyarrow().to_pylist()
    return {
        column: pa.string()
        if found[f"endless{at}"]
        else decimal(int(found[f"whole{at}"] or 1), int(found[f"scale{at}"] or 0))
        for at, column in enumerate(columns)
    }

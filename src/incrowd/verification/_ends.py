"""Ranges that a release has in two columns, read as one: 20 and 29 are 20-29."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

import numpy as np

from incrowd.release import Manifest, PublishedQuasi
from incrowd.verification._rows import Batches, Cells, Rows

_FORM = "ends"


def columns_of(column: PublishedQuasi) -> tuple[str, ...]:
    """Return the columns in which a release has a quasi-identifier."""
    return (f"{column.name}_low", f"{column.name}_high") if column.form == _FORM else (column.name,)


def joined(rows: Rows, claims: Manifest) -> Rows:
    """Return the rows with one column for both ends of a range."""
    pairs = {column.name: columns_of(column) for column in claims.quasi if column.form == _FORM}
    pairs = {name: ends for name, ends in pairs.items() if set(ends) <= set(rows.columns)}
    if not pairs:
        return rows
    gone = {end for ends in pairs.values() for end in ends}

    def batches(columns: Sequence[str]) -> Batches:
        wanted = list(dict.fromkeys(part for name in columns for part in pairs.get(name, (name,))))
        for batch in rows.batches(wanted):
            cells = dict(zip(wanted, batch, strict=True))
            yield [_range(*(cells[end] for end in pairs[name])) if name in pairs else cells[name] for name in columns]

    kept = tuple(name for name in rows.columns if name not in gone)
    return rows._replace(columns=(*kept, *pairs), batches=batches)


def _range(low: Cells, high: Cells) -> Cells:
    keys, codes = np.unique(low.codes * max(1, len(high.texts)) + high.codes, return_inverse=True)
    return Cells(codes.reshape(-1).astype(np.int64), list(_texts(keys.tolist(), low.texts, high.texts)))


def _texts(keys: Sequence[int], low: Sequence[str | None], high: Sequence[str | None]) -> Iterator[str | None]:
    for key in keys:
        one, other = low[key // max(1, len(high))], high[key % max(1, len(high))]
        if one is None and other is None:
            yield None
        elif one is None or other is None:
            # Nothing that a release is made of: no record says so, and it covers no value.
            yield f"{one} to {other}"
        else:
            yield _between(_plain(one), _plain(other))


def _between(low: str, high: str) -> str:
    if low == high:
        return low
    return f"{low}-{high}" if low.isdecimal() and high.isdecimal() else f"{low} to {high}"


def _plain(text: str) -> str:
    """Return a number without exponent and needless digits; a day without its midnight."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text.removesuffix(" 00:00:00").removesuffix("T00:00:00")
    if not number.is_finite():
        return text
    digits = f"{number:f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return "0" if digits == "-0" else digits

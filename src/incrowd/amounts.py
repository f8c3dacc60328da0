"""A share or a number of records, as users write it: 0.02, 2%, 100%, 1.0 for all; 1, 20, 1 record."""

import re
from decimal import Decimal, InvalidOperation
from numbers import Integral

from incrowd.errors import AMOUNTS

_COUNTED = re.compile(r"(\d+)(?:\s+records?)?", re.ASCII)
_PERCENT = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*%", re.ASCII)
_DIGITS = 4000
"""Longer texts are no amount: as numbers they would fill the memory."""


def amount(given: object) -> int | Decimal:
    """Return a number of records (int) or a share (Decimal, 0 to 1); raise ValueError if it is neither.

    What is written without a point, an exponent or a percent sign is a number: 1 is one record, 1.0 is all of them.
    """
    if isinstance(given, str):
        return _read(given.strip())
    if isinstance(given, Integral) and not isinstance(given, bool):
        if given < 0:
            raise ValueError(AMOUNTS)
        return int(given)
    return _share(given)


def _read(text: str) -> int | Decimal:
    if len(text) > _DIGITS:
        raise ValueError(AMOUNTS)
    if counted := _COUNTED.fullmatch(text):
        return int(counted[1])
    if percent := _PERCENT.fullmatch(text):
        return _share(Decimal(percent[1]).scaleb(-2))
    return _share(text)


def _share(given: object) -> Decimal:
    """Return a share as the decimal number that was written: 0.29 is 29/100, not the binary number next to it."""
    if isinstance(given, bool):
        raise ValueError(AMOUNTS)
    try:
        share = Decimal(str(given))
    except InvalidOperation:
        raise ValueError(AMOUNTS) from None
    if not share.is_finite() or not 0 <= share <= 1:
        raise ValueError(AMOUNTS)
    return share

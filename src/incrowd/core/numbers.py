"""Numbers as they are written, without the rounding of binary floats."""

import re
from decimal import Decimal
from fractions import Fraction

Number = int | Fraction

_WRITTEN = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST = 400
_BOUND = 10**308
"""Numbers are also measured as floats, which end here."""


def exact(value: object, decimal: str = ".") -> Number | None:
    """Return the number that a value is or spells; None if it is none, such as NaN, a truth value or a very large
    one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < _BOUND else None
    text = str(value).strip().replace(decimal, ".") if isinstance(value, str) else str(value)
    if len(text) > _LONGEST or not _WRITTEN.fullmatch(text):
        return None
    if text.isdecimal():
        return exact(int(text))
    number = Fraction(Decimal(text))
    if abs(number) >= _BOUND:
        return None
    return number.numerator if number.denominator == 1 else number


def written(number: Number) -> str:
    """Return a number in decimal digits, as many as it has."""
    if number.denominator == 1:
        return str(number.numerator)
    places = 1
    while 10**places % number.denominator:
        places += 1
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"

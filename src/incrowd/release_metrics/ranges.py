"""Notations of ranges: 20-29, -5 to 3, [1.5, 2.5), <18, >=65, 65+, 20~29, low..high."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_ONE_SIDED = re.compile(r"(<=|>=|<|>|≤|≥)\s*(.+)", re.DOTALL)
_SEPARATORS = (" to ", "..", "~", ",", ";", "\N{EN DASH}", "-")
"""Separators of two bounds, the least ambiguous first."""
_BOUNDLESS = {"", "*", "inf", "+inf", "-inf", "∞", "+∞", "-∞"}


class Span(NamedTuple):
    """The two ends of a range, as text; None if it has none."""

    low: str | None
    high: str | None
    low_open: bool = False
    """True if the bound itself is excluded."""
    high_open: bool = False


def spans(text: str) -> Iterator[Span]:
    """Yield every way to read a text as a range; those with less ambiguous separators come first."""
    text = text.strip()
    one = _ONE_SIDED.fullmatch(text)
    if one is not None:
        sign, bound = one[1], one[2].strip()
        is_open = sign in "<>"
        yield Span(None, bound, high_open=is_open) if sign in ("<", "<=", "≤") else Span(bound, None, low_open=is_open)
        return
    if text.endswith("+"):
        yield Span(text[:-1].strip(), None)
    bracketed = len(text) > 2 and text[0] in "[(]" and text[-1] in "])["
    low_open, high_open = (text[0] != "[", text[-1] != "]") if bracketed else (False, False)
    inner = text[1:-1] if bracketed else text
    for separator in _SEPARATORS:
        # Without brackets a comma is part of a number or of a name.
        if separator in ",;" and not bracketed:
            continue
        for found in re.finditer(re.escape(separator), inner):
            low, high = inner[: found.start()].strip(), inner[found.end() :].strip()
            if {low, high} - _BOUNDLESS:
                yield Span(_bound(low), _bound(high), low_open, high_open)


def _bound(text: str) -> str | None:
    return None if text in _BOUNDLESS else text

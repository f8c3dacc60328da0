"""Numbers with a decimal comma, and thousands that are separated."""

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa

from incrowd.core.notation import read_notation
from incrowd.core.schema import Notation
from incrowd.noticing.notice import Notice, Settings
from incrowd.proposing.facts import Column, Sureness
from incrowd.proposing.kinds import PLACEHOLDERS

_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", re.ASCII)
_COMMA: tuple[str, Settings] = ("Decimal comma: 1.234,5 is 1234.5", {"normalize": (str(Notation.DECIMAL_COMMA),)})
_POINT: tuple[str, Settings] = ("Decimal point: 1,234.5 is 1234.5", {"normalize": (str(Notation.DECIMAL_POINT),)})


def look(column: Column, steps: Sequence[str], names: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice on numbers that a program would not read as such."""
    if not pa.types.is_string(column.values.type) or set(steps) & {*Notation}:
        return
    texts = [text.strip() for text in column.texts_written if text.strip() not in PLACEHOLDERS]
    signs = [text for text in texts if re.search(r"[0-9][., '\u00a0\u202f\u2019][0-9]|^[+-]?,[0-9]", text)]
    if not signs or any(not any(sign.isdigit() for sign in text) for text in texts):
        return
    comma = all(_reads(text, Notation.DECIMAL_COMMA) for text in texts)
    point = all(_reads(text, Notation.DECIMAL_POINT) for text in texts)
    if not (comma or point) or all(_PLAIN.fullmatch(text) for text in texts):
        return
    if comma and point:
        # Every comma or blank has three digits behind it.
        if not any("," in text for text in texts):
            return
        what = "its numbers may have a decimal comma, or a comma between thousands"
        yield Notice(column.name, what, "they are read as text", (_COMMA, _POINT), Sureness.UNSURE)
        return
    what = "its numbers have a decimal comma" if comma else "its numbers have separated thousands"
    yield Notice(column.name, what, "they are read as text", (_COMMA if comma else _POINT,), Sureness.SURE)


def _reads(text: str, notation: Notation) -> bool:
    """Return whether a text is a number in a notation, and none of the other."""
    read = read_notation(text, [notation])
    if _PLAIN.fullmatch(read) is None:
        return False
    # Under a decimal comma, 1.5 would be read as it is: a number of the other notation.
    return not (notation is Notation.DECIMAL_COMMA and _PLAIN.fullmatch(text) and "." in text and "." in read)

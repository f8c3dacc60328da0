"""Spellings of one value: texts that differ in blanks, case, Unicode form or invisible characters alone.

Beside these steps a manifest claims the notations in which cells were written, and the codes that were missing values.
"""

import re
from collections.abc import Collection
from unicodedata import category, normalize

from incrowd.verification._notation import NOTATIONS, is_read, read_as

_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*", re.ASCII)

_CODE = "missing="
"""Begins the step that takes a code for missing."""
ALL = ("blanks", "case", "unicode")


def normal_form(text: str, steps: Collection[str] = ALL) -> str:
    """Return the text that all spellings of a value share.

    unicode: the composed form (NFC), without characters that are not seen, such as a zero-width space. case: case
    folding. blanks: none around it, and a single space in place of several.
    """
    if _PLAIN.fullmatch(text):
        return text
    # What folding leaves may compose anew.
    while (again := _once(text, steps)) != text:
        text = again
    return text


def is_normal(text: str | None, steps: Collection[str]) -> bool:
    """Return whether a cell is its own normal form; of blanks alone, and of a code for missing, there is none."""
    if text is None:
        return True
    written = not any(step in NOTATIONS and not is_read(text, step) for step in steps)
    # A number that is read from another notation may look like a code: 99,0 is the number 99.
    gone = _is_gone(text, steps) and not any(step in NOTATIONS for step in steps)
    return written and normal_form(text, steps) == text and not gone


def value_of(text: str, steps: Collection[str]) -> str | None:
    """Return the value that a cell means; None if it is missing."""
    if f"{_CODE}{text}" in steps:
        return None
    value = normal_form(text, steps)
    return None if _is_gone(value, steps) else read_as(value, steps)


def _is_gone(text: str, steps: Collection[str]) -> bool:
    return f"{_CODE}{text}" in steps or (text == "" and "blanks" in steps)


def _once(text: str, steps: Collection[str]) -> str:
    if "unicode" in steps:
        text = normalize("NFC", "".join(filter(_is_seen, text)))
    if "case" in steps:
        text = text.casefold()
    return " ".join(text.split()) if "blanks" in steps else text


def _is_seen(sign: str) -> bool:
    """Return whether a character is more than a format or control character; blanks are."""
    return category(sign) not in ("Cf", "Cc") or sign.isspace()

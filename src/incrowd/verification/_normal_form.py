"""Spellings of one value: texts that differ in blanks, case, Unicode form or invisible characters alone."""

import re
from collections.abc import Collection
from unicodedata import category, normalize

_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*", re.ASCII)

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
    """Return whether a cell is its own normal form; of blanks alone there is none."""
    return text is None or (normal_form(text, steps) == text and not (text == "" and "blanks" in steps))


def _once(text: str, steps: Collection[str]) -> str:
    if "unicode" in steps:
        text = normalize("NFC", "".join(filter(_is_seen, text)))
    if "case" in steps:
        text = text.casefold()
    return " ".join(text.split()) if "blanks" in steps else text


def _is_seen(sign: str) -> bool:
    """Return whether a character is more than a format or control character; blanks are."""
    return category(sign) not in ("Cf", "Cc") or sign.isspace()

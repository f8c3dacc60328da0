"""Digits that are codes, not numbers: leading zeros."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from incrowd.noticing.notice import Notice
from incrowd.proposing.facts import Column, Sureness


def look(column: Column, steps: Sequence[str], names: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice on codes with leading zeros."""
    if not pa.types.is_string(column.values.type):
        return
    texts = column.texts_written
    digits = [text for text in texts if text.isascii() and text.isdigit()]
    if len(digits) >= 0.8 * len(texts) and any(len(text) > 1 and text[0] == "0" for text in digits):
        what = "its digits are codes, such as postcodes: some begin with 0"
        yield Notice(column.name, what, "they are read as text and keep their zeros", sureness=Sureness.SURE)

"""One spelling for a value: flu, Flu, "flu " and flu with a zero-width space are four texts and one value."""

import re
import unicodedata
from collections.abc import Collection

import pyarrow as pa

from incrowd.core.schema import Normalize

EVERY_STEP = "/".join(Normalize)
"""All steps, as a command line has them."""


def normal_form(text: str, steps: Collection[str] = tuple(Normalize)) -> str | None:
    """Return the text in which all spellings of its value are published; None if only blanks are left."""
    known: str | None = None
    # Folding may leave what composes anew.
    while text != known:
        known = text
        if Normalize.UNICODE in steps:
            text = unicodedata.normalize("NFC", _visible(text))
        if Normalize.CASE in steps:
            text = text.casefold()
        if Normalize.BLANKS in steps:
            text = re.sub(r"\s+", " ", text).strip()
    return None if not text and Normalize.BLANKS in steps else text


def spellings(values: pa.Array) -> int:
    """Return how many of a column's distinct values are another spelling of one of the others."""
    if not is_text(values.type):
        return 0
    texts = values.drop_null().to_pylist()
    return len(texts) - len({normal_form(text) for text in texts})


def is_text(kind: pa.DataType) -> bool:
    """Return whether cells of a type are texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def respelled(cells: pa.Array, steps: Collection[str], missing: Collection[str] = ()) -> pa.Array:
    """Return the cells of a column in their normal form; cells that are not text, or are missing, stay."""
    coded = pa.types.is_dictionary(cells.type)
    kind = cells.type.value_type if coded else cells.type
    if not is_text(kind):
        return cells
    found = cells if coded else cells.dictionary_encode()
    texts = found.dictionary.to_pylist()
    forms = [text if text is None or text in missing else normal_form(text, steps) for text in texts]
    return cells if forms == texts else pa.array(forms, kind).take(found.indices)


def _visible(text: str) -> str:
    """Return the text without format and control characters that are not blanks."""
    if text.isprintable():
        return text
    hidden = {sign for sign in text if unicodedata.category(sign) in ("Cf", "Cc") and not sign.isspace()}
    return text.translate(dict.fromkeys(map(ord, hidden)))

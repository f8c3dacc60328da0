"""One spelling for a value: flu, Flu, "flu " and flu with a zero-width space are four texts and one value.

The steps to it are those of Normalize, the notations in which the cells are written (core.notation), and `missing=TEXT`
for each code for missing, which is no value at all.
"""

import re
import unicodedata
from collections.abc import Collection
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.core.notation import read_notation
from incrowd.core.schema import Normalize, Notation

_CODE = "missing="
"""Begins the step that takes a code for missing."""

_PLAIN = "^[!-~]+( [!-~]+)*$"
"""Texts of ASCII with single blanks between words: their normal form is in lower case, and otherwise the same."""
NOTATIONS = frozenset(map(str, Notation))
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", re.ASCII)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_DIGITS_OF_WHOLE = 18

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


def missing_steps(codes: Collection[str]) -> tuple[str, ...]:
    """Return the steps that take codes for missing."""
    return tuple(f"{_CODE}{code}" for code in codes)


def codes_for_missing(steps: Collection[str]) -> frozenset[str]:
    """Return the codes that steps take for missing."""
    return frozenset(step.removeprefix(_CODE) for step in steps if step.startswith(_CODE))


def spelling_steps(steps: Collection[str]) -> tuple[str, ...]:
    """Return the steps that can be taken again and again: those that merge spellings."""
    return tuple(step for step in steps if step in tuple(Normalize))


def read_cell(text: str, steps: Collection[str]) -> str | None:
    """Return the value that a cell means; None if it is missing. It is read once: 1,234 may be 1.234, and that 1234."""
    gone = codes_for_missing(steps)
    form = None if text in gone else normal_form(text, steps)
    return None if form is None or form in gone else read_notation(form, steps)


def spellings(values: pa.Array) -> int:
    """Return how many of a column's distinct values are another spelling of one of the others."""
    if not is_text(values.type):
        return 0
    given = values.drop_null()
    # Of most texts, Arrow tells the form at once.
    plain = pc.match_substring_regex(given, _PLAIN)
    forms = pc.unique(pc.ascii_lower(given.filter(plain)))
    others = {normal_form(text) for text in given.filter(pc.invert(plain)).to_pylist()}
    known = pc.is_in(pa.array([*others], given.type), forms)
    return len(given) - len(forms) - len(others) + int(pc.sum(known).as_py() or 0)


def is_text(kind: pa.DataType) -> bool:
    """Return whether cells of a type are texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def respelled(cells: pa.Array, steps: Collection[str], missing: Collection[str] = ()) -> pa.Array:
    """Return the cells of a column as they are read: in their normal form, codes for missing as missing.

    Cells that are not text keep their type, except serial numbers that are read as dates.
    """
    coded = pa.types.is_dictionary(cells.type)
    kind = cells.type.value_type if coded else cells.type
    found = cells if coded else cells.dictionary_encode()
    if not is_text(kind):
        forms = _of_numbers(found.dictionary, steps)
        return cells if forms is None else forms.take(found.indices)
    texts = found.dictionary.to_pylist()
    read = [text if text is None or text in missing else read_cell(text, steps) for text in texts]
    return cells if read == texts else pa.array(read, kind).take(found.indices)


def read_kind(values: pa.Array, steps: Collection[str]) -> pa.DataType | None:
    """Return the type of the values of a column that is read from a notation, if all of them have it; None if they stay
    texts: some are neither numbers nor dates, or a float would not be the same number."""
    if not NOTATIONS.intersection(steps) or not is_text(values.type):
        return None
    texts = values.unique().drop_null().to_pylist()
    if not texts:
        return None
    if all(_ISO_DATE.fullmatch(text) for text in texts):
        return pa.date32()
    if any(_NUMBER.fullmatch(text) is None for text in texts):
        return None
    if all("." not in text and len(text) <= _DIGITS_OF_WHOLE for text in texts):
        return pa.int64()
    same = all(Decimal(repr(float(text))) == Decimal(text) for text in texts)
    return pa.float64() if same else None


def _of_numbers(values: pa.Array, steps: Collection[str]) -> pa.Array | None:
    """Return values that are not text as they are read; None if they stay as they are."""
    gone = codes_for_missing(steps)
    dates = Notation.EXCEL_DATE in steps and (pa.types.is_integer(values.type) or pa.types.is_floating(values.type))
    if not gone and not dates:
        return None
    texts = [_as_text(value) for value in values.to_pylist()]
    # A file of texts has -9.0 where a column of numbers has -9.
    kept = [
        text is not None and text not in gone and str(value) not in gone
        for text, value in zip(texts, values.to_pylist(), strict=True)
    ]
    if dates:
        return pa.array([read_cell(str(text), steps) if keep else None for text, keep in zip(texts, kept, strict=True)])
    return None if all(kept) else pc.if_else(pa.array(kept, pa.bool_()), values, None)


def _as_text(value: object) -> str | None:
    """Return the shortest text of a number: frames turn whole numbers into floats as soon as one of them is missing."""
    if value is None or value != value:
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _visible(text: str) -> str:
    """Return the text without format and control characters that are not blanks."""
    if text.isprintable():
        return text
    hidden = {sign for sign in text if unicodedata.category(sign) in ("Cf", "Cc") and not sign.isspace()}
    return text.translate(dict.fromkeys(map(ord, hidden)))

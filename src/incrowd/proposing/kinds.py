"""The type of a column, from how its distinct values are written; nothing is converted."""

from enum import StrEnum

import pyarrow as pa
import pyarrow.compute as pc


class Kind(StrEnum):
    """The type of a column's values."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    DATE = "date"
    TIMESTAMP = "timestamp"
    BOOLEAN = "boolean"
    MIXED = "mixed"
    """Text of which at least half are numbers or dates."""
    EMPTY = "empty"
    """No value at all."""


_TRUTHS = tuple(
    frozenset(pair.split("/"))
    for pair in (
        *("yes/no", "y/n", "t/f", "on/off", "ja/nein", "j/n", "oui/non", "o/n", "si/no", "sí/no", "ja/nee", "sì/no"),
        *("wahr/falsch", "vrai/faux", "vero/falso", "verdadero/falso", "verdadeiro/falso", "sim/não", "sim/nao"),
        *("ja/nej", "ja/nei", "kyllä/ei", "tak/nie", "ano/ne", "igen/nem", "evet/hay\u0131r", "да/нет"),
    )
)
_TRUE_FALSE = frozenset({"true", "false"})
_MOST_TRUTHS = 12
"""Ways of writing two truth values, upper and lower case included; more distinct values are no truth values."""

_WHOLE = "(0|[1-9][0-9]*)"
_EXPONENT = "([eE][+-]?[0-9]+)?"
_INTEGER = f"[+-]?{_WHOLE}"
_NUMBER = (
    f"[+-]?({_WHOLE}([.,][0-9]*)?|[.,][0-9]+){_EXPONENT}"
    r"|[+-]?[1-9][0-9]{0,2}((,[0-9]{3})+([.][0-9]+)?|([.][0-9]{3})+(,[0-9]+)?)"
)

_YEAR, _YEAR_FULL = "([0-9]{4}|[0-9]{2})", "[0-9]{4}"
_MONTH, _MONTH_FULL = "(0?[1-9]|1[0-2])", "(0[1-9]|1[0-2])"
_DAY, _DAY_FULL = "(0?[1-9]|[12][0-9]|3[01])", "(0[1-9]|[12][0-9]|3[01])"
_DATES = (
    f"{_YEAR_FULL}-{_MONTH_FULL}(-{_DAY_FULL})?",
    f"{_YEAR_FULL}/{_MONTH}/{_DAY}",
    f"{_DAY}/{_MONTH}/{_YEAR}",
    f"{_MONTH}/{_DAY}/{_YEAR}",
    f"{_DAY}[.] ?{_MONTH}[.] ?{_YEAR}",
    f"{_DAY}-{_MONTH}-{_YEAR_FULL}",
)
_TIME = r"([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)? ?([aApP][mM])?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"

_WRITTEN: tuple[tuple[Kind, str], ...] = (
    (Kind.INTEGER, _INTEGER),
    (Kind.NUMBER, _NUMBER),
    *((Kind.DATE, form) for form in _DATES),
    # A column may hold dates with and without a time; it takes one order of day and month for all of them.
    *((Kind.TIMESTAMP, form + _TIME) for form in _DATES),
)
_PADDED = "0[0-9]+"
"""A code with leading zeros: where one is, digits are no numbers."""

_HEAD = 1000
"""The number of values that refute most forms before all of them are checked."""


def kind_of(values: pa.Array) -> Kind:
    """Return the type of distinct values."""
    if len(values) == 0:
        return Kind.EMPTY
    if not pa.types.is_string(values.type):
        return _of_arrow(values.type)
    if _are_truths(values):
        return Kind.BOOLEAN
    for kind, form in _WRITTEN:
        if _all_written(values, form):
            return kind
    known = pc.sum(written(values, "|".join(form for _, form in _WRITTEN))).as_py()
    mixed = 2 * known >= len(values) and not pc.any(written(values, _PADDED)).as_py()
    return Kind.MIXED if mixed else Kind.TEXT


PLACEHOLDERS = (
    *("?", "NA", "N/A", "n/a", "na", "n.a.", "NaN", "nan", "NULL", "null", "#N/A", "#NULL!", ".", "-", "--", "missing"),
    *("Missing", "k.A.", "k. A.", "k.a."),
)
"""Texts that people write for unknown values. Words such as none or unknown may also be answers."""


def placeholders(values: pa.Array) -> tuple[str, ...]:
    """Return the placeholders among distinct values."""
    if not pa.types.is_string(values.type):
        return ()
    return tuple(text for text in PLACEHOLDERS if pc.any(pc.equal(values, text)).as_py())


def written(values: pa.Array, form: str) -> pa.Array:
    """Return for each text whether all of it matches a regular expression; surrounding blanks are ignored."""
    return pc.match_substring_regex(values, rf"^\s*(?:{form})\s*$")


def _all_written(values: pa.Array, form: str) -> bool:
    return all(pc.all(written(part, form), min_count=0).as_py() for part in (values[:_HEAD], values[_HEAD:]))


def _are_truths(values: pa.Array) -> bool:
    if len(values) > _MOST_TRUTHS:
        return False
    words = {text.strip().casefold() for text in values.to_pylist()}
    return words <= _TRUE_FALSE or words in _TRUTHS


def _of_arrow(kind: pa.DataType) -> Kind:
    if pa.types.is_boolean(kind):
        return Kind.BOOLEAN
    if pa.types.is_integer(kind):
        return Kind.INTEGER
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_duration(kind):
        return Kind.NUMBER
    if pa.types.is_date(kind):
        return Kind.DATE
    if pa.types.is_timestamp(kind):
        return Kind.TIMESTAMP
    return Kind.TEXT

"""One value, two spellings: 1 and 1.0, a day with and without its midnight, True and true and 1."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from decimal import Decimal, InvalidOperation
from math import isfinite
from struct import pack, unpack

from incrowd.verification._normal_form import value_of
from incrowd.verification._tally import Tally

_TRUTH = {"true": Decimal(1), "false": Decimal(0)}
"""The types that some databases store them as."""


def respelled(tally: Tally, known: Mapping[str, Collection[str]]) -> Tally:
    """Return the values of some columns as manifest and private record spell them, if these have another spelling."""
    texts = [
        respelled_texts(texts, known[column]) if column in known else texts
        for column, texts in zip(tally.columns, tally.texts, strict=True)
    ]
    return replace(tally, texts=tuple(texts))


def normalized(tally: Tally, steps: Mapping[str, Collection[str]]) -> Tally:
    """Return the values of some columns as they are read, in their normal form."""
    texts = [
        [None if text is None else value_of(text, steps[column]) for text in texts] if steps.get(column) else texts
        for column, texts in zip(tally.columns, tally.texts, strict=True)
    ]
    return replace(tally, texts=tuple(texts))


def respelled_texts(texts: Sequence[str | None], known: Collection[str]) -> list[str | None]:
    """Return texts in the spelling of some known ones; known texts stay, and two texts never become one."""
    found: dict[str | None, str] = {}
    # A later reading takes more texts for one value, so an earlier one comes first.
    for meaning in (_meaning, _truth_as_number, _single_precision):
        strange = [text for text in texts if text is not None and text not in known and text not in found]
        free = _by_meaning(set(known) - {*texts, *found.values()}, meaning)
        alike = _by_meaning(strange, meaning)
        found |= {alike[one][0]: free[one][0] for one in alike if len(alike[one]) == len(free.get(one, ())) == 1}
    return [found.get(text, text) for text in texts]


def _by_meaning(texts: Collection[str], meaning: Callable[[str], object]) -> dict[object, list[str]]:
    found: dict[object, list[str]] = {}
    for text in texts:
        found.setdefault(meaning(text), []).append(text)
    return found


def _meaning(text: str) -> object:
    if text.lower() in _TRUTH:
        return text.lower()
    for reading in (_number, datetime.fromisoformat, time.fromisoformat):
        try:
            return reading(text)
        except ValueError:
            continue
    return text


def _truth_as_number(text: str) -> object:
    return _TRUTH.get(text.lower(), _meaning(text))


def _single_precision(text: str) -> object:
    """Return the short text of a 32-bit number that has a longer text as a 64-bit number."""
    try:
        return unpack("f", pack("f", float(_number(text))))
    except (ValueError, OverflowError):
        return text


def _number(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError from None
    if not isfinite(number):
        raise ValueError
    return number

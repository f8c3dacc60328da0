"""Dates whose order of day and month is open, or that are written in several ways; days as spreadsheets count them."""

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa

from incrowd.core.notation import read_notation
from incrowd.core.schema import Notation
from incrowd.noticing.notice import Notice, Settings
from incrowd.proposing.facts import Column, Sureness
from incrowd.proposing.kinds import PLACEHOLDERS, Kind
from incrowd.proposing.naming import words_of

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: .*)?", re.ASCII)
_SHORT = re.compile(r"[0-9]{1,2}([-/.])[0-9]{1,2}\1[0-9]{2}", re.ASCII)
_DAYS = (7_000, 80_000)
"""Days as spreadsheets count them, from 1919 to 2119."""
_WORDS = frozenset(words_of("date dt day jour giorno dag tag born dob"))
_STEMS = ("date", "datum", "birth", "geburt", "fecha", "naissance", "nacimiento", "nascita")
"""Names of columns with dates."""
_DAY_FIRST: tuple[str, Settings] = ("Day first: 03/04/2021 is 3 April", {"normalize": (str(Notation.DAY_FIRST),)})
_MONTH_FIRST: tuple[str, Settings] = ("Month first: 03/04/2021 is March 4", {"normalize": (str(Notation.MONTH_FIRST),)})
_SERIAL: tuple[str, Settings] = ("Days of a spreadsheet", {"normalize": (str(Notation.EXCEL_DATE),)})


def look(column: Column, steps: Sequence[str], names: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice on dates that can be read in two ways, or in none."""
    if set(steps) & {*Notation}:
        return
    if column.is_number:
        yield from _serials(column)
        return
    if not pa.types.is_string(column.values.type):
        return
    texts = [text.strip() for text in column.texts_written if text.strip() not in PLACEHOLDERS]
    serial = [text for text in texts if _is_serial(text)]
    dates = [text for text in texts if text not in serial]
    if not dates or not texts:
        return
    if all(map(_SHORT.fullmatch, dates)):
        yield Notice(column.name, "its dates have years of two digits", "they are read as text")
        return
    day, month = (_all_dates(dates, order) for order in (Notation.DAY_FIRST, Notation.MONTH_FIRST))
    forms = {re.sub(r"[0-9]+", "9", re.sub(r"[^\W\d_]+", "a", text.partition(" ")[0])) for text in dates}
    if not (day or month):
        if all(_is_date(text) for text in dates):
            what = "some of its dates have the day first, others the month"
            yield Notice(column.name, what, "they are read as text")
        return
    yield from _orders(column.name, day, month, forms, dates, bool(serial))


def _orders(name: str, day: bool, month: bool, forms: set[str], dates: Sequence[str], serial: bool) -> Iterator[Notice]:
    open_order = day and month and not all(_ISO.fullmatch(text) or _has_order(text) for text in dates)
    if open_order:
        dotted = all("." in text for text in dates if not _ISO.fullmatch(text))
        what = "its dates may have the day first or the month first"
        sureness = Sureness.LIKELY if dotted else Sureness.UNSURE
        if len(forms) > 1 or serial or not dotted:
            yield Notice(
                name, what, "they are read as text", _with_serials((_DAY_FIRST, _MONTH_FIRST), serial), sureness
            )
    elif len(forms) > 1 or serial:
        choice = _DAY_FIRST if day else _MONTH_FIRST
        what = "its dates are written in several ways"
        yield Notice(name, what, "they are read as text", _with_serials((choice,), serial), Sureness.SURE)


def _with_serials(choices: Sequence[tuple[str, Settings]], serial: bool) -> tuple[tuple[str, Settings], ...]:
    """Return the choices, which read days of a spreadsheet too if there are any."""
    if not serial:
        return tuple(choices)
    return tuple((label, {"normalize": (*of["normalize"], str(Notation.EXCEL_DATE))}) for label, of in choices)


def _serials(column: Column) -> Iterator[Notice]:
    numbers = column.numbers
    if column.kind is not Kind.INTEGER or len(numbers) < 2 or not _is_named_so(column.name):
        return
    if _DAYS[0] <= numbers[0] and numbers[-1] <= _DAYS[1]:
        what = "its numbers seem to be dates, as spreadsheets count days"
        yield Notice(column.name, what, "they are read as numbers", (_SERIAL,), Sureness.LIKELY)


def _is_named_so(name: str) -> bool:
    return bool(_WORDS & set(words_of(name))) or any(stem in name.casefold() for stem in _STEMS)


def _is_serial(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == 5 and _DAYS[0] <= int(text) <= _DAYS[1]


def _all_dates(texts: Sequence[str], order: Notation) -> bool:
    return all(_ISO.fullmatch(read_notation(text, [order])) for text in texts)


def _is_date(text: str) -> bool:
    return any(_ISO.fullmatch(read_notation(text, [order])) for order in (Notation.DAY_FIRST, Notation.MONTH_FIRST))


def _has_order(text: str) -> bool:
    """Return whether both orders give the same date: the month has a name, or day and month are equal."""
    return read_notation(text, [Notation.DAY_FIRST]) == read_notation(text, [Notation.MONTH_FIRST])

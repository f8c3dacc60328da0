"""Read numbers and dates as people write them: 1.234,5 is 1234.5, and 3.4.2021 is 2021-04-03.

A cell is read once. It looks at a cell alone; what is not written so, such as "unknown" beside numbers, stays.
"""

import re
from collections.abc import Collection
from datetime import date, datetime, timedelta

from incrowd.core.schema import Notation

_SEPARATORS = {Notation.DECIMAL_COMMA: (".", ","), Notation.DECIMAL_POINT: (",", ".")}
"""The sign between thousands, and the one before the fraction."""
_THIN = "' \u00a0\u202f\u2019"
"""Signs that separate thousands in either notation."""
_PLAIN = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?", re.ASCII)

_TIME = r"(?:(?:[Tt]| +)([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?))?"
_ORDERED = re.compile(rf"([0-9]{{1,2}})[-/.] ?([0-9]{{1,2}})[-/.] ?([0-9]{{4}}){_TIME}", re.ASCII)
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})[-/.]([0-9]{{1,2}})[-/.]([0-9]{{1,2}}){_TIME}", re.ASCII)
_NAMED = re.compile(rf"([0-9]{{1,2}})[. -]*([^\W\d_]{{3,10}})[. -]*([0-9]{{4}}){_TIME}")
_MONTHS = (
    "jan january januar janvier enero gennaio",
    "feb february februar février febrero febbraio",
    "mar march märz mrz mars marzo",
    "apr april avril abril aprile",
    "may mai mayo maggio",
    "jun june juni juin junio giugno",
    "jul july juli juillet julio luglio",
    "aug august août agosto",
    "sep sept september septembre septiembre settembre",
    "oct october okt oktober octobre octubre ottobre",
    "nov november novembre noviembre",
    "dec december dez dezember décembre diciembre dicembre",
)
_MONTH_OF = {name: at + 1 for at, names in enumerate(_MONTHS) for name in names.split()}

_SERIAL = re.compile(r"([1-9][0-9]{0,6})(?:\.([0-9]+))?", re.ASCII)
_LAST_SERIAL = 2_958_465
"""31 December 9999."""
_NO_DAY = 60
"""29 February 1900, which spreadsheets count and which never was."""


def read_notation(text: str, notations: Collection[str]) -> str:
    """Return the value that a text means in one of these notations; the text if it is not written so."""
    bare = text.strip()
    for notation in Notation:
        found = _read(bare, notation) if notation in notations else None
        if found is not None:
            return found
    return text


def _read(text: str, notation: Notation) -> str | None:
    if notation in _SEPARATORS:
        return _number(text, *_SEPARATORS[notation])
    if notation is Notation.EXCEL_DATE:
        return _serial(text)
    return _date(text, notation is Notation.DAY_FIRST)


def _number(text: str, group: str, point: str) -> str | None:
    """Return a number with a decimal point and no needless zero; None if the text is no number."""
    grouped = rf"([+-]?)([0-9]{{1,3}}(?:[{re.escape(group + _THIN)}][0-9]{{3}})+|[0-9]*)(?:{re.escape(point)}([0-9]*))?"
    found = re.fullmatch(grouped, text, re.ASCII) or _PLAIN.fullmatch(text)
    if found is None or not (found[2] or found[3]):
        return None
    whole = re.sub(r"[^0-9]", "", found[2]).lstrip("0") or "0"
    fraction = (found[3] or "").rstrip("0")
    number = f"{whole}.{fraction}" if fraction else whole
    return f"-{number}" if found[1] == "-" and number != "0" else number


def _date(text: str, day_first: bool) -> str | None:
    """Return a date as ISO 8601 writes it; years of two digits are not read."""
    if (found := _YEAR_FIRST.fullmatch(text)) is not None:
        year, month, day = map(int, found.groups()[:3])
    elif (found := _ORDERED.fullmatch(text)) is not None:
        first, second, year = map(int, found.groups()[:3])
        day, month = (first, second) if day_first else (second, first)
    elif (found := _NAMED.fullmatch(text)) is not None and found[2].casefold() in _MONTH_OF:
        day, month, year = int(found[1]), _MONTH_OF[found[2].casefold()], int(found[3])
    else:
        return None
    try:
        read = date(year, month, day).isoformat()
    except ValueError:
        return None
    if found[4] is None:
        return read
    hours, colon, others = found[4].partition(":")
    return f"{read} {hours.zfill(2)}{colon}{others}"


def _serial(text: str) -> str | None:
    """Return the day that a spreadsheet's number means, with the time of day that a fraction means."""
    found = _SERIAL.fullmatch(text)
    if found is None or int(found[1]) == _NO_DAY or int(found[1]) > _LAST_SERIAL:
        return None
    days = int(found[1])
    midnight = datetime(1899, 12, 31 if days < _NO_DAY else 30) + timedelta(days=days)
    seconds = round(float(f"0.{found[2] or 0}") * 86_400)
    if not seconds:
        return midnight.date().isoformat()
    try:
        return (midnight + timedelta(seconds=seconds)).isoformat(" ")
    except OverflowError:
        return None

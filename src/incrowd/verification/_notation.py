"""How numbers and dates are written, by code of its own: as an independent reader of original cells and of releases."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from string import digits

NOTATIONS = ("decimal_comma", "decimal_point", "day_first", "month_first", "excel_date")

_POINTS = {"decimal_comma": (",", "."), "decimal_point": (".", ",")}
"""The sign before the fraction, and the one between thousands."""
_GROUPS = "' \u00a0\u202f\u2019"
_MONTHS: tuple[tuple[str, ...], ...] = (
    ("jan", "january", "januar", "janvier", "enero", "gennaio"),
    ("feb", "february", "februar", "février", "febrero", "febbraio"),
    ("mar", "march", "märz", "mrz", "mars", "marzo"),
    ("apr", "april", "avril", "abril", "aprile"),
    ("may", "mai", "mayo", "maggio"),
    ("jun", "june", "juni", "juin", "junio", "giugno"),
    ("jul", "july", "juli", "juillet", "julio", "luglio"),
    ("aug", "august", "août", "agosto"),
    ("sep", "sept", "september", "septembre", "septiembre", "settembre"),
    ("oct", "october", "okt", "oktober", "octobre", "octubre", "ottobre"),
    ("nov", "november", "novembre", "noviembre"),
    ("dec", "december", "dez", "dezember", "décembre", "diciembre", "dicembre"),
)


def read_as(text: str, notations: Collection[str]) -> str:
    """Return the value that a text means in the first of the notations in which it is written."""
    for notation in NOTATIONS:
        if notation in notations:
            found = _read(text.strip(), notation)
            if found is not None:
                return found
    return text


def is_read(text: str, notation: str) -> bool:
    """Return whether a text can be what reading leaves: a plain number or an ISO date, or not written so at all."""
    if notation in _POINTS:
        return _plain_number(text) == text or _read(text.strip(), notation) is None
    return _read(text.strip(), notation) in (None, text)


def _read(text: str, notation: str) -> str | None:
    if notation in _POINTS:
        return _number(text, *_POINTS[notation])
    return _serial(text) if notation == "excel_date" else _date(text, notation == "day_first")


def _number(text: str, point: str, group: str) -> str | None:
    whole, _, fraction = text.partition(point)
    first, *others = _parts(whole.lstrip("+-") if whole[:1] in ("+", "-") else whole, group)
    grouped = bool(others) and 1 <= len(first) <= 3 and all(len(part) == 3 for part in others)
    signed = whole[:1] if whole[:1] in ("+", "-") else ""
    if whole.count("+") + whole.count("-") > len(signed) or (others and not grouped):
        return _plain_number(text)
    if not all(map(_are_digits, (first, fraction, *others))) or not (first or fraction):
        return _plain_number(text)
    return _plain_number(f"{signed}{first or 0}{''.join(others)}.{fraction or 0}")


def _parts(text: str, group: str) -> list[str]:
    """Return the parts of a whole number between the signs that separate thousands."""
    for sign in _GROUPS:
        text = text.replace(sign, group)
    return text.split(group)


def _are_digits(text: str) -> bool:
    return set(text) <= set(digits)


def _plain_number(text: str) -> str | None:
    """Return a number with a decimal point without needless zeros; None for another text."""
    bare = text[1:] if text[:1] in ("+", "-") else text
    whole, point, fraction = bare.partition(".")
    if not whole or (point and not fraction) or not _are_digits(whole + fraction):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number:
        return "0"
    shown = format(number, "f")
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _date(text: str, day_first: bool) -> str | None:
    before, colon, after = text.partition(":")
    if not colon:
        return _day(text, day_first)
    at = max(map(before.rfind, " Tt"))
    hours = before[at + 1 :]
    shown = before[:at].rstrip(" ") if before[at : at + 1] == " " else before[:at]
    day = _day(shown, day_first) if at > 0 else None
    if day is None or not _is_time(f"{hours}:{after}"):
        return None
    return f"{day} {hours.zfill(2)}:{after}"


def _is_time(text: str) -> bool:
    hours, _, others = text.partition(":")
    minutes, found, seconds = others.partition(":")
    whole, point, fraction = seconds.partition(".")
    return (
        1 <= len(hours) <= 2
        and len(minutes) == 2
        and (not found or (len(whole) == 2 and (not point or bool(fraction))))
        and _are_digits(hours + minutes + whole + fraction)
    )


def _day(text: str, day_first: bool) -> str | None:
    """Return a day without its time as ISO 8601 writes it."""
    parts = _by_numbers(text, day_first) or _by_name(text)
    if parts is None:
        return None
    year, month, day = parts
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _by_numbers(text: str, day_first: bool) -> tuple[int, int, int] | None:
    a, b, c = [*(part for part in "".join("/" if sign in "-." else sign for sign in text).split("/")), "", "", ""][:3]
    if sum(sign in "-./" for sign in text) != 2:
        return None
    if len(a) == 4 and _are_digits(a + b + c) and 1 <= len(b) <= 2 and 1 <= len(c) <= 2:
        return int(a), int(b), int(c)
    b, c = b.removeprefix(" "), c.removeprefix(" ")
    if len(c) != 4 or not _are_digits(a + b + c) or not (1 <= len(a) <= 2 and 1 <= len(b) <= 2):
        return None
    return (int(c), int(b), int(a)) if day_first else (int(c), int(a), int(b))


def _by_name(text: str) -> tuple[int, int, int] | None:
    at = next((at for at, sign in enumerate(text) if sign not in digits), 0)
    day, rest = text[:at], text[at:].lstrip(". -")
    name, year = rest[:-4].rstrip(". -").casefold(), rest[-4:]
    month = next((number + 1 for number, names in enumerate(_MONTHS) if name in names), None)
    if month is None or not 1 <= len(day) <= 2 or len(year) != 4 or not _are_digits(year):
        return None
    return int(year), month, int(day)


def _serial(text: str) -> str | None:
    """Return the day that a spreadsheet's number means; spreadsheets count a 29 February 1900, which never was."""
    whole, point, fraction = text.partition(".")
    if not _are_digits(whole + fraction) or not whole or whole[0] == "0" or len(whole) > 7 or (point and not fraction):
        return None
    days = int(whole)
    if days == 60 or days > 2_958_465:
        return None
    day = datetime(1900, 1, 1) + timedelta(days=days - 1 - (days > 60))
    seconds = round(float(f"0.{fraction or 0}") * 86_400)
    try:
        return (day + timedelta(seconds=seconds)).isoformat(" ") if seconds else day.date().isoformat()
    except OverflowError:
        return None

"""Judge values that are written like addresses, accounts and numbers of people; checksums make it certain."""

from collections.abc import Callable
from dataclasses import dataclass

from incrowd.core.schema import Role
from incrowd.proposing.facts import Column, Opinion, Table, of_each

_CERTAIN, _LIKELY, _MAYBE = 0.97, 0.9, 0.75
_DIGITS, _FEWEST = 9, 20
"""Digits that no measurement has, and records that show that each has its own."""
_CHECKED = 200
"""The number of values whose checksum is computed."""
_RIGHT = 0.9
"""The share of right checksums that chance does not reach."""


@dataclass(frozen=True)
class Form:
    """A form in which values that identify a person are written."""

    what: str
    form: str
    certain: bool
    """True if nothing else has this form, whatever the column's name."""


FORMS: tuple[Form, ...] = (
    Form("e-mail addresses", r"[^@\s]+@[^@\s]+\.[^@\s.]{2,}", True),
    Form("web addresses", r"(?i:https?|ftp)://\S+|(?i:www)\.\S+\.\S+", True),
    Form("device addresses", r"([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", True),
    Form("network addresses", r"([0-9]{1,3}\.){3}[0-9]{1,3}|([0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{0,4}", True),
    Form("bank accounts", r"[A-Z]{2}[0-9]{2}( ?[A-Z0-9]{4}){3,7}( ?[A-Z0-9]{1,3})?", True),
    Form("generated keys", r"\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?", True),
    Form("tax codes of people", r"[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]", True),
    Form("initials of people", r"([A-ZÀ-Þ][a-z]?\.[ -]?){2,4}", False),
    Form("long numbers, like those of people or accounts", r"[0-9]{9,20}|0[0-9]{7}", False),
    Form("phone numbers", r"(\+|00|0|\()[0-9]{1,4}\)?[-0-9 ()./]{5,18}[0-9]|[0-9]{3}[-. ][0-9]{3}[-. ][0-9]{4}", False),
    Form("official or card numbers", r"[0-9]{3}-[0-9]{2}-[0-9]{4}|[0-9]{4}([ -][0-9]{4}){2,3}", False),
)


def judge(table: Table) -> dict[str, Opinion]:
    """Return an opinion on every column whose values have such a form."""
    return of_each(table, _look)


def _look(column: Column) -> Opinion | None:
    for what, form, right in _CHECKSUMS:
        if column.has_form(form) and _are_right(column, right):
            return Opinion(Role.IDENTIFIER, f"its values have the checksum of {what}", 0.98)
    # Where many records share each value, only an unmistakable form counts.
    for each in FORMS:
        if (each.certain or not column.is_category) and column.has_form(each.form):
            sure = _CERTAIN if each.certain else _LIKELY if _are_numbers_of_records(column) else _MAYBE
            return Opinion(Role.IDENTIFIER, f"its values look like {each.what}", sure)
    return None


def _are_numbers_of_records(column: Column) -> bool:
    """Return whether each record has a number of its own, all of one length that no measurement has."""
    if column.unique < max(_FEWEST, column.present) or not column.is_whole:
        return False
    return len({len(text) for text in column.texts[:_CHECKED].to_pylist()}) == 1 and column.has_form(
        f"[0-9]{{{_DIGITS},20}}", 1.0
    )


def _are_right(column: Column, right: Callable[[str], bool]) -> bool:
    values = [text.replace(" ", "").replace("-", "") for text in column.texts[:_CHECKED].to_pylist()]
    return sum(map(right, values)) >= max(_RIGHT * len(values), 5)


def _iban(text: str) -> bool:
    """ISO 13616: the digits of the account, the country and the checksum leave 1 when divided by 97."""
    return text.isalnum() and int("".join(str(int(char, 36)) for char in text[4:] + text[:4])) % 97 == 1


def _luhn(text: str) -> bool:
    """ISO/IEC 7812: every second digit from the right doubled, the sum of all digits is a multiple of ten."""
    digits = [int(char) for char in reversed(text) if char.isdecimal()]
    doubled = [digit if at % 2 == 0 else sum(divmod(2 * digit, 10)) for at, digit in enumerate(digits)]
    return len(digits) > 1 and sum(doubled) % 10 == 0


def _eleven(text: str) -> bool:
    """The check of the British NHS number: weights 10 to 2, the check digit completes a multiple of eleven."""
    digits = [int(char) for char in text if char.isdecimal()]
    weighted = sum(digit * weight for digit, weight in zip(digits, range(len(digits), 1, -1), strict=False))
    return len(digits) == 10 and (weighted + digits[-1]) % 11 == 0


def _citizen_service(text: str) -> bool:
    """The check of the Dutch citizen service number: weights 9 to 2, and -1 for the last digit."""
    digits = [int(char) for char in text if char.isdecimal()]
    return len(digits) == 9 and sum(d * w for d, w in zip(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True)) % 11 == 0


def _letter(text: str) -> bool:
    """The letter of the Spanish identity number: the remainder of the number by 23."""
    return text[:-1].isdecimal() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(text[:-1]) % 23] == text[-1].upper()


_CHECKSUMS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("bank accounts", r"[A-Z]{2}[0-9]{2}[A-Z0-9 ]{11,40}", _iban),
    ("card numbers", r"[0-9]{4}([ -]?[0-9]{4}){2,3}", _luhn),
    ("health service numbers", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}", _eleven),
    ("citizen service numbers", r"[0-9]{9}", _citizen_service),
    ("identity numbers", r"[0-9]{8}-?[A-Za-z]", _letter),
)

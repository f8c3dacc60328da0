"""The limit of suppression, and the knowledge of an attacker: as users write them, and as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from incrowd.amounts import amount
from incrowd.core.grid import Allowed, Limit, Suppress, Suppression, Unit, allowed_by
from incrowd.core.knowledge import Known, Knows
from incrowd.errors import AMOUNTS
from incrowd.spelling import read_options, write_options
from incrowd.text import count, percent


def known(given: Any) -> Knows:
    """Return how much of a person an attacker knows; knowing any one record is `record`."""
    if isinstance(given, str) and given in tuple(Known):
        return Known(given)
    number = int(given) if isinstance(given, str) and given.isdecimal() else given
    if isinstance(number, int) and not isinstance(number, bool) and number >= 1:
        return Known.RECORD if number == 1 else number
    raise ValueError("it must be record (any one record of a person), a number of records, or history (all of them)")


_LIMIT_TYPES = {"of": str, "whole": bool}
"""The options of a limit in its text form, as 0.02:of=people,whole=true."""


def suppression(given: Any) -> Suppression:
    """Return what may be suppressed: a number, a share or a kind, or a limit that counts people or takes whole ones."""
    if isinstance(given, Limit):
        return given
    if isinstance(given, Mapping):
        return _limit(given)
    written, separator, options = given.partition(":") if isinstance(given, str) else (given, "", "")
    people = _OF_PEOPLE.fullmatch(written.strip()) if isinstance(written, str) else None
    if not separator and people is None:
        return _allowed(given)
    allowed = _allowed(people[1] if people else written.strip())
    if isinstance(allowed, Suppress):
        raise ValueError("of and whole belong to a share or a number, as 0.02:of=people,whole=true")
    unit = {"of": Unit.PEOPLE} if people else {}
    return _limit({_AMOUNTS[type(allowed)]: allowed, **unit, **read_options(options, _LIMIT_TYPES)})


_OF_PEOPLE = re.compile(r"(\d+)\s+(?:person|people)", re.ASCII)
_AMOUNTS = {Decimal: "share", int: "number"}


def _limit(given: Mapping[str, Any]) -> Suppression:
    """Return the limit that a mapping describes; one that counts records and parts people is a number or a share."""
    unknown = [str(key) for key in given if key not in ("share", "number", "of", "whole")]
    if unknown:
        raise ValueError(f"it has no option {unknown[0]!r}; there are share, number, of and whole")
    named = [key for key in ("share", "number") if key in given]
    if len(named) != 1:
        raise ValueError("it needs either share (0.02 for 2%) or number")
    limit = _named(named[0], given[named[0]])
    of, whole = given.get("of", Unit.RECORDS), given.get("whole", False)
    if of not in tuple(Unit):
        raise ValueError("of must be records or people")
    if not isinstance(whole, bool):
        raise ValueError("whole must be true or false")
    return Limit(limit, Unit(of), whole) if of == Unit.PEOPLE or whole else limit


def _named(key: str, given: Any) -> int | Decimal:
    """Return a share or a number that is said to be one: a share of 1 is all."""
    wrong = ValueError("share must be from 0 to 1 (0.02 or 2%), and number a whole number")
    try:
        found = amount(given)
    except ValueError:
        raise wrong from None
    if key == "share" and found in (0, 1):
        return Decimal(found) or 0
    if isinstance(found, Decimal) != (key == "share"):
        raise wrong
    return found or 0


def plain_suppression(suppress: Suppression) -> Any:
    """Return the suppression as plain data: a number if that is exact, else text; a limit by people as a mapping."""
    if isinstance(suppress, Limit):
        of = {"of": str(suppress.of)} if suppress.of != Unit.RECORDS else {}
        whole = {"whole": True} if suppress.whole else {}
        return {_AMOUNTS[type(suppress.amount)]: plain_suppression(suppress.amount), **of, **whole}
    if isinstance(suppress, Suppress):
        return str(suppress)
    if isinstance(suppress, int):
        return suppress
    if suppress == 1:
        # Other programs write 1.0 as 1, which is one record.
        return "100%"
    return float(suppress) if Decimal(repr(float(suppress))) == suppress else str(suppress)


def in_words(given: Any) -> str:
    """Return the suppression limit of a job in short: 2%, 100 records, 5% of the people, or what is suppressed."""
    suppress = suppression(given)
    limit = allowed_by(suppress)
    if isinstance(limit, Suppress):
        return str(limit)
    of_people = isinstance(suppress, Limit) and suppress.of == Unit.PEOPLE
    whole = ", with all their records" if isinstance(suppress, Limit) and suppress.whole else ""
    if isinstance(limit, int) and limit:
        return count(limit, "person" if of_people else "record") + whole
    return percent(float(limit)) + (" of the people" if of_people else "") + whole


def with_amount(suppress: Any, amount: Any) -> Any:
    """Return another limit as plain data, which counts what the given one counts."""
    given, other = suppression(suppress), suppression(amount)
    if isinstance(given, Limit) and not isinstance(other, Limit | Suppress):
        other = replace(given, amount=other)
    return plain_suppression(other)


def spell_suppression(suppress: Suppression) -> str:
    """Return the suppression as a command line has it."""
    if not isinstance(suppress, Limit):
        return str(plain_suppression(suppress))
    _, *options = plain_suppression(suppress).items()
    return f"{plain_suppression(suppress.amount)}:{write_options(dict(options), _LIMIT_TYPES)}"


def _allowed(given: Any) -> Allowed:
    """Return a number of records, a share as the decimal number that was written, or what to suppress."""
    if given in tuple(Suppress):
        return 0 if given == Suppress.NONE else Suppress(given)
    try:
        return amount(given) or 0
    except ValueError:
        raise ValueError(f"it must be {AMOUNTS}, or row, column, cell or none") from None

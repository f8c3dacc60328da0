"""The text form of an attacker's knowledge.

    illness!=flu                           the target does not have the flu
    illness in flu/asthma                  the target has one of these; hierarchy labels, ranges and masks are allowed
    income not in 0-20                     the same for a range, ruled out
    age=34,town=Graz: illness!=flu         the person of 34 in Graz does not have the flu

A column's name stands in double quotes where it holds one of ,=!:" or the word in; so does a person's value with
a comma.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from incrowd.errors import UsageError

_QUOTED = r'"(?:[^"]|"")*"'
_STATEMENT = re.compile(
    rf'(?:(?P<person>.+?):\s+)?(?P<column>{_QUOTED}|[^",=!:]+?)\s*(?P<sign>!=|=|\snot\s+in\s|\sin\s)\s*(?P<cells>\S.*)',
    re.DOTALL,
)
_PART = re.compile(rf'\s*(?P<column>{_QUOTED}|[^",=]+?)\s*=\s*(?P<value>{_QUOTED}|[^,"]+?)\s*(?:,|\Z)', re.DOTALL)


Person = tuple[tuple[str, str], ...]
"""Quasi-identifiers by column."""


@dataclass(frozen=True)
class Statement:
    """Something that an attacker knows about values of a sensitive column."""

    column: str
    cells: tuple[str, ...]
    """Values, or what covers several."""
    rules_out: bool
    """True if the person has none of them; otherwise it has one."""
    person: Person = ()
    """The person it is about; empty if it applies to every target."""


def read_statement(text: str, quasi: Sequence[str], sensitive: Sequence[str]) -> Statement:
    """Return a statement about columns of a release."""
    found = _STATEMENT.fullmatch(text.strip())
    if found is None:
        raise _unreadable()
    said = Statement(
        _unquoted(found["column"].strip()),
        tuple(cell.strip() for cell in found["cells"].split("/")),
        found["sign"].strip() not in ("=", "in"),
        () if found["person"] is None else _person(found["person"]),
    )
    if said.column not in sensitive:
        raise UsageError.invalid(
            "--knows",
            f"{said.column!r} is not a sensitive column",
            f"sensitive columns: {', '.join(map(repr, sensitive))}" if sensitive else "declare one with -s",
        )
    strangers = [name for name, _ in said.person if name not in quasi]
    if strangers:
        raise UsageError.unknown_columns(strangers, quasi)
    return said


def _person(text: str) -> Person:
    found, at = [], 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise _unreadable()
        found.append((_unquoted(part["column"]), _unquoted(part["value"])))
        at = part.end()
    return tuple(found)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


def _unreadable() -> UsageError:
    return UsageError.invalid(
        "--knows",
        "not a valid statement",
        "write it as illness!=flu, illness in flu/asthma, or age=34,town=Graz: illness!=flu",
    )

"""Suggested roles: small judges, one a file, each with a role, a reason and how sure it is.

A module of this folder that declares `judge(table)` is a judge; so is one that another package offers as an entry point
in the group "incrowd.proposing". It returns an opinion by column, and none where it knows nothing. The strongest
opinion wins. If another role has one that is nearly as strong, the suggestion is unsure.

A person confirms each suggestion. A reason never quotes a value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from incrowd.core.schema import Role
from incrowd.families import JUDGES
from incrowd.proposing.facts import Opinion, Sureness, Table

__all__ = ["Proposal", "faults", "opinions", "propose"]

_SURE, _LIKELY = 0.8, 0.5
"""How sure an opinion must be to be called so."""
_NEARLY = 0.05
"""How close an opinion for another role must be to make the strongest one unsure."""


@dataclass(frozen=True)
class Proposal:
    """The role suggested for a column, why, and how sure that is."""

    role: Role
    reason: str
    sureness: Sureness


def faults(module: Any) -> list[str]:
    """Return what a judge lacks: `judge` takes a table."""
    takes = list(signature(module.judge).parameters) if callable(module.judge) else []
    return [] if takes == ["table"] else ["its judge does not take a table"]


def propose(table: Table) -> dict[str, Proposal]:
    """Suggest the role of every column."""
    by_judge = opinions(table)
    return {
        column.name: strongest([found[column.name] for found in by_judge.values() if column.name in found])
        for column in table.columns
    }


def opinions(table: Table) -> Mapping[str, Mapping[str, Opinion]]:
    """Return what each judge says about the columns it knows something of."""
    return {name: judge(table) for name, judge in sorted(JUDGES.known().items())}


def strongest(given: list[Opinion]) -> Proposal:
    """Return the strongest opinion; the cautious role if there is none."""
    if not given:
        return Proposal(Role.QUASI, "nothing is known about it, and others may know it", Sureness.UNSURE)
    first = max(given, key=lambda opinion: opinion.sure)
    tied = any(each.role is not first.role and each.sure >= first.sure - _NEARLY for each in given)
    if tied or first.sure < _LIKELY:
        return Proposal(first.role, first.reason, Sureness.UNSURE)
    return Proposal(first.role, first.reason, Sureness.SURE if first.sure >= _SURE else Sureness.LIKELY)

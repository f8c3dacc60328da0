"""Attacks on a release: all that can be tried, or those that a user names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from incrowd.attacks._columns import OnColumn
from incrowd.attacks._contract import Attack, Exposure, Needs
from incrowd.attacks._reading import AttackOptions, read_asked
from incrowd.attacks._target import Target
from incrowd.attacks.background_knowledge import BackgroundKnowledge
from incrowd.attacks.difference import Difference
from incrowd.core.brief import Brief
from incrowd.core.histograms import Histogram
from incrowd.errors import UsageError
from incrowd.jobs.families import Family
from incrowd.watch import Stopped, Watch

ATTACKS = Family("attacks", "ATTACK", "attack")

_FIRST = ("linkage", "homogeneity", "background_knowledge", "statements", "skewness", "similarity", "range_disclosure")
"""In this order they are told, as each presumes those before it; others follow."""

_MORE: Mapping[str, tuple[Attack, ...]] = {
    "background_knowledge": (BackgroundKnowledge(2),),
    "difference": (Difference("joined"), Difference("listed")),
}
"""By attack what is tried besides its default options."""


@dataclass(frozen=True, repr=False)
class AttackReport(Brief):
    """A release, and what each attack on it finds."""

    release: str
    records: int
    classes: int
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    exposures: tuple[Exposure, ...]
    untried: dict[str, str]
    """By attack what it lacks."""
    shown: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict, repr=False)
    """By number of a worst class its published cells, for those who ask to see them."""
    stopped: str | None = None
    """What ended it early, if anything."""

    @property
    def exposed(self) -> bool:
        """Whether some attack exposes somebody, or may."""
        return any(each.records or each.at_most for each in self.exposures)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        told = asdict(self)
        del told["shown"]
        return {**told, "exposed": self.exposed}

    def to_json(self) -> str:
        """The same as a text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def worst_classes(self) -> str:
        """The published cells of the class that each attack hits hardest."""
        from incrowd.attacks._wording import worst_classes

        return worst_classes(self)

    def __str__(self) -> str:
        from incrowd.attacks._wording import report

        return report(self)


def usual() -> list[Attack]:
    """Every attack with its default options, and some with others as well."""
    known = ATTACKS.known()
    return [each for name in sorted(known, key=_order) for each in (known[name](), *_MORE.get(name, ()))]


def _order(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def chosen(names: Sequence[Any]) -> list[Attack]:
    """The attacks that a user names, with their options."""
    try:
        return [ATTACKS.member(each) for each in names]
    except ValueError as error:
        raise UsageError(str(error)) from None


def attack_release(release: Any, asked: AttackOptions, watch: Watch) -> AttackReport:
    """Read a release with what the attacker brings along, and attack it."""
    return attack_target(read_asked(release, asked, watch), asked.attacks, watch)


def attack_target(target: Target, attacks: Sequence[Attack], watch: Watch) -> AttackReport:
    """Try the attacks named, or all; stopped, what is known by then."""
    wanted = list(attacks) or usual()
    lacking = {ATTACKS.spell(each): _lacks(each, target) for each in wanted}
    untried = {name: why for name, why in lacking.items() if why}
    if attacks and untried:
        name, why = next(iter(untried.items()))
        raise UsageError.senseless(f"attack {name}", "it cannot be tried", f"it needs {why}")
    found: list[Exposure] = []
    stopped = None
    try:
        for at, each in enumerate(wanted):
            name = ATTACKS.spell(each)
            if name not in untried:
                watch.tick(name, at / len(wanted))
                found += [replace(exposure, attack=name) for exposure in each.on(target, watch)]
    except Stopped as stop:
        stopped = stop.reason
        done = {each.attack for each in found}
        untried |= {name: "more time" for name in lacking if name not in done and name not in untried}
    return AttackReport(
        target.name,
        target.records,
        target.cells.combinations,
        target.quasi,
        target.sensitive,
        tuple(found),
        {name: f"needs {why}" for name, why in untried.items() if not _is_said(name, untried)},
        {each.worst.number: target.shown(each.worst.number - 1) for each in found if each.worst is not None},
        stopped,
    )


def _is_said(name: str, untried: Mapping[str, str]) -> bool:
    """Return whether an attack with other options lacks what it lacks without them."""
    plain, options, _ = name.partition(":")
    return bool(options) and untried.get(plain) == untried[name]


def exposures(histogram: Histogram) -> tuple[Exposure, ...]:
    """What the usual attacks on one sensitive column find in it."""
    return tuple(
        replace(each.of_column(histogram), attack=ATTACKS.spell(each)) for each in usual() if isinstance(each, OnColumn)
    )


def _lacks(attack: Attack, target: Target) -> str:
    """What an attack needs that is not there."""
    there = {
        Needs.NOTHING: True,
        Needs.SENSITIVE: bool(target.sensitive),
        Needs.OUTSIDE: target.people is not None,
        Needs.OTHER: target.other is not None and bool({*target.sensitive} & {*target.other.sensitive}),
        Needs.KNOWLEDGE: bool(target.knows),
    }
    return "" if there[attack.needs] else str(attack.needs)

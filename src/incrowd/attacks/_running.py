"""Attacks on a release: all that can be tried, or those that a user names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from incrowd.attacks._contract import Attack, Exposure, JudgesColumn, Needs
from incrowd.attacks._reading import AttackOptions, read_target
from incrowd.attacks._target import Target
from incrowd.core.brief import Brief
from incrowd.core.histograms import Histogram
from incrowd.errors import UsageError
from incrowd.families import needed
from incrowd.jobs.families import JobFamily
from incrowd.results import Result, flat
from incrowd.watch import Stopped, Watch

if TYPE_CHECKING:
    from incrowd.charts import Chart

ATTACKS = JobFamily("attacks", "ATTACK", "attack")


@dataclass(frozen=True, repr=False)
class AttackReport(Brief, Result):
    """A release, and what each attack on it finds."""

    release: str
    records: int
    classes: int
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    exposures: tuple[Exposure, ...]
    untried: dict[str, str]
    """By attack what it needs."""
    shown: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict, repr=False)
    """By number of a worst class its published cells; shown on request."""
    stopped: str | None = None
    """The reason why it ended early, if it did."""

    @property
    def exposed(self) -> bool:
        """Return whether some attack exposes a record, or may."""
        return any(each.records or each.at_most for each in self.exposures)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        plain = asdict(self)
        del plain["shown"]
        return {**plain, "exposed": self.exposed}

    def to_json(self) -> str:
        """Return the same as a JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def worst_classes(self) -> str:
        """Return the published cells of the worst class of each attack."""
        from incrowd.attacks._wording import worst_classes

        return worst_classes(self)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each attack and column."""
        return [flat({key: of for key, of in asdict(each).items() if key != "people"}) for each in self.exposures]

    def parts(self) -> list[str]:
        """Return all attacks in a table, then each that exposes a record or has a note."""
        from incrowd.attacks._wording import parts

        return parts(self)

    def look(self) -> list[str]:
        """Return the same without the names of people."""
        from incrowd.attacks._wording import parts

        return parts(self, with_names=False)

    def plot(self) -> Chart:
        """Return a picture of the records or people that each attack exposes for certain."""
        from incrowd.charts import bars

        found = [each for each in self.exposures if each.records is not None]
        named = [(f"{each.attack}{f', {each.column}' if each.column else ''}", each.records or 0) for each in found]
        return bars(named, "exposed")


def usual() -> list[Attack]:
    """Return every attack with its default options, and with those that its module lists as ALSO."""
    modules = ATTACKS.modules()
    return [each for name in ATTACKS.ranked() for each in (modules[name].ATTACK(), *getattr(modules[name], "ALSO", ()))]


def faults(module: Any) -> list[str]:
    """Return what an attack lacks: it is tried without options, so each of them needs a default."""
    without = needed(module.ATTACK)
    return [f"it has no default for {', '.join(without)}"] if without else []


def chosen(names: Sequence[Any]) -> list[Attack]:
    """Return the attacks that a user names, with their options."""
    try:
        return [ATTACKS.member(each) for each in names]
    except ValueError as error:
        raise UsageError(str(error)) from None


def attack_release(release: Any, options: AttackOptions, watch: Watch) -> AttackReport:
    """Read a release with what the attacker brings along, and attack it."""
    return attack_target(read_target(release, options, watch), options.attacks, watch)


def attack_target(target: Target, attacks: Sequence[Attack], watch: Watch) -> AttackReport:
    """Try the attacks named, or all; stopped, what is known by then."""
    wanted = list(attacks) or usual()
    lacking = {ATTACKS.spell(each): _lacks(each, target) for each in wanted}
    untried = {name: why for name, why in lacking.items() if why}
    if attacks and untried:
        name, why = next(iter(untried.items()))
        raise UsageError.invalid(f"attack {name}", "cannot be run", f"it needs {why}")
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
    """Return the results of the usual attacks on one sensitive column."""
    judging = [each for each in usual() if isinstance(each, JudgesColumn)]
    return tuple(replace(each.of_column(histogram), attack=ATTACKS.spell(each)) for each in judging)


def _lacks(attack: Attack, target: Target) -> str:
    """Return what an attack lacks; an empty text if it can run."""
    there = {
        Needs.NOTHING: True,
        Needs.SENSITIVE: bool(target.sensitive),
        Needs.OUTSIDE: target.people is not None,
        Needs.OTHER: target.other is not None and bool({*target.sensitive} & {*target.other.sensitive}),
        Needs.KNOWLEDGE: bool(target.knows),
    }
    return "" if there[attack.needs] else str(attack.needs)

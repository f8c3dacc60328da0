"""Linkage by people: whoever knows something of a person in every table looks for who fits it in the release."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from incrowd.core.brief import Brief
from incrowd.core.knowledge import Known, Knows
from incrowd.errors import UsageError
from incrowd.jobs.suppression import known
from incrowd.linked.counting import RiskOfPeople, quasi_identifiers, risk_of_people
from incrowd.linked.released import ReleasedSet
from incrowd.parameters import whole_number
from incrowd.results import Result
from incrowd.text import attributes, number, percent, table
from incrowd.watch import Stopped, Watch


@dataclass(frozen=True, eq=False, repr=False)
class LinkedAttack(Brief, Result):
    """Whom attackers single out in a release of several tables."""

    release: str
    people: int
    k: int
    quasi: tuple[str, ...]
    """By `table.column`."""
    linkage: tuple[RiskOfPeople, ...]
    """One for each attacker; they differ in how much they know."""
    stopped: str | None = None
    """The reason why it ended early, if it did."""

    @property
    def exposed(self) -> bool:
        """Return whether an attacker singles somebody out."""
        return any(each.exposed for each in self.linkage)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "release": self.release,
            "people": self.people,
            "k": self.k,
            "quasi": list(self.quasi),
            "linkage": [asdict(each) for each in self.linkage],
            "stopped": self.stopped,
            "exposed": self.exposed,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each attacker."""
        return [asdict(each) for each in self.linkage]

    def parts(self) -> list[str]:
        """Return the attackers as a table, then each that exposes somebody."""
        stopped = "" if self.stopped is None else "\nPartial result: not all attackers were tried."
        lines = (
            f"Release: {self.release}, {number(self.people)} people.\n"
            f"Quasi-identifiers: {attributes(self.quasi)}.{stopped}"
        )
        rows = [
            (each.knows, each.exposed, each.alone, each.fewest, percent(each.highest), percent(each.average))
            for each in self.linkage
        ]
        headers = ("knows", "people exposed", "of these alone", "fewest people", "highest risk", "average risk")
        return [part for part in (lines, table(headers, rows), *map(_told, self.linkage)) if part]


def _told(found: RiskOfPeople) -> str:
    """Return what an attacker does, if it exposes somebody."""
    if not found.exposed:
        return ""
    fit = "nobody else" if found.k == 2 else f"fewer than {found.k} people"
    return (
        f"linkage, {found.knows}: the attacker knows {found.known}, and that the person is in the release.\n"
        f"  exposed: {number(found.exposed)} of {number(found.people)} people "
        f"({percent(found.exposed / found.people)}); something may be known of each that is true of {fit}\n"
        f"  prevented by: k_anonymity:k={found.k} with knows: {found.knows}"
    )


def attack_set(release: ReleasedSet, knows: Sequence[Any] = (), k: int = 2, watch: Watch | None = None) -> LinkedAttack:
    """Attack a release of several tables; stopped, what is known by then.

    `knows` says how much each attacker knows of a person in every table. By default one knows a record of each, one
    what the release assumes, and one all records.
    """
    whole_number("k of linkage", k)
    watch = watch or Watch()
    attackers = _attackers(release, knows)
    tables = release.people_tables(watch)
    found: list[RiskOfPeople] = []
    stopped = None
    try:
        for each in attackers:
            watch.tick(f"linkage, {each}")
            found.append(risk_of_people(release.job, tables, each, k))
    except Stopped as stop:
        stopped = stop.reason
    people = tables[0].people.people
    return LinkedAttack(release.name, people, k, tuple(quasi_identifiers(release.job)), tuple(found), stopped)


def _attackers(release: ReleasedSet, knows: Sequence[Any]) -> list[Knows]:
    try:
        asked = [known(each) for each in knows]
    except ValueError as error:
        raise UsageError.invalid("knows", str(error).removeprefix("it "), "choose one of these") from None
    return list(dict.fromkeys(asked or [Known.RECORD, release.job.knows, Known.HISTORY]))

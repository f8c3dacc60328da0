"""The risk from one kind of attacker, and from all of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from incrowd.charts import Chart


@dataclass(frozen=True)
class Attack:
    """Re-identification probabilities; all 0 for an empty table."""

    highest: float
    """The highest risk of a record, or of a person."""
    average: float
    """The mean risk of a record, or of a person."""
    at_risk: int
    """The number of records, or people, with a risk above the threshold."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


NOBODY = Attack(0.0, 0.0, 0)
"""An empty table."""


class FromAttackers(Protocol):
    """A risk from each kind of attacker."""

    @property
    def prosecutor(self) -> Attack:
        """Return the risk from who knows that a person is in the table."""

    @property
    def journalist(self) -> Attack | None:
        """Return the risk from who looks for a person in the population."""

    @property
    def marketer(self) -> float | None:
        """Return the share that is re-identified by matching everybody."""

    @property
    def marketer_in_population(self) -> float | None:
        """Return the share that is re-identified by matching the population."""


def attackers(found: FromAttackers) -> list[dict[str, Any]]:
    """Return a row for each attacker whose risk was measured."""
    rows = [_row("prosecutor", found.prosecutor)]
    if found.journalist is not None:
        rows.append(_row("journalist", found.journalist))
    for name, share in (("marketer", found.marketer), ("marketer, population", found.marketer_in_population)):
        if share is not None:
            rows.append({"attacker": name, "highest_risk": None, "average_risk": share, "at_risk": None})
    return rows


def _row(name: str, attack: Attack) -> dict[str, Any]:
    return {
        "attacker": name,
        "highest_risk": attack.highest,
        "average_risk": attack.average,
        "at_risk": attack.at_risk,
    }


def picture(found: FromAttackers) -> Chart:
    """Return a picture of the average risk from each attacker."""
    from incrowd.charts import bars

    averages = [(row["attacker"], row["average_risk"]) for row in attackers(found)]
    return bars(averages, "average risk", share=True)

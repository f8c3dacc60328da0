"""The risk from one kind of attacker."""

from dataclasses import asdict, dataclass
from typing import Any


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

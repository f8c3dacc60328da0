"""What one kind of attacker can do to a table."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Attack:
    """The probabilities with which records are found; all 0 for an empty table."""

    highest: float
    """The risk of the record that is found most easily."""
    average: float
    """The mean risk of a record."""
    at_risk: int
    """How many records have a risk above the threshold."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


NOBODY = Attack(0.0, 0.0, 0)
"""An empty table."""

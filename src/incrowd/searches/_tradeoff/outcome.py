"""What a run of either method tells."""

from collections.abc import Mapping
from typing import Any, Protocol

from incrowd.core.groups import Groups
from incrowd.searches import Guarantee, Outcome


class ClusteringRun(Protocol):
    """A run, and what is known of it when it has ended."""

    formed: int
    """How many clusters it formed."""
    details: dict[str, Any]

    def groups(self) -> tuple[Groups | None, str]:
        """The groups, None where there are none within the budget, and why the search ended."""
        ...


def outcome(search: str, run: ClusteringRun) -> Outcome:
    """Run it to its end."""
    groups, stopped = run.groups()
    details: Mapping[str, Any] = run.details
    return Outcome(
        search=search,
        guarantee=Guarantee.HEURISTIC,
        node=None,
        counted=run.formed,
        lattice=0,
        stopped=stopped,
        gap=None,
        groups=groups,
        details=details,
    )

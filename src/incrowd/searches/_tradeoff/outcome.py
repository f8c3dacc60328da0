"""Outcomes of either method."""

from typing import Any, Protocol

from incrowd.core.groups import Groups
from incrowd.searches import GroupsOutcome, NothingFound
from incrowd.searches.outcomes import of_groups


class ClusteringRun(Protocol):
    """A run, and what is known of it when it has ended."""

    formed: int
    """How many clusters it formed."""
    details: dict[str, Any]

    def groups(self) -> tuple[Groups | None, str]:
        """Return the groups, None if there are none within the budget, and why the search ended."""
        ...


def outcome(search: str, run: ClusteringRun) -> GroupsOutcome | NothingFound:
    """Run it to its end."""
    groups, stopped = run.groups()
    return of_groups(search, groups, run.formed, stopped, run.details)

"""The node or the groups of an outcome, if something was found."""

from incrowd.core.groups import Groups
from incrowd.searches import CellsOutcome, LevelsOutcome, LocalOutcome, Node, Outcome, PartsOutcome


def node_of(outcome: Outcome) -> Node | None:
    """Return the chosen node; None if nothing was found."""
    return outcome.node if isinstance(outcome, LevelsOutcome | CellsOutcome | PartsOutcome) else None


def groups_of(outcome: Outcome) -> Groups | None:
    """Return the chosen groups; None if nothing was found."""
    return outcome.groups if isinstance(outcome, LocalOutcome) else None

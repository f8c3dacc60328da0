"""The result of a run: a verdict that stays in sight, and tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.web.pages import releases
from incrowd.web.parts.tabs import Tab, Tabs
from incrowd.web.result import (
    associations,
    attacks,
    before_after,
    classifier,
    columns,
    cross_tables,
    downloads,
    explorer,
    overview,
    records,
    risk,
    utility,
    verdict_bar,
)

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run, tab: str) -> None:
    """Show the verdict and the tabs, of which one is open."""
    # A job is needed to look at other nodes.
    has_job = not releases.is_reapplied(made)
    lattice = {"lattice": Tab("Lattice", lambda: explorer.show(space, owner, made))} if has_job else {}
    tabs = Tabs(
        {
            "overview": Tab("Overview", lambda: overview.show(space, owner, made)),
            "data": Tab("Data", lambda: records.show(space, owner, made)),
            "columns": Tab("Columns", lambda: _columns(space, owner, made)),
            "risk": Tab("Risk", lambda: risk.show(space, made)),
            "utility": Tab("Utility", lambda: _utility(space, owner, made)),
            **lattice,
            "attacks": Tab("Attacks", lambda: attacks.show(space, owner, made)),
            "files": Tab("Files", lambda: downloads.show_all(space, made)),
        },
        tab,
    )
    records.add_script()
    verdict_bar.show(made, tabs)
    tabs.show()


def _columns(space: Workspace, owner: str, made: Run) -> None:
    columns.show(made)
    before_after.show(space, owner, made)


def _utility(space: Workspace, owner: str, made: Run) -> None:
    utility.show(space, owner, made)
    associations.show(space, owner, made)
    cross_tables.show(space, owner, made)
    classifier.show(space, owner, made)

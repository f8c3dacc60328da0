"""The result of a run: a verdict that stays in sight, and tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.web.parts.tabs import Tab, Tabs
from incrowd.web.result import attacks, columns, downloads, overview, records, risk, spreads, utility, verdict_bar

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run, tab: str) -> None:
    """Show the verdict and the tabs, of which one is open."""
    tabs = Tabs(
        {
            "overview": Tab("Overview", lambda: overview.show(space, owner, made)),
            "data": Tab("Data", lambda: records.show(space, owner, made)),
            "columns": Tab("Columns", lambda: _columns(space, made)),
            "risk": Tab("Risk", lambda: risk.show(space, made)),
            "utility": Tab("Utility", lambda: utility.show(space, owner, made)),
            "attacks": Tab("Attacks", lambda: attacks.show(space, owner, made)),
            "files": Tab("Files", lambda: downloads.show_all(space, made)),
        },
        tab,
    )
    records.add_script()
    verdict_bar.show(made, tabs)
    tabs.show()


def _columns(space: Workspace, made: Run) -> None:
    columns.show(made)
    spreads.show(space, made)

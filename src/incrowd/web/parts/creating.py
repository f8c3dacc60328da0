"""The button that creates a release with the settings of a table, and what must be known before it is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.core.schema import Role
from incrowd.web.parts import layout
from incrowd.web.parts.background import starts_run, try_in_thread
from incrowd.web.parts.draft import SEARCH

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace
    from incrowd.web.parts.draft import Draft

_MANY = 15
"""Number of quasi-identifiers above which few are left with much detail."""
_NO_SENSITIVE = "No sensitive column: the release protects against singling out only."


class CreateButton:
    """The button, and why a release protects less than it could; `follow` after the roles have changed."""

    def __init__(self, space: Workspace, owner: str, draft: Draft) -> None:
        self.space, self.owner, self.draft = space, owner, draft

    def show(self) -> None:
        """Show the button in the current line."""
        button = ui.button("Create the release").props("no-caps unelevated")
        self.button = layout.mark(starts_run(button, self._start), "go")
        self.doubt = layout.mark(layout.hint(_NO_SENSITIVE), "no-sensitive")
        self.follow()

    def show_place(self) -> None:
        """Show the place for the reason why no run could be started."""
        self.place = ui.element("div")

    def follow(self) -> None:
        """Without a quasi-identifier there is nothing to create."""
        self.button.set_enabled(bool(self.draft.quasi))
        self.doubt.set_visibility(not self.draft.columns_in_role(Role.SENSITIVE))

    async def _start(self) -> Run | None:
        self.place.clear()
        with self.place:
            return await try_in_thread(self.space.submit, "anonymize", {"job": self.draft.job()}, self.owner)


class ManyColumns:
    """The warning that many quasi-identifiers leave little detail."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def show(self) -> None:
        """Show it, if it is so."""
        self.warning = layout.mark(layout.message("", "warning"), "many-columns")
        self.follow()

    def follow(self) -> None:
        """Show or hide it as the roles and the search are now."""
        columns = len(self.draft.quasi)
        self.warning.set_content(f"{columns} quasi-identifiers cost each other much detail. Drop those nobody needs.")
        self.warning.set_visibility(columns > _MANY and self.draft.search == SEARCH)

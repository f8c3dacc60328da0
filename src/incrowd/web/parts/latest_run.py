"""The latest run of one kind for a table: begun, followed, stopped, and found again at the next visit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.web.parts import layout
from incrowd.web.parts.background import ENDED, ended, later, run_in_thread, stop_where_gone, submitted, tell, why_not

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


class LatestRun:
    """One run a kind and table: the next one takes its place."""

    def __init__(self, space: Workspace, owner: str, file: str, kind: str, show: Callable[[Run], Any]) -> None:
        self.space, self.owner, self.kind, self.show = space, owner, kind, show
        # Deleted with the draft of the table.
        self.note = f"draft-{file}-{kind}"
        self.last = self._last()

    def _last(self) -> Run | None:
        known = self.space.notes(self.owner).get(self.note)
        try:
            return None if known is None else self.space.run(known, self.owner)
        except IncrowdError:
            return None

    @property
    def request(self) -> dict[str, Any]:
        """What was asked last, to begin a form with."""
        return {} if self.last is None else dict(self.last.request)

    def here(self, mark: str) -> None:
        """The place of the result, filled with that of the last run."""
        self.place = layout.marked(ui.element("div").classes("stack").props("aria-live=polite"), mark)
        if self.last is not None:
            later(self._follow)

    def say(self, words: str) -> None:
        """Refuse what cannot be asked."""
        self.place.clear()
        with self.place:
            layout.message(words, "error")

    async def ask(self, request: dict[str, Any]) -> None:
        """Begin anew."""
        before = await run_in_thread(self._last)
        if before is not None and before.state not in ENDED:
            ui.notify("The last one is still running: stop it first.", type="info")
            return
        try:
            self.last = await submitted(self.space, self.kind, request, self.owner)
        except IncrowdError as error:
            self.say(str(error))
            return
        self.space.notes(self.owner).put(self.note, self.last.id)
        if before is not None:
            await run_in_thread(self.space.delete_run, before.id)
        await self._follow()

    async def _follow(self) -> None:
        assert self.last is not None
        run_id = self.last.id
        self.place.clear()
        with self.place:
            with layout.line() as waiting:
                words = layout.message("Working ...")
                stop = layout.quiet_button("Stop").on_click(lambda: run_in_thread(self.space.cancel, run_id))
                layout.marked(stop, f"stop-{self.kind}")

            def told(now: Run) -> None:
                # The run goes on where the page is left, and is found again.
                stop_where_gone(words)
                tell(words, now)

            over = await ended(self.space, run_id, told)
            stop_where_gone(waiting)
            waiting.delete()
            if over.state != "done":
                layout.message(why_not(over), "error")
            else:
                await self._shown(over)

    async def _shown(self, over: Run) -> None:
        made = self.show(over)
        if made is not None:
            await made


def downloads(over: Run) -> None:
    """Links to the files that a run left."""
    for each in over.artefacts:
        link = ui.link(f"Download {each.name}", f"/runs/{over.id}/files/{each.name}").props("download")
        layout.marked(link, f"download-{each.name.replace('.', '-')}")

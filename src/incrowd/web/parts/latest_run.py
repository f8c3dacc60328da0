"""The latest run of one kind for a table: started, followed, stopped, and shown again on the next visit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from incrowd.errors import IncrowdError
from incrowd.service.queue import checked
from incrowd.web.parts import layout
from incrowd.web.parts.background import (
    ENDED,
    failure_reason,
    newest,
    run_in_thread,
    run_soon,
    show_progress,
    stop_if_gone,
    submit,
    wait_for_run,
)
from incrowd.web.parts.kept_form import KeptForm

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


class LatestRun:
    """The latest run of a kind for a table; a new run replaces it."""

    def __init__(self, space: Workspace, owner: str, file: str, kind: str, show: Callable[[Run], Any]) -> None:
        self.space, self.owner, self.kind, self.show = space, owner, kind, show
        # Deleted with the draft of the table.
        self.note = f"draft-{file}-{kind}"
        self.last = self._last()
        self._starting = False

    def _last(self) -> Run | None:
        known = self.space.notes(self.owner).get(self.note)
        try:
            return None if known is None else self.space.run(known, self.owner)
        except IncrowdError:
            return None

    @property
    def request(self) -> dict[str, Any]:
        """Return the latest request, to fill in a form."""
        return {} if self.last is None else dict(self.last.request)

    def place_result(self, mark: str, asks: Callable[[], dict[str, Any]], settings: ui.element | None = None) -> None:
        """Show the place for results, filled with the latest result.

        `asks` returns what the fields ask now; a result that answers something else is marked. The fields are those
        around the place, and are kept with it, or `settings` of the table, which are kept elsewhere.
        """
        form = settings or ui.context.slot.parent
        note = f"{self.note}_form" if settings is None else None
        self.form = KeptForm(self.space, self.owner, note, lambda: checked(self.kind, asks()))
        self.form.show_mark()
        self.place = layout.mark(ui.element("div").classes("stack").props("aria-live=polite"), mark)
        self.form.watch(form, self.place)
        if self.last is not None:
            run_soon(self._follow)

    def refuse(self, words: str) -> None:
        """Show why a request is invalid."""
        self.form.answers(None)
        self.place.clear()
        with self.place:
            layout.message(words, "error")

    async def start(self, request: dict[str, Any]) -> None:
        """Start a new run and delete the one before."""
        if self._starting:
            # A second click on the button.
            return
        self._starting = True
        try:
            started = await self._replace(request)
        finally:
            self._starting = False
        if started:
            await self._follow()

    async def _replace(self, request: dict[str, Any]) -> bool:
        """Return whether the request has become the latest run."""
        before = await run_in_thread(self._last)
        if before is not None and before.state not in ENDED:
            ui.notify("The previous run is still active. Stop it first.", type="info")
            return False
        try:
            self.last = await submit(self.space, self.kind, request, self.owner)
        except IncrowdError as error:
            self.refuse(str(error))
            return False
        self.space.notes(self.owner).put(self.note, self.last.id)
        if before is not None:
            await run_in_thread(self.space.delete_run, before.id)
        return True

    async def _follow(self) -> None:
        assert self.last is not None
        run_id = self.last.id
        self.form.answers(None)
        with newest(self.place):
            with layout.line() as waiting:
                words = layout.message("Working ...")
                stop = layout.quiet_button("Stop").on_click(lambda: run_in_thread(self.space.cancel, run_id))
                layout.mark(stop, f"stop-{self.kind}")

            def progressed(now: Run) -> None:
                # The run continues if the page is closed, and is shown again on the next visit.
                stop_if_gone(words)
                show_progress(words, now)

            over = await wait_for_run(self.space, run_id, progressed)
            stop_if_gone(waiting)
            waiting.delete()
            if over.state != "done":
                layout.message(failure_reason(over), "error")
            else:
                self.form.answers(over.request)
                await self._show_result(over)

    async def _show_result(self, over: Run) -> None:
        made = self.show(over)
        if made is not None:
            await made


def show_downloads(over: Run) -> None:
    """Show links to the files of a run."""
    for each in over.artifacts:
        link = ui.link(f"Download {each.name}", f"/runs/{over.id}/files/{each.name}").props("download")
        layout.mark(link, f"download-{each.name.replace('.', '-')}")

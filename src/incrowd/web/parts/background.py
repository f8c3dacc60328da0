"""Runs of the workspace's queue, awaited without blocking other pages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar, cast

from nicegui import Client, core, run, ui

from incrowd.errors import IncrowdError, NotThere
from incrowd.web.parts import layout

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

ENDED = ("done", "failed", "cancelled")
_PAUSE = 0.2
LAST = 60.0
"""Seconds to wait for a cancelled run to end."""


Made = TypeVar("Made")


async def run_in_thread(call: Callable[..., Made], *arguments: Any) -> Made:
    """Run blocking file I/O in a thread; return its result."""
    made = await run.io_bound(call, *arguments)
    if made is None and core.app.is_stopping:
        # The server is stopping, so the result is not needed.
        raise asyncio.CancelledError
    return cast(Made, made)


async def submit(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> Run:
    """Submit a run."""
    return await run_in_thread(space.submit, kind, request, owner)


async def wait_for_run(space: Workspace, run_id: str, progressed: Callable[[Run], None] | None = None) -> Run:
    """Return a run when it is over; call `progressed` with its state until then."""
    while True:
        now = await run_in_thread(space.progress, run_id)
        if now.state in ENDED:
            return await run_in_thread(space.run, run_id)
        if progressed is not None:
            progressed(now)
        await asyncio.sleep(_PAUSE)


def starts_run(button: ui.button, start: Callable[[], Awaitable[Run | None]]) -> ui.button:
    """Make a button start a run and go to its page; a further click starts no other one."""

    async def go() -> None:
        made = None
        try:
            made = await start()
        finally:
            if made is None:
                button.enable()
        if made is not None:
            ui.navigate.to(f"/runs/{made.id}")

    def click() -> Awaitable[None]:
        # At once: a second click may have arrived before the first one is worked on.
        button.disable()
        return go()

    return button.on_click(click)


async def fetch_result(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> dict[str, Any] | None:
    """Run a request and return its result; show progress, and on failure the reason and return None."""
    place = ui.context.slot.parent
    over = await fetch_run(space, kind, request, owner)
    if over is None:
        return None
    # Only its result is needed.
    await run_in_thread(forget, space, over.id)
    stop_if_gone(place)
    return over.result or {}


async def fetch_run(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> Run | None:
    """Run a request and return the run when it is done; show progress, and on failure the reason and return None."""
    waiting = layout.message("Working ...")
    try:
        accepted = await submit(space, kind, request, owner)
        over = await _follow(space, accepted.id, waiting)
    except IncrowdError as error:
        stop_if_gone(waiting)
        waiting.delete()
        layout.message(str(error), "error")
        return None
    if over.state != "done" or _is_gone(waiting):
        await run_in_thread(forget, space, over.id)
    stop_if_gone(waiting)
    waiting.delete()
    if over.state != "done":
        layout.message(failure_reason(over), "error")
        return None
    return over


async def _follow(space: Workspace, run_id: str, waiting: ui.html) -> Run:
    """Return a run when it is over; delete it if the page is closed or asks something else first."""

    def progressed(now: Run) -> None:
        stop_if_gone(waiting)
        show_progress(waiting, now)

    try:
        return await wait_for_run(space, run_id, progressed)
    except asyncio.CancelledError:
        await run_in_thread(forget, space, run_id)
        raise


def forget(space: Workspace, run_id: str) -> None:
    """Cancel a run and delete it, unless it is deleted already, as by the page that asked for it."""
    with suppress(NotThere):
        # The second call kills the run.
        for _ in range(2):
            space.cancel(run_id)
        until = time.monotonic() + LAST
        while not space.is_over(run_id) and time.monotonic() < until:
            time.sleep(_PAUSE)
        space.delete_run(run_id)


@contextmanager
def newest(place: ui.element) -> Iterator[ui.element]:
    """Clear a place and show in it what the block makes, until a newer block takes the place.

    After each wait the block calls `stop_if_gone` with the element that it gets: an answer to an earlier question must
    not be shown beside or instead of that to the newest.
    """
    place.clear()
    with place, layout.stack() as box:
        yield box


def stop_if_gone(element: ui.element) -> None:
    """Cancel the current task if its page was closed, or the element is no longer on the page."""
    if _is_gone(element):
        raise asyncio.CancelledError


def _is_gone(element: ui.element) -> bool:
    return element.is_deleted or element.client.id not in Client.instances


def failure_reason(over: Run) -> str:
    """Return in one line why a run has no result."""
    if over.error is not None:
        error = over.error
        return "; ".join(part for part in (error["message"], error.get("hint")) if part)
    return "The run was canceled." if over.state == "cancelled" else "The run failed."


def show_progress(waiting: ui.html, now: Run) -> None:
    """Show the progress of a run in a message."""
    doing = now.progress.get("words") or "started"
    words = "Waiting for other runs to finish ..." if now.state == "queued" else f"Working: {doing} ..."
    waiting.set_content(escape(words))


async def try_in_thread(call: Callable[..., Made], *arguments: Any) -> Made | None:
    """Run a blocking call in a thread; on IncrowdError show its message and return None."""
    try:
        return await run_in_thread(call, *arguments)
    except IncrowdError as error:
        layout.message(str(error), "error")
        return None


def run_soon(work: Callable[[], Any]) -> None:
    """Call a function as soon as the page is connected."""
    ui.timer(0.05, work, once=True)

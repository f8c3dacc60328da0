"""Work that takes its time goes through the workspace's queue; a page waits for it without holding up the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar, cast

from nicegui import Client, core, run, ui

from incrowd.errors import IncrowdError
from incrowd.web.parts import layout

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

ENDED = ("done", "failed", "cancelled")
_PAUSE = 0.2
_LAST = 15.0
"""Seconds that a run has to end once it is not wanted."""


Made = TypeVar("Made")


async def run_in_thread(call: Callable[..., Made], *arguments: Any) -> Made:
    """What a call gives that reads or writes files, made in a thread of its own."""
    made = await run.io_bound(call, *arguments)
    if made is None and core.app.is_stopping:
        # Nobody waits for it any more.
        raise asyncio.CancelledError
    return cast(Made, made)


async def submitted(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> Run:
    """Hand work over."""
    return await run_in_thread(space.submit, kind, request, owner)


async def ended(space: Workspace, run_id: str, told: Callable[[Run], None] | None = None) -> Run:
    """A run when it is over; `told` hears how far it is until then."""
    while True:
        now = await run_in_thread(space.progress, run_id)
        if now.state in ENDED:
            return await run_in_thread(space.run, run_id)
        if told is not None:
            told(now)
        await asyncio.sleep(_PAUSE)


async def found(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> dict[str, Any] | None:
    """What a piece of work found; while it runs a line says so, and where it fails a line says why."""
    waiting = layout.message("Working ...")
    try:
        accepted = await submitted(space, kind, request, owner)
        over = await _followed(space, accepted.id, waiting)
    except IncrowdError as error:
        waiting.delete()
        layout.message(str(error), "error")
        return None
    # Its result is all that is wanted of it.
    await run_in_thread(space.delete_run, over.id)
    stop_where_gone(waiting)
    waiting.delete()
    if over.state != "done":
        layout.message(why_not(over), "error")
        return None
    return over.result or {}


async def _followed(space: Workspace, run_id: str, waiting: ui.html) -> Run:
    """A run when it is over; where the page is left meanwhile nobody wants it any more."""

    def told(now: Run) -> None:
        stop_where_gone(waiting)
        tell(waiting, now)

    try:
        return await ended(space, run_id, told)
    except asyncio.CancelledError:
        await run_in_thread(forget, space, run_id)
        raise


def forget(space: Workspace, run_id: str) -> None:
    """End a run that nobody waits for, and leave nothing of it."""
    # The second time it is not asked but ended.
    for _ in range(2):
        space.cancel(run_id)
    until = time.monotonic() + _LAST
    while not space.is_over(run_id) and time.monotonic() < until:
        time.sleep(_PAUSE)
    space.delete_run(run_id)


def stop_where_gone(element: ui.element) -> None:
    """End what a page was doing if it was left meanwhile: there is nothing to show anything on."""
    if element.client.id not in Client.instances:
        raise asyncio.CancelledError


def why_not(over: Run) -> str:
    """Why a run has no result, in one line."""
    if over.error is not None:
        told = over.error
        return "; ".join(part for part in (told["message"], told.get("hint")) if part)
    return "It was cancelled." if over.state == "cancelled" else "It failed."


def tell(waiting: ui.html, now: Run) -> None:
    """Say in a line how far a run is."""
    doing = now.progress.get("words") or "it has begun"
    words = "Waiting for others to finish ..." if now.state == "queued" else f"Working: {doing} ..."
    waiting.set_content(escape(words))


async def tried(what: Callable[..., Made], *arguments: Any) -> Made | None:
    """What a call gives that may take its time; None where the library refuses it, with a line that says why."""
    try:
        return await run_in_thread(what, *arguments)
    except IncrowdError as error:
        layout.message(str(error), "error")
        return None


def later(work: Callable[[], Any]) -> None:
    """Begin as soon as the page is there."""
    ui.timer(0.05, work, once=True)

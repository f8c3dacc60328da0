"""Work that takes its time goes through the workspace's queue; a page waits for it without holding up the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import run, ui

from incrowd.errors import IncrowdError
from incrowd.web import frame

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace

ENDED = ("done", "failed", "cancelled")
_PAUSE = 0.2


async def submitted(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> Run:
    """Hand work over."""
    accepted: Run = await run.io_bound(space.submit, kind, request, owner)
    return accepted


async def ended(space: Workspace, run_id: str, told: Callable[[Run], None] | None = None) -> Run:
    """A run when it is over; `told` hears how far it is until then."""
    while True:
        now: Run = await run.io_bound(space.run, run_id)
        if now.state in ENDED:
            return now
        if told is not None:
            told(now)
        await asyncio.sleep(_PAUSE)


async def found(space: Workspace, kind: str, request: dict[str, Any], owner: str) -> dict[str, Any] | None:
    """What a piece of work found; while it runs a line says so, and where it fails a line says why."""
    waiting = frame.message("Working ...")
    try:
        accepted = await submitted(space, kind, request, owner)
        over = await ended(space, accepted.id, lambda now: waiting.set_content(_words(now)))
    except IncrowdError as error:
        waiting.delete()
        frame.message(str(error), "error")
        return None
    waiting.delete()
    if over.state != "done":
        frame.message(why_not(over), "error")
        return None
    return over.result or {}


def why_not(over: Run) -> str:
    """Why a run has no result, in one line."""
    if over.error is not None:
        told = over.error
        return " ".join(part for part in (told["message"], told.get("hint")) if part)
    return "It was cancelled." if over.state == "cancelled" else "It failed."


def _words(now: Run) -> str:
    from html import escape

    if now.state == "queued":
        return "Waiting for others to finish ..."
    return f"Working: {escape(str((now.progress or {}).get('words') or 'it has begun'))} ..."


async def tried(what: Callable[..., Any], *arguments: Any) -> Any:
    """What a call gives that may take its time; None where the library refuses it, with a line that says why."""
    try:
        return await run.io_bound(what, *arguments)
    except IncrowdError as error:
        frame.message(str(error), "error")
        return None


def later(work: Callable[[], Any]) -> None:
    """Begin as soon as the page is there."""
    ui.timer(0.05, work, once=True)

"""A run: how far it is, a way to stop it, and its result once it is there."""

from __future__ import annotations

import time
from html import escape
from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.web.pages import releases
from incrowd.web.parts import layout
from incrowd.web.parts.background import ENDED, ended, later, run_in_thread, why_not
from incrowd.web.result import result

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


def show(space: Workspace, owner: str, made: Run) -> None:
    """The page: the result where there is one, else how far the run is."""
    file = releases.table_of(space, owner, made)
    title = "The release" if made.state == "done" else "No release" if made.state in ENDED else "Making the release"
    with layout.page(title, f"Asked for: {releases.asked(made)}.", file, "releases"):
        if made.state == "done":
            result.show(space, owner, made)
        elif made.state in ENDED:
            _nothing(made, file)
        else:
            _progress(space, made)


def _nothing(made: Run, file: tuple[str, str] | None) -> None:
    """No release: why, and where to go."""
    layout.message(why_not(made), "error" if made.state == "failed" else "warning")
    if file is None:
        return
    if releases.made_before(made):
        layout.next_step("Choose another recoding", file[0], "apply")
    else:
        layout.hint("What you chose is kept: change some of it, and try again.")
        layout.next_step("Change what is asked for", file[0], "privacy")


def _progress(space: Workspace, made: Run) -> None:
    with layout.panel(mark="progress"):
        words = layout.marked(layout.paragraph("Waiting for its turn ...", "found").props("aria-live=polite"), "words")
        bar = ui.linear_progress(0.0, show_value=False, size="10px").props("rounded aria-label=Progress")
        bar.props("indeterminate")

        def told(now: Run) -> None:
            words.set_content(escape(_words(now)))
            share = now.progress.get("share")
            if share is not None:
                bar.props(remove="indeterminate")
                bar.value = share

        async def stop() -> None:
            await run_in_thread(space.cancel, made.id)
            button.text = "Stop at once, without a result"
            about.set_content("It stops with the best release that it has found. Press again to end it at once.")

        with layout.line():
            button = ui.button("Stop with the best so far", on_click=stop).props("outline no-caps")
            layout.marked(button, "cancel")
        about = layout.hint(
            "You may leave this page or close the browser: the run goes on, and is listed under Releases. A node is "
            "one possible release; a lower score is better."
        )

    async def follow() -> None:
        await ended(space, made.id, told)
        ui.navigate.reload()

    later(follow)


def _words(now: Run) -> str:
    if now.state == "queued":
        return "Waiting for its turn ..."
    began = now.started or now.submitted
    seconds = max(0, round(time.time() - began))
    return f"{now.progress.get('words') or 'Reading the table'} - {seconds} s"

"""The page of a run: its progress, a button to stop it, and its result."""

from __future__ import annotations

import time
from html import escape
from typing import TYPE_CHECKING

from nicegui import ui

from incrowd.web.pages import releases
from incrowd.web.parts import layout
from incrowd.web.parts.background import ENDED, failure_reason, run_in_thread, run_soon, wait_for_run
from incrowd.web.parts.listing import format_time
from incrowd.web.result import linked, result

if TYPE_CHECKING:
    from incrowd.service import Run, Workspace


_HELPS = ("Release", "Manifest", "Private record", "Verdict", "Guarantee", "Information loss", "Utility")
_WAITING = "Waiting for other runs to finish ..."


def show(space: Workspace, owner: str, made: Run, tab: str = "") -> None:
    """Show the result if there is one, at a tab of it, else the progress or the failure."""
    file = releases.table_of(space, owner, made)
    title = "Release" if made.state == "done" else "No release" if made.state in ENDED else "Creating the release"
    is_shown_below = made.state == "done" and not releases.is_of_several(made)
    lead = "" if is_shown_below else f"Request: {releases.describe_request(made)}."
    with layout.page(title, lead, file, "releases", _HELPS):
        if made.imported is not None:
            when = format_time(made.imported)
            words = (
                f"Imported with a project on {when}: made in another workspace; the hashes of its files were checked."
            )
            layout.mark(layout.message(words), "imported")
        if made.state == "done":
            of_kind = linked if releases.is_of_several(made) else result
            of_kind.show(space, owner, made, tab)
        elif made.state in ENDED:
            _show_failure(made, file)
        else:
            _show_progress(space, made)


def _show_failure(made: Run, file: tuple[str, str] | None) -> None:
    """Show why there is no release and link to the settings."""
    layout.message(failure_reason(made), "error" if made.state == "failed" else "warning")
    if file is None:
        return
    if releases.is_reapplied(made):
        layout.next_step("Choose another recoding", file[0], "apply")
    else:
        layout.hint("Your settings are kept. Change them and try again.")
        layout.next_step("Change the settings", file[0], "linked" if releases.is_of_several(made) else "privacy")


def _show_progress(space: Workspace, made: Run) -> None:
    with layout.panel(mark="progress"):
        words = layout.mark(layout.paragraph(_WAITING, "found").props("aria-live=polite"), "words")
        bar = ui.linear_progress(0.0, show_value=False, size="10px").props("rounded aria-label=Progress")
        bar.props("indeterminate")

        def progressed(now: Run) -> None:
            words.set_content(escape(_describe_progress(now)))
            share = now.progress.get("share")
            if share is not None:
                bar.props(remove="indeterminate")
                bar.value = share

        async def stop() -> None:
            await run_in_thread(space.cancel, made.id)
            button.text = "Cancel without a result"
            about.set_content("Stopping with the best release so far. Press again to cancel without a result.")

        with layout.line():
            button = ui.button("Stop with the best release so far", on_click=stop).props("outline no-caps")
            layout.mark(button, "cancel")
        about = layout.hint(
            "You can leave this page or close the browser: the run continues and is listed under Releases. A node is "
            "a possible release; a lower score is better."
        )

    async def follow() -> None:
        await wait_for_run(space, made.id, progressed)
        ui.navigate.reload()

    run_soon(follow)


def _describe_progress(now: Run) -> str:
    if now.state == "queued":
        return _WAITING
    began = now.started or now.submitted
    seconds = max(0, round(time.time() - began))
    return f"{now.progress.get('words') or 'Reading the table'} - {seconds} s"

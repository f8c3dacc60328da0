"""Deletes pages when their session ends: at sign-out or after twelve hours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import Client
from nicegui import app as pages

from incrowd.rest.access import COOKIE, NotKnown

if TYPE_CHECKING:
    from incrowd.rest.access import Access

_LOOK = 1.0
"""Seconds between two checks for ended sessions."""

TO_LOGIN = """<script>
addEventListener("load", () => window.socket?.on("disconnect", async () => {
  const answer = await fetch("/v1/about").catch(() => null);
  if (answer?.status === 401) location.reload();
}));
</script>"""
"""Reloads a disconnected page if it needs a new sign-in."""


def end_expired_pages(access: Access) -> None:
    """Start a timer that deletes the pages of ended sessions."""
    if access.keys:
        pages.timer(_LOOK, lambda: _end(access))


def _end(access: Access) -> None:
    for page in [each for each in Client.instances.values() if not _is_valid(access, each)]:
        page.delete()


def _is_valid(access: Access, page: Client) -> bool:
    """Return whether the page's credentials are still valid."""
    request = page.request
    try:
        owner = access.owner(request.headers, page.ip, request.cookies.get(COOKIE))
    except NotKnown:
        return False
    return owner == str(request.state.owner)

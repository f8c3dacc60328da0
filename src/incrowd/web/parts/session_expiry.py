"""Pages end with the session that they were opened in: after sign-out or twelve hours they do nothing for its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import Client
from nicegui import app as pages

from incrowd.rest.access import COOKIE, NotKnown

if TYPE_CHECKING:
    from incrowd.rest.access import Access

_LOOK = 1.0
"""Seconds between two looks at which sessions have ended."""

TO_LOGIN = """<script>
addEventListener("load", () => window.socket?.on("disconnect", async () => {
  const answer = await fetch("/v1/about").catch(() => null);
  if (answer?.status === 401) location.reload();
}));
</script>"""
"""A page whose socket was closed asks who one is, instead of waiting for the server."""


def watch(access: Access) -> None:
    """From now on."""
    if access.keys:
        pages.timer(_LOOK, lambda: _end(access))


def _end(access: Access) -> None:
    for page in [each for each in Client.instances.values() if not _is_still(access, each)]:
        page.delete()


def _is_still(access: Access, page: Client) -> bool:
    """Whether what a page was asked for with is still good for that."""
    request = page.request
    try:
        owner = access.owner(request.headers, page.ip, request.cookies.get(COOKIE))
    except NotKnown:
        return False
    return owner == str(request.state.owner)

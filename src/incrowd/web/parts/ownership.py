"""Binds pages to their owners: sockets, messages and uploads of other owners do not reach them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any
from urllib.parse import parse_qs

from nicegui import Client, core
from nicegui import app as pages
from socketio.exceptions import ConnectionRefusedError
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

_OF_A_PAGE = re.compile(r"/_nicegui/client/([^/]+)/")
_SOCKETS = "/_nicegui_ws/"
_MESSAGES = ("handshake", "event", "javascript_response", "ack", "log")
"""Messages of a browser that name a page by its id."""


def bind_pages_to_owners() -> None:
    """Install the checks; call this before the pages are mounted."""
    pages.add_middleware(_OwnPages)
    handlers = core.sio.handlers["/"]
    core.sio.on("connect", _refuse_foreign(handlers["connect"]))
    for name in _MESSAGES:
        core.sio.on(name, _ignore_foreign(handlers[name]))


class _OwnPages:
    """Middleware that rejects requests about pages or sockets of other owners."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or _is_own(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            await PlainTextResponse("no such page", 404)(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    named = _OF_A_PAGE.match(scope["path"])
    if named is not None:
        return _may_reach(named[1], scope)
    known = _query_value(scope["query_string"].decode("latin-1"), "sid") if scope["path"].startswith(_SOCKETS) else None
    opened = core.sio.environ.get(known)
    return opened is None or _owner(opened["asgi.scope"]) == _owner(scope)


def _refuse_foreign(connect: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    async def connected(sid: str, environ: dict[str, Any], *more: Any) -> None:
        page = _query_value(environ.get("QUERY_STRING", ""), "client_id")
        if not _may_reach(page, environ["asgi.scope"]):
            raise ConnectionRefusedError("no such page")
        await connect(sid, environ, *more)

    return connected


def _ignore_foreign(handle: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    async def handled(sid: str, message: Any) -> Any:
        page = message.get("client_id") if isinstance(message, dict) else None
        if not _may_reach(page, core.sio.get_environ(sid)["asgi.scope"]):
            return False
        found = handle(sid, message)
        return await found if isawaitable(found) else found

    return handled


def _may_reach(page: Any, scope: Scope) -> bool:
    """Return whether a page belongs to the requesting owner, or does not exist."""
    found = Client.instances.get(page) if isinstance(page, str) else None
    return found is None or str(found.request.state.owner) == _owner(scope)


def _owner(scope: Scope) -> str:
    # Set by the guard.
    return str(scope["state"]["owner"])


def _query_value(query: str, name: str) -> str | None:
    return parse_qs(query).get(name, [None])[0]

"""Pages belong to the owner that they were made for: no other owner's socket, message or upload reaches one."""

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
"""What a browser sends to a page, which it names by its id."""


def bind() -> None:
    """From now on; to be called before the pages are mounted."""
    pages.add_middleware(_OwnPages)
    handlers = core.sio.handlers["/"]
    core.sio.on("connect", _refusing(handlers["connect"]))
    for name in _MESSAGES:
        core.sio.on(name, _ignoring(handlers[name]))


class _OwnPages:
    """Requests that name a page, or go on with a socket that is open."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or _is_own(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            await PlainTextResponse("there is no such page", 404)(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    named = _OF_A_PAGE.match(scope["path"])
    if named is not None:
        return _may_reach(named[1], scope)
    known = _asked(scope["query_string"].decode("latin-1"), "sid") if scope["path"].startswith(_SOCKETS) else None
    opened = core.sio.environ.get(known)
    return opened is None or _owner(opened["asgi.scope"]) == _owner(scope)


def _refusing(connect: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    async def connected(sid: str, environ: dict[str, Any], *more: Any) -> None:
        page = _asked(environ.get("QUERY_STRING", ""), "client_id")
        if not _may_reach(page, environ["asgi.scope"]):
            raise ConnectionRefusedError("there is no such page")
        await connect(sid, environ, *more)

    return connected


def _ignoring(handle: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    async def handled(sid: str, message: Any) -> Any:
        page = message.get("client_id") if isinstance(message, dict) else None
        if not _may_reach(page, core.sio.get_environ(sid)["asgi.scope"]):
            return False
        found = handle(sid, message)
        return await found if isawaitable(found) else found

    return handled


def _may_reach(page: Any, scope: Scope) -> bool:
    """Return whether a page is the asking owner's; one that does not exist is left to who looks for it."""
    found = Client.instances.get(page) if isinstance(page, str) else None
    return found is None or str(found.request.state.owner) == _owner(scope)


def _owner(scope: Scope) -> str:
    # The guard has put it there.
    return str(scope["state"]["owner"])


def _asked(query: str, name: str) -> str | None:
    return parse_qs(query).get(name, [None])[0]

"""Check size, host, origin and user of every request; set headers and safe cookies on every answer."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from incrowd.errors import TooLarge
from incrowd.rest.access import COOKIE, Access, NotKnown
from incrowd.rest.error_handlers import answer, answered
from incrowd.service import Limits
from incrowd.service.failures import describe_error, failure

_log = logging.getLogger("incrowd")

_PAGES = "; ".join(
    [
        "default-src 'self'",
        # NiceGUI compiles its pages' templates in the browser, and puts their start and styles into the page.
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
_DATA = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE = ("GET", "HEAD", "OPTIONS")
_OPEN_PATHS = ("/v1/health", "/login")
_ONCE = ("host", "origin", "sec-fetch-site", "authorization", "x-api-key", "cookie", "content-length")
"""Security headers, each allowed once: of two, another part of the service could read the other one."""
_MULTIPART = 1 << 16
"""Bytes of a form beside its file; also the limit for users who are not signed in."""
_ENDED = 1008
"""Close code of a socket whose user is not, or no longer, signed in."""


class Guard:
    """ASGI middleware that guards pages, sockets and /v1 alike."""

    def __init__(self, app: ASGIApp, access: Access, limits: Limits) -> None:
        self._app = app
        self._access = access
        self._limits = limits
        self._once = (*_ONCE, *([access.header.lower()] if access.header is not None else []))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, safe = Headers(scope=scope), _Hardened(send, scope)
        wrong = self._wrong(scope, headers)
        if wrong is not None:
            await self._refuse(scope, receive, safe, wrong)
            return
        try:
            owner = self._owner(scope, headers)
        except NotKnown as error:
            if self._access.keys and _wants_page(scope, headers):
                await _to_login(safe)
            else:
                await answered(error)(scope, receive, safe) if scope["type"] == "http" else await _close(send)
            return
        scope.setdefault("state", {})["owner"] = owner
        if scope["type"] == "websocket":
            socket = _WhileKnown(receive, send, lambda: self._is_still(owner, scope, headers))
            await self._served(scope, socket.receive, socket.send)
        else:
            await self._served(scope, _Measured(receive, self._most(scope)), safe)

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            # Whoever is above would log its words, which may quote a record.
            if not isinstance(error, TooLarge):
                _log.error("%s", describe_error(error)["message"])
            if isinstance(send, _Hardened) and not send.begun:
                await answered(error)(scope, receive, send)

    def _wrong(self, scope: Scope, headers: Headers) -> tuple[dict[str, str], int] | None:
        """Return the error that applies to any user, if there is one."""
        twice = next((name for name in self._once if len(headers.getlist(name)) > 1), None)
        if twice is not None:
            return failure("bad_request", f"the header {twice} is given more than once", "send it once"), 422
        host = headers.get("host", "")
        if self._access.hosts and _name(host) not in self._access.hosts:
            return failure("bad_host", "the service is not called by this name", "use the address that it printed"), 421
        unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        # A page of another site that wants to read an answer says where it comes from.
        if (unsafe or "origin" in headers) and not _same_site(headers, host):
            return failure("cross_site", "another site's page asks for this", "ask from the service's own pages"), 403
        length = headers.get("content-length", "0")
        if not re.fullmatch(r"\d{1,18}", length) or int(length) > self._most(scope):
            return failure("too_large", "the request has more bytes than the service takes", "send less"), 413
        return None

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, wrong: tuple[dict[str, str], int]) -> None:
        if scope["type"] == "websocket":
            await _close(send)
        else:
            await answer(*wrong)(scope, receive, send)

    def _owner(self, scope: Scope, headers: Headers) -> str:
        if scope["path"] in _OPEN_PATHS:
            return ""
        peer = (scope.get("client") or ("", 0))[0]
        return self._access.owner(headers, peer, _session(headers))

    def _is_still(self, owner: str, scope: Scope, headers: Headers) -> bool:
        """Return whether the credentials of a socket are still valid."""
        try:
            return self._owner(scope, headers) == owner
        except NotKnown:
            return False

    def _most(self, scope: Scope) -> int:
        """Return the size limit of a request; only /v1/files, /v1/projects and the pages accept files."""
        path = scope["path"]
        if path in _OPEN_PATHS:
            return _MULTIPART
        if path.startswith("/v1/") and path not in ("/v1/files", "/v1/projects"):
            return self._limits.request
        return self._limits.upload + _MULTIPART


class _Measured:
    """Return a body that stops at the limit, whatever its header says."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise TooLarge("the request has more bytes than the service takes; send less")
        return message


class _WhileKnown:
    """A socket that closes with the session of its user; later messages are dropped."""

    def __init__(self, receive: Receive, send: Send, is_known: Callable[[], bool]) -> None:
        self._receive = receive
        self._send = send
        self._is_known = is_known
        self._is_over = False

    async def receive(self) -> Message:
        """Return the next message."""
        message = await self._receive()
        if message["type"] != "websocket.receive" or await self._goes_on():
            return message
        return {"type": "websocket.disconnect", "code": _ENDED}

    async def send(self, message: Message) -> None:
        """Send a message; raise as servers do if the socket is closed."""
        if await self._goes_on():
            await self._send(message)
        elif message["type"] == "websocket.send":
            raise OSError("the socket is closed")

    async def _goes_on(self) -> bool:
        if not self._is_over and not self._is_known():
            self._is_over = True
            await _close(self._send)
        return not self._is_over


class _Hardened:
    """Answers with security headers, and cookies that scripts and other sites cannot use."""

    def __init__(self, send: Send, scope: Scope) -> None:
        self._send = send
        self._is_data = scope["path"].startswith("/v1/")
        # Behind a proxy that speaks HTTPS; who pretends that only has a cookie that is never sent.
        forwarded = [each.lower() for each in Headers(scope=scope).getlist("x-forwarded-proto")]
        self._is_secure = scope.get("scheme") in ("https", "wss") or "https" in forwarded
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", _DATA if self._is_data else _PAGES)
            if self._is_data:
                headers["Cache-Control"] = "no-store"
            message["headers"] = [(key, self._cookie(key, value)) for key, value in message["headers"]]
        await self._send(message)

    def _cookie(self, key: bytes, value: bytes) -> bytes:
        if key.lower() != b"set-cookie":
            return value
        parts = [part.strip() for part in value.split(b";")]
        kept = [part for part in parts if part.lower() not in (b"httponly", b"secure")]
        kept = [part for part in kept if not part.lower().startswith(b"samesite")]
        more = [b"HttpOnly", b"SameSite=Strict", *([b"Secure"] if self._is_secure else [])]
        return b"; ".join([*kept, *more])


def _name(host: str) -> str:
    """Return a host without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _same_site(headers: Headers, host: str) -> bool:
    """Return whether a request comes from the service's own pages, or not from a page."""
    site, origin = headers.get("sec-fetch-site", "none"), headers.get("origin")
    if site not in ("same-origin", "none"):
        return False
    # A form of a page that tells no referrer has no origin; no page can write the other header.
    if origin == "null":
        return site == "same-origin"
    return origin is None or origin in (f"http://{host}", f"https://{host}")


def _session(headers: Headers) -> str | None:
    """Return the session of a browser; None if it sends two, one of which another site may have set."""
    cookies = [each.strip().partition("=") for each in headers.get("cookie", "").split(";")]
    found = {value for name, _, value in cookies if name == COOKIE}
    return found.pop() if len(found) == 1 else None


def _wants_page(scope: Scope, headers: Headers) -> bool:
    wants = "text/html" in headers.get("accept", "")
    return scope["type"] == "http" and scope["method"] == "GET" and wants and not scope["path"].startswith("/v1/")


async def _to_login(send: Send) -> None:
    headers: Iterable[tuple[bytes, bytes]] = [(b"location", b"/login"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": list(headers)})
    await send({"type": "http.response.body", "body": b""})


async def _close(send: Any) -> None:
    await send({"type": "websocket.close", "code": _ENDED})

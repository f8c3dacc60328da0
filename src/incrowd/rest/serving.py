"""The server: one process with the application and its pool of workers."""

from __future__ import annotations

import contextlib
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import FastAPI

from incrowd.errors import UsageError
from incrowd.rest.access import LOOPBACK_NAMES, Access, is_loopback, refuse_public
from incrowd.rest.app import make_app
from incrowd.service import Pool, Workspace

_LAST_ANSWERS = 5
"""Seconds that open requests have when the server stops."""


@dataclass(frozen=True)
class Listening:
    """Address of the server."""

    host: str
    port: int
    socket: socket.socket

    @property
    def url(self) -> str:
        """Return the address for a browser."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}/"


def listen(host: str, port: int, access: Access) -> Listening:
    """Bind the address; refuse a public one without authentication."""
    refuse_public(host, access)
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        taken = socket.socket(family, kind)
    except (OSError, OverflowError, UnicodeError):
        raise UsageError.invalid(f"listening on {host}", "there is no such address", "use 127.0.0.1") from None
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind(address)
        # Whoever hears of the address may come at once, and waits for the first answer.
        taken.listen(1024)
    except OSError as error:
        taken.close()
        raise UsageError.invalid(
            f"listening on {host}:{port}", f"the address cannot be had ({error.strerror})", "choose another --port"
        ) from None
    return Listening(host, taken.getsockname()[1], taken)


def hosts_for(host: str, access: Access, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the host names that the server answers to.

    On a loopback address they are fixed: otherwise any page could point its own name here and read everything.
    """
    return given or (LOOPBACK_NAMES if access.is_open and is_loopback(host) else ())


def serve(
    space: Workspace,
    access: Access,
    at: Listening,
    workers: int,
    mount: Callable[[FastAPI, Workspace], None] | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until asked to stop; open requests finish, and unfinished runs restart next time."""
    import uvicorn

    app = make_app(space, access)
    if mount is not None:
        mount(app, space)
    config = uvicorn.Config(
        app,
        log_level="warning",
        # Who asked for what is nobody's business here.
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_LAST_ANSWERS,
    )
    with contextlib.closing(at.socket), Pool(space, workers):
        # Uploads on their way are data too.
        tempfile.tempdir = str(space.scratch())
        if ready is not None:
            ready(at.url)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[at.socket])

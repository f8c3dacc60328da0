"""The real application over a real socket, in a thread of the test."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from incrowd.rest.access import Access
from incrowd.rest.app import make_app
from incrowd.rest.serving import listen
from incrowd.service import Limits, Pool, Workspace


@contextmanager
def serving(
    folder: Path, access: Access | None = None, limits: Limits | None = None, workers: int = 2
) -> Iterator[str]:
    """The address of a server that is there as long as the block."""
    space = Workspace.open(folder, limits)
    at = listen("127.0.0.1", 0, Access())
    server = uvicorn.Server(uvicorn.Config(make_app(space, access), log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [at.socket]})
    with Pool(space, workers) if workers else _nobody():
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield at.url.rstrip("/")
        finally:
            server.should_exit = True
            thread.join()
            at.socket.close()
    space.close()


@contextmanager
def _nobody() -> Iterator[None]:
    """No worker: what is accepted waits."""
    yield

"""The web app: NiceGUI pages on the application of the service. Every page is one file; none knows how a run works."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

    from incrowd.service import Workspace


def mount(app: FastAPI, space: Workspace, owner: Callable[[Request], str] = lambda request: "") -> None:
    """Add the pages to an application; `owner` tells whose files and runs a request is about."""
    from incrowd.web.routes import add

    add(app, space, owner)

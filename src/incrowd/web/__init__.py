"""The web app: NiceGUI pages on the application of the service. Every page is one file; none knows how a run works."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from incrowd.service import Workspace


def mount(app: FastAPI, space: Workspace) -> None:
    """Add the pages to an application, which says by `request.state.owner` who asks."""
    from incrowd.web.routes import add

    add(app, space)

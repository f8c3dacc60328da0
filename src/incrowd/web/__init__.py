"""The web app: NiceGUI pages mounted on the service's application. One file per page; runs belong to the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from incrowd.service import Workspace


def mount(app: FastAPI, space: Workspace) -> None:
    """Add the pages to an application that sets `request.state.owner`."""
    from incrowd.web.routes import add_pages

    add_pages(app, space)

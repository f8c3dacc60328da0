"""Dependencies of every endpoint: the workspace and the user."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends
from fastapi.requests import HTTPConnection

from incrowd.rest.responses import Error
from incrowd.service import Workspace

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": words}
    for status, words in {
        401: "Authentication is required.",
        403: "The service does not allow this.",
        404: "Not found.",
        405: "The method is not allowed.",
        409: "A run that has not ended needs it.",
        413: "A limit of the service is exceeded.",
        415: "The content type is not supported.",
        422: "The request is invalid, or its data cannot be read.",
        429: "Too many runs are waiting; Retry-After has the seconds to wait.",
        507: "The disk of the service is full.",
    }.items()
}


def _space(connection: HTTPConnection) -> Workspace:
    space: Workspace = connection.app.state.space
    return space


def _owner(connection: HTTPConnection) -> str:
    # The guard has put it there.
    return str(connection.scope["state"]["owner"])


Space = Annotated[Workspace, Depends(_space)]
Owner = Annotated[str, Depends(_owner)]

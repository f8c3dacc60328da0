"""What every endpoint needs: the workspace, and whose request it is."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends
from fastapi.requests import HTTPConnection

from incrowd.rest.responses import Error
from incrowd.service import Workspace

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": words}
    for status, words in {
        401: "The service does not know who asks.",
        403: "The service does not do that.",
        404: "There is no such thing.",
        405: "Not by this method.",
        409: "It is needed by a run that is not over.",
        413: "More than the service takes.",
        415: "A content type that is not taken.",
        422: "The request makes no sense, or its data cannot be read.",
        429: "Too many runs wait; Retry-After says when to ask again.",
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

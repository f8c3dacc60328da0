"""Mount pages beside /v1 without changing the addresses and errors of the service."""

from fastapi import FastAPI
from starlette.routing import Match, Mount
from starlette.types import Scope


class _Beside(Mount):
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        is_service = scope["path"] == "/v1" or scope["path"].startswith("/v1/")
        return (Match.NONE, {}) if is_service else super().matches(scope)


def exclude_api(app: FastAPI) -> None:
    """Exclude /v1 from mounted pages."""
    routes = app.router.routes
    for at, route in enumerate(routes):
        if isinstance(route, Mount) and route.path == "":
            routes[at] = _Beside("", route.app)

"""The application: /v1 over a workspace, guarded."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI

from incrowd.rest import files, login, projects, runs
from incrowd.rest.access import Access
from incrowd.rest.dependencies import ERRORS, Owner, Space
from incrowd.rest.error_handlers import add_handlers
from incrowd.rest.guard import Guard
from incrowd.rest.responses import About, Health
from incrowd.service import Workspace
from incrowd.service.kinds import kinds

_WORDS = (
    "Measure re-identification risk and publish anonymized data. Upload a file and ask: that becomes a run, "
    "whose state, progress and result are fetched by its id. Every error is {error: {code, message, hint}}."
)

router = APIRouter(tags=["service"])


@router.get("/health")
def health() -> Health:
    """Return that the service is up; no authentication needed."""
    return Health()


@router.get("/about", responses=ERRORS)
def about(space: Space, owner: Owner) -> About:
    """Return the version, the kinds of runs and the limits."""
    return About(version=version("incrowd"), kinds=sorted(kinds()), limits=space.limits.numbers)


@router.get("/job-schema", responses=ERRORS)
def job_schema(owner: Owner) -> dict[str, Any]:
    """Return the JSON schema of a job."""
    from incrowd.jobs.schema import schema

    return schema()


def make_app(space: Workspace, access: Access | None = None) -> FastAPI:
    """Return the application; pages may be mounted on it, and nothing served loads from the network."""
    app = FastAPI(
        title="Incrowd",
        version=version("incrowd"),
        description=_WORDS,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.space = space
    app.state.access = access or Access()
    add_handlers(app)
    for each in (router, files.router, projects.router, runs.router_of_kinds(), runs.router):
        app.include_router(each, prefix="/v1")
    if app.state.access.keys:
        app.include_router(login.router)
    app.add_middleware(Guard, access=app.state.access, limits=space.limits)
    return app

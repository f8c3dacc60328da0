"""Error responses, all of the shape {"error": {"code", "message", "hint"}}."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from incrowd.errors import IncrowdError, QueueFull, TooLarge
from incrowd.rest.access import NotKnown
from incrowd.service.failures import describe_error, failure, faults

STATUS = {
    "bad_request": 422,
    "bad_job": 422,
    "bad_source": 422,
    "bad_hierarchy": 422,
    "infeasible": 422,
    "not_known": 401,
    "refused": 403,
    "not_there": 404,
    "in_use": 409,
    "too_large": 413,
    "bad_type": 415,
    "queue_full": 429,
    "disk_full": 507,
}
_HTTP = {
    # A body that cannot be read is told as all else that cannot be.
    400: ("bad_request", "the request cannot be read", "look at /v1/openapi.json"),
    404: ("not_there", "there is nothing at this address", "look at /v1/openapi.json"),
    405: ("bad_method", "this address does not know the method", "look at /v1/openapi.json"),
    415: ("bad_type", "the content is of a type that is not taken here", "look at /v1/openapi.json"),
}


def answer(error: dict[str, str], status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return an error as a response."""
    return JSONResponse({"error": error}, status, headers)


def answered(error: Exception) -> JSONResponse:
    """Return any error as a response; of an unforeseen one only its type."""
    if isinstance(error, NotKnown):
        message, _, hint = str(error).rpartition("; ")
        return answer(failure("not_known", message, hint), 401, {"WWW-Authenticate": "Bearer"})
    plain = describe_error(error)
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, QueueFull) else None
    return answer(plain, STATUS.get(plain["code"], 500), headers)


def add_handlers(app: FastAPI) -> None:
    """Give every error this shape."""

    async def ours(request: Request, error: Exception) -> JSONResponse:
        return answered(error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return answer(failure("bad_request", faults(error.errors()), "correct what is named"), 422)

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        if isinstance(error.__cause__, TooLarge):
            return answered(error.__cause__)
        problem = _HTTP.get(error.status_code, ("bad_request", "the request is refused", "look at /v1/openapi.json"))
        status = 422 if error.status_code == 400 else error.status_code
        return answer(failure(*problem), status, dict(error.headers or {}))

    app.add_exception_handler(IncrowdError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)

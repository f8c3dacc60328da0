"""How a browser shows its API key once and gets a session; only where the service asks for keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from incrowd.rest.access import COOKIE, Access

router = APIRouter(include_in_schema=False)

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Incrowd</title>
<style>body {{ font: 16px sans-serif; margin: 4em auto; max-width: 30em }} input, button {{ font: inherit }}</style>
<h1>Incrowd</h1><p>{words}</p>
<form method="post" action="/login"><label>API key <input type="password" name="key" autofocus required></label>
<button>Sign in</button></form></html>"""


@router.get("/login")
def page() -> HTMLResponse:
    """The form."""
    return HTMLResponse(_PAGE.format(words="This service asks who you are."))


@router.post("/login")
def sign_in(request: Request, key: Annotated[str, Form(max_length=500)]) -> Response:
    """A session for whoever has a key."""
    access: Access = request.app.state.access
    owner = access.of_key(key)
    if owner is None:
        return HTMLResponse(_PAGE.format(words="This key is not known."), 401)
    response = RedirectResponse("/", 303)
    response.set_cookie(COOKIE, access.sessions.begin(owner), httponly=True, samesite="strict", max_age=12 * 3600)
    return response


@router.post("/logout")
def sign_out(request: Request) -> RedirectResponse:
    """The end of a session."""
    access: Access = request.app.state.access
    access.sessions.end(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(COOKIE)
    return response

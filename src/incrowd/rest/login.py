"""Sign-in with an API key for browsers; only if the service has keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from incrowd.rest.access import COOKIE, Access

router = APIRouter(include_in_schema=False)

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in - Incrowd</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; margin: 0; background: #f6f8fa; color: #1d2733 }}
main {{ margin: 6rem auto; max-width: 26rem; padding: 2rem; background: #fff; border: 1px solid #d5dce3;
  border-radius: 8px }}
h1 {{ color: #0b5c8a; font-size: 1.5rem; margin: 0 }}
input {{ font: inherit; display: block; width: 100%; box-sizing: border-box; padding: .5rem; margin: .25rem 0 1rem }}
button {{ font: inherit; background: #0b5c8a; color: #fff; border: 0; border-radius: 4px; padding: .5rem 1.25rem }}
input:focus-visible, button:focus-visible {{ outline: 3px solid #e69f00; outline-offset: 2px }}
</style>
<main><h1>Incrowd</h1><p role="status">{words}</p>
<form method="post" action="/login"><label>API key
<input type="password" name="key" autocomplete="off" autofocus required data-mark="key"></label>
<button data-mark="sign-in">Sign in</button></form></main></html>"""


@router.get("/login")
def page() -> HTMLResponse:
    """Return the sign-in form."""
    return HTMLResponse(_PAGE.format(words="Enter your API key to sign in."))


@router.post("/login")
def sign_in(request: Request, key: Annotated[str, Form(max_length=500)]) -> Response:
    """Start a session for a valid key."""
    access: Access = request.app.state.access
    owner = access.of_key(key)
    if owner is None:
        return HTMLResponse(_PAGE.format(words="Unknown API key."), 401)
    # Whoever was signed in here before is not any more.
    access.sessions.end(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/", 303)
    response.set_cookie(COOKIE, access.sessions.begin(owner), httponly=True, samesite="strict", max_age=12 * 3600)
    return response


@router.post("/logout")
def sign_out(request: Request) -> RedirectResponse:
    """End a session."""
    access: Access = request.app.state.access
    access.sessions.end(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(COOKIE)
    return response

"""Verify a release against its manifest."""

from typing import Any

from incrowd.errors import UsageError
from incrowd.service.references import References
from incrowd.service.requests import Verify
from incrowd.watch import Progress, Show

REQUEST = Verify


def prepare(request: Verify, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    held = files.held(request.file, "release")
    if held.kind != "release" and request.manifest is None:
        raise UsageError.invalid("the release", "no manifest is given", "upload its manifest, and name it")
    found = files.source(request.file)
    plain: dict[str, Any] = {"location": found["source"], "table": found["table"]}
    for key, kinds in (("manifest", ("manifest",)), ("record", ("record",)), ("population", ()), ("original", ())):
        given = getattr(request, key)
        if given is not None:
            plain[key] = files.path(given, key, *kinds)
    return plain


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the verdict."""
    from incrowd.api import verify

    show(Progress(None, "reading the release"))
    verdict = verify(**plain)
    return {**verdict.to_dict(), "text": str(verdict)}

"""Verify a release against its manifest."""

from pathlib import Path
from typing import Any

from incrowd.errors import UsageError
from incrowd.service.kinds._sets import is_of_run, made_here, named, originals, released, uploaded
from incrowd.service.references import TABLES, Held, References
from incrowd.service.requests import Verify
from incrowd.watch import Progress, Show

REQUEST = Verify


def prepare(request: Verify, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    if isinstance(request.original, dict) and request.tables is None and not is_of_run(request.file, files):
        raise UsageError.invalid("the original", "several tables are given for one", "name one table")
    if (request.file is None) == (request.tables is None):
        raise UsageError.invalid("the request for verify", "it needs a file or tables", "give one of the two")
    if request.tables is not None:
        found_tables = uploaded(request.tables, request.manifest, request.record, files)
        return {"set": found_tables, **_originals(request, files)}
    held = files.held(request.file, "release")
    if held.kind == TABLES:
        return {**_originals(request, files), "set": made_here(held, files), **_beside(request, files)}
    if held.kind != "release" and request.manifest is None:
        raise UsageError.invalid("the release", "no manifest is given", "upload its manifest, and name it")
    found = files.source(request.file)
    return {"location": found["source"], "table": found["table"], **_own(held, files), **_further(request, files)}


def _own(held: Held, files: References) -> dict[str, Any]:
    """Return what the workspace itself has beside a release that was made here: its private record and its table."""
    if held.kind != "release" or not Path(f"{held.path}.record.json").exists():
        return {}
    read = held.made_from and files.find(held.made_from)
    # People are never counted in a database unasked.
    table = {"read": files.source(read.id)["source"]} if read and read.url is None else {}
    return {"record": f"{files.path(held.id)}.record.json", **table}


def _originals(request: Verify, files: References) -> dict[str, Any]:
    """Return the original tables that a request names; refuse what only a release of one table is verified with."""
    before = request.original
    given = [] if request.population is None else ["population"]
    given += ["original"] if isinstance(before, str) else []
    if given or isinstance(before, str):
        raise UsageError.invalid(
            f"verify of several tables with {', '.join(given)}",
            "it takes the manifest, the record, and the original tables by their names",
            "omit it",
        )
    return {} if before is None else {"originals": named(before, files)}


def _beside(request: Verify, files: References) -> dict[str, Any]:
    """Return the manifest and the private record that are given beside the release."""
    given = {key: getattr(request, key) for key in ("manifest", "record")}
    return {key: files.path(id, key, key) for key, id in given.items() if id is not None}


def _further(request: Verify, files: References) -> dict[str, Any]:
    """Return what is given beside the release of one table."""
    given = {"population": request.population, "original": request.original}
    return {**_beside(request, files), **{key: files.path(id, key) for key, id in given.items() if id is not None}}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the verdict."""
    from incrowd.api import verify
    from incrowd.formats.settling import record_at

    show(Progress(None, "reading the release"))
    read = plain.pop("read", None)
    if read is not None and "original" not in plain and record_at(plain["record"]).person:
        plain["original"] = read
    if "set" in plain:
        given = plain.pop("set")
        plain = {"location": released(given), "record": given.get("record"), **plain}
        before = plain.pop("originals", None)
        plain["original"] = originals(given) if before is None else before
    verdict = verify(**plain)
    return {**verdict.to_dict(), "text": str(verdict)}

"""Verify a release against its manifest."""

import os
from pathlib import Path
from typing import Any

from incrowd.errors import JobError, UsageError
from incrowd.service.path_sandbox import confined_tables
from incrowd.service.references import TABLES, Held, References
from incrowd.service.requests import Verify
from incrowd.watch import Progress, Show

REQUEST = Verify

_GIVEN = "given"
"""The folder in which uploaded tables are put together under the names that their manifest has."""


def prepare(request: Verify, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    if (request.file is None) == (request.tables is None):
        raise UsageError.invalid("the request for verify", "it needs a file or tables", "give one of the two")
    if request.tables is not None:
        _refuse_originals(request)
        return {**_further(request, files), "tables": _tables(request.tables, request.manifest, files)}
    held = files.held(request.file, "release")
    if held.kind == TABLES:
        _refuse_originals(request)
        folder = files.folder(held)
        own = {"location": folder, "record": f"{folder}.record.json", **_own_tables(held, files)}
        return {**own, **_further(request, files)}
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


def _own_tables(held: Held, files: References) -> dict[str, Any]:
    """Return the job of several tables that reads them again, if all are still there and no database."""
    trial = References(files.find)
    try:
        confined_tables(held.job, trial, publishes=False)
    except JobError:
        return {}
    return {} if trial.secrets else {"read_by": confined_tables(held.job, files, publishes=False)}


def _refuse_originals(request: Verify) -> None:
    given = [key for key in ("population", "original") if getattr(request, key) is not None]
    if given:
        raise UsageError.invalid(
            f"verify of several tables with {', '.join(given)}",
            "it takes the manifest and the record, and compares those of a run with its own tables",
            "omit it",
        )


def _further(request: Verify, files: References) -> dict[str, Any]:
    """Return what is given beside the release."""
    kinds: dict[str, tuple[str, ...]] = {"manifest": ("manifest",), "record": ("record",)}
    given = {key: getattr(request, key) for key in ("manifest", "record", "population", "original")}
    return {key: files.path(id, key, *kinds.get(key, ())) for key, id in given.items() if id is not None}


def _tables(tables: dict[str, str], manifest: str | None, files: References) -> dict[str, str]:
    """Return the uploaded tables of a release by their names."""
    if manifest is None:
        raise UsageError.invalid("the release", "no manifest is given", "upload its manifest, and name it")
    return {name: files.path(id, f"table {name!r}") for name, id in tables.items()}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the verdict."""
    from incrowd.api import verify
    from incrowd.formats.settling import record_at

    show(Progress(None, "reading the release"))
    read = plain.pop("read", None)
    if read is not None and "original" not in plain and record_at(plain["record"]).person:
        plain["original"] = read
    if "read_by" in plain:
        from incrowd.jobs.linked import LinkedJob

        plain["original"] = LinkedJob.from_dict(plain.pop("read_by"))
    if "tables" in plain:
        plain["location"] = _gathered(plain.pop("tables"), plain.pop("manifest"))
    verdict = verify(**plain)
    return {**verdict.to_dict(), "text": str(verdict)}


def _gathered(tables: dict[str, str], manifest: str) -> str:
    """Put tables and manifest into one folder, as they were released."""
    from incrowd.release.tables import MANIFEST, LinkedManifest

    claimed = {table.name: table.data.file for table in LinkedManifest.of(manifest).tables}
    if tables.keys() != claimed.keys():
        raise UsageError.invalid(
            "the tables", "they are not those of the manifest", f"give {', '.join(claimed)}, each by its name"
        )
    folder = Path(_GIVEN)
    folder.mkdir()
    for name, file in (*((tables[name], file) for name, file in claimed.items()), (manifest, MANIFEST)):
        os.symlink(Path(name).resolve(), folder / file)
    return _GIVEN

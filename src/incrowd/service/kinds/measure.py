"""Compare releases."""

import os
from pathlib import Path
from typing import Any

from incrowd.errors import UsageError
from incrowd.formats.options import OF_FILES
from incrowd.service.kinds._reading import columns_within, given
from incrowd.service.kinds._sets import is_of_run, made_here, named, originals, refuse_further, released, uploaded
from incrowd.service.references import TABLES, References
from incrowd.service.requests import Measure, ReleasedTables
from incrowd.watch import Show

REQUEST = Measure


def prepare(request: Measure, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    for each in request.releases:
        if isinstance(each, str):
            files.held(each, "release")
    if any(isinstance(each, ReleasedTables) or is_of_run(each, files) for each in request.releases):
        return _of_tables(request, files)
    if not isinstance(request.original, str):
        raise UsageError.invalid("the original", "no table is given", "name the table that the releases were made from")
    plain = request.model_dump(exclude_none=True)
    plain["original"] = files.source(request.original, "original")
    plain["releases"] = {each: files.source(each, "release") for each in request.releases if isinstance(each, str)}
    if request.queries is not None:
        plain["queries"] = files.source(request.queries, "table of queries")
    return {**plain, **columns_within(request.columns, files)}


_OF_TABLES = ("metrics", "seed", "time")


def _of_tables(request: Measure, files: References) -> dict[str, Any]:
    """Return a request about releases of several tables; without originals those of the first run are read."""
    refuse_further("measure", request.model_fields_set - {"original", "releases"}, *_OF_TABLES)
    sets: dict[str, Any] = {}
    for each in request.releases:
        if isinstance(each, ReleasedTables):
            sets[each.manifest] = uploaded(each.tables, each.manifest, each.record, files)
        else:
            held = files.held(each, "release")
            if held.kind != TABLES:
                raise UsageError.invalid("a release", "it is of one table, and others of several", "omit it")
            sets[each] = made_here(held, files)
    plain = {"sets": sets, **request.model_dump(include={*_OF_TABLES}, exclude_none=True)}
    if isinstance(request.original, str):
        raise UsageError.invalid(
            "the original", "one table is given for several", "give each table by its name, or leave it out"
        )
    return plain if request.original is None else {**plain, "originals": named(request.original, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the comparison."""
    from incrowd.api import measure

    if "sets" in plain:
        return _measured(plain, show)
    if "queries" in plain:
        plain["queries"] = given(plain["queries"])
    releases = {name: given(how) for name, how in plain.pop("releases").items()}
    more = {key: plain.pop(key) for key in OF_FILES if key in plain}
    original = given(plain.pop("original"), **more)
    found = measure(original, releases, progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}


def _measured(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    from incrowd.api import measure

    sets = plain.pop("sets")
    before = {"originals": plain.pop("originals")} if "originals" in plain else next(iter(sets.values()))
    folders = {name: _with_record(each, at) for at, (name, each) in enumerate(sets.items(), 1)}
    found = measure(originals(before), folders, progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}


def _with_record(given: dict[str, Any], at: int) -> str:
    """Return the folder of a release; its private record is beside it, where it is looked for."""
    folder = released(given, at)
    if "record" in given and "tables" in given:
        os.symlink(Path(given["record"]).resolve(), f"{folder}.record.json")
    return folder

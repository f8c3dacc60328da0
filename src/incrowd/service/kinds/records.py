"""List the records of the original table beside what a release publishes of them."""

from pathlib import Path
from typing import Any

from incrowd.errors import UsageError
from incrowd.service.references import References
from incrowd.service.requests import Records
from incrowd.watch import Show

REQUEST = Records

FILE = "records.arrow"
"""The file that pages of records are read from."""
_KEPT = 1_000_000
"""The most records in that file."""


def prepare(request: Records, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    held = files.held(request.release, "release")
    original = request.original or held.made_from
    if original is None:
        raise UsageError.invalid("the release", "it was not made here", "name a run that made a release")
    release = files.path(request.release, "release", "release")
    return {**request.model_dump(exclude_none=True), "release": release, "original": files.source(original, "original")}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the first records; keep more of them in a file."""
    from incrowd.api import read, records
    from incrowd.formats.settling import record_at
    from incrowd.reports.pair_columns import Cells, save

    how, release, rows = plain.pop("original"), plain.pop("release"), plain.pop("rows")
    original = how["source"]
    if how["table"] or how["query"]:
        data = record_at(f"{release}.record.json").job.get("data") or {}
        original = read(original, missing=data.get("missing", ()), table=how["table"], query=how["query"])
    found = records(release, original, _KEPT, progress=show, **plain)
    columns: dict[str, Cells] = {}
    for side, cells in (("o", found.original), ("p", found.published)):
        columns |= {f"{side}{at}": of for at, of in enumerate(cells.values())}
    save(columns, {"before": found.before, "after": found.after}, Path(FILE))
    return {**found.first(rows).to_dict(), "kept": found.shown}

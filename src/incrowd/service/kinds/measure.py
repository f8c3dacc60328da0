"""Compare releases."""

from typing import Any

from incrowd.formats.options import OF_FILES
from incrowd.service.kinds._reading import columns_within, given
from incrowd.service.references import References
from incrowd.service.requests import Measure
from incrowd.watch import Show

REQUEST = Measure


def prepare(request: Measure, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = request.model_dump(exclude_none=True)
    plain["original"] = files.source(request.original, "original")
    plain["releases"] = {each: files.source(each, "release") for each in request.releases}
    if request.queries is not None:
        plain["queries"] = files.source(request.queries, "table of queries")
    return {**plain, **columns_within(request.columns, files)}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the comparison."""
    from incrowd.api import measure

    if "queries" in plain:
        plain["queries"] = given(plain["queries"])
    releases = {name: given(how) for name, how in plain.pop("releases").items()}
    more = {key: plain.pop(key) for key in OF_FILES if key in plain}
    original = given(plain.pop("original"), **more)
    found = measure(original, releases, progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}

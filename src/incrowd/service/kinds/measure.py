"""Releases side by side."""

from collections.abc import Mapping
from typing import Any

from incrowd.service.confined import hierarchy_within
from incrowd.service.references import References
from incrowd.service.requests import Measure
from incrowd.watch import Show

REQUEST = Measure


def prepare(request: Measure, files: References) -> dict[str, Any]:
    """The request for a worker."""
    plain = request.model_dump(exclude_none=True)
    plain["original"] = files.source(request.original, "original")
    plain["releases"] = {each: files.source(each, "release") for each in request.releases}
    if request.queries is not None:
        plain["queries"] = files.source(request.queries, "table of queries")
    if isinstance(request.columns, dict):
        plain["columns"] = {
            name: {**of, "hierarchy": hierarchy_within(of.get("hierarchy"), files)} if isinstance(of, Mapping) else of
            for name, of in request.columns.items()
        }
    return plain


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The comparison."""
    from incrowd.api import measure, read

    def given(how: dict[str, Any]) -> Any:
        """A plain file by its path, so that what lies beside it is found."""
        return (
            how["source"]
            if how["table"] is None and how["query"] is None
            else read(how["source"], table=how["table"], query=how["query"])
        )

    if "queries" in plain:
        plain["queries"] = given(plain["queries"])
    releases = {name: given(how) for name, how in plain.pop("releases").items()}
    found = measure(given(plain.pop("original")), releases, progress=show, **plain)
    return {**found.to_dict(), "text": str(found)}

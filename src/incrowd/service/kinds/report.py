"""A release, or a table, told for people: as pages to keep and to hand out, and as plain facts."""

from typing import Any, Literal

from incrowd.service.references import References
from incrowd.service.requests import Id, Request
from incrowd.watch import Show


class Report(Request):
    """What was asked, what was found, and what is promised?"""

    file: Id
    """The release: the run that made it. Or any table, which is then diagnosed."""
    original: Id | None = None
    """Of a release, the table before."""
    audience: Literal["internal", "external", "both"] = "both"
    """Those who may see the original table, or whoever gets the release."""


REQUEST = Report


def prepare(request: Report, files: References) -> dict[str, Any]:
    """The request for a worker."""
    original = None if request.original is None else files.source(request.original, "original")
    return {"of": files.source(request.file), "original": original, "audience": request.audience}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """The facts of each report; the pages lie beside."""
    from incrowd.api import read, report

    def given(how: dict[str, Any] | None) -> Any:
        """A plain file by its path, so that what lies beside it is found."""
        if how is None or (how["table"] is None and how["query"] is None):
            return None if how is None else how["source"]
        return read(how["source"], table=how["table"], query=how["query"])

    wanted = ("internal", "external") if plain["audience"] == "both" else (plain["audience"],)
    facts: dict[str, Any] = {}
    for audience in wanted:
        made = report(given(plain["of"]), audience, given(plain["original"]), show)
        made.write(f"report-{audience}.html")
        facts[audience] = made.to_dict()
    return facts

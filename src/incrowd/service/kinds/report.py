"""A report on a release, or on a table."""

from typing import Any

from incrowd.errors import UsageError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Report
from incrowd.watch import Show

REQUEST = Report


def prepare(request: Report, files: References) -> dict[str, Any]:
    """The request for a worker; what goes with a release is put beside it."""
    plain = located(request, files)
    held = files.held(request.file)
    plain["is_release"] = held.kind == "release" or request.manifest is not None
    for key in ("manifest", "record"):
        given = getattr(request, key)
        if given is not None:
            if held.kind == "release" or held.url is not None:
                raise UsageError.senseless(f"the {key}", "only an uploaded release needs it", "leave it out")
            linked = files.path(given, key, key)
            files.links[f"{plain['data']['source']}.{key}.json"] = files.links[linked]
    if request.original is not None:
        plain["original"] = files.source(request.original, "original")
    return plain


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Where the report is, and its facts."""
    from incrowd.api import diagnose, read
    from incrowd.reports.making import of_diagnosis, of_release
    from incrowd.reports.reading import release_at
    from incrowd.reports.report import audience_of
    from incrowd.watch import Watch

    audience, name = audience_of(plain["audience"]), f"report-{plain['audience']}.{plain['form']}"
    with Watch(None, show) as watch:
        if plain["is_release"]:
            before = plain.get("original")
            original = None if before is None else read(before["source"], table=before["table"], query=before["query"])
            release = release_at(plain["data"]["source"], original, is_private=plain["audience"] == "internal")
            made = of_release(release, audience, watch)
        else:
            made = of_diagnosis(diagnose(opened(plain)), None, audience, watch, plain.get("time"))
        made.write(name)
    return {"report": name, "title": made.title, "facts": made.to_dict()}

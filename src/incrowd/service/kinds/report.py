"""Report on a release or a table for people, as pages and as plain facts."""

from typing import Any

from incrowd.errors import UsageError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.kinds._sets import is_of_run, made_here, named, originals, refuse_further, released, uploaded
from incrowd.service.references import References
from incrowd.service.requests import Report
from incrowd.watch import Show

REQUEST = Report


def prepare(request: Report, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it; manifest and private record are put beside a release."""
    if request.tables is not None or is_of_run(request.file, files):
        return _of_tables(request, files)
    if request.file is None or isinstance(request.original, dict):
        raise UsageError.invalid("the request for report", "it needs a file or tables", "give one of the two")
    plain = located(request, files)
    held = files.held(request.file)
    plain["is_release"] = held.kind == "release" or request.manifest is not None
    if plain["is_release"] and request.among is not None:
        raise UsageError.invalid("among", "a release says itself which columns matter", "leave it out")
    if plain["is_release"] and request.person:
        raise UsageError.invalid("person", "no release shows who a record is about", "leave it out")
    for key in ("manifest", "record"):
        given = getattr(request, key)
        if given is not None:
            if held.kind == "release" or held.url is not None:
                raise UsageError.invalid(f"the {key}", "only an uploaded release needs it", "leave it out")
            linked = files.path(given, key, key)
            files.links[f"{plain['data']['source']}.{key}.json"] = files.links[linked]
    if request.original is not None:
        plain["original"] = files.source(request.original, "original")
    if isinstance(request.population, str):
        plain["population"] = files.source(request.population, "population")
    return plain


_OF_TABLES = ("audience", "form", "time")


def _of_tables(request: Report, files: References) -> dict[str, Any]:
    """Return a request about a release of several tables."""
    given = request.model_fields_set - {"file", "tables"}
    plain = request.model_dump(include={*_OF_TABLES}, exclude_none=True)
    if isinstance(request.original, str):
        raise UsageError.invalid("the original", "one table is given for several", "give each table by its name")
    if request.original is not None:
        plain["originals"] = named(request.original, files)
    if request.tables is None:
        refuse_further("report", given, *_OF_TABLES, "original")
        return {"set": made_here(files.held(request.file), files), **plain}
    if request.file is not None:
        raise UsageError.invalid("the request for report", "it has a file and tables", "give one of the two")
    refuse_further("report", given, *_OF_TABLES, "original", "manifest", "record")
    return {"set": uploaded(request.tables, request.manifest, request.record, files), **plain}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the facts of the report by audience; write the reports."""
    from incrowd.watch import Watch

    wanted = ("internal", "external") if plain["audience"] == "both" else (plain["audience"],)
    facts: dict[str, Any] = {}
    if "set" in plain:
        plain = {**plain, "folder": released(plain["set"])}
    with Watch(plain["time"] if "set" in plain and "time" in plain else None, show) as watch:
        for audience in wanted:
            made = _made(plain, audience, watch)
            made.write(f"report-{audience}.{plain['form']}")
            facts[audience] = made.to_dict()
    return facts


def _made(plain: dict[str, Any], audience: str, watch: Any) -> Any:
    from incrowd.api import diagnose, read
    from incrowd.reports.making import of_diagnosis, of_release
    from incrowd.reports.reading import release_at
    from incrowd.reports.report import audience_of

    whom = audience_of(audience)
    if "set" in plain:
        from incrowd.reports import make_report

        before = originals(plain if "originals" in plain else plain["set"])
        record = plain["set"].get("record") if audience == "internal" else None
        return make_report(plain["folder"], audience, before, watch, record=record)
    if not plain["is_release"]:
        diagnosis = diagnose(opened(dict(plain)), plain.get("among"), person=plain.get("person", ()))
        return of_diagnosis(diagnosis, None, whom, watch, plain.get("time"))

    def given(how: Any) -> Any:
        """Return a path alone if possible: then the table is read as the private record says."""
        if not isinstance(how, dict):
            return how
        reading = {"missing": plain["data"]["missing"], "table": how["table"], "query": how["query"]}
        return read(how["source"], **reading) if any(reading.values()) else how["source"]

    before, people = given(plain.get("original")), given(plain.get("population"))
    release = release_at(plain["data"]["source"], before, is_private=audience == "internal", population=people)
    return of_release(release, whom, watch)

"""Measure the re-identification risk."""

from typing import Any

from incrowd.errors import UsageError
from incrowd.service.kinds._reading import located, opened
from incrowd.service.kinds._sets import is_of_run, made_here, named, refuse_further, released, uploaded
from incrowd.service.path_sandbox import confined_tables
from incrowd.service.references import References
from incrowd.service.requests import Risk
from incrowd.watch import Show

REQUEST = Risk


def prepare(request: Risk, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    if request.job is not None or request.tables is not None or is_of_run(request.file, files):
        return _of_tables(request, files)
    if request.file is None or isinstance(request.population, dict):
        raise UsageError.invalid("the request for risk", "it needs one table", "name a file, or give a job")
    if request.manifest is not None:
        raise UsageError.invalid("the manifest", "only several tables need it here", "leave it out")
    plain = located(request, files)
    if isinstance(request.population, str):
        plain["people"] = {**files.source(request.population, "population"), "missing": request.missing}
        del plain["population"]
    return plain


_OF_TABLES = ("quasi", "knows", "threshold", "time")


def _of_tables(request: Risk, files: References) -> dict[str, Any]:
    """Return a request about several tables, or their release."""
    refuse_further("risk", request.model_fields_set - {"file", "job", "tables", "manifest"}, *_OF_TABLES, "population")
    if request.population is not None and not isinstance(request.population, dict):
        raise UsageError.invalid("the population", "it is not of several tables", "give each table by its name")
    people = {} if request.population is None else {"population": named(request.population, files)}
    plain = {**people, **request.model_dump(include={*_OF_TABLES}, exclude_none=True)}
    given = [what for what in ("file", "job", "tables") if getattr(request, what) is not None]
    if len(given) > 1:
        raise UsageError.invalid("the request for risk", f"it has {' and '.join(given)}", "give one of them")
    if request.tables is not None:
        return {"set": uploaded(request.tables, request.manifest, None, files), **plain}
    if request.manifest is not None:
        raise UsageError.invalid("the manifest", "only tables that were uploaded need it", "leave it out")
    if request.job is None:
        return {"set": made_here(files.held(request.file), files), **plain}
    return {"job": confined_tables(request.job, files, publishes=False), **plain}


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the report; records are listed by their number alone, counted from 0."""
    from incrowd.api import risk
    from incrowd.risks import check_rows
    from incrowd.watch import Watch

    if "set" in plain or "job" in plain:
        from incrowd.jobs.linked import LinkedJob

        of: Any = LinkedJob.from_dict(plain.pop("job")) if "job" in plain else released(plain.pop("set"))
        of_people = risk(of, progress=show, **plain)
        return {**of_people.to_dict(), "text": str(of_people)}
    population, rows = plain.pop("population", None), plain.pop("rows", False)
    check_rows(plain["knows"], rows)
    if "people" in plain:
        population = opened({"data": plain.pop("people")})
    source = opened(plain)
    found = risk(source, population=population, progress=show, **plain)
    told = {**found.to_dict(), "text": str(found)}
    special = found.special_uniques
    if not rows or special is None:
        return told
    with Watch(None, show) as watch:
        listed = special.rows(source.table(found.columns, watch))
    return {**told, "rows": [{"row": row, "score": score} for row, score in listed]}

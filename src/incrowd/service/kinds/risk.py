"""Measure the re-identification risk."""

from typing import Any

from incrowd.service.kinds._reading import located, opened
from incrowd.service.references import References
from incrowd.service.requests import Risk
from incrowd.watch import Show

REQUEST = Risk


def prepare(request: Risk, files: References) -> dict[str, Any]:
    """Return the request as a worker needs it."""
    plain = located(request, files)
    if isinstance(request.population, str):
        plain["people"] = {**files.source(request.population, "population"), "missing": request.missing}
        del plain["population"]
    return plain


def run(plain: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return the report; records are listed by their number alone, counted from 0."""
    from incrowd.api import risk
    from incrowd.risks import check_rows
    from incrowd.watch import Watch

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
